/* Each field of a DirectX dump file, where the published layout has it, and each limit; and the
 * annotation dump that is made of one, byte by byte as docs/DXDMP.md says [ANN-FILE]. */
#include "asserts.h"
#include "dump_builder.h"
#include "dxdmp_file.h"
#include "guarded.h"
#include "sink.h"

#include <annot/dump.h>
#include <annot/dxdmp.h>
#include <annot/pix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(dxdmp_fields, .fini = guarded_expect_nothing_left);

static annot_dxdmp *open_file(const struct file *file)
{
    annot_dxdmp *dump;
    cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, file->bytes, file->size, &dump),
                 ANNOT_OK);
    return dump;
}

static void file_end(struct file *file, annot_dxdmp *dump)
{
    annot_dxdmp_close(dump);
    free(file->bytes);
}

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

Test(dxdmp_fields, uploaded_and_debugged_are_flags_of_their_own)
{
    for (unsigned flags = 0; flags < 4; flags++)
        for (size_t byte = 0; byte < 4; byte++) {
            struct file file = file_begin(1);
            annot_dxdmp_info info;
            memset(file.bytes + 36, 0, 8);
            file.bytes[36 + byte] = (uint8_t)(flags & 1);
            file.bytes[40 + byte] = (uint8_t)(flags >> 1);
            annot_dxdmp *dump = open_file(&file);
            annot_dxdmp_get_info(dump, &info);
            cr_expect_eq(info.was_uploaded, flags & 1, "byte %zu", byte);
            cr_expect_eq(info.was_debugged, flags >> 1, "byte %zu", byte);
            file_end(&file, dump);
        }
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

static annot_dxdmp_info info_with(const char *type, size_t size)
{
    struct file file = file_begin(1);
    annot_dxdmp_info info;
    section(&file, type, size);
    fill(&file, size);
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

/* A memory buffer whose type has a section's letters is none. */
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
        cr_expect(memcmp(found.data, file.bytes + rows[i].offset + rows[i].header, rows[i].size) ==
                      0,
                  "%zu", i);
    }
    cr_expect_not(annot_dxdmp_section_at(dump, 3, &found));
    file_end(&file, dump);
}

/* ---- DRED ---- */

static void big(struct file *file, const char *type, const char *mem_type, uint64_t key,
                size_t size)
{
    if (mem_type)
        memory(file, mem_type, key, size);
    else
        section(file, type, size);
    fill(file, size);
}

Test(dxdmp_fields, each_field_of_a_node_is_where_the_layout_has_it)
{
    struct file file = file_begin(1);
    annot_dxdmp_node node;
    big(&file, "SMI0", NULL, 0, 56);
    big(&file, "DRBN", NULL, 0, 80);
    big(&file, NULL, "DCHR", number(56, 8), 20);
    big(&file, NULL, "DBCC", number(72, 8), 40);
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
    char path[64];
    node(&file, ops, 2, 1, contexts, 1);
    annot_dxdmp *dump = open_file(&file);
    cr_assert(annot_dxdmp_node_at(dump, 0, &found));
    annot_dxdmp_node wrong = found;
    wrong.ops_section = (uint32_t)annot_dxdmp_section_count(dump);
    cr_expect_not(annot_dxdmp_node_op(dump, &wrong, 0, &kind));
    wrong.ops_section = ANNOT_READER_NONE;
    cr_expect_not(annot_dxdmp_node_op(dump, &wrong, 0, &kind));
    wrong = found;
    wrong.contexts_section = (uint32_t)annot_dxdmp_section_count(dump);
    cr_expect_eq(annot_dxdmp_node_path(dump, &wrong, path, sizeof path), strlen("(no name)"));
    cr_expect_str_eq(path, "(no name)");
    file_end(&file, dump);
}

