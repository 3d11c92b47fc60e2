/* Each field of a DirectX dump file, where the published layout has it, and each limit [ANN-FILE].
 */
#include "asserts.h"
#include "dxdmp_file.h"
#include "guarded.h"

#include <annot/dump.h>
#include <annot/dxdmp.h>
#include <annot/pix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- the header ---- */

Test(dxdmp_fields, header_fields_are_where_the_layout_has_them)
{
    struct file file = file_begin(1);
    for (size_t i = 8; i < 256; i++)
        file.bytes[i] = byte_at(i);
    annot_dxdmp *dump = open_file(&file);
    annot_dxdmp_info info;
    annot_dxdmp_get_info(dump, &info);
    cr_expect_eq(info.version, 1);
    cr_expect_eq(info.error, number(24, 4));
    for (size_t i = 0; i < 16; i++)
        cr_expect_eq(info.guid[i], byte_at(8 + i), "%zu", i);
    cr_expect(info.was_uploaded && info.was_debugged);
    file_end(&file, dump);
}

/* FILETIME: 100 ns from 1601 on. What is not after 1970, or too far to be nanoseconds, is 0. */
Test(dxdmp_fields, times_are_nanoseconds_since_1970_as_far_as_64_bits_go)
{
    const uint64_t epoch = UINT64_C(116444736000000000), last = UINT64_MAX / 100;
    const struct {
        uint64_t filetime, time;
    } rows[] = {{0, 0},
                {epoch - 1, 0},
                {epoch, 0},
                {epoch + 1, 100},
                {epoch + 12345678, 1234567800},
                {epoch + last, last * 100},
                {epoch + last + 1, 0},
                {UINT64_MAX, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct file file = file_begin(1);
        annot_dxdmp_info info;
        for (unsigned k = 0; k < 8; k++)
            file.bytes[28 + k] = (uint8_t)(rows[i].filetime >> 8 * k);
        annot_dxdmp *dump = open_file(&file);
        annot_dxdmp_get_info(dump, &info);
        cr_expect_eq(info.time, rows[i].time, "row %zu: %llu", i, (unsigned long long)info.time);
        file_end(&file, dump);
    }
}

/* ---- sections with one struct each ---- */

static void big(struct file *file, const char *type, const char *mem_type, uint64_t key,
                size_t size)
{
    if (mem_type)
        memory(file, mem_type, key, size);
    else
        section(file, type, size);
    fill(file, size);
}

static annot_dxdmp_info info_with(const char *type, size_t size)
{
    struct file file = file_begin(1);
    annot_dxdmp_info info;
    big(&file, type, NULL, 0, size);
    big(&file, "SMI0", NULL, 0, 400); /* is not read instead */
    annot_dxdmp *dump = open_file(&file);
    memset(&info, 0x77, sizeof info);
    annot_dxdmp_get_info(dump, &info);
    file_end(&file, dump);
    return info;
}

/* A field whose bytes the section has is read, whatever else it lacks; another is what it is
 * without the section. */
Test(dxdmp_fields, application_and_system_are_read_from_as_many_bytes_as_they_need)
{
    for (size_t size = 0; size <= 60; size++) {
        const annot_dxdmp_info info = info_with("ApDs", size);
        const bool is_there = size >= 32;
        cr_expect_eq(info.executable, is_there ? number(0, 8) : UINT64_MAX, "%zu bytes", size);
        cr_expect_eq(info.application, is_there ? number(8, 8) : UINT64_MAX, "%zu bytes", size);
        cr_expect_eq(info.engine, is_there ? number(24, 8) : UINT64_MAX, "%zu bytes", size);
    }
    for (size_t size = 0; size <= 44; size++) {
        const annot_dxdmp_info info = info_with("OSI0", size);
        const bool is_there = size >= 40;
        cr_expect_eq(info.os_build, is_there ? number(8, 4) : 0, "%zu bytes", size);
        cr_expect_eq(info.os, is_there ? number(32, 8) : UINT64_MAX, "%zu bytes", size);
    }
    for (size_t size = 250; size <= 372; size++) {
        const annot_dxdmp_info info = info_with("AdIn", size);
        cr_expect_eq(info.vendor, size >= 260 ? number(256, 4) : 0, "%zu bytes", size);
        cr_expect_eq(info.device, size >= 264 ? number(260, 4) : 0, "%zu bytes", size);
        cr_expect_eq(info.driver_version, size >= 328 ? number(320, 8) : 0, "%zu bytes", size);
    }
}

Test(dxdmp_fields, dred_and_the_page_fault_are_read_from_as_many_bytes_as_they_need)
{
    for (size_t size = 0; size <= 16; size++) {
        const annot_dxdmp_info info = info_with("DRIN", size);
        cr_expect(info.has_dred && !info.has_page_fault);
        cr_expect_eq(info.dred_version, size >= 4 ? number(0, 4) : 0, "%zu bytes", size);
        cr_expect_eq(info.dred_state, size >= 8 ? number(4, 4) : 0, "%zu bytes", size);
        cr_expect_eq(info.removed_reason, size >= 12 ? number(8, 4) : 0, "%zu bytes", size);
    }
    for (size_t size = 0; size <= 16; size++) {
        const annot_dxdmp_info info = info_with("DRPF", size);
        cr_expect(!info.has_dred);
        cr_expect_eq(info.has_page_fault, size >= 8, "%zu bytes", size);
        cr_expect_eq(info.fault_address, size >= 8 ? number(0, 8) : 0, "%zu bytes", size);
    }
}

/* A memory buffer whose type has a section's letters is none, and the other way round. */
Test(dxdmp_fields, sections_are_told_from_memory_and_listed_in_their_order)
{
    struct file file = file_begin(1);
    annot_dxdmp_info info;
    annot_dxdmp_section found;
    memory(&file, "DRIN", 5, 12);
    fill(&file, 12);
    section(&file, "SMI0", 56);
    fill(&file, 56);
    memory(&file, "WSTR", 9, 4);
    fill(&file, 4);
    annot_dxdmp *dump = open_file(&file);
    annot_dxdmp_get_info(dump, &info);
    cr_expect_not(info.has_dred);
    cr_assert_eq(annot_dxdmp_section_count(dump), 3);
    const struct {
        uint32_t type, mem_type;
        uint64_t key;
        size_t offset, header, size;
    } rows[] = {{code("Memr"), code("DRIN"), 5, 256, 40, 12},
                {code("SMI0"), 0, 0, 256 + 52, 16, 56},
                {code("Memr"), code("WSTR"), 9, 256 + 52 + 72, 40, 4}};
    for (size_t i = 0; i < 3; i++) {
        memset(&found, 0x77, sizeof found);
        cr_assert(annot_dxdmp_section_at(dump, i, &found));
        cr_expect_eq(found.type, rows[i].type, "%zu", i);
        cr_expect_eq(found.mem_type, rows[i].mem_type, "%zu", i);
        cr_expect_eq(found.key, rows[i].key, "%zu", i);
        cr_expect_eq(found.offset, rows[i].offset, "%zu", i);
        cr_expect_eq(found.size, rows[i].size, "%zu", i);
        cr_expect_mem_eq(found.data, file.bytes + rows[i].offset + rows[i].header, rows[i].size,
                         "%zu", i);
    }
    cr_expect_not(annot_dxdmp_section_at(dump, 3, &found));
    file_end(&file, dump);
    static const char *const memories[] = {"WSTR", "DRAS", "DRWS", "DCHR",
                                           "AADT", "ApAn", "DCQ0", "AACQ"};
    file = file_begin(1);
    char name[16];
    const uint64_t none[2] = {0};
    annot_dxdmp_finding finding;
    for (size_t i = 0; i < 8; i++)
        big(&file, memories[i], NULL, 0, 64);
    dump = open_file(&file);
    cr_expect_eq(annot_dxdmp_string(dump, 0, name, sizeof name), 0);
    cr_expect_eq(annot_dxdmp_dred_string(dump, none, name, sizeof name), 0);
    cr_expect_eqs(annot_dxdmp_annotation_count(dump), 0, annot_dxdmp_object_count(dump), 0);
    cr_expect_eq(annot_dxdmp_owner_count(dump), 0);
    cr_assert_eq(annot_dxdmp_finding_count(dump), 1);
    cr_assert(annot_dxdmp_finding_at(dump, 0, &finding));
    cr_expect_str_eq(finding.name, "UNKNOWN");
    cr_expect_eqs(finding.count, 8, finding.offset, 256);
    file_end(&file, dump);
}

/* Keys are each type's own: of all that have key 7 the one that is asked for is missing. */
Test(dxdmp_fields, a_buffer_is_found_by_its_type_and_key)
{
    static const char *const types[] = {"WSTR", "DRAS", "DRWS", "DCHR", "DBCC", "AADT"};
    for (size_t missing = 0; missing <= 6; missing++) {
        struct file file = file_begin(1);
        annot_dxdmp_node found;
        annot_dxdmp_annotation annotation;
        char name[16];
        memory(&file, "ApAn", 1, 16);
        put(&file, 7, 8);
        put(&file, 0, 8);
        section(&file, "DRBN", 80);
        for (unsigned k = 0; k < 10; k++)
            put(&file, k == 6 ? 9 : k == 7 || k == 9 ? 7 : k == 8 ? 9ull << 32 : 0, 8);
        for (size_t i = 0; i < 6; i++)
            if (i != missing)
                big(&file, NULL, types[i], 7, 32);
        annot_dxdmp *dump = open_file(&file);
        cr_expect_eq(annot_dxdmp_string(dump, 7, name, sizeof name) > 0, missing != 0);
        for (unsigned is_wide = 0; is_wide < 2; is_wide++)
            cr_expect_eq(
                annot_dxdmp_dred_string(dump, (const uint64_t[]){is_wide ? 0 : 7, is_wide ? 7 : 0},
                                        name, sizeof name) > 0,
                missing != 1 + is_wide, "without %zu", missing);
        cr_assert(annot_dxdmp_node_at(dump, 0, &found));
        cr_expect_eqs(found.ops_kept, missing == 3 ? 0 : 8, found.context_count,
                      missing == 4 ? 0 : 2);
        cr_expect_eq(found.ops_section == ANNOT_READER_NONE, missing == 3);
        cr_expect_eq(found.contexts_section == ANNOT_READER_NONE, missing == 4);
        cr_assert(annot_dxdmp_annotation_at(dump, 0, &annotation));
        cr_expect_eq(annotation.size, missing == 5 ? 0 : 32);
        file_end(&file, dump);
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
        annot_dxdmp *dump = open_file(&file);
        annot_dxdmp_finding finding;
        cr_assert_eq(annot_dxdmp_finding_count(dump), byte < 4 ? 2 : 1, "byte %u", byte);
        for (size_t i = 0; annot_dxdmp_finding_at(dump, i, &finding); i++)
            cr_expect(strcmp(finding.name, "CUT") == 0 || strcmp(finding.name, "VERSION") == 0,
                      "%s", finding.name);
        file_end(&file, dump);
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
            const void *data = NULL;
            size_t size = 0;
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
            annot_dxdmp *dump = open_file(&file);
            cr_expect_eq(annot_dxdmp_inner(dump, &data, &size), count > 0, "row %zu", row);
            cr_expect_eq(data == file.bytes + at, count > 0, "row %zu", row);
            cr_expect_eq(size, count > 0 ? 8 : 0);
            file_end(&file, dump);
        }
}

/* ---- DRED ---- */

Test(dxdmp_fields, each_field_of_a_node_is_where_the_layout_has_it)
{
    struct file file = file_begin(1);
    annot_dxdmp_node node;
    big(&file, "SMI0", NULL, 0, 56);
    big(&file, "DRBN", NULL, 0, 80);
    big(&file, NULL, "DCHR", number(56, 8), 20);
    big(&file, NULL, "DBCC", number(72, 8), 40); /* less than are announced */
    big(&file, NULL, "DBCC", number(56, 8), 64);
    annot_dxdmp *dump = open_file(&file);
    memset(&node, 0x77, sizeof node);
    cr_assert_eq(annot_dxdmp_node_count(dump), 1);
    cr_assert(annot_dxdmp_node_at(dump, 0, &node));
    for (unsigned i = 0; i < 2; i++) {
        cr_expect_eq(node.list_name[i], number(8 * i, 8));
        cr_expect_eq(node.queue_name[i], number(16 + 8 * i, 8));
    }
    cr_expect_eq(node.list, number(32, 8));
    cr_expect_eq(node.queue, number(40, 8));
    cr_expect_eq(node.op_count, number(48, 4));
    cr_expect_eq(node.done, number(64, 4));
    cr_expect_eq(node.ops_kept, 5, "20 bytes");
    cr_expect_eq(node.context_count, 2, "40 bytes");
    cr_expect_eq(node.ops_section, 2);
    cr_expect_eq(node.contexts_section, 3);
    cr_expect_not(annot_dxdmp_node_at(dump, 1, &node));
    file_end(&file, dump);
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
        annot_dxdmp_node found;
        uint32_t kind;
        section(&file, "DRBN", 80);
        for (unsigned k = 0; k < 10; k++)
            put(&file, k == 6 ? rows[i].count : k == 7 ? 0x200 : 0, 8);
        memory(&file, "DCHR", 0x200, (uint64_t)rows[i].stored * 4);
        for (uint32_t k = 0; k < rows[i].stored; k++)
            put(&file, k + 5, 4);
        annot_dxdmp *dump = open_file(&file);
        cr_assert(annot_dxdmp_node_at(dump, 0, &found));
        cr_expect_eq(found.ops_kept, rows[i].kept, "row %zu", i);
        for (uint32_t op = 0;
             op<rows[i].count + 2; op += op> 3 && op + 5 < rows[i].count ? 97 : 1) {
            const bool is_there =
                op >= rows[i].oldest && op < rows[i].count && op % RING < rows[i].kept;
            cr_expect_eq(annot_dxdmp_node_op(dump, &found, op, &kind), is_there, "row %zu, %u", i,
                         op);
            cr_expect(!is_there || kind == op % RING + 5, "row %zu, %u: %u", i, op, kind);
        }
        file_end(&file, dump);
    }
}

