/* Any bytes as a DirectX dump file: open, ask everything, write both reports, open the annotation
 * dump inside. */
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

static void check_nodes(const annot_dxdmp *dump)
{
    annot_dxdmp_node node;
    for (size_t i = 0; annot_dxdmp_node_at(dump, i, &node); i++) {
        uint32_t kind;
        check(!annot_dxdmp_node_op(dump, &node, node.op_count, &kind));
    }
}

static void check_sections(const annot_dxdmp *dump, const uint8_t *data, size_t size)
{
    annot_dxdmp_section section;
    for (size_t i = 0; annot_dxdmp_section_at(dump, i, &section); i++) {
        const uint8_t *begin = section.data;
        check(begin >= data && begin <= data + size);
        check(section.size <= (size_t)(data + size - begin));
    }
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

/* A dump that is made of any file is one that its reader takes. */
static void check_as_dump(const annot_dxdmp *dump, size_t file_size)
{
    struct checker text = {0}, json = {0};
    const annot_report_sink text_sink = {.user = &text, .write = check_report};
    const annot_report_sink json_sink = {.user = &json, .write = check_report};
    const uint64_t limit = 64 * (uint64_t)file_size + (4u << 20);
    static annot_identity identity;
    struct made made = {NULL, 0};
    const annot_report_sink sink = {.user = &made, .write = keep};
    annot_reader *reader = NULL;
    const void *inner;
    size_t inner_size;
    check(annot_dxdmp_as_dump(dump, &sink) == ANNOT_OK);
    const bool has_inner = annot_dxdmp_inner(dump, &inner, &inner_size);
    annot_reader_open_memory(NULL, made.bytes, made.size, &reader);
    check(reader || has_inner);
    if (reader) {
        check(has_inner || annot_reader_is_damaged(reader) == annot_dxdmp_is_damaged(dump));
        check(annot_reader_identity(reader, &identity) == ANNOT_OK);
        check(annot_report_text(reader, NULL, &text_sink) == ANNOT_OK);
        check(annot_report_json(reader, NULL, &json_sink) == ANNOT_OK);
        check(has_inner || (made.size < limit && text.size < limit && json.size < 4 * limit));
    }
    annot_reader_close(reader);
    free(made.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    annot_dxdmp *dump;
    if (annot_dxdmp_open_memory(NULL, data, size, &dump) != ANNOT_OK)
        return 0;
    check_sections(dump, data, size);
    check_nodes(dump);
    check_as_dump(dump, size);
    annot_dxdmp_close(dump);
    return 0;
}
