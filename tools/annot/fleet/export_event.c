#include "export_event.h"

#include <annot/dump.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Both services know an event by 128 bits: the device's GUID, which names the error. One of zeros
 * stays away. */
static bool has_guid(const struct dump_summary *summary)
{
    return summary->guid[strspn(summary->guid, "0")] != 0;
}

static void tag(struct annot__json *out, const char *key, const char *value)
{
    if (value[0])
        annot__json_string(out, key, value);
}

static const char *error_text(const struct dump_summary *summary)
{
    return annot_device_error_headline((int32_t)summary->error);
}

/* ---- Sentry ---- */

static void sentry_exception(struct annot__json *out, const struct dump_summary *summary)
{
    annot__json_open(out, "exception", "{");
    annot__json_open(out, "values", "[");
    annot__json_open(out, NULL, "{");
    annot__json_string(out, "type", error_text(summary));
    annot__json_string(out, "value", summary->identity.title);
    annot__json_open(out, "mechanism", "{");
    annot__json_string(out, "type", "gpu");
    annot__json_bool(out, "handled", false);
    annot__json_close(out, "}");
    annot__json_close(out, "}");
    annot__json_close(out, "]");
    annot__json_close(out, "}");
}

static void sentry_contexts(struct annot__json *out, const struct dump_summary *summary)
{
    annot__json_open(out, "contexts", "{");
    annot__json_open(out, "gpu", "{");
    annot__json_string(out, "name", summary->adapter[0] ? summary->adapter : "unknown");
    tag(out, "version", summary->driver);
    annot__json_close(out, "}");
    if (summary->system[0]) {
        annot__json_open(out, "os", "{");
        annot__json_string(out, "name", summary->system);
        annot__json_close(out, "}");
    }
    annot__json_close(out, "}");
}

void export_sentry(struct annot__json *out, const char *file, const struct dump_summary *summary)
{
    annot__json_open(out, NULL, "{");
    if (has_guid(summary))
        annot__json_string(out, "event_id", summary->guid);
    if (summary->time != 0)
        annot__json_number(out, "timestamp", summary->time / 1000000000u);
    annot__json_string(out, "platform", "native");
    annot__json_string(out, "level", "fatal");
    annot__json_string(out, "logger", "annot");
    if (summary->app_version[0])
        annot__json_string(out, "release", summary->app_version);
    annot__json_open(out, "fingerprint", "[");
    annot__json_string(out, NULL, summary->identity.id[0] ? summary->identity.id : "{{ default }}");
    annot__json_close(out, "]");
    sentry_exception(out, summary);
    sentry_contexts(out, summary);
    annot__json_open(out, "tags", "{");
    tag(out, "application", summary->application);
    tag(out, "gpu.driver", summary->driver);
    tag(out, "signature", summary->identity.id);
    tag(out, "quality", annot_signature_quality_word(summary->identity.quality));
    annot__json_close(out, "}");
    annot__json_open(out, "extra", "{");
    annot__json_string(out, "dump", file);
    annot__json_string(out, "answer", summary->answer);
    annot__json_string(out, "path", summary->identity.path);
    annot__json_string(out, "reason", summary->reason);
    annot__json_number(out, "markers", summary->markers);
    annot__json_close(out, "}");
    annot__json_close(out, "}");
}

/* ---- Backtrace ---- */

static void put_uuid(struct annot__json *out, const char *guid)
{
    char text[37];
    snprintf(text, sizeof text, "%.8s-%.4s-%.4s-%.4s-%.12s", guid, guid + 8, guid + 12, guid + 16,
             guid + 20);
    annot__json_string(out, "uuid", text);
}

/* A report wants a thread with a stack: the path of markers, innermost first, is the only one that
 * a GPU has. */
static void put_stack(struct annot__json *out, const struct dump_summary *summary)
{
    static const char between[] = " / ";
    const char *end = summary->identity.path + strlen(summary->identity.path);
    annot__json_open(out, "threads", "{");
    annot__json_open(out, "gpu", "{");
    annot__json_string(out, "name", "gpu");
    annot__json_bool(out, "fault", true);
    annot__json_open(out, "stack", "[");
    while (end > summary->identity.path) {
        const char *start = end;
        while (start > summary->identity.path &&
               (start - summary->identity.path < 3 || memcmp(start - 3, between, 3) != 0))
            start--;
        annot__json_open(out, NULL, "{");
        annot__json_bytes(out, "funcName", start, (size_t)(end - start));
        annot__json_string(out, "library", "gpu");
        annot__json_close(out, "}");
        end = start - summary->identity.path >= 3 ? start - 3 : summary->identity.path;
    }
    annot__json_close(out, "]");
    annot__json_close(out, "}");
    annot__json_close(out, "}");
    annot__json_string(out, "mainThread", "gpu");
}

void export_backtrace(struct annot__json *out, const char *file, const struct dump_summary *summary)
{
    annot__json_open(out, NULL, "{");
    put_uuid(out, summary->guid);
    /* Backtrace takes no report without a time: that of the export then, and it is said so. */
    annot__json_number(out, "timestamp",
                       summary->time != 0 ? summary->time / 1000000000u : (uint64_t)time(NULL));
    annot__json_string(out, "lang", "c");
    annot__json_string(out, "langVersion", "C11");
    annot__json_string(out, "agent", "annot");
    annot__json_string(out, "agentVersion", annot_version());
    put_stack(out, summary);
    annot__json_open(out, "classifiers", "[");
    annot__json_string(out, NULL, error_text(summary));
    annot__json_close(out, "]");
    annot__json_open(out, "annotations", "{");
    annot__json_close(out, "}");
    annot__json_open(out, "attributes", "{");
    tag(out, "annot.signature", summary->identity.id);
    tag(out, "application", summary->application);
    tag(out, "version", summary->app_version);
    tag(out, "gpu.adapter", summary->adapter);
    tag(out, "gpu.driver", summary->driver);
    tag(out, "uname.sysname", summary->system);
    tag(out, "error.message", summary->identity.title);
    tag(out, "annot.quality", annot_signature_quality_word(summary->identity.quality));
    tag(out, "annot.answer", summary->answer);
    tag(out, "annot.reason", summary->reason);
    tag(out, "annot.dump", file);
    if (summary->time == 0)
        tag(out, "annot.time", "unknown; the timestamp is the time of the export");
    annot__json_close(out, "}");
    annot__json_close(out, "}");
}