/* Contexts ascend by operation: found at each place, and none between. */
Test(dxdmp_fields, the_path_has_the_contexts_of_its_scopes)
{
    const uint32_t ops[] = {1, 1, 1, 6, 2, 2, 1};
    const uint64_t contexts[][2] = {{0, 0x400}, {2, 0x402}, {6, 0x406}};
    static const char *const paths[] = {"",
                                        "Aa",
                                        "Aa / (no name)",
                                        "Aa / (no name) / Cc",
                                        "Aa / (no name) / Cc",
                                        "Aa / (no name)",
                                        "Aa",
                                        "Aa / Gg"};
    for (uint32_t done = 0; done <= 8; done++) {
        struct file file = file_begin(1);
        annot_dxdmp_node found;
        char path[64];
        node(&file, ops, 7, done, contexts, 3);
        wide(&file, "DRWS", 0x400, "Aa");
        wide(&file, "DRWS", 0x402, "Cc");
        wide(&file, "DRWS", 0x406, "Gg");
        annot_dxdmp *dump = open_file(&file);
        cr_assert(annot_dxdmp_node_at(dump, 0, &found));
        const char *expected = paths[done < 7 ? done : 7];
        for (size_t capacity = 1; capacity < sizeof path; capacity++) {
            const size_t size = annot_dxdmp_node_path(dump, &found, path, capacity);
            cr_expect_eq(size, strlen(path));
            cr_expect(strncmp(path, expected, capacity - 1) == 0 &&
                          size == (strlen(expected) < capacity ? strlen(expected) : capacity - 1),
                      "done %u, %zu bytes: %s", done, capacity, path);
        }
        file_end(&file, dump);
    }
}

/* The innermost 64 scopes are named. */
Test(dxdmp_fields, of_a_deep_path_the_innermost_scopes_are_shown)
{
    for (uint32_t depth = 63; depth <= 66; depth++) {
        uint32_t ops[66];
        uint64_t contexts[66][2];
        char path[1024], expected[1024] = "", name[8];
        struct file file = file_begin(1);
        annot_dxdmp_node found;
        for (uint32_t i = 0; i < depth; i++) {
            ops[i] = 1;
            contexts[i][0] = i;
            contexts[i][1] = 0x400 + i;
        }
        node(&file, ops, depth, depth, (const uint64_t(*)[2])contexts, depth);
        for (uint32_t i = 0; i < depth; i++) {
            snprintf(name, sizeof name, "s%u", i);
            wide(&file, "DRWS", 0x400 + i, name);
            if (i + 64 >= depth)
                sprintf(expected + strlen(expected), "%s%s", *expected ? " / " : "", name);
        }
        annot_dxdmp *dump = open_file(&file);
        cr_assert(annot_dxdmp_node_at(dump, 0, &found));
        annot_dxdmp_node_path(dump, &found, path, sizeof path);
        const bool is_cut = depth > 64;
        cr_expect_eq(strncmp(path, "... / ", 6) == 0, is_cut, "%s", path);
        cr_expect_str_eq(path + (is_cut ? 6 : 0), expected);
        file_end(&file, dump);
    }
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
    char name[64];
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
    char expected[64];
    snprintf(expected, sizeof expected, "(metadata %u, 5 bytes)", (unsigned)found.metadata);
    for (size_t capacity = 1; capacity <= strlen(expected) + 2; capacity++) {
        const size_t size = annot_dxdmp_annotation_name(dump, &found, name, capacity);
        cr_expect_eq(size, strlen(name));
        cr_expect_eq(size, strlen(expected) < capacity ? strlen(expected) : capacity - 1);
        cr_expect(strncmp(name, expected, size) == 0, "%s", name);
    }
    cr_expect_not(annot_dxdmp_annotation_at(dump, 2, &found));
    file_end(&file, dump);
}

Test(dxdmp_fields, an_owner_has_as_many_event_ids_as_it_announces_and_has)
{
    for (uint64_t announced = 0; announced < 5; announced++)
        for (size_t size = 8; size <= 16 + 3 * 8; size += 4)
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
                for (uint32_t i = 0; i < 5; i++)
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
        const char *type, *kind;
        unsigned size;
        bool has_handle;
    } rows[] = {{"DRs0", "resource", 128, true},
                {"DRS0", "root signature", 40, true},
                {"DDH0", "descriptor heap", 40, true},
                {"DHp0", "heap", 72, true},
                {"DFn0", "fence", 40, true},
                {"DCQ0", "command queue", 40, true},
                {"DCL0", "command list", 32, true},
                {"DCA0", "command allocator", 32, true},
                {"DGO0", NULL, 24, false},
                {"DPS0", "pipeline state", 48, true},
                {"DSO0", "state object", 48, true}};
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
        if (rows[i / 2].kind)
            cr_expect_str_eq(found.kind, rows[i / 2].kind, "%s: %s", rows[i / 2].type, found.kind);
        cr_expect_eq(found.address, number(at, 8), "%s", rows[i / 2].type);
        cr_expect_eq(found.name, number(at + 8, 8), "%s", rows[i / 2].type);
        cr_expect_eq(found.handle, rows[i / 2].has_handle ? number(at + 16, 8) : 0, "%s",
                     rows[i / 2].type);
    }
    cr_expect_not(annot_dxdmp_object_at(dump, 2 * KINDS, &found));
    file_end(&file, dump);
}

