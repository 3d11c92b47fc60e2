#include "kit_dump.h"

annot_reader *kit_dump_at(ID3D12Device *device, const annot_crash_report *report, const char *path)
{
    const annot_dump_info info = {.application = "annot-conformance", .report = report};
    annot_dump_writer *writer = NULL;
    annot_reader *reader = NULL;
    if (!the_runtime.dump_writer_create || !the_runtime.dump_write_file)
        SKIP("needs a dump of a live device: the runtime exports no annot_dump_writer_create");
    remove(path);
    REQUIRE_EQ(the_runtime.dump_writer_create(kit_annot(device), &writer), ANNOT_OK);
    REQUIRE_EQ(the_runtime.dump_write_file(writer, &info, path), ANNOT_OK);
    the_runtime.dump_writer_destroy(writer);
    REQUIRE_EQ(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
    EXPECT(!annot_reader_is_damaged(reader));
    return reader;
}

annot_reader *kit_dump_with(ID3D12Device *device, const annot_crash_report *report)
{
    return kit_dump_at(device, report, case_file("annotdmp"));
}

annot_reader *kit_dump(ID3D12Device *device)
{
    return kit_dump_with(device, NULL);
}

annot_reader_entry kit_dump_entry(const annot_reader *dump, uint64_t event_id)
{
    annot_reader_entry entry;
    REQUIRE(annot_reader_entry_at(dump, annot_reader_entry_find(dump, event_id), &entry));
    return entry;
}

static bool is_text(annot_text text, const char *wanted)
{
    return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

bool kit_dump_is_on(const annot_reader *dump, uint64_t event_id, const char *object_name)
{
    const annot_reader_entry entry = kit_dump_entry(dump, event_id);
    annot_reader_stream stream;
    annot_reader_object object;
    REQUIRE(annot_reader_stream_at(dump, entry.stream, &stream));
    REQUIRE(annot_reader_object_find(dump, stream.object, &object));
    return object.is_named && is_text(object.name, object_name);
}

size_t kit_dump_named(const annot_reader *dump, const char *name, annot_reader_object *first)
{
    size_t found = 0;
    for (size_t i = 0; i < annot_reader_object_count(dump); i++) {
        annot_reader_object object;
        REQUIRE(annot_reader_object_at(dump, i, &object));
        if (!object.is_named || !is_text(object.name, name))
            continue;
        if (found++ == 0)
            *first = object;
    }
    return found;
}
