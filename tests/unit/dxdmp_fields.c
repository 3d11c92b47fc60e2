/* Each field of a DirectX dump file, where the published layout has it, and each limit [ANN-FILE].
 */
#include "dxdmp_file.h"

#include <annot/dump.h>
#include <annot/dxdmp.h>
#include <annot/pix.h>

TestSuite(dxdmp_fields, .fini = guarded_expect_nothing_left);

/* A byte that no neighbour has. */
static uint8_t byte_at(size_t at)
{
    return (uint8_t)(at * 37 + 11);
}

/* The number that the bytes from `at` on make. */
static uint64_t number(size_t at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)byte_at(at + i) << 8 * i;
    return value;
}

static void fill(struct file *file, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put(file, byte_at(i), 1);
}

static void big(struct file *file, const char *type, const char *mem_type, uint64_t key,
                size_t size)
{
    if (mem_type)
        memory(file, mem_type, key, size);
    else
        section(file, type, size);
    fill(file, size);
}

/* ---- the header, and sections with one struct each ---- */

/* The device of the dump that is made of a file with this header. */
static annot_reader_device device_with(struct file *file)
{
    struct kept bytes;
    annot_reader_device device;
    annot_reader *reader = reader_of_file(file, &bytes);
    annot_reader_get_device(reader, &device);
    annot_reader_close(reader);
    free(bytes.data);
    file_end(file);
    return device;
}