/* ---- texts ---- */

static void expect_string(const uint8_t *bytes, size_t size, bool is_wide, const char *text)
{
    struct file file = file_begin(1);
    char buffer[2048];
    const uint64_t keys[2] = {is_wide ? 0 : 7, is_wide ? 7 : 0};
    memory(&file, is_wide ? "DRWS" : "DRAS", 7, size);
    for (size_t i = 0; i < size; i++)
        put(&file, bytes[i], 1);
    big(&file, "SMI0", NULL, 0, 56);
    annot_dxdmp *dump = open_file(&file);
    for (size_t capacity = 1; capacity <= strlen(text) + 2;
         capacity += capacity > 8 && capacity + 8 < strlen(text) ? 5 : 1) {
        size_t whole = strlen(text) < capacity ? strlen(text) : capacity - 1;
        while (whole > 0 && (text[whole] & 0xC0) == 0x80)
            whole--;
        memset(buffer, 'w', sizeof buffer);
        cr_expect_eq(annot_dxdmp_dred_string(dump, keys, buffer, capacity), whole,
                     "%zu bytes in %zu", size, capacity);
        cr_expect(memcmp(buffer, text, whole) == 0 && buffer[whole] == 0, "%s", buffer);
        for (size_t k = capacity; k < capacity + 8; k++)
            cr_expect_eq(buffer[k], 'w', "behind %zu bytes", capacity);
    }
    file_end(&file, dump);
}

