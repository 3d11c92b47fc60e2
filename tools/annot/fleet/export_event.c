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

static void tag(struct json_out *out, const char *key, const char *value)
{
    if (value[0])
        json_out_word(out, key, value);
}

static const char *error_text(const struct dump_summary *summary)
{
    return annot_device_error_headline((int32_t)summary->error);
}

/* ---- Sentry ---- */

static void sentry_exception(struct json_out *out, const struct dump_summary *summary)
{
    json_out_open(out, "exception", '{');
    json_out_open(out, "values", '[');
    json_out_open(out, NULL, '{');
    json_out_word(out, "type", error_text(summary));
    json_out_word(out, "value", summary->identity.title);
    json_out_open(out, "mechanism", '{');
    json_out_word(out, "type", "gpu");
    json_out_bool(out, "handled", false);
    json_out_close(out, '}');
    json_out_close(out, '}');
    json_out_close(out, ']');
    json_out_close(out, '}');
}

static void sentry_contexts(struct json_out *out, const struct dump_summary *summary)
{
    json_out_open(out, "contexts", '{');
    json_out_open(out, "gpu", '{');
    json_out_word(out, "name", summary->adapter[0] ? summary->adapter : "unknown");
    tag(out, "version", summary->driver);
    json_out_close(out, '}');
    if (summary->system[0]) {
        json_out_open(out, "os", '{');
        json_out_word(out, "name", summary->system);
        json_out_close(out, '}');
    }
    json_out_close(out, '}');
}

void export_sentry(struct json_out *out, const char *file, const struct dump_summary *summary)
{
    json_out_open(out, NULL, '{');
    if (has_guid(summary))
        json_out_word(out, "event_id", summary->guid);
    if (summary->time != 0)
        json_out_number(out, "timestamp", summary->time / 1000000000u);
    json_out_word(out, "platform", "native");
    json_out_word(out, "level", "fatal");
    json_out_word(out, "logger", "annot");
    if (summary->app_version[0])
        json_out_word(out, "release", summary->app_version);
    json_out_open(out, "fingerprint", '[');
    json_out_word(out, NULL, summary->identity.id[0] ? summary->identity.id : "{{ default }}");
    json_out_close(out, ']');
    sentry_exception(out, summary);
    sentry_contexts(out, summary);
    json_out_open(out, "tags", '{');
    tag(out, "application", summary->application);
    tag(out, "gpu.driver", summary->driver);
    tag(out, "signature", summary->identity.id);
    tag(out, "quality", annot_signature_quality_word(summary->identity.quality));
    json_out_close(out, '}');
    json_out_open(out, "extra", '{');
    json_out_word(out, "dump", file);
    json_out_word(out, "answer", summary->answer);
    json_out_word(out, "path", summary->identity.path);
    json_out_word(out, "reason", summary->reason);
    json_out_number(out, "markers", summary->markers);
    json_out_close(out, '}');
    json_out_close(out, '}');
}

/* ---- Backtrace ---- */

static void put_uuid(struct json_out *out, const char *guid)
{
    char text[37];
    snprintf(text, sizeof text, "%.8s-%.4s-%.4s-%.4s-%.12s", guid, guid + 8, guid + 12, guid + 16,
             guid + 20);
    json_out_word(out, "uuid", text);
}

/* A report wants a thread with a stack: the path of markers, innermost first, is the only one that
 * a GPU has. */
static void put_stack(struct json_out *out, const struct dump_summary *summary)
{
    static const char between[] = " / ";
    const char *end = summary->identity.path + strlen(summary->identity.path);
    json_out_open(out, "threads", '{');
    json_out_open(out, "gpu", '{');
    json_out_word(out, "name", "gpu");
    json_out_bool(out, "fault", true);
    json_out_open(out, "stack", '[');
    while (end > summary->identity.path) {
        const char *start = end;
        while (start > summary->identity.path &&
               (start - summary->identity.path < 3 || memcmp(start - 3, between, 3) != 0))
            start--;
        json_out_open(out, NULL, '{');
        json_out_text(out, "funcName", start, (size_t)(end - start));
        json_out_word(out, "library", "gpu");
        json_out_close(out, '}');
        end = start - summary->identity.path >= 3 ? start - 3 : summary->identity.path;
    }
    json_out_close(out, ']');
    json_out_close(out, '}');
    json_out_close(out, '}');
    json_out_word(out, "mainThread", "gpu");
}

void export_backtrace(struct json_out *out, const char *file, const struct dump_summary *summary)
{
    json_out_open(out, NULL, '{');
    put_uuid(out, summary->guid);
    /* Backtrace takes no report without a time: that of the export then, and it is said so. */
    json_out_number(out, "timestamp",
                    summary->time != 0 ? summary->time / 1000000000u : (uint64_t)time(NULL));
    json_out_word(out, "lang", "c");
    json_out_word(out, "langVersion", "C11");
    json_out_word(out, "agent", "annot");
    json_out_word(out, "agentVersion", annot_version());
    put_stack(out, summary);
    json_out_open(out, "classifiers", '[');
    json_out_word(out, NULL, error_text(summary));
    json_out_close(out, ']');
    json_out_open(out, "annotations", '{');
    json_out_close(out, '}');
    json_out_open(out, "attributes", '{');
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
        tag(out, "annot.time", "unknown; the timestamp is the export's");
    json_out_close(out, '}');
    json_out_close(out, '}');
}
