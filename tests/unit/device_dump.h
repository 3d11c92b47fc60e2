/* A device's dump, opened: what the library wrote is what the reader reads. */
#pragma once

#include "spy.h"

#include <annot/dump.h>
#include <annot/reader.h>

struct device_dump {
    annot_reader *reader;
    unsigned char *data;
    size_t size;
};

static inline bool device_dump_write(void *user, const void *data, size_t size)
{
    struct device_dump *dump = user;
    dump->data = realloc(dump->data, dump->size + size);
    memcpy(dump->data + dump->size, data, size);
    dump->size += size;
    return true;
}

static inline bool device_dump_finish(void *user, const void *magic, size_t size)
{
    memcpy(((struct device_dump *)user)->data, magic, size);
    return true;
}

static inline struct device_dump device_dump_with(annot_device *device, const annot_dump_info *info)
{
    struct device_dump dump = {0};
    const annot_dump_sink sink = {&dump, device_dump_write, device_dump_finish};
    annot_dump_writer *writer = spy_writer(device);
    cr_assert_eq(annot_dump_write(writer, info, &sink), ANNOT_OK);
    annot_dump_writer_destroy(writer);
    cr_assert_eq(annot_reader_open_memory(&guarded_memory, dump.data, dump.size, &dump.reader),
                 ANNOT_OK);
    return dump;
}

/* `report` may be NULL. */
static inline struct device_dump device_dump_take(annot_device *device,
                                                  const annot_crash_report *report)
{
    return device_dump_with(device,
                            &(annot_dump_info){.error = ANNOT_DEVICE_ERROR_HUNG, .report = report});
}

/* A report that annot_report_free frees. */
char *device_dump_text(const annot_reader *reader, annot_report_format format);

static inline void device_dump_done(struct device_dump *dump)
{
    annot_reader_close(dump->reader);
    free(dump->data);
}
