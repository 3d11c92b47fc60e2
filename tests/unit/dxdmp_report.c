/* What reports say of DirectX dump files that Windows writes, which hold no annotation dump: what
 * the file says is shown, and what it does not say is unknown [ANN-FILE-15, ANN-TRUTH-08]. */
#include "dxdmp_file.h"
#include "sink.h"

#include <annot/ddi.h>
#include <annot/dump.h>
#include <annot/dxdmp.h>
#include <annot/fleet.h>
#include <annot/hang.h>

TestSuite(dxdmp_report, .fini = guarded_expect_nothing_left);

enum { BEGIN = 1, END = 2, DISPATCH = 6 };

static void expect_says(const char *text, const char *words)
{
    cr_expect(strstr(text, words), "'%s' is not in:\n%s", words, text);
}

static void page_fault_at(struct file *file, uint64_t address)
{
    file->bytes[24] = 9;
    section(file, "DRIN", 12);
    put(file, 4, 4);
    put(file, 7, 4);
    put(file, 0x887A0006, 4);
    section(file, "DRPF", 16);
    put(file, address, 8);
    put(file, 0, 8);
}

/* An entry of DRs0: 128 bytes. */
static void resource(struct file *file, uint64_t address, uint64_t name, uint64_t at,
                     uint32_t dimension, uint64_t width)
{
    const uint64_t fields[] = {
        address,   name,      address + 1, at,    0,
        1,         dimension, 65536,       width, 1 | 1ull << 32 | 1ull << 48,
        1ull << 32};
    for (unsigned i = 0; i < 16; i++)
        put(file, i < 11 ? fields[i] : 0, 8);
}

/* An allocation of DRED; its name is at `key`. */
static void allocation(struct file *file, const char *type, uint64_t key, uint64_t object)
{
    section(file, type, 32);
    put(file, 0, 8);
    put(file, key, 8);
    put(file, D3D12DDI_HT_RESOURCE, 8);
    put(file, object, 8);
}

/* ---- page faults ---- */

/* The runtime's own list of resources has the address, whether DRED kept allocations or not. */
Test(dxdmp_report, a_fault_inside_a_live_buffer_names_the_buffer)
{
    for (int has_allocation = 0; has_allocation < 2; has_allocation++) {
        AT_END(file_end) struct file file = file_begin(1);
        page_fault_at(&file, 0x200001100);
        memory(&file, "DRs0", 3, 3 * 128);
        resource(&file, 0x5000, 7, 0x300000000, 1, 256);
        resource(&file, 0x1000, 8, 0x200000000, 1, 65536);
        resource(&file, 0x6000, 9, 0x200001000, 3, 512); /* only buffers have an address */
        wide(&file, "WSTR", 7, "Unrelated");
        wide(&file, "WSTR", 8, "Cluster light list");
        wide(&file, "WSTR", 9, "Shadow map");
        if (has_allocation)
            allocation(&file, "DEAN", 0, 0x1000);
        char *text = report_of_file(&file, false, NULL), *json = report_of_file(&file, true, NULL);
        expect_says(text,
                    "GPU PAGE FAULT at 0x200001100 (\"Cluster light list\"): where is unknown\n");
        expect_says(
            text,
            "\n  address      4352 bytes into \"Cluster light list\" (committed resource, 65536 "
            "bytes at 0x200000000)\n");
        expect_says(text, "the address is in \"Cluster light list\", which was not\n");
        cr_expect_null(strstr(text, "in no object"));
        expect_says(json, "{\"address\":\"0x200000000\",\"size\":\"65536\",\"object\":\"2\"");
        cr_expect_null(strstr(json, "{\"address\":\"0x200001100\",\"size\""), "said once");
        cr_expect_null(strstr(json, "\"size\":\"512\",\"object\":\"3\""), "no buffer: %s", json);
        expect_says(json, "{\"address\":\"0x300000000\",\"size\":\"256\",\"object\":\"1\"");
        expect_says(json,
                    "\"name\":\"Shadow map\",\"name_cut\":false,\"destroyed\":false,"
                    "\"driver_retail\":false,\"resource\":{\"dimension\":3,\"width\":\"512\"");
        free(text);
        free(json);
    }
}

