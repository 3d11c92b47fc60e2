/* Any bytes as a dump to redact. Names are made of letters that no word of a redacted dump has (A
 * to Z and q to z): none of them may be left in a name, and the copy has the original's structure,
 * states and signature, and is no less damaged. */
#include <annot/fleet.h>

#include <stdlib.h>
#include <string.h>

enum { MEMORY_LIMIT = 64 << 20 };

struct copy {
    uint8_t *data;
    size_t size, capacity;
};

static void check(bool condition)
{
    if (!condition)
        abort();
}

static bool take(void *user, const void *data, size_t size)
{
    struct copy *copy = user;
    if (size > copy->capacity - copy->size) {
        copy->capacity = (copy->size + size) * 2;
        copy->data = realloc(copy->data, copy->capacity);
        check(copy->data);
    }
    memcpy(copy->data + copy->size, data, size);
    copy->size += size;
    return true;
}

/* Sixteen letters a to p, perhaps a space and digits. */
static void check_word(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && text[at] >= 'a' && text[at] <= 'p')
        at++;
    check(at == 16);
    if (at == size)
        return;
    check(text[at++] == ' ' && at < size);
    for (; at < size; at++)
        check(text[at] >= '0' && text[at] <= '9');
}

static void check_text(annot_text text)
{
    if (text.size > 0)
        check_word(text.data, text.size);
}

static void check_names(const annot_reader *reader)
{
    annot_reader_device device;
    annot_reader_object object;
    annot_reader_entry entry;
    annot_reader_fact fact;
    char name[256];
    annot_reader_get_device(reader, &device);
    check_text(device.application);
    check_text(device.reason);
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++) {
        check_text(object.name);
        check(object.kind_name.size == 0);
    }
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++) {
        if (entry.kind != ANNOT_ENTRY_BEGIN && entry.kind != ANNOT_ENTRY_SET)
            continue;
        const size_t size = annot_reader_entry_name(reader, i, name, sizeof name);
        if (name[0] != '(') /* (no name), (memory gone), (metadata 7, 16 bytes) */
            check_word(name, size);
    }
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++)
        if (fact.source != ANNOT_FACT_LIBRARY) {
            check_text(fact.key);
            check_text(fact.value);
        }
}

static void check_structure(const annot_reader *before, const annot_reader *after)
{
    annot_reader_entry entries[2];
    annot_reader_execution executions[2];
    static annot_identity signatures[2];
    check(annot_reader_stream_count(before) == annot_reader_stream_count(after));
    check(annot_reader_object_count(before) == annot_reader_object_count(after));
    check(annot_reader_submission_count(before) == annot_reader_submission_count(after));
    check(annot_reader_stop_count(before) == annot_reader_stop_count(after));
    check(!annot_reader_is_damaged(before) || annot_reader_is_damaged(after));
    for (uint32_t i = 0; annot_reader_entry_at(before, i, &entries[0]); i++) {
        check(annot_reader_entry_at(after, i, &entries[1]));
        check(entries[0].event_id == entries[1].event_id && entries[0].kind == entries[1].kind &&
              entries[0].parent == entries[1].parent && entries[0].depth == entries[1].depth);
    }
    for (uint32_t i = 0; annot_reader_execution_at(before, i, &executions[0]); i++) {
        check(annot_reader_execution_at(after, i, &executions[1]));
        check(executions[0].state == executions[1].state);
    }
    annot_reader_identity(before, &signatures[0]);
    annot_reader_identity(after, &signatures[1]);
    check(!signatures[0].id[0] == !signatures[1].id[0] ||
          signatures[1].quality != signatures[0].quality);
    check(strncmp(signatures[1].id, "v2-", 3) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char key[ANNOT_REDACT_KEY_SIZE] = {7};
    const annot_reader_desc desc = {.memory_limit = MEMORY_LIMIT};
    annot_reader *before, *after;
    struct copy copy = {NULL, 0, 0};
    const annot_report_sink sink = {&copy, take};
    annot_reader_open_memory(&desc, data, size, &before);
    if (!before)
        return 0;
    check(annot_redact_write(before, key, &sink) == ANNOT_OK);
    annot_reader_open_memory(&desc, copy.data, copy.size, &after);
    if (after) {
        check_names(after);
        check_structure(before, after);
    }
    annot_reader_close(after);
    annot_reader_close(before);
    free(copy.data);
    return 0;
}