/* FILETIME: 100 ns from 1601 on. What is not after 1970, or too far to be nanoseconds, is 0. */
Test(dxdmp_fields, the_headers_fields_are_where_the_layout_has_them)
{
    const uint64_t epoch = UINT64_C(116444736000000000), last = UINT64_MAX / 100;
    const struct {
        uint64_t filetime, time;
    } rows[] = {{0, 0},
                {epoch - 1, 0},
                {epoch, 0},
                {epoch + 9466848000000001, UINT64_C(946684800000000100)},
                {epoch + last, last * 100},
                {epoch + last + 1, 0},
                {UINT64_MAX, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct file file = file_begin(1);
        for (size_t k = 8; k < 256; k++)
            file.bytes[k] =
                (uint8_t)(k >= 28 && k < 36 ? rows[i].filetime >> 8 * (k - 28) : byte_at(k));
        const annot_reader_device device = device_with(&file);
        cr_expect_eq(device.time, rows[i].time, "row %zu: %llu", i,
                     (unsigned long long)device.time);
        cr_expect_eq(device.error, number(24, 4));
        for (size_t k = 0; k < 16; k++)
            cr_expect_eq(device.guid[k], byte_at(8 + k), "%zu", k);
    }
}

/* What the report says of a file with a section of this size; the texts of all its strings are
 * there. */
static char *said_with(const char *type, size_t size)
{
    struct file file = file_begin(1);
    big(&file, type, NULL, 0, size);
    for (size_t at = 0; at < 56; at += 8)
        wide(&file, "WSTR", number(at, 8), "a text");
    wide(&file, "WSTR", 0, "nobody's");
    big(&file, "SMI0", NULL, 0, 400); /* is not read instead */
    char *text = report_of_file(&file, false, NULL);
    file_end(&file);
    return text;
}

/* A field whose bytes the section has is read, whatever else it lacks; another is what it is
 * without the section. */
Test(dxdmp_fields, structs_are_read_from_as_many_bytes_as_they_need)
{
    char vendor[96], driver[64], removed[64], fault[64];
    snprintf(vendor, sizeof vendor, "\n  adapter ID   vendor 0x%04x, device ",
             (unsigned)number(256, 4));
    snprintf(driver, sizeof driver, "\n  driver       %u.", (unsigned)number(326, 2));
    snprintf(removed, sizeof removed, "(0x%08x), device state", (unsigned)number(8, 4));
    snprintf(fault, sizeof fault, " 0x%llx", (unsigned long long)number(0, 8));
    const struct {
        const char *type, *words;
        size_t least, most;
    } rows[] = {{"ApDs", "\n  application ", 8, 60},
                {"ApDs", "\n  product ", 16, 60},
                {"ApDs", "\n  engine ", 32, 60},
                {"OSI0", ", build ", 12, 44},
                {"OSI0", "\n  system       a text, build", 40, 44},
                {"AdIn", vendor, 260, 372},
                {"AdIn", driver, 328, 372},
                {"CPI0", "\n  CPU ", 56, 60},
                {"DRIN", "\n  removed ", 0, 16},
                {"DRIN", removed, 12, 16},
                {"DRPF", fault, 8, 16}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t size = rows[i].most > 100 ? 250 : 0; size <= rows[i].most; size++) {
            AT_END(at_end_free) char *text = said_with(rows[i].type, size);
            cr_expect_eq(strstr(text, rows[i].words) != NULL, size >= rows[i].least,
                         "%zu bytes, '%s': %s", size, rows[i].words, text);
        }
}

/* A memory buffer whose type has a section's letters is none, and the other way round. */
Test(dxdmp_fields, sections_are_told_from_memory_and_listed_in_their_order)
{
    static const char *const memories[] = {"WSTR", "DRAS", "DRWS", "DCHR",
                                           "AADT", "ApAn", "DCQ0", "AACQ"};
    const struct {
        const char *type;
        uint64_t key;
        size_t offset, header, size;
    } rows[] = {
        {"DRIN", 5, 256, 40, 12}, {"SMI0", 0, 256 + 52, 16, 56}, {"WSTR", 9, 256 + 52 + 72, 40, 4}};
    const uint64_t none[2] = {0};
    char name[16];
    struct file file = file_begin(1);
    for (size_t i = 0; i < 3; i++)
        big(&file, rows[i].type, i == 1 ? NULL : rows[i].type, rows[i].key, rows[i].size);
    struct dxdmp *model = model_of(&file);
    cr_expect_null(dxdmp_first_section(model, code("DRIN")));
    cr_assert_eq(model->section_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct dxdmp_section *found = &model->sections[i];
        cr_expect(found->is_memory == (i != 1) && found->type == code(rows[i].type), "%zu", i);
        cr_expect_eqs(found->key, rows[i].key, found->size, rows[i].size);
        cr_expect_eqs(found->header, rows[i].offset, found->data, rows[i].offset + rows[i].header);
    }
    model_end(model, &file);
    file = file_begin(1);
    for (size_t i = 0; i < 8; i++)
        big(&file, memories[i], NULL, 0, 64);
    model = model_of(&file);
    cr_expect_eq(dxdmp_dred_string(model, none, name, sizeof name), 0);
    cr_expect_eqs(model->key_count, 0, model->annotation_count, 0);
    cr_expect_eqs(model->counts[DXDMP_OBJECTS], 0, model->counts[DXDMP_OWNERS], 0);
    cr_expect_eqs(model->findings[DXDMP_FINDING_UNKNOWN].count, 8,
                  model->findings[DXDMP_FINDING_UNKNOWN].offset, 256);
    cr_assert_eq(findings_of(model), 1);
    model_end(model, &file);
}

/* Keys are each type's own: of all that have key 7 the one that is asked for is missing. */
Test(dxdmp_fields, a_buffer_is_found_by_its_type_and_key)
{
    static const char *const types[] = {"WSTR", "DRAS", "DRWS", "DCHR", "DBCC", "AADT"};
    for (size_t missing = 0; missing <= 6; missing++) {
        struct file file = file_begin(1);
        char name[16];
        for (size_t i = 0; i < 6; i++)
            if (i != missing)
                big(&file, NULL, types[i], 7, 32);
        wide(&file, "DRWS", 0, "nobody's");
        narrow(&file, "DRAS", 0, "nobody's");
        struct dxdmp *model = model_of(&file);
        for (size_t i = 0; i < 6; i++)
            cr_expect_eq(dxdmp_buffer(model, code(types[i]), 7) != NULL, i != missing, "%zu", i);
        for (unsigned is_wide = 0; is_wide < 2; is_wide++)
            cr_expect_eq(dxdmp_dred_string(model,
                                           (const uint64_t[]){is_wide ? 0 : 7, is_wide ? 7 : 0},
                                           name, sizeof name) > 0,
                         missing != 1 + is_wide, "without %zu", missing);
        model_end(model, &file);
    }
}

/* Each byte of a size and of a version counts. */
Test(dxdmp_fields, every_byte_of_a_sections_size_and_of_the_version_counts)
{
    for (unsigned byte = 0; byte < 8; byte++) {
        struct file file = file_begin(1);
        section(&file, "SMI0", 56 | 1ull << (8 * byte + 7));
        fill(&file, 56);
        if (byte < 4)
            file.bytes[4 + byte] |= 0x80;
        struct dxdmp *model = model_of(&file);
        cr_assert_eq(findings_of(model), byte < 4 ? 2 : 1, "byte %u", byte);
        cr_expect_eqs(model->findings[DXDMP_FINDING_CUT].count, 1,
                      model->findings[DXDMP_FINDING_VERSION].count, byte < 4);
        model_end(model, &file);
    }
}

Test(dxdmp_fields, the_dump_inside_is_the_first_driver_blob_that_begins_as_one)
{
    static const struct {
        const char *type, *mem_type, *bytes;
        size_t size;
    } others[] = {{"UmBl", NULL, "ANNOTDMP", 8}, {NULL, "KmBl", "ANNOTDMP", 8},
                  {NULL, "ApBl", "ANNOTDMP", 8}, {NULL, "UmBl", "ANNOTDM", 7},
                  {NULL, "UmBl", "ANNOTDMQ", 8}, {NULL, NULL, NULL, 0}};
    enum { NONE = sizeof others / sizeof others[0] - 1 };
    for (size_t row = 0; row <= NONE; row++)
        for (unsigned count = 0; count < 3; count++) {
            struct file file = file_begin(1);
            if (row < NONE) {
                if (others[row].type)
                    section(&file, others[row].type, others[row].size);
                else
                    memory(&file, others[row].mem_type, 0, others[row].size);
                for (size_t i = 0; i < others[row].size; i++)
                    put(&file, (uint8_t)others[row].bytes[i], 1);
                section(&file, "Padd", 0); /* whose first letter could be the eighth */
            }
            const size_t at = file.size + 16 + 24;
            for (unsigned i = 0; i < count; i++) {
                memory(&file, "UmBl", 0, 8);
                for (size_t k = 0; k < 8; k++)
                    put(&file, (uint8_t) "ANNOTDMP"[k], 1);
            }
            struct dxdmp *model = model_of(&file);
            const struct dxdmp_section *found = dxdmp_inner(model);
            cr_expect_eq(found != NULL, count > 0, "row %zu", row);
            cr_expect(!found || (found->data == at && found->size == 8), "row %zu", row);
            model_end(model, &file);
        }
}

/* ---- DRED ---- */

Test(dxdmp_fields, each_field_of_a_node_is_where_the_layout_has_it)
{
    struct file file = file_begin(1);
    big(&file, "SMI0", NULL, 0, 56);
    big(&file, "DRBN", NULL, 0, 80);
    big(&file, NULL, "DCHR", number(56, 8), 20);
    big(&file, NULL, "DBCC", number(72, 8), 40); /* less than are announced */
    big(&file, NULL, "DBCC", number(56, 8), 64);
    struct dxdmp *model = model_of(&file);
    cr_assert_eq(model->counts[DXDMP_NODES], 1);
    const struct dxdmp_node node = nth_node(model, 0);
    for (unsigned i = 0; i < 2; i++) {
        cr_expect_eq(node.list_name[i], number(8 * i, 8));
        cr_expect_eq(node.queue_name[i], number(16 + 8 * i, 8));
    }
    cr_expect_eqs(node.list, number(32, 8), node.queue, number(40, 8));
    cr_expect_eqs(node.op_count, number(48, 4), node.done, number(64, 4));
    cr_expect_eqs(node.ops_kept, 5, node.context_count, 2);
    cr_expect(node.ops == &model->sections[2] && node.contexts == &model->sections[3]);
    model_end(model, &file);
}

/* Operations: what the list recorded, what the history has, and what the ring keeps. */
Test(dxdmp_fields, a_history_has_as_many_operations_as_are_recorded_kept_and_there)
{
    enum { RING = 65536 };
    const struct {
        uint32_t count, stored, kept, oldest;
    } rows[] = {{0, 0, 0, 0},
                {3, 2, 2, 0},
                {3, 3, 3, 0},
                {3, 4, 3, 0},
                {RING, RING, RING, 0},
                {RING + 1, RING, RING, 1},
                {RING + 1, RING + 9, RING, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct file file = file_begin(1);
        uint32_t kind;
        section(&file, "DRBN", 80);
        for (unsigned k = 0; k < 10; k++)
            put(&file, k == 6 ? rows[i].count : k == 7 ? 0x200 : 0, 8);
        memory(&file, "DCHR", 0x200, (uint64_t)rows[i].stored * 4);
        for (uint32_t k = 0; k < rows[i].stored; k++)
            put(&file, k + 5, 4);
        struct dxdmp *model = model_of(&file);
        const struct dxdmp_node found = nth_node(model, 0);
        cr_expect_eq(found.ops_kept, rows[i].kept, "row %zu", i);
        for (uint32_t op = 0;
             op<rows[i].count + 2; op += op> 3 && op + 5 < rows[i].count ? 97 : 1) {
            const bool is_there =
                op >= rows[i].oldest && op < rows[i].count && op % RING < rows[i].kept;
            cr_expect_eq(dxdmp_node_op(model, &found, op, &kind), is_there, "row %zu, %u", i, op);
            cr_expect(!is_there || kind == op % RING + 5, "row %zu, %u: %u", i, op, kind);
        }
        model_end(model, &file);
    }
}

/* ---- allocations, annotations, owners, objects ---- */

/* With one EventID: in file order, by section and by element. */
Test(dxdmp_fields, of_annotations_with_one_event_id_the_first_counts)
{
    struct file file = file_begin(1);
    for (unsigned i = 0; i < 9; i++) {
        if (i % 3 == 0)
            memory(&file, "ApAn", 3, 48);
        put(&file, i == 4 ? 1 : 5, 8);
        put(&file, 100 + i, 8);
    }
    struct dxdmp *model = model_of(&file);
    cr_assert_eq(model->annotation_count, 9);
    for (uint32_t i = 0; i < 9; i++) {
        const struct dxdmp_place *at = &model->annotations[i];
        cr_expect_eq(at->kind * 3 + at->at, i == 0 ? 4 : i <= 4 ? i - 1 : i, "place %u", i);
    }
    cr_expect_eq(dxdmp_lower(model->annotations, 9, 5, 0), 1);
    cr_expect_eq(dxdmp_lower(model->annotations, 9, 6, 0), 9, "there is none");
    cr_expect_eq(model->findings[DXDMP_FINDING_REPEATED].count, 7);
    model_end(model, &file);
}

Test(dxdmp_fields, an_array_has_as_many_elements_as_it_announces_and_has)
{
    for (uint64_t announced = 0; announced < 5; announced++)
        for (size_t size = 0; size <= 3 * 24; size += 8) {
            struct file file = file_begin(1);
            big(&file, NULL, "DGO0", announced, size);
            struct dxdmp *model = model_of(&file);
            const size_t room = size / 24;
            cr_expect_eq(model->counts[DXDMP_OBJECTS], announced < room ? announced : room);
            cr_expect_eq(findings_of(model), announced > room, "%zu bytes", size);
            model_end(model, &file);
        }
}

/* Each is a marker of the owner's recording; the file has none of these annotations. */
Test(dxdmp_fields, an_owner_has_as_many_event_ids_as_it_announces_and_has)
{
    for (uint64_t announced = 0; announced < 10; announced++)
        for (size_t size = 8; size <= 16 + 8 * 8; size += announced < 5 && size < 40 ? 4 : 8)
            for (int is_queue = 0; is_queue < 2; is_queue++) {
                AT_END(file_end) struct file file = file_begin(1);
                annot_reader_stream stream;
                annot_reader_object object;
                struct kept bytes;
                char name[64], expected[64];
                memory(&file, is_queue ? "AACQ" : "AACA", 0, size);
                put(&file, 0xC0DE0001, 8);
                for (size_t at = 8; at < size; at += 4)
                    put(&file, at == 8 ? announced : at == 12 ? 0 : 0x100 + at, 4);
                annot_reader *reader = reader_of_file(&file, &bytes);
                const uint64_t room = size < 16 ? 0 : (size - 16) / 8;
                const uint64_t count = size < 12 ? 0 : announced < room ? announced : room;
                cr_assert(annot_reader_stream_at(reader, 0, &stream));
                cr_expect_eq(stream.entry_count, count, "%zu bytes, %d announced", size,
                             (int)announced);
                for (uint32_t i = 0; i < count; i++) {
                    annot_reader_entry_name(reader, stream.first_entry + i, name, sizeof name);
                    snprintf(expected, sizeof expected, "0x%08x%08x (not in the file)",
                             0x114 + 8 * i, 0x110 + 8 * i);
                    cr_expect_str_eq(name, expected, "%u of %zu bytes", i, size);
                }
                cr_assert(annot_reader_object_find(reader, stream.object, &object));
                cr_expect_eq(object.kind,
                             is_queue ? D3D12DDI_HT_COMMAND_QUEUE : D3D12DDI_HT_COMMAND_ALLOCATOR);
                annot_reader_close(reader);
                free(bytes.data);
            }
}

/* docs/DXDMP.md: an EventID that is mentioned again gets a new one; a payload is cut. */
Test(dxdmp_fields, the_first_mention_of_an_annotation_has_its_event_id)
{
    enum { COUNT = 16, LONG = 70000 };
    AT_END(file_end) struct file file = file_begin(1);
    annot_reader_entry entry;
    struct kept bytes;
    memory(&file, "ApAn", COUNT, 16 * COUNT);
    for (uint64_t i = 0; i < 2 * COUNT; i++)
        put(&file, i % 2 ? 1 : 100 + i / 2, 8);
    big(&file, NULL, "AADT", 100, LONG);
    memory(&file, "AACA", 0, 16 + 2 * 8 * COUNT);
    put(&file, 0xC0DE0001, 8);
    put(&file, 2 * COUNT, 8);
    for (uint64_t i = 0; i < 2 * COUNT; i++)
        put(&file, 100 + i % COUNT, 8);
    annot_reader *reader = reader_of_file(&file, &bytes);
    cr_expect_not(annot_reader_is_damaged(reader));
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_EVENT_ID_REPEATED), 0);
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        cr_assert(annot_reader_entry_at(reader, i, &entry));
        cr_expect_eq(annot_reader_entry_find(reader, entry.event_id), i);
        cr_expect_eq(entry.event_id == 100 + i % COUNT, i < COUNT, "%u", i);
        cr_expect_eq(entry.size, i % COUNT == 0 ? LONG : 0);
        cr_expect_eq(entry.stored, i % COUNT == 0 ? ANNOT__DUMP_VARIABLE_MAX : 0);
    }
    annot_reader_close(reader);
    free(bytes.data);
}