/* Of what DRED kept, a freed object is one that the runtime does not have any more. */
Test(dxdmp_report, a_fault_in_what_was_freed_is_said_as_dred_has_it)
{
    AT_END(file_end) struct file file = file_begin(1);
    page_fault_at(&file, 0x7000);
    allocation(&file, "DFAN", 0x41, 0x9000);
    wide(&file, "DRWS", 0x41, "Lights");
    OWNED char *text = report_of_file(&file, false, NULL);
    expect_says(text, "GPU PAGE FAULT at 0x7000 (freed \"Lights\")");
    expect_says(text, "\n  address      in \"Lights\" (destroyed) (resource)\n");
}

/* ---- hangs ---- */

static void annotations(struct file *file)
{
    static const char *const names[] = {"Frame 7", "Shadows", "Cascade 2"};
    memory(file, "ApAn", 3, 48);
    for (unsigned i = 0; i < 3; i++) {
        put(file, 0x101 + i, 8);
        put(file, 1, 4);
        put(file, 1, 4);
    }
    for (unsigned i = 0; i < 3; i++)
        narrow(file, "AADT", 0x101 + i, names[i]);
    memory(file, "AACA", 0, 16 + 8 * 5);
    put(file, 0x55, 8);
    put(file, 5, 8);
    for (unsigned i = 0; i < 5; i++) /* one comes twice, one is not there */
        put(file, i == 3 ? 0x101 : 0x101 + i, 8);
}

/* Annotations alone do not tell what ran: nothing may be called finished or done. */
Test(dxdmp_report, a_hang_without_dred_is_not_called_a_hang_without_work)
{
    AT_END(file_end) struct file file = file_begin(1);
    annotations(&file);
    memory(&file, "DCQ0", 1, 40);
    for (unsigned i = 0; i < 5; i++)
        put(&file, i == 0 ? 0x10 : i == 1 ? 3 : i == 2 ? 0x11 : 0, 8);
    memory(&file, "DCA0", 1, 32);
    for (unsigned i = 0; i < 4; i++)
        put(&file, i == 0 ? 0x20 : i == 1 ? 4 : i == 2 ? 0x55 : 0, 8);
    wide(&file, "WSTR", 3, "Graphics");
    wide(&file, "WSTR", 4, "Frame allocator");
    struct kept bytes;
    annot_reader *reader = reader_of_file(&file, &bytes);
    annot_identity identity;
    annot_reader_hang hang;
    OWNED char *text = report_of_file(&file, false, NULL);
    expect_says(text, "GPU HANG: where is unknown\n");
    expect_says(text, "DRED's breadcrumbs were not on");
    expect_says(text, "\n  allocator \"Frame allocator\"  5 markers\n"
                      "    [?] - Frame 7  0x101  -- nothing says what became of it\n");
    expect_says(text, "... 3 more unknown ...");
    expect_says(text, "0x0000000000000105 (not in the file)");
    expect_says(text, "file that does not tell what the queues did");
    cr_expect_null(strstr(text, "everything finished"));
    cr_expect_null(strstr(text, "no unfinished work"));
    annot_reader_get_hang(reader, &hang);
    cr_expect(hang.has_unfinished);
    cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
    cr_expect_eq(identity.quality, ANNOT_SIGNATURE_UNTOLD);
    cr_expect_str_eq(identity.id, "");
    cr_expect_not(annot_reader_is_damaged(reader));
    annot_reader_close(reader);
    free(bytes.data);
}

/* A queue and a list of DRED's are those of the runtime's objects. */
Test(dxdmp_report, objects_that_dred_and_the_runtime_name_are_one)
{
    const uint32_t ops[] = {BEGIN, DISPATCH, END};
    AT_END(file_end) struct file file = file_begin(1);
    node(&file, ops, 3, 1, NULL, 0);
    memory(&file, "DCQ0", 1, 40);
    for (unsigned i = 0; i < 5; i++)
        put(&file, i == 0 ? 0xBBBB : i == 3 ? 2 : 0, 8); /* a compute queue, without a name */
    struct kept bytes;
    annot_reader *reader = reader_of_file(&file, &bytes);
    OWNED char *text = report_of_file(&file, false, NULL);
    cr_expect_eq(annot_reader_object_count(reader), 2);
    expect_says(text, "queue \"Graphics queue\" (compute): work in progress");
    annot_reader_close(reader);
    free(bytes.data);
}

