#include "summary.h"

#include "cli.h"

#include <annot/dump.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- texts ---- */

static void copy(char *to, annot_text text)
{
    cli_printable(text, to, SUMMARY_TEXT_MAX);
}

static bool is_key(annot_text key, const char *name)
{
    return key.size == strlen(name) && memcmp(key.data, name, key.size) == 0;
}

static void copy_facts(const annot_reader *reader, struct dump_summary *out)
{
    annot_reader_fact fact;
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        if (fact.source == ANNOT_FACT_LIBRARY && is_key(fact.key, "system"))
            copy(out->system, fact.value);
        if (fact.source != ANNOT_FACT_LIBRARY && is_key(fact.key, "version"))
            copy(out->app_version, fact.value);
        if (fact.source != ANNOT_FACT_LIBRARY && is_key(fact.key, "application"))
            copy(out->application, fact.value);
    }
}

/* ---- counts ---- */

static void count(const annot_reader *reader, struct dump_summary *out)
{
    annot_reader_stream stream;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++) {
        out->queues += stream.is_queue;
        out->lists += !stream.is_queue;
        out->markers += stream.marker_count;
    }
    out->submissions = annot_reader_submission_count(reader);
    out->stops = annot_reader_stop_count(reader);
    out->dropped = annot_reader_loss(reader, ANNOT_LOSS_MARKERS);
}

void summary_of(const annot_reader *reader, bool is_damaged, struct dump_summary *out)
{
    annot_reader_device device;
    annot_reader_hang hang;
    annot_reader_get_device(reader, &device);
    annot_reader_get_hang(reader, &hang);
    *out = (struct dump_summary){.status = is_damaged ? DUMP_DAMAGED : DUMP_WHOLE,
                                 .time = device.time,
                                 .error = device.error,
                                 .page_faults = device.fault_count,
                                 .failure = annot_failure_word(hang.failure)};
    if (annot_reader_identity(reader, &out->identity) != ANNOT_OK)
        out->status = DUMP_NO_MEMORY;
    for (size_t i = 0; i < sizeof device.guid; i++)
        snprintf(out->guid + 2 * i, 3, "%02x", device.guid[i]);
    copy(out->application, device.application);
    copy(out->adapter, device.adapter);
    copy(out->driver, device.driver);
    copy(out->writer, device.writer);
    copy(out->reason, device.reason);
    copy_facts(reader, out);
    count(reader, out);
    shape_of(reader, &out->shape);
}

void summary_of_file(const char *path, struct dump_summary *out)
{
    annot_reader *reader;
    char *bytes;
    struct stat status;
    errno = 0;
    const uint64_t size = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    const annot_result result = cli_open_file(path, &reader, &bytes);
    const int error = errno;
    if (reader) {
        summary_of(reader, result != ANNOT_OK || annot_reader_is_damaged(reader), out);
        annot_reader_close(reader);
    } else {
        const bool has_memory = result == ANNOT_ERROR_IO ? error != ENOMEM && error != EMFILE
                                                         : result != ANNOT_ERROR_OUT_OF_MEMORY;
        *out = (struct dump_summary){.status = has_memory ? DUMP_UNREADABLE : DUMP_NO_MEMORY};
        snprintf(out->why, sizeof out->why, "%s",
                 result == ANNOT_ERROR_IO && error ? strerror(error) : annot_result_text(result));
    }
    free(bytes);
    out->size = size;
}

/* ---- words ---- */

const char *summary_status_text(enum dump_status status)
{
    static const char *const texts[] = {"whole", "damaged", "unreadable", "no memory"};
    return texts[status];
}

void summary_time_text(uint64_t time_ns, char *buffer, size_t capacity)
{
    const time_t seconds = (time_t)(time_ns / 1000000000u);
    struct tm parts;
    buffer[0] = 0;
    if (time_ns == 0)
        return;
#ifdef _WIN32
    if (gmtime_s(&parts, &seconds) != 0)
        return;
#else
    if (!gmtime_r(&seconds, &parts))
        return;
#endif
    const size_t size = strftime(buffer, capacity, "%Y-%m-%d %H:%M:%S", &parts);
    snprintf(buffer + size, capacity - size, ".%09u", (unsigned)(time_ns % 1000000000u));
}

/* Writes the members "place" and "place_hash". */
static void write_part(struct annot__json *out, const annot_identity *identity, annot_part part)
{
    const char *text = identity->parts[part].text;
    char key[32];
    snprintf(key, sizeof key, "%s_hash", annot_part_word(part));
    annot__json_string(out, part == ANNOT_PART_ERROR ? "error_kind" : annot_part_word(part),
                       text[0] ? text : NULL);
    annot__json_hash(out, key, identity->parts[part].hash);
}

void summary_write(struct annot__json *out, const char *file, const struct dump_summary *summary)
{
    char when[48];
    const annot_identity *identity = &summary->identity;
    const bool is_read = summary->status != DUMP_UNREADABLE;
    summary_time_text(summary->time, when, sizeof when);
    annot__json_format(out,
                       "{schema:%u file:%s size:" JSON_U64 " status:%s why:%-s signature:%-s "
                       "quality:%-s title:%-s redacted:%d time:%-s error:%-s",
                       (unsigned)SUMMARY_SCHEMA, file, summary->size,
                       summary_status_text(summary->status), summary->why, identity->id,
                       is_read ? annot_signature_quality_word(identity->quality) : "",
                       identity->title, identity->is_redacted, when,
                       is_read ? annot_device_error_headline((int32_t)summary->error) : "");
#define WRITE_TEXT(name)   annot__json_format(out, #name ":%-s", summary->name);
#define WRITE_NUMBER(name) annot__json_number(out, #name, summary->name);
    SUMMARY_TEXTS(WRITE_TEXT)
    annot__json_format(out, "path:%-s", identity->path);
    SUMMARY_NUMBERS(WRITE_NUMBER)
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        write_part(out, identity, (annot_part)i);
    annot__json_format(out, "failure:%s}", summary->failure);
}