/* A node that a caller made himself, of sections that are not there or not of it. */
Test(dxdmp_fields, a_node_of_the_callers_is_not_believed)
{
    const uint32_t ops[] = {1, 6};
    const uint64_t contexts[][2] = {{0, 0x401}};
    struct file file = file_begin(1);
    annot_dxdmp_node found;
    uint32_t kind;
    node(&file, ops, 2, 1, contexts, 1);
    annot_dxdmp *dump = open_file(&file);
    cr_assert(annot_dxdmp_node_at(dump, 0, &found));
    annot_dxdmp_node wrong = found;
    wrong.ops_section = (uint32_t)annot_dxdmp_section_count(dump);
    cr_expect_not(annot_dxdmp_node_op(dump, &wrong, 0, &kind));
    wrong.ops_section = ANNOT_READER_NONE;
    cr_expect_not(annot_dxdmp_node_op(dump, &wrong, 0, &kind));
    file_end(&file, dump);
}

/* A newer caller's struct, with something that this version does not know. */
Test(dxdmp_fields, what_a_newer_caller_says_of_a_thing_is_not_ignored)
{
    const uint32_t ops[] = {1};
    const struct {
        annot_dxdmp_node node;
        uint64_t more;
    } newer = {{.op_count = 1, .done = 1, .ops_kept = 1, .ops_section = 1}, 1};
    const struct {
        annot_dxdmp_owner owner;
        uint64_t more;
    } owner = {{.id_count = 2, .section = 0}, 1};
    struct file file = file_begin(1);
    uint32_t kind;
    node(&file, ops, 1, 1, NULL, 0);
    annot_dxdmp *dump = open_file(&file);
    for (unsigned is_newer = 0; is_newer < 2; is_newer++) {
        const size_t more = is_newer ? sizeof newer - sizeof newer.node : 0;
        cr_expect_eq(annot_dxdmp_node_op_sized(dump, &newer.node, sizeof newer.node + more, 0,
                                               &kind),
                     !is_newer);
        cr_expect_eq(annot_dxdmp_owner_id_sized(dump, &owner.owner, sizeof owner.owner + more, 1),
                     is_newer ? 0 : 0x103, "the word there");
    }
    file_end(&file, dump);
}