/* ---- what else is in the file ---- */

/* What the dump says of the file, a line for each fact; but its GUID. */
static void expect_facts(struct file *file, const char *expected)
{
    struct kept bytes, said = {0};
    annot_reader_fact fact;
    annot_reader *reader = reader_of_file(file, &bytes);
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        char line[256];
        if (fact.key.size == 4 && memcmp(fact.key.data, "GUID", 4) == 0)
            continue;
        const int size = snprintf(line, sizeof line, "%.*s: %.*s\n", (int)fact.key.size,
                                  fact.key.data, (int)fact.value.size, fact.value.data);
        kept_take(&said, line, (size_t)size);
    }
    cr_expect_str_eq(said.data ? said.data : "", expected, "%s", said.data);
    annot_reader_close(reader);
    free(bytes.data);
    free(said.data);
    file_end(file);
}

/* Each number of the published layout in the fact that DXDMP.md promises. */
Test(dxdmp_report, what_the_system_the_device_and_the_objects_are_is_said_in_facts)
{
    enum { X = 5, MEBI = 1 << 20 };
    static const struct {
        const char *type;
        uint32_t count; /* of an array; 0: it is none */
        uint32_t size;
        uint32_t fields[12][2]; /* of 4 bytes, with their offsets */
        const char *said;
    } rows[] = {
        {"ApDs", 0, 56, .fields = {{8, X}, {24, X}}, .said = "product: X\nengine: X\n"},
        {"OSI0", 0, 40, .fields = {{8, 26100}}, .said = "system: Windows, build 26100\n"},
        {"OSI0", 0, 40, .fields = {{32, X}}, .said = "system: X\n"},
        {"OSI0", 0, 40, .fields = {{20, 1 << 16}, {24, 48}}, .said = "edition: number 48\n"},
        {"OSI0", 0, 40, .fields = {{8, 9}, {20, 3 << 16}, {24, 7}, {28, 1}, {32, X}},
         .said = "system: X, build 9\nedition: number 7, a server, in developer mode\n"},
        {"AdIn", 0, 368, .fields = {{256, 0x10DE}, {260, 0x2684}, {264, 0x889810DE}, {268, 161}},
         .said = "adapter ID: vendor 0x10de (NVIDIA), device 0x2684, subsystem 0x889810de, "
                 "revision 161\n"},
        {"AdIn", 0, 368,
         .fields =
             {{276, 6}, {288, 512 * MEBI}, {328, 64 * MEBI}, {336, 256 * MEBI}, {360, 0xC200}},
         .said = "adapter memory: 24576 MiB dedicated, 512 MiB shared\nvideo memory: 64 MiB used, "
                 "of a budget of 256 MiB\nfeature level: 12_2 at least\n"},
        {"AdIn", 0, 368, .fields = {{328, 64 * MEBI}, {344, 3 * MEBI}, {352, 128 * MEBI}},
         .said = "shared memory: 3 MiB used, of a budget of 128 MiB\n"},
        {"CPI0", 0, 72, .fields = {{0, 1}, {8, 16}, {36, 8}, {44, 3600}, {48, X}},
         .said = "CPU: X, packages: 1, cores: 8, threads: 16, 3600 MHz\n"},
        {"SMI0", 0, 56, .fields = {{4, 1}, {8, 2 * MEBI}, {20, 2}, {24, 3 * MEBI}},
         .said = "memory: 4096 MiB, 2 MiB free\npage file: 8192 MiB, 3 MiB free\n"},
        {"DRIN", 0, 16, .fields = {{4, 6}, {8, 0x887A0005}},
         .said = "removed: DXGI_ERROR_DEVICE_REMOVED (0x887a0005), device state: faulted\n"},
        {"DvCf", 0, 16, .fields = {{8, 620}}, .said = "device: none\nSDK: 620\n"},
        {"DvCf", 0, 16, .fields = {{0, 0x885}},
         .said = "device: debug layer, no synchronized queue validation, only "
                 "markers have DRED breadcrumbs, bit 11\nSDK: 0\n"},
        {"DCAC", 0, 20, .fields = {{4, 1}, {12, 0x82}},
         .said =
             "driver data: medium overhead, bit 7\ndump tier: 1, without the kernel-mode driver\n"},
        /* of a later version, which says more of the feature */
        {"DCAC", 0, 24, .fields = {{4, 2}, {16, 0x41}, {20, 1}},
         .said = "driver data: no overhead, event markers\ndump tier: 2\n"},
        {"D3JR", 2, 64, .fields = {{0, 1416}, {4, 77}, {8, 99}, {48, 0x1234}, {56, X}},
         .said = "message.1: X (number 1416, thread 77, tick 99, caller 0x1234)\nmessage.2: "
                 "(number 0, thread 0, tick 0, caller 0x0)\n"},
        {"DFn0", 2, 40, .fields = {{8, X}, {32, 45}},
         .said = "fence: \"X\" is at 45\nfence: #2 is at 0\n"},
        {"DFn0", 1, 40, .fields = {{32, UINT32_MAX}, {36, UINT32_MAX}},
         .said = "fence: #1 is at 18446744073709551615, as after a removal\n"},
        {"DHp0", 2, 72, .fields = {{8, X}, {24, 65536}, {32, 2}},
         .said = "heap: \"X\" has 65536 bytes, of type upload\nheap: #2 has 0 bytes, of type "
                 "unknown\n"},
        /* whose bytes are behind the array; those of another are not all there */
        {"DPS0", 1, 48 + 8, .fields = {{8, X}, {40, 8}},
         .said = "pipeline: \"X\" has 8 bytes, with XXH3 c77b3abb6f87acd9\n"},
        {"DPS0", 1, 48 + 8, .fields = {{32, 1}, {40, 8}}, .said = ""},
        {"DDH0", 2, 40, .fields = {{8, X}, {24, 1}, {28, 16}, {32, 1}},
         .said = "descriptor heap: \"X\" has 16 descriptors, of type 1, for shaders\ndescriptor "
                 "heap: #2 has 0 descriptors, of type 0\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct file file = file_begin(1);
        const uint32_t size = rows[i].size * (rows[i].count ? rows[i].count : 1);
        if (rows[i].count)
            memory(&file, rows[i].type, rows[i].count, size);
        else
            section(&file, rows[i].type, size);
        for (uint32_t at = 0, k; at < size; at += 4) {
            for (k = 0; k < 11 && (rows[i].fields[k][0] != at || rows[i].fields[k][1] == 0); k++)
                ;
            put(&file, rows[i].fields[k][1], 4);
        }
        wide(&file, "WSTR", X, "X");
        expect_facts(&file, rows[i].said);
    }
}

/* DXDMP.md: the first 32 of each kind, and how many more there are; the journal's 64. */
Test(dxdmp_report, facts_of_many_fences_and_messages_end)
{
    for (uint32_t count = 31; count < 67; count++)
        for (int is_journal = 0; is_journal < 2; is_journal++) {
            static char said[8192];
            struct file file = file_begin(1);
            size_t used = 0;
            const uint32_t size = count * (is_journal ? 64 : 40), shown = is_journal ? 64 : 32;
            memory(&file, is_journal ? "D3JR" : "DFn0", count, size);
            for (uint32_t at = 0; at < size; at += 8)
                put(&file, 0, 8);
            for (uint32_t i = 1; i <= count && i <= shown; i++)
                used +=
                    (size_t)sprintf(said + used,
                                    is_journal
                                        ? "message.%u: (number 0, thread 0, tick 0, caller 0x0)\n"
                                        : "fence: #%u is at 0\n",
                                    i);
            if (count > shown && !is_journal)
                sprintf(said + used, "fence: %u more\n", count - shown);
            expect_facts(&file, said);
        }
}

/* Blobs are read as those of any dump. */
Test(dxdmp_report, blobs_come_over_whole)
{
    enum { SIZE = 70000 };
    static const char *const types[] = {"ApBl", "KmBl", "UmBl"};
    static const uint32_t kinds[] = {ANNOT_BLOB_APPLICATION, ANNOT_BLOB_KERNEL, ANNOT_BLOB_DRIVER};
    AT_END(file_end) struct file file = file_begin(1);
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t size = i == 1 ? SIZE : i;
        memory(&file, types[i], 100 + i, size);
        for (uint64_t k = 0; k < size; k++)
            put(&file, k * 7, 1);
    }
    struct kept bytes;
    annot_reader *reader = reader_of_file(&file, &bytes);
    OWNED char *text = report_of_file(&file, false, NULL);
    expect_says(text,
                "\n  blobs        0 application 0 bytes (metadata 0x64), 1 kernel 70000 bytes "
                "(metadata 0x65), 2 driver 2 bytes (metadata 0x66): annot show DUMP --blob N "
                "-o FILE\n");
    static uint8_t part[SIZE + 1];
    for (unsigned i = 0; i < 3; i++) {
        annot_reader_blob blob;
        cr_assert(annot_reader_blob_at(reader, i, &blob));
        cr_expect_eqs(blob.kind, kinds[i], blob.index, i);
        cr_expect_eq(blob.metadata, 100 + i);
        cr_expect_eq(blob.size, i == 1 ? SIZE : i);
        cr_expect_eq(annot_reader_blob_read(reader, i, 0, part, sizeof part), blob.size);
        for (uint64_t k = 0; k < blob.size; k++)
            cr_assert_eq(part[k], (uint8_t)(k * 7), "byte %u of blob %u", (unsigned)k, i);
    }
    annot_reader_close(reader);
    free(bytes.data);
}

