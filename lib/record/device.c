/* Makes and destroys devices: mode, driver table, budget. */
#include "record/record.h"

#include "base/alloc.h"
#include "base/sized.h"

#include <stdio.h>

/* ---- a driver whose functions do nothing ---- */

static void ANNOT_DDI_CALL queue_marker_none(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                             const void *data, uint32_t size, uint64_t id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)id;
}

static void ANNOT_DDI_CALL queue_end_none(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    (void)queue, (void)id;
}

static void ANNOT_DDI_CALL list_marker_none(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                            const void *data, uint32_t size, uint64_t id)
{
    (void)list, (void)metadata, (void)data, (void)size, (void)id;
}

static void ANNOT_DDI_CALL list_end_none(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    (void)list, (void)id;
}

static void ANNOT_DDI_CALL set_name_none(D3D12DDI_HANDLE_AND_TYPE object,
                                         const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table_none = {
    queue_marker_none, queue_end_none,   queue_marker_none, list_marker_none,
    list_end_none,     list_marker_none, set_name_none,
};

/* Returns the name of the first entry that the driver left out, or NULL. */
static const char *table_hole(const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *table)
{
    const struct {
        bool present;
        const char *name;
    } entries[] = {
        {table->pfnCmdQueueBeginEvent, "pfnCmdQueueBeginEvent"},
        {table->pfnCmdQueueEndEvent, "pfnCmdQueueEndEvent"},
        {table->pfnCmdQueueSetMarker, "pfnCmdQueueSetMarker"},
        {table->pfnCmdListBeginEvent, "pfnCmdListBeginEvent"},
        {table->pfnCmdListEndEvent, "pfnCmdListEndEvent"},
        {table->pfnCmdListSetMarker, "pfnCmdListSetMarker"},
        {table->pfnSetName, "pfnSetName"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (!entries[i].present)
            return entries[i].name;
    return NULL;
}

/* Returns true if the table has no functions: a layer that wants no calls passes such a table. */
static bool is_empty(const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *table)
{
    return !table ||
           (!table->pfnCmdQueueBeginEvent && !table->pfnCmdQueueEndEvent &&
            !table->pfnCmdQueueSetMarker && !table->pfnCmdListBeginEvent &&
            !table->pfnCmdListEndEvent && !table->pfnCmdListSetMarker && !table->pfnSetName);
}

/* Takes the driver's table. If a driver reports the feature, but its table can't be used, the
 * driver counts as a driver without the feature [ANN-CAPS-04]. A table without functions counts the
 * same, without a message. */
static void adopt_driver(annot_device *device, const annot_driver *driver)
{
    device->driver = driver;
    device->table = &table_none;
    if (!driver || !driver->annotation_version)
        return;
    const char *name = driver->name ? driver->name : "(unnamed)";
    if (driver->annotation_version != D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0) {
        annot__message(
            device, ANNOT_MESSAGE_DRIVER_TABLE_INVALID, ANNOT_SEVERITY_WARNING,
            "driver %s reports annotation version %u, but only %u is known: annotations are off",
            name, driver->annotation_version,
            D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0);
        return;
    }
    if (is_empty(driver->annotation))
        return;
    const char *hole = table_hole(driver->annotation);
    if (hole) {
        annot__message(device, ANNOT_MESSAGE_DRIVER_TABLE_INVALID, ANNOT_SEVERITY_WARNING,
                       "driver %s reports annotations, but its table lacks %s: annotations are off",
                       name, hole);
        return;
    }
    device->table = driver->annotation;
    device->supported = true;
}

annot_result annot_device_create_sized(const annot_device_desc *desc, size_t desc_size,
                                       annot_device **out)
{
    annot_device_desc known = ANNOT_DEVICE_DESC_INIT;
    if (!out)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    if (!ANNOT__TAKE(known, desc, desc_size) || !annot__allocator_complete(&known.allocator))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (!annot__process_follow_forks())
        return ANNOT_ERROR_OUT_OF_MEMORY;
    annot_device *device =
        known.allocator.allocate(known.allocator.user, sizeof *device, ANNOT__MAX_ALIGN);
    if (!device)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *device = (annot_device){
        .allocator = known.allocator,
        .forced = known.force_driver_retail,
        .mode = known.force_driver_retail ? ANNOT_MODE_DRIVER_RETAIL : ANNOT_MODE_RUNTIME_ONLY,
        .generation = annot__process_generation(),
        .message = known.message,
        .message_user = known.message_user,
        .waits = known.waits,
        .waits_user = known.waits_user,
        .evict = annot__queues_evict,
        .budget = known.memory_budget == ANNOT_BUDGET_NONE ? UINT64_MAX : known.memory_budget,
        .freed_max = known.freed_name_count,
    };
    annot__mutex_init(&device->pool_lock);
    annot__mutex_init(&device->naming);
    annot__mutex_init(&device->objects_lock);
    adopt_driver(device, known.driver);
    *out = device;
    return ANNOT_OK;
}

/* Reports the objects that outlive the device, as many as the message has room for. */
static void tell_survivors(annot_device *device)
{
    char names[360] = "";
    size_t used = 0;
    unsigned told = 0;
    for (const annot_object *object = device->objects.first; object && told < 4;
         object = object->next, told++) {
        const int size =
            snprintf(names + used, sizeof names - used, "%s%s %s", told ? ", " : ": ",
                     annot_object_type_text((uint32_t)object->type), annot__title_of(object).text);
        if ((size_t)size >= sizeof names - used)
            break;
        used += (size_t)size;
    }
    names[used] = 0;
    annot__message(device, ANNOT_MESSAGE_MISUSE, ANNOT_SEVERITY_ERROR,
                   "annot_device_destroy: %llu objects still exist%s%s; the device is kept. "
                   "Destroy contexts, objects and arenas first",
                   (unsigned long long)device->objects.count, names,
                   device->objects.count > told ? ", ..." : "");
}

void annot_device_destroy(annot_device *device)
{
    if (!device || annot__is_inherited(device))
        return;
    if (device->queues || device->objects.count > 0) {
        tell_survivors(device);
        return;
    }
    annot__objects_finish(device);
    annot__facts_finish(device);
    annot__arenas_finish(device);
    annot__chunks_finish(device);
    annot__mutex_finish(&device->objects_lock);
    annot__mutex_finish(&device->naming);
    annot__mutex_finish(&device->pool_lock);
    annot__release(device, device, sizeof *device);
}

annot_result annot_device_set_mode(annot_device *device, uint32_t mode)
{
    if (!device)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    if (mode != ANNOT_MODE_RUNTIME_ONLY && mode != ANNOT_MODE_DRIVER_RETAIL) {
        annot__message(device, ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT, ANNOT_SEVERITY_ERROR,
                       "SetUserDefinedAnnotationMode: %u is neither RUNTIME_ONLY (1) nor "
                       "DRIVER_RETAIL (2); the mode does not change",
                       mode);
        return ANNOT_ERROR_INVALID_ARGUMENT;
    }
    if (!device->forced)
        atomic_store_explicit(&device->mode, mode, memory_order_release);
    return ANNOT_OK;
}

annot_mode annot_device_mode(const annot_device *device)
{
    return device ? annot__device_mode(device) : ANNOT_MODE_RUNTIME_ONLY;
}

bool annot_device_is_supported(const annot_device *device)
{
    return device && device->supported;
}

void annot_device_get_stats_sized(const annot_device *device, annot_device_stats *out,
                                  size_t out_size)
{
    annot_device_stats whole = {0};
    if (device)
        whole = (annot_device_stats){
            .live_bytes = atomic_load_explicit(&device->live_bytes, memory_order_relaxed),
            .reserved_bytes = atomic_load_explicit(&device->reserved_bytes, memory_order_relaxed),
            .dropped_markers = atomic_load_explicit(&device->dropped_markers, memory_order_relaxed),
            .dropped_bytes = atomic_load_explicit(&device->dropped_bytes, memory_order_relaxed),
            .evicted_markers = atomic_load_explicit(&device->evicted_markers, memory_order_relaxed),
        };
    ANNOT__GIVE(out, out_size, whole);
}