/* ---- allocations, annotations, owners, objects ---- */

Test(dxdmp_fields, each_field_of_an_allocation_is_where_the_layout_has_it)
{
    for (int is_freed = 0; is_freed < 2; is_freed++) {
        struct file file = file_begin(1);
        annot_dxdmp_allocation found;
        big(&file, is_freed ? "DFAN" : "DEAN", NULL, 0, 32);
        annot_dxdmp *dump = open_file(&file);
        memset(&found, 0x77, sizeof found);
        cr_assert(annot_dxdmp_allocation_at(dump, 0, &found));
        cr_expect_eq(found.name[0], number(0, 8));
        cr_expect_eq(found.name[1], number(8, 8));
        cr_expect_eq(found.type, number(16, 4));
        cr_expect_eq(found.object, number(24, 8));
        cr_expect_eq(found.is_freed, is_freed);
        cr_expect_not(annot_dxdmp_allocation_at(dump, 1, &found));
        file_end(&file, dump);
    }
}

Test(dxdmp_fields, each_field_of_an_annotation_is_where_the_layout_has_it)
{
    struct file file = file_begin(1);
    annot_dxdmp_annotation found;
    memory(&file, "ApAn", 2, 32);
    fill(&file, 32);
    big(&file, NULL, "AADT", number(16, 8), 5);
    annot_dxdmp *dump = open_file(&file);
    cr_assert_eq(annot_dxdmp_annotation_count(dump), 2);
    for (size_t i = 0; i < 2; i++) {
        memset(&found, 0x77, sizeof found);
        cr_assert(annot_dxdmp_annotation_find(dump, number(16 * i, 8), &found));
        cr_expect_eq(found.event_id, number(16 * i, 8));
        cr_expect_eq(found.metadata, number(16 * i + 8, 4));
        cr_expect_eq(found.type, byte_at(16 * i + 12));
        cr_expect_eq(found.size, i == 1 ? 5 : 0);
        cr_expect_eq(found.data != NULL, i == 1);
    }
    cr_expect_not(annot_dxdmp_annotation_at(dump, 2, &found));
    file_end(&file, dump);
}

