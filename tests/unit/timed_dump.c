#include "timed_dump.h"

#include <annot/timeline.h>

const uint8_t timed_ops[TIMED_OPS] = {COPY, BEGIN, COPY, BEGIN, DISPATCH, END, DISPATCH, END};

void timed_put(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

void timed_clocks(struct dump *dump, size_t count, const uint64_t (*pairs)[2])
{
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    for (size_t i = 0; i < count; i++)
        dump_add(dump, CLOCK, .gpu = pairs[i][0], .cpu = pairs[i][1], .frequency = 1000000);
}

void timed_history_of(struct dump *dump, uint64_t serial, uint32_t list, uint32_t markers,
                      const uint64_t *times)
{
    static const uint32_t calls[] = {1, 3, 5, 7};
    uint8_t bytes[4 * 16];
    for (int i = 0; i < 4; i++) {
        timed_put(bytes + 16 * i, (uint64_t)9 << 32 | calls[i]);
        timed_put(bytes + 16 * i + 8, times[i]);
    }
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_add_with(dump, HISTORY, bytes, sizeof bytes, .queue = 21, .submission = serial,
                  .object = 100, .log = 5, .list = list, .count = TIMED_OPS, .markers = markers);
}

void timed_history(struct dump *dump, uint64_t serial, uint32_t list, const uint64_t *times)
{
    timed_history_of(dump, serial, list, 4, times);
}

void timed_submitted(struct dump *dump, uint64_t serial, uint64_t begin, uint64_t end,
                     uint32_t flags, uint32_t problem)
{
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_add(dump, SUBMITTED, .queue = 21, .submission = serial, .cpu_begin = 1000 * serial,
             .cpu_end = 1000 * serial + 100, .begin = begin, .end = end, .thread = 7,
             .sequence = (uint32_t)serial, .flags = flags | CALLED, .problem = problem);
}

void timed_record(struct dump *dump, uint64_t completed)
{
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, 21, 19, "Graphics");
    dump_recording(dump, 1, 100);
    dump_begin(dump, "Frame");
    dump_begin(dump, "Sha\x1b"
                     "dow");
    dump_end(dump);
    dump_end(dump);
    dump_queue(dump, 21, 2, completed);
    dump_submit(dump, 1, 1, (uint64_t[]){1});
    dump_submit(dump, 2, 1, (uint64_t[]){1});
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, timed_ops, TIMED_OPS);
}

const uint64_t timed_even[2][2] = {{0, 0}, {1000, 1000000}};

struct dump timed_frame(void)
{
    struct dump made, *dump = &made;
    timed_record(dump, 1);
    timed_clocks(dump, 2, timed_even);
    timed_submitted(dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    timed_history(dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
    timed_submitted(dump, 2, 100, 0, STAMPED, 0);
    timed_history(dump, 2, 0, (uint64_t[]){120, 150, 0, 0});
    dump_finish(dump);
    return made;
}

struct timed timed_open(struct dump dump)
{
    struct timed o = {.dump = dump};
    o.reader = dump_open(&o.dump, ANNOT_OK);
    cr_assert_eq(annot_timeline_create(o.reader, &o.timeline), ANNOT_OK);
    return o;
}

void timed_close(struct timed *o)
{
    annot_timeline_destroy(o->timeline);
    annot_reader_close(o->reader);
    dump_free(&o->dump);
}
