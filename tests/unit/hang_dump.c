#include "asserts.h"
#include "hang_dump.h"

#include <string.h>

static void put_crumbs(struct dump *dump, const struct hang *hang, uint32_t scopes)
{
    struct annot__dump_CRUMBS crumbs = {.queue = QUEUE_OBJECT + hang->ids,
                                        .submission = 1 + hang->done_before,
                                        .log = 77,
                                        .count = scopes * 2 + 1,
                                        .done = scopes,
                                        .markers = scopes * 2 + hang->is_uncountable};
    struct annot__dump_OPS ops = {.log = 77};
    uint8_t bytes[16];
    for (uint32_t i = 0; i < crumbs.count; i++)
        bytes[i] = (uint8_t)(i < scopes ? 1 : i == scopes ? hang->op : 2);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(dump, &crumbs, NULL, 0);
    dump_put_OPS(dump, &ops, bytes, crumbs.count);
}

static void put_fault(struct dump *dump, const struct hang *hang)
{
    struct annot__dump_FAULT fault = {.address = hang->fault};
    struct annot__dump_RANGE range = {.address = hang->fault - 64,
                                      .size = 4096,
                                      .object = BUFFER_OBJECT,
                                      .flags = hang->range_flags};
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_FAULT(dump, &fault, NULL, 0);
    for (uint32_t i = 0; i < hang->range_count; i++) {
        dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_put_RANGE(dump, &hang->ranges[i], NULL, 0);
    }
    if (!hang->fault_name)
        return;
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_RANGE(dump, &range, NULL, 0);
}

void hang_dump_build(struct dump *dump, const struct hang *hang)
{
    uint64_t innermost = 0;
    uint32_t scopes = 0;
    dump_start(dump, hang->error, 0);
    dump->next_event += hang->ids * 16;
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_object(dump, QUEUE_OBJECT + hang->ids, 0, "Graphics queue");
    dump_object(dump, LIST_OBJECT, 0, hang->list ? hang->list : "Frame list");
    if (hang->fault_name)
        dump_object(dump, BUFFER_OBJECT, 0, hang->fault_name);
    for (uint32_t i = 0; i < hang->range_count; i++)
        dump_object(dump, hang->ranges[i].object, 0,
                    (const char *[]){"Buffer A", "Buffer B", "Buffer C"}[i]);
    dump_recording(dump, 1 + hang->ids, LIST_OBJECT);
    if (hang->recorded_as) {
        const size_t size = strlen(hang->recorded_as);
        dump_add_with(dump, NAME, hang->recorded_as, size, .name_size = (uint32_t)size);
    }
    for (; scopes < 4 && hang->scopes[scopes]; scopes++)
        innermost = dump_begin(dump, hang->scopes[scopes]);
    for (uint32_t i = 0; i < scopes; i++)
        dump_end(dump);
    dump_queue(dump, QUEUE_OBJECT + hang->ids, 1 + hang->done_before, hang->done_before);
    if (hang->queue_scope)
        dump_begin(dump, hang->queue_scope);
    const uint64_t recording = 1 + hang->ids;
    for (uint32_t i = 0; i <= hang->done_before; i++)
        dump_submit(dump, 1 + i, 1, &recording);
    if (hang->queue_scope)
        dump_end(dump);
    if (!hang->is_unsaid)
        dump_row(dump, QUEUE_OBJECT + hang->ids, 1 + hang->done_before, 0, 0, STARTED, innermost,
                 0);
    if (hang->fault)
        put_fault(dump, hang);
    if (hang->op)
        put_crumbs(dump, hang, scopes);
    dump_finish(dump);
}

void hang_dump_identify(struct dump *dump, annot_identity *identity)
{
    memset(identity, 0x77, sizeof *identity);
    annot_reader *reader = dump_open(dump, ANNOT_OK);
    cr_assert_eq(annot_reader_identity(reader, identity), ANNOT_OK);
    annot_reader_close(reader);
    dump_free(dump);
}