/* They are converted in pieces of 256: characters of each size across each border. */
Test(dxdmp_fields, texts_of_8_and_16_bits_are_whole_at_any_length)
{
    static const char *const characters[] = {"b", "\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    static const uint16_t units[][2] = {{'b', 0}, {0xFC, 0}, {0x20AC, 0}, {0xD83D, 0xDE00}};
    for (size_t c = 0; c < 4; c++)
        for (size_t before = 250; before <= 260; before++) {
            char text[600];
            uint8_t wide_text[1200] = {0};
            memset(text, 'a', before);
            strcpy(text + before, characters[c]);
            strcat(text, "zz");
            size_t count = 0;
            for (; count < before; count++)
                wide_text[2 * count] = 'a';
            for (unsigned k = 0; k < 2 && units[c][k]; k++, count++) {
                wide_text[2 * count] = (uint8_t)units[c][k];
                wide_text[2 * count + 1] = (uint8_t)(units[c][k] >> 8);
            }
            for (unsigned k = 0; k < 2; k++, count++)
                wide_text[2 * count] = 'z';
            expect_string((const uint8_t *)text, strlen(text), false, text);
            expect_string((const uint8_t *)text, strlen(text) + 1, false, text);
            expect_string(wide_text, 2 * count, true, text);
            expect_string(wide_text, 2 * count + 1, true, text);
            expect_string(wide_text, 2 * count + 2, true, text);
        }
    expect_string((const uint8_t *)"", 0, false, "");
    expect_string((const uint8_t *)"a\0b", 3, false, "a");
    expect_string((const uint8_t *)"a\0\0\0b", 6, true, "a");
    expect_string((const uint8_t *)"\x80", 1, false, "\xEF\xBF\xBD");
}

Test(dxdmp_fields, an_adapter_has_up_to_128_characters)
{
    for (size_t count = 126; count <= 130; count++)
        for (size_t size = 250; size <= 368; size += size < 260 ? 1 : 27) {
            struct file file = file_begin(1);
            char name[256];
            section(&file, "AdIn", size);
            for (size_t i = 0; i < size; i++)
                put(&file, i % 2 == 0 && i / 2 < count ? 'g' : 0, 1);
            annot_dxdmp *dump = open_file(&file);
            const size_t room = size / 2 < 128 ? size / 2 : 128;
            cr_expect_eq(annot_dxdmp_adapter(dump, name, sizeof name), count < room ? count : room,
                         "%zu of %zu bytes", count, size);
            file_end(&file, dump);
        }
}

/* ---- as an annotation dump ---- */

enum { SET_MARKER, BEGIN, END, DISPATCH = 6, COPY = 9 };

/* A node of the list at `list` and the queue at `queue`, with 16-bit names. */
static void put_node(struct file *file, uint64_t list, uint64_t queue, const uint8_t *ops,
                     uint32_t count, uint32_t done)
{
    const uint64_t contexts[] = {0, 0x40, 1, 0x41, 2, 0x42};
    const uint64_t fields[] = {
        0, list, 0, queue, list, queue, count, list + 1, done | 3ull << 32, list + 2};
    section(file, "DRBN", 80);
    for (unsigned i = 0; i < 10; i++)
        put(file, fields[i], 8);
    memory(file, "DCHR", list + 1, (uint64_t)count * 4);
    for (uint32_t i = 0; i < count; i++)
        put(file, ops[i] == 0xEE ? 0x1234 : ops[i], 4);
    memory(file, "DBCC", list + 2, sizeof contexts);
    for (unsigned i = 0; i < 6; i++)
        put(file, contexts[i], 8);
}

static const uint8_t first_ops[] = {BEGIN, SET_MARKER, BEGIN, DISPATCH, END, END, END};
static const uint8_t second_ops[] = {COPY, 0xEE, BEGIN};

static struct file file_of_nodes(void)
{
    struct file file = file_begin(1);
    wide(&file, "WSTR", 5, "Game.exe");
    section(&file, "ApDs", 56);
    put(&file, 5, 8);
    for (int i = 0; i < 6; i++)
        put(&file, UINT64_MAX, 8);
    section(&file, "AdIn", 368);
    for (size_t i = 0; i < 368 / 8; i++)
        put(&file, i == 0 ? 'G' | 'P' << 16 : i == 40 ? UINT64_C(0x001F000000657C54) : 0, 8);
    put_node(&file, 0xA00, 0x900, second_ops, 3, 0); /* waits: behind the others of its queue */
    put_node(&file, 0xB00, 0x900, first_ops, 7, 4);
    put_node(&file, 0xC00, 0x910, second_ops, 3, 3);
    put_node(&file, 0xD00, 0x900, second_ops, 3, 9); /* more than it has: all */
    wide(&file, "DRWS", 0xA00, "List A");
    wide(&file, "DRWS", 0xB00, "List B");
    wide(&file, "DRWS", 0x900, "Queue");
    wide(&file, "DRWS", 0x40, "Frame");
    wide(&file, "DRWS", 0x42, "Sky");
    section(&file, "DRPF", 16);
    put(&file, 0x12345000, 8);
    put(&file, 0, 8);
    for (int is_freed = 0; is_freed < 2; is_freed++) {
        section(&file, is_freed ? "DFAN" : "DEAN", 32);
        put(&file, 0, 8);
        put(&file, 0x900, 8);
        put(&file, is_freed ? 25 : 34, 8);
        put(&file, 0x9000, 8);
    }
    return file;
}

static void expect_object(struct dump *dump, uint64_t id, uint32_t kind, uint32_t flags,
                          const char *name)
{
    const struct annot__dump_OBJECT object = {
        .id = id, .kind = kind, .flags = flags, .name_size = (uint32_t)strlen(name)};
    dump_put_OBJECT(dump, &object, name, strlen(name));
}

static void put_text(struct dump *dump, uint32_t role, const char *text)
{
    dump_put_TEXT(dump, &(struct annot__dump_TEXT){role}, text, strlen(text));
}

static void expect_submission(struct dump *dump, uint64_t serial, uint64_t node)
{
    uint8_t list[16] = {(uint8_t)(node + 1), [8] = (uint8_t)(2 * node + 2)};
    dump_put_SUBMISSION(dump, &(struct annot__dump_SUBMISSION){.serial = serial, .count = 1}, list,
                        16);
}

/* The same dump as another writer makes it, by what the document says of the file above. */
static void tell_nodes(struct dump *dump)
{
    struct annot__dump_DEVICE device = {.guid_low = 0x0807060504030201,
                                        .guid_high = 0x100f0e0d0c0b0a09,
                                        .time = UINT64_C(1781740800000000000),
                                        .error = 7,
                                        .order_window = UINT32_MAX,
                                        .pointer_size = 8};
    dump_start_device(dump, &device);
    dump->size = ANNOT__DUMP_HEADER_SIZE + ANNOT__DUMP_SECTION_HEADER; /* other texts */
    dump->records = 0;
    dump->next_event = 0x100000010;
    dump_put_DEVICE(dump, &device, NULL, 0);
    put_text(dump, ANNOT__DUMP_TEXT_APPLICATION, "Game.exe");
    put_text(dump, ANNOT__DUMP_TEXT_ADAPTER, "GP");
    put_text(dump, ANNOT__DUMP_TEXT_DRIVER, "31.0.101.31828");
    put_text(dump, ANNOT__DUMP_TEXT_WRITER, "DirectX dump file");
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    expect_object(dump, 1, 19, 2, "Queue");
    expect_object(dump, 2, 22, 2, "List A");
    expect_object(dump, 4, 22, 2, "List B");
    expect_object(dump, 5, 19, 0, "");
    expect_object(dump, 6, 22, 0, "");
    expect_object(dump, 8, 22, 0, "");
    expect_object(dump, 528, 34, 2, "Queue");
    expect_object(dump, 529, 25, 3, "Queue");
    for (uint64_t node = 0; node < 4; node++) {
        dump_recording(dump, node + 1, 2 * node + 2);
        if (node != 1) {
            dump_begin(dump, "Sky");
            continue;
        }
        dump_begin(dump, "Frame");
        dump_set(dump, "");
        dump_begin(dump, "Sky");
        dump_end(dump);
        dump_end(dump);
        dump_end(dump); /* one too many */
    }
    dump_queue(dump, 1, 3, 0);
    expect_submission(dump, 1, 3);
    expect_submission(dump, 2, 1);
    expect_submission(dump, 3, 0);
    dump_queue(dump, 5, 1, 0);
    expect_submission(dump, 1, 2);
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_FAULT(dump, &(struct annot__dump_FAULT){0x12345000}, NULL, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    const struct annot__dump_CRUMBS crumbs[] = {
        {.queue = 1, .submission = 1, .log = 4, .count = 3, .done = 3, .markers = 1},
        {.queue = 1, .submission = 2, .log = 2, .count = 7, .done = 4, .markers = 6},
        {.queue = 5, .submission = 1, .log = 3, .count = 3, .done = 3, .markers = 1}};
    for (int i = 0; i < 3; i++)
        dump_put_CRUMBS(dump, &crumbs[i], NULL, 0);
    for (uint64_t node = 0; node < 4; node++)
        dump_put_OPS(dump, &(struct annot__dump_OPS){.log = node + 1},
                     node == 1 ? first_ops : (const uint8_t[]){COPY, 255, BEGIN},
                     node == 1 ? 7 : 3);
    for (uint32_t i = 0; i < 2; i++)
        dump_put_RANGE(
            dump,
            &(struct annot__dump_RANGE){
                .address = 0x12345000, .object = 528 + i, .kind = i ? 25 : 34, .flags = i},
            NULL, 0);
    dump_finish(dump);
}

Test(dxdmp_fields, nodes_of_dred_become_a_dump_as_the_document_says)
{
    struct dump expected;
    struct kept made = {0};
    struct file file = file_of_nodes();
    annot_dxdmp *dump = open_file(&file);
    const annot_report_sink sink = kept_sink(&made);
    cr_assert_eq(annot_dxdmp_as_dump(dump, &sink), ANNOT_OK);
    tell_nodes(&expected);
    size_t at = 0;
    while (at < made.size && at < expected.size && (uint8_t)made.data[at] == expected.data[at])
        at++;
    cr_expect_eq(at, expected.size, "byte %zu is %#x, not %#x", at, (uint8_t)made.data[at],
                 expected.data[at < expected.size ? at : 0]);
    cr_expect_eq(made.size, expected.size);
    annot_reader *reader =
        dump_open(&(struct dump){.data = (uint8_t *)made.data, .size = made.size}, ANNOT_OK);
    cr_expect_not(annot_reader_is_damaged(reader));
    annot_reader_close(reader);
    dump_free(&expected);
    free(made.data);
    file_end(&file, dump);
}

Test(dxdmp_fields, a_damaged_file_makes_a_dump_without_a_closing_mark_and_a_full_disk_is_told)
{
    struct kept made = {0};
    unsigned left = 0;
    struct file file = file_of_nodes();
    file.size -= 5;
    annot_dxdmp *dump = open_file(&file);
    const annot_report_sink sink = kept_sink(&made), full = full_sink(&left), none = {&made, NULL};
    cr_expect_eq(annot_dxdmp_as_dump(dump, &full), ANNOT_ERROR_IO);
    cr_expect_eq(annot_dxdmp_as_dump(dump, &none), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_as_dump(dump, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_as_dump(NULL, &sink), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(made.size, 0);
    cr_assert_eq(annot_dxdmp_as_dump(dump, &sink), ANNOT_OK);
    annot_reader *reader = dump_open(
        &(struct dump){.data = (uint8_t *)made.data, .size = made.size}, ANNOT_ERROR_INCOMPLETE);
    annot_reader_close(reader);
    free(made.data);
    file_end(&file, dump);
}

/* ---- long lists ---- */

/* More operations than DRED keeps: those that it keeps are in the dump and in a file that is made
 * of it, in their places; the others and the count of markers are not known. */
Test(dxdmp_fields, of_a_long_list_the_last_65536_operations_become_breadcrumbs)
{
    enum { RING = 65536 };
    static const uint32_t counts[] = {RING - 1, RING, RING + 1, RING + 4099};
    for (size_t row = 0; row < 4; row++) {
        const uint32_t count = counts[row], first = count > RING ? count - RING : 0;
        const uint32_t done = count - 7;
        uint32_t *ops = malloc(count * sizeof *ops), kind;
        for (uint32_t i = 0; i < count; i++)
            ops[i] = i % 300 == 299 ? 400 : i % 97 == 0 ? 0 : 3 + i % 40;
        struct file file = file_begin(1);
        struct kept made = {0}, again = {0};
        const annot_report_sink to_made = kept_sink(&made), to_again = kept_sink(&again);
        node(&file, ops, count, done, NULL, 0);
        annot_dxdmp *dump = open_file(&file), *copy;
        annot_reader *reader;
        annot_reader_crumbs crumbs;
        annot_dxdmp_node found;
        cr_assert_eq(annot_dxdmp_as_dump(dump, &to_made), ANNOT_OK);
        cr_assert_eq(annot_reader_open_memory(&guarded_memory, made.data, made.size, &reader),
                     ANNOT_OK);
        cr_assert(annot_reader_crumbs_at(reader, 0, &crumbs));
        cr_expect_eqs(crumbs.count, count, crumbs.done, done);
        cr_expect_eq(crumbs.is_joined, count <= RING, "the markers are all there");
        cr_assert_eq(annot_dxdmp_write(reader, &to_again), ANNOT_OK);
        cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, again.data, again.size, &copy),
                     ANNOT_OK);
        cr_assert(annot_dxdmp_node_at(copy, 0, &found));
        cr_expect_eqs(found.op_count, count, found.done, done);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t known = i < first ? ANNOT_READER_NONE : ops[i] < 256 ? ops[i] : 255;
            if (annot_reader_op(reader, 0, i) != known)
                cr_assert_fail("%u of %u: %u, not %u", i, count, annot_reader_op(reader, 0, i),
                               known);
            if (annot_dxdmp_node_op(copy, &found, i, &kind) != (i >= first) ||
                (i >= first && kind != known))
                cr_assert_fail("%u of %u in the copy", i, count);
        }
        annot_dxdmp_close(copy);
        annot_reader_close(reader);
        file_end(&file, dump);
        free(made.data);
        free(again.data);
        free(ops);
    }
}
