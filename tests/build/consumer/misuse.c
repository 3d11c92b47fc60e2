/* Everything that a caller can get wrong without touching freed memory, against an installed
 * library: each call answers with an error and a message, and the program goes on. */
#include <annot/evidence.h>
#include <annot/pix.h>
#include <annot/reader.h>

#include <stdio.h>
#include <string.h>

static int failed, misuses;

static void on_message(void *user, const annot_message *message)
{
    (void)user;
    misuses += message->id == ANNOT_MESSAGE_MISUSE;
}

/* The call returned `result`, and as many messages came as `messages` says. */
#define REFUSED(call, messages)                                                                    \
    do {                                                                                           \
        const int before = misuses;                                                                \
        if ((call) != ANNOT_ERROR_INVALID_ARGUMENT || misuses != before + (messages)) {            \
            printf("misuse: %s: not refused as it should be\n", #call);                            \
            failed = 1;                                                                            \
        }                                                                                          \
    } while (0)

static void of_a_device(annot_device *device)
{
    annot_object_desc desc = {.type = ANNOT_OBJECT_COMMAND_LIST};
    annot_object *list_object, *queue_object;
    annot_context *list, *queue;
    annot_arena *arena;
    annot_object_create(device, &desc, &list_object);
    desc.type = ANNOT_OBJECT_QUEUE;
    annot_object_create(device, &desc, &queue_object);
    annot_context_create(list_object, &list);
    annot_context_create(queue_object, &queue);
    annot_arena_create(device, &arena);

    REFUSED(annot_object_create(device, NULL, &list_object), 1);
    REFUSED(annot_object_create(device, &desc, NULL), 1);
    REFUSED(annot_arena_create(device, NULL), 1);
    REFUSED(annot_context_create(queue_object, NULL), 1);
    REFUSED(annot_dump_writer_create(device, NULL), 1);
    REFUSED(annot_tracker_create(device, &(annot_tracker_desc){.word_size = 8}, NULL), 1);
    REFUSED(annot_context_open(queue, arena), 1);
    REFUSED(annot_context_open(list, NULL), 1);
    REFUSED(annot_context_close(queue), 1);
    REFUSED(annot_context_close(list), 0);
    REFUSED(annot_context_withdraw(queue, 7), 0);
    REFUSED(annot_object_set_name(queue_object, "x", (annot_text_unit)3), 0);

    annot_context_end_event(list);
    annot_context_set_marker(list, 1, NULL, 7);
    annot_context_open(list, arena);
    annot_context_set_marker(list, 1, NULL, 7);
    annot_arena_destroy(arena);
    annot_device_destroy(device); /* kept: it has objects */
    annot_context_submit(list, NULL, 3);
    annot_context_submit(queue, NULL, 3);
    annot_context_close(list);

    annot_context_destroy(list);
    annot_context_destroy(queue);
    annot_arena_destroy(arena);
    annot_object_destroy(list_object);
    annot_object_destroy(queue_object);
}

static void of_a_dump(annot_device *device)
{
    annot_dump_writer *writer;
    annot_reader *reader;
    annot_dump_info info = {0};
    annot_dump_sink no_sink = {0};
    size_t size;
    annot_dump_writer_create(device, &writer);
    REFUSED(annot_dump_write(writer, &info, &no_sink), 1);
    REFUSED(annot_dump_write(writer, &info, NULL), 1);
    REFUSED(annot_dump_write_file(writer, &info, NULL), 1);
    REFUSED(annot_dump_write_file(writer, &info, ""), 0);
    REFUSED(annot_dump_write_memory(writer, &info, NULL, 64, &size), 1);
    REFUSED(annot_dump_write_file(NULL, &info, "x.annotdmp"), 0);
    annot_dump_writer_destroy(writer);
    REFUSED(annot_reader_open_file(NULL, NULL, &reader), 0);
    REFUSED(annot_reader_open_memory(NULL, NULL, 8, &reader), 0);
    REFUSED(annot_report_text(NULL, NULL, NULL), 0);
}

int main(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_device *device;
    desc.message = on_message;
    desc.force_driver_retail = true;
    REFUSED(annot_device_create(&desc, NULL), 0);
    if (annot_device_create(&desc, &device) != ANNOT_OK)
        return 1;
    of_a_device(device);
    of_a_dump(device);
    annot_pix_desc none;
    memset(&none, 0xFF, sizeof none);
    if (annot_pix_encode(&none, NULL, 0) != 0)
        failed = 1;
    annot_device_destroy(device);
    if (!failed)
        printf("misuse: %d messages and no abort\n", misuses);
    return failed;
}