/* Objects of all kinds are one list in file order; two of each. */
Test(dxdmp_fields, objects_of_each_kind_have_their_address_name_and_handle)
{
    static const struct {
        const char *type;
        uint32_t kind;
        unsigned size;
        bool has_handle;
    } rows[] = {{"DRs0", D3D12DDI_HT_RESOURCE, 128, true},
                {"DRS0", D3D12DDI_HT_ROOT_SIGNATURE, 40, true},
                {"DDH0", D3D12DDI_HT_DESCRIPTOR_HEAP, 40, true},
                {"DHp0", D3D12DDI_HT_HEAP, 72, true},
                {"DFn0", D3D12DDI_HT_FENCE, 40, true},
                {"DCQ0", D3D12DDI_HT_COMMAND_QUEUE, 40, true},
                {"DCL0", D3D12DDI_HT_COMMAND_LIST, 32, true},
                {"DCA0", D3D12DDI_HT_COMMAND_ALLOCATOR, 32, true},
                {"DGO0", 0, 24, false},
                {"DPS0", D3D12DDI_HT_PIPELINE_STATE, 48, true},
                {"DSO0", D3D12DDI_HT_STATE_OBJECT, 48, true}};
    enum { KINDS = sizeof rows / sizeof rows[0] };
    struct file file = file_begin(1);
    struct dxdmp_thing thing;
    struct dxdmp_object found;
    for (size_t i = 0; i < KINDS; i++)
        big(&file, NULL, rows[i].type, 2, 2 * rows[i].size);
    struct dxdmp *model = model_of(&file);
    cr_assert_eq(model->counts[DXDMP_OBJECTS], 2 * KINDS);
    for (uint32_t i = 0; i < 2 * KINDS; i++) {
        const size_t at = i % 2 * rows[i / 2].size;
        memset(&found, 0x77, sizeof found);
        cr_assert(nth_thing(model, DXDMP_OBJECTS, i, &thing));
        dxdmp_object_of(model, &thing, &found);
        cr_expect_eq(found.kind, rows[i / 2].kind, "%s: %u", rows[i / 2].type, found.kind);
        cr_expect_eq(found.address, number(at, 8), "%s", rows[i / 2].type);
        cr_expect_eq(found.name, at + 8, "%s", rows[i / 2].type);
        cr_expect_eq(found.handle, rows[i / 2].has_handle ? number(at + 16, 8) : 0, "%s",
                     rows[i / 2].type);
    }
    model_end(model, &file);
}
