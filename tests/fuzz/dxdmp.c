/* Any bytes as a DirectX dump file: the dump that is made of it, and both of its reports. */
#include <annot/dxdmp.h>
#include <annot/fleet.h>

#include <stdlib.h>
#include <string.h>

static void check(bool condition)
{
    if (!condition)
        abort();
}

struct checker {
    uint64_t size;
};

static bool check_report(void *user, const void *data, size_t size)
{
    struct checker *checker = user;
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        check(bytes[i] >= 0x20 || bytes[i] == '\n');
        check(bytes[i] != 0x7F);
    }
    checker->size += size;
    return true;
}

struct made {
    uint8_t *bytes;
    size_t size;
};

static bool keep(void *user, const void *data, size_t size)
{
    struct made *made = user;
    check(made->bytes == NULL && (made->bytes = malloc(size + 1)) != NULL);
    memcpy(made->bytes, data, size);
    made->size = size;
    return true;
}

/* Whether a dump may be inside: it is given as it is, and need not be one. */
static bool may_have_inner(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i++)
        if (memcmp(data + i, "ANNOTDMP", 8) == 0)
            return true;
    return false;
}

/* A dump that is made of any file is one that its reader takes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct checker text = {0}, json = {0};
    const annot_report_sink text_sink = {.user = &text, .write = check_report};
    const annot_report_sink json_sink = {.user = &json, .write = check_report};
    const uint64_t limit = 64 * (uint64_t)size + (4u << 20);
    static annot_identity identity;
    struct made made = {NULL, 0};
    const annot_report_sink sink = {.user = &made, .write = keep};
    annot_reader *reader = NULL;
    const bool has_inner = may_have_inner(data, size);
    if (annot_dxdmp_as_dump(NULL, data, size, &sink) != ANNOT_OK)
        return 0;
    annot_reader_open_memory(NULL, made.bytes, made.size, &reader);
    check(reader || has_inner);
    if (reader) {
        check(annot_reader_identity(reader, &identity) == ANNOT_OK);
        check(annot_report_text(reader, NULL, &text_sink) == ANNOT_OK);
        check(annot_report_json(reader, NULL, &json_sink) == ANNOT_OK);
        check(has_inner || (made.size < limit && text.size < limit && json.size < 4 * limit));
    }
    annot_reader_close(reader);
    free(made.bytes);
    return 0;
}
