/* Set, Get and the creation of children from many threads: a child holds one whole mode, and its
 * markers and its name obey the same [ANN-MODE-04, -07]. */
#include "checks.h"

#include <annot/annot.h>

#include <pthread.h>
#include <stdatomic.h>

enum { MAKERS = 3, CHILDREN = 4000 };

/* Each child's handle points to its own counters, touched by its own thread only. */
struct seen {
    unsigned markers, names;
};

static void ANNOT_DDI_CALL queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                        const void *data, uint32_t size, uint64_t id)
{
    (void)metadata, (void)data, (void)size, (void)id;
    ((struct seen *)queue.pDrvPrivate)->markers++;
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    (void)id;
    ((struct seen *)queue.pDrvPrivate)->markers++;
}

static void ANNOT_DDI_CALL list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t id)
{
    (void)metadata, (void)data, (void)size, (void)id;
    ((struct seen *)list.pDrvPrivate)->markers++;
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    (void)id;
    ((struct seen *)list.pDrvPrivate)->markers++;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)name;
    ((struct seen *)object.Handle)->names++;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    queue_marker, queue_end, queue_marker, list_marker, list_end, list_marker, set_name};
static const annot_driver driver = {"stress", 1, &table, 0};

static annot_device *device;
static _Atomic bool stop;
static _Atomic unsigned refused, mixtures, neither, with[3];

static void count_message(void *user, const annot_message *message)
{
    (void)user;
    refused += message->id == ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT;
}

static void *set_modes(void *argument)
{
    unsigned *wrong_values = argument;
    for (uint32_t i = 0; !stop; i++) {
        annot_device_set_mode(device, 1 + i % 2);
        if (i % 64 == 0) {
            annot_device_set_mode(device, 3 + i);
            ++*wrong_values;
        }
        annot_mode mode = annot_device_mode(device);
        neither += mode != ANNOT_MODE_RUNTIME_ONLY && mode != ANNOT_MODE_DRIVER_RETAIL;
    }
    return NULL;
}

static void *make_children(void *argument)
{
    (void)argument;
    annot_arena *arena;
    if (annot_arena_create(device, &arena))
        return NULL;
    for (unsigned i = 0; i < CHILDREN; i++) {
        struct seen seen = {0, 0};
        bool queue = i % 4 == 0;
        annot_object_desc desc = {.kind =
                                      queue ? D3D12DDI_HT_COMMAND_QUEUE : D3D12DDI_HT_COMMAND_LIST,
                                  .driver_handle = &seen};
        annot_object *object;
        annot_context *context;
        if (annot_object_create(device, &desc, &object) || annot_context_create(object, &context))
            return NULL;
        annot_mode mode = annot_object_mode(object);
        if (!queue)
            annot_context_open(context, arena);
        annot_context_begin_event(context, 0, "m", 1);
        annot_context_set_marker(context, 0, "m", 1);
        annot_context_end_event(context);
        annot_object_set_name(object, "n", ANNOT_TEXT_UTF8);
        if (mode == ANNOT_MODE_DRIVER_RETAIL)
            mixtures += seen.markers != 3 || seen.names != 1;
        else if (mode == ANNOT_MODE_RUNTIME_ONLY)
            mixtures += seen.markers != 0 || seen.names != 0;
        else
            neither++;
        with[mode <= 2 ? mode : 0]++;
        mixtures += annot_context_forwards(context) != (mode == ANNOT_MODE_DRIVER_RETAIL);
        annot_context_destroy(context);
        annot_object_destroy(object);
        if (i % 8 == 0)
            annot_arena_reset(arena);
    }
    annot_arena_destroy(arena);
    return NULL;
}

int main(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = &driver;
    desc.message = count_message;
    if (annot_device_create(&desc, &device))
        return 1;
    pthread_t setters[2], makers[MAKERS];
    unsigned wrong_values[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        pthread_create(&setters[i], NULL, set_modes, &wrong_values[i]);
    for (int i = 0; i < MAKERS; i++)
        pthread_create(&makers[i], NULL, make_children, NULL);
    for (int i = 0; i < MAKERS; i++)
        pthread_join(makers[i], NULL);
    stop = true;
    for (int i = 0; i < 2; i++)
        pthread_join(setters[i], NULL);
    check(with[1] + with[2] == MAKERS * CHILDREN, "all children were made");
    check(neither == 0, "every mode is one of the two");
    check(mixtures == 0, "no child holds a mixture");
    check(refused == wrong_values[0] + wrong_values[1], "one message per refused value");
    annot_device_destroy(device);
    return checks_ended();
}