/* With one EventID: in file order, by section and by element. */
Test(dxdmp_fields, of_annotations_with_one_event_id_the_first_counts)
{
    struct file file = file_begin(1);
    annot_dxdmp_annotation found;
    annot_dxdmp_finding finding;
    for (unsigned i = 0; i < 9; i++) {
        if (i % 3 == 0)
            memory(&file, "ApAn", 3, 48);
        put(&file, i == 4 ? 1 : 5, 8);
        put(&file, 100 + i, 8);
    }
    annot_dxdmp *dump = open_file(&file);
    cr_assert(annot_dxdmp_annotation_find(dump, 5, &found));
    cr_expect_eq(found.metadata, 100);
    for (size_t i = 0; i < 9; i++) {
        cr_assert(annot_dxdmp_annotation_at(dump, i, &found));
        cr_expect_eq(found.metadata, i == 0 ? 104 : i <= 4 ? 99 + i : 100 + i, "place %zu", i);
    }
    cr_assert(annot_dxdmp_finding_at(dump, 0, &finding));
    cr_expect_str_eq(finding.name, "REPEATED");
    cr_expect_eq(finding.count, 7);
    file_end(&file, dump);
    file = file_begin(1);
    dump = open_file(&file);
    cr_expect_not(annot_dxdmp_annotation_find(dump, 5, &found), "there is none");
    file_end(&file, dump);
}