/* ---- how much [ANN-SEC-04] ---- */

/* When names have filled 4 times the file's size, and 1 MiB, further ones are left out. */
Test(dxdmp_report, names_fill_four_times_the_file_and_no_more)
{
    enum { NAME = 1024, OWNERS = 140 };
    AT_END(file_end) struct file file = file_begin(1);
    memory(&file, "ApAn", 1, 16);
    put(&file, 1, 8);
    put(&file, 1, 8);
    memory(&file, "AADT", 1, NAME);
    for (unsigned i = 0; i < NAME; i++)
        put(&file, 'x', 1);
    for (unsigned i = 0; i < OWNERS; i++) {
        memory(&file, "AACQ", 0, 16 + 64);
        put(&file, i, 8);
        put(&file, 8, 8);
        for (unsigned k = 0; k < 8; k++)
            put(&file, 1, 8);
    }
    const unsigned named = (unsigned)((4 * file.size + (1u << 20)) / NAME);
    OWNED char *text = report_of_file(&file, false, &(annot_report_options){.all = true});
    char said[64];
    cr_assert_lt(named, 8 * OWNERS);
    cr_expect_eq(report_count(text, "] - xxx"), named);
    cr_expect_eq(report_count(text, "] - (no name)"), 8 * OWNERS - named);
    snprintf(said, sizeof said, "\n  names        %u names are left out: ", 8 * OWNERS - named);
    expect_says(text, said);
}

/* 200 lists share one history of 40,000 operations. */
Test(dxdmp_report, a_history_that_many_lists_share_is_not_repeated_without_end)
{
    enum { OPS = 40000, LISTS = 200 };
    AT_END(file_end) struct file file = file_begin(1);
    struct kept bytes;
    memory(&file, "DCHR", 0x200, 4 * (uint64_t)OPS);
    for (unsigned i = 0; i < OPS; i++)
        put(&file, 0, 4);
    for (unsigned i = 0; i < LISTS; i++) {
        section(&file, "DRBN", 80);
        for (unsigned k = 0; k < 10; k++)
            put(&file, k == 4 ? i + 1 : k == 6 ? OPS : k == 7 ? 0x200 : 0, 8);
    }
    annot_reader *reader = reader_of_file(&file, &bytes);
    cr_expect_lt(bytes.size, 64 * file.size);
    OWNED char *text = report_of_file(&file, false, NULL);
    expect_says(text, "\n  lists        198 of DRED's lists are left out: DRED has too many\n");
    annot_reader_close(reader);
    free(bytes.data);
}