Test(dxdmp_fields, an_array_has_as_many_elements_as_it_announces_and_has)
{
    for (uint64_t announced = 0; announced < 5; announced++)
        for (size_t size = 0; size <= 3 * 24; size += 8) {
            struct file file = file_begin(1);
            big(&file, NULL, "DGO0", announced, size);
            annot_dxdmp *dump = open_file(&file);
            const size_t room = size / 24;
            cr_expect_eq(annot_dxdmp_object_count(dump), announced < room ? announced : room);
            cr_expect_eq(annot_dxdmp_finding_count(dump), announced > room, "%zu bytes", size);
            file_end(&file, dump);
        }
}

Test(dxdmp_fields, an_owner_has_as_many_event_ids_as_it_announces_and_has)
{
    for (uint64_t announced = 0; announced < 10; announced++)
        for (size_t size = 8; size <= 16 + 8 * 8; size += announced < 5 && size < 40 ? 4 : 8)
            for (int is_queue = 0; is_queue < 2; is_queue++) {
                struct file file = file_begin(1);
                annot_dxdmp_owner found;
                memory(&file, is_queue ? "AACQ" : "AACA", 0, size);
                put(&file, 0xC0DE0001, 8);
                for (size_t at = 8; at < size; at += 4)
                    put(&file, at == 8 ? announced : at == 12 ? 0 : 0x100 + at, 4);
                annot_dxdmp *dump = open_file(&file);
                memset(&found, 0x77, sizeof found);
                cr_assert(annot_dxdmp_owner_at(dump, 0, &found));
                const uint64_t room = size < 16 ? 0 : (size - 16) / 8;
                const uint64_t count = size < 12 ? 0 : announced < room ? announced : room;
                cr_expect_eq(found.handle, 0xC0DE0001);
                cr_expect_eq(found.is_queue, is_queue);
                cr_expect_eq(found.id_count, count, "%zu bytes, %d announced", size,
                             (int)announced);
                for (uint32_t i = 0; i < 10; i++)
                    cr_expect_eq(annot_dxdmp_owner_id(dump, &found, i),
                                 i < count ? 0x110 + 8 * i + ((uint64_t)(0x114 + 8 * i) << 32) : 0,
                                 "%u of %zu bytes", i, size);
                found.section = (uint32_t)annot_dxdmp_section_count(dump);
                cr_expect_eq(annot_dxdmp_owner_id(dump, &found, 0), 0);
                file_end(&file, dump);
            }
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
    annot_dxdmp_object found;
    for (size_t i = 0; i < KINDS; i++)
        big(&file, NULL, rows[i].type, 2, 2 * rows[i].size);
    annot_dxdmp *dump = open_file(&file);
    cr_assert_eq(annot_dxdmp_object_count(dump), 2 * KINDS);
    for (size_t i = 0; i < 2 * KINDS; i++) {
        const size_t at = i % 2 * rows[i / 2].size;
        memset(&found, 0x77, sizeof found);
        cr_assert(annot_dxdmp_object_at(dump, i, &found));
        cr_expect_eq(found.kind, rows[i / 2].kind, "%s: %u", rows[i / 2].type, found.kind);
        cr_expect_eq(found.address, number(at, 8), "%s", rows[i / 2].type);
        cr_expect_eq(found.name, number(at + 8, 8), "%s", rows[i / 2].type);
        cr_expect_eq(found.handle, rows[i / 2].has_handle ? number(at + 16, 8) : 0, "%s",
                     rows[i / 2].type);
    }
    cr_expect_not(annot_dxdmp_object_at(dump, 2 * KINDS, &found));
    file_end(&file, dump);
}
