/* DRED, the runtime's own breadcrumbs and page faults, as evidence. It must be on before a device
 * is made. The layer switches on the settings that the program leaves to the system, and then
 * answers the program as if they were off.
 *
 * A node names its list and queue, but not the submission. The node is used only if one execution
 * of that list is in flight on that queue and has one node; otherwise the node could belong to
 * another execution.
 *
 * The layer's own words are operations, too. They are removed from the program's output and from
 * dumps if the layer can distinguish them: the program writes no words on the list, or the node is
 * of the list's last recording, for which the layer knows the program's words. */
#include "../intercept/runtime.h"
#include "classes.h"
#include "layer.h"
#include "array.h"
#include "environment.h"
#include "unicode.h"

#include <stdio.h>

#include <utlist.h>

#define UNSUPPORTED 0x887A0004u /* DXGI_ERROR_UNSUPPORTED */

/* The program's choice: D3D12_DRED_ENABLEMENT. */
static _Atomic uint32_t breadcrumbs, page_faults;
static atomic_bool is_markers_only;

void layer_dred_chosen(uint16_t method, uint64_t value)
{
    const bool is_known = (uint32_t)value <= D3D12_DRED_ENABLEMENT_FORCED_ON;
    switch (method) {
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement:
        if (is_known)
            atomic_store(&breadcrumbs, (uint32_t)value);
        break;
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetPageFaultEnablement:
        if (is_known)
            atomic_store(&page_faults, (uint32_t)value);
        break;
    default:
        atomic_store(&is_markers_only, (uint32_t)value != 0);
    }
}

static bool is_wanted(void)
{
    const char *setting = os_environment_borrow("ANNOT_D3D12_DRED");
    return layer_settings.evidence <= LAYER_EVIDENCE_DRED &&
           (!setting || strcmp(setting, "0") != 0);
}

void *layer_dred_settings(void)
{
    typedef HRESULT(WINAPI * get)(REFIID, void **);
    void *const found = runtime_function("D3D12GetDebugInterface");
    void *settings = NULL;
    get ask;
    memcpy(&ask, &found, sizeof ask);
    return ask && ask(iid_of(TYPE_ID3D12DeviceRemovedExtendedDataSettings), &settings) >= 0
               ? settings
               : NULL;
}

void layer_dred_enable(void)
{
    ID3D12DeviceRemovedExtendedDataSettings *settings = is_wanted() ? layer_dred_settings() : NULL;
    if (!settings)
        return;
    if (atomic_load(&breadcrumbs) == D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED)
        settings->lpVtbl->SetAutoBreadcrumbsEnablement(settings, D3D12_DRED_ENABLEMENT_FORCED_ON);
    if (atomic_load(&page_faults) == D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED)
        settings->lpVtbl->SetPageFaultEnablement(settings, D3D12_DRED_ENABLEMENT_FORCED_ON);
    object_release(settings);
}

/* ---- the settings that the program sees ---- */

void layer_dred_open(struct layer_device *device)
{
    const bool may_read = is_wanted();
    device->dred.has_breadcrumbs = atomic_load(&breadcrumbs) != D3D12_DRED_ENABLEMENT_FORCED_OFF;
    device->dred.hides_breadcrumbs =
        may_read && atomic_load(&breadcrumbs) == D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED;
    device->dred.hides_page_faults =
        may_read && atomic_load(&page_faults) == D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED;
    device->dred.is_markers_only = atomic_load(&is_markers_only);
    device->dred.is_programs = atomic_load(&breadcrumbs) == D3D12_DRED_ENABLEMENT_FORCED_ON;
    device->dred.is_there = may_read && runtime_function("D3D12GetDebugInterface") &&
                            object_peek(device->real, iid_of(TYPE_ID3D12DeviceRemovedExtendedData));
}

/* Whether DRED counts the layer's copies, which look like the program's. */
bool layer_dred_counts_copies(const struct layer_device *device)
{
    return device->dred.is_programs && !device->dred.is_markers_only;
}

bool layer_dred_is_asked(uint16_t method)
{
    switch (method) {
    case METHOD_ID3D12DeviceRemovedExtendedData_GetAutoBreadcrumbsOutput:
    case METHOD_ID3D12DeviceRemovedExtendedData_GetPageFaultAllocationOutput:
    case METHOD_ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1:
    case METHOD_ID3D12DeviceRemovedExtendedData1_GetPageFaultAllocationOutput1:
    case METHOD_ID3D12DeviceRemovedExtendedData2_GetPageFaultAllocationOutput2:
        return true;
    default:
        return false;
    }
}

/* Takes the outputs that the program must not see. */
static _Thread_local union {
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 breadcrumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT2 page_fault;
} aside;

static bool gets_breadcrumbs(uint16_t method)
{
    return method == METHOD_ID3D12DeviceRemovedExtendedData_GetAutoBreadcrumbsOutput ||
           method == METHOD_ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1;
}

void layer_dred_pass(struct object *data, uint16_t method, uint64_t *args)
{
    const struct layer_device *device = layer_device_of_any(data);
    if (device && args[0] &&
        (gets_breadcrumbs(method) ? device->dred.hides_breadcrumbs
                                  : device->dred.hides_page_faults))
        args[0] = (uintptr_t)(void *)&aside;
}

/* ---- nodes without the layer's own words ---- */

enum { NO_NAME = 255 }; /* D3D12_AUTO_BREADCRUMB_OP has no such value */

/* Decides which operations of a node are left out. */
struct sieve {
    bool has_words;     /* the node has the layer's words, and none of the program's */
    bool is_mixed;      /* words can't be removed, but may be there */
    bool is_outer_only; /* markers inside of other markers are left out */
    uint32_t depth, writes;
    uint32_t *own; /* indices of the program's writes; allocated */
    uint32_t own_count, next;
};

static bool is_own_write(struct sieve *sieve)
{
    const bool is_own = sieve->next < sieve->own_count && sieve->own[sieve->next] == sieve->writes;
    sieve->writes++;
    sieve->next += is_own;
    return is_own;
}

static bool passes(struct sieve *sieve, uint32_t op)
{
    const uint32_t depth = sieve->depth;
    const bool closes = op == D3D12_AUTO_BREADCRUMB_OP_ENDEVENT && depth > 0;
    sieve->depth += op == D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT;
    sieve->depth -= closes;
    if (op == D3D12_AUTO_BREADCRUMB_OP_WRITEBUFFERIMMEDIATE)
        return !sieve->has_words || is_own_write(sieve);
    return op > D3D12_AUTO_BREADCRUMB_OP_ENDEVENT || !sieve->is_outer_only ||
           depth == (closes ? 1u : 0u);
}

/* Returns the layer's mirror of a list; NULL: the layer has none. The device's lock is held. */
static const struct layer_mirror *find_mirror(const struct layer_device *device,
                                              const struct object *object)
{
    const uintptr_t note = object ? object_note(object, OBJECT_NOTE_CRASH) : 0;
    struct layer_mirror *mirror;
    DL_FOREACH(device->mirrors, mirror)
    if ((uintptr_t)(void *)mirror == note)
        return mirror;
    return NULL;
}

/* Copies the program's words of the list's last recording, if the node is of this recording. */
static bool copy_own_writes(const struct layer_list *list, bool is_alone, struct sieve *sieve)
{
    const struct layer_places *own = &list->own_writes;
    if (!atomic_load_explicit(&list->has_own_writes, memory_order_relaxed))
        return true;
    if (!is_alone || own->is_cut ||
        !atomic_load_explicit(&list->is_submitted, memory_order_relaxed) ||
        !(sieve->own = malloc((own->count + (size_t)1) * sizeof *sieve->own)))
        return false;
    if (own->count > 0)
        memcpy(sieve->own, own->places, own->count * sizeof *sieve->own);
    sieve->own_count = own->count;
    return true;
}

/* Begins with a node of this list; is_alone: the list has no other node. NULL: the list is gone, so
 * the node may have the program's words of any list. The device's lock is held. */
static void sieve_begin(const struct layer_device *device, const struct layer_mirror *mirror,
                        bool is_alone, struct sieve *sieve)
{
    *sieve = (struct sieve){.has_words = false};
    if (device->evidence != LAYER_EVIDENCE_IMMEDIATE)
        return;
    if (!mirror) {
        sieve->has_words = !atomic_load_explicit(&device->has_own_writes, memory_order_relaxed);
        sieve->is_mixed = !sieve->has_words;
        return;
    }
    if (mirror->kind != LAYER_LIST)
        return;
    const struct layer_list *list = (const struct layer_list *)(const void *)mirror;
    const bool is_written = layer_words_are_written(device, list);
    sieve->has_words = is_written && copy_own_writes(list, is_alone, sieve);
    sieve->is_mixed = is_written && !sieve->has_words;
}

void layer_dred_begin(struct layer_list *list)
{
    list->writes = 0;
    atomic_store_explicit(&list->is_submitted, false, memory_order_relaxed);
    if (!atomic_load_explicit(&list->has_own_writes, memory_order_relaxed))
        return;
    pthread_mutex_lock(&list->mirror.device->lock);
    list->own_writes.count = 0;
    list->own_writes.is_cut = false;
    pthread_mutex_unlock(&list->mirror.device->lock);
}

void layer_dred_written(struct layer_list *list)
{
    if (!list)
        return;
    struct layer_places *own = &list->own_writes;
    pthread_mutex_lock(&list->mirror.device->lock);
    if (ARRAY_ROOM(own->places, own->count, own->capacity))
        own->places[own->count++] = list->writes;
    else
        own->is_cut = true;
    pthread_mutex_unlock(&list->mirror.device->lock);
    list->writes++;
    atomic_store_explicit(&list->has_own_writes, true, memory_order_relaxed);
    atomic_store_explicit(&list->mirror.device->has_own_writes, true, memory_order_relaxed);
}

/* Removes the layer's operations from the node. The new memory stays as long as the node. */
static void strain(D3D12_AUTO_BREADCRUMB_NODE1 *node, struct sieve *sieve, bool has_contexts)
{
    const uint32_t count = node->BreadcrumbCount;
    const uint32_t done = node->pLastBreadcrumbValue ? *node->pLastBreadcrumbValue : 0;
    struct {
        UINT value;
        D3D12_AUTO_BREADCRUMB_OP ops[];
    } * copy;
    if (!node->pCommandHistory || count > ANNOT_CRUMBS_OPS ||
        !(copy = malloc(sizeof *copy + count * sizeof *copy->ops)))
        return;
    uint32_t kept = 0, context = 0;
    copy->value = done > count ? done - count : 0; /* the end, which also counts */
    for (uint32_t i = 0; i < count; i++) {
        for (; has_contexts && context < node->BreadcrumbContextsCount &&
               node->pBreadcrumbContexts[context].BreadcrumbIndex == i;
             context++)
            node->pBreadcrumbContexts[context].BreadcrumbIndex = kept;
        if (!passes(sieve, node->pCommandHistory[i]))
            continue;
        copy->ops[kept++] = node->pCommandHistory[i];
        copy->value += i < done;
    }
    node->BreadcrumbCount = kept;
    node->pCommandHistory = copy->ops;
    node->pLastBreadcrumbValue = &copy->value;
}

/* Copies the contexts, because their memory belongs to the runtime. */
static void copy_contexts(D3D12_AUTO_BREADCRUMB_NODE1 *node)
{
    const size_t size = node->BreadcrumbContextsCount * sizeof *node->pBreadcrumbContexts;
    D3D12_DRED_BREADCRUMB_CONTEXT *copy = node->pBreadcrumbContexts && size ? malloc(size) : NULL;
    if (copy)
        memcpy(copy, node->pBreadcrumbContexts, size);
    else
        node->BreadcrumbContextsCount = 0;
    node->pBreadcrumbContexts = copy;
}

_Static_assert(offsetof(D3D12_AUTO_BREADCRUMB_NODE1, pNext) ==
                   offsetof(D3D12_AUTO_BREADCRUMB_NODE, pNext),
               "a node of the second kind begins as one of the first");

/* Returns how many nodes have this node's list and queue. */
static uint32_t count_alike(const D3D12_AUTO_BREADCRUMB_NODE *head,
                            const D3D12_AUTO_BREADCRUMB_NODE *node)
{
    uint32_t count = 0;
    for (; head; head = head->pNext)
        count +=
            head->pCommandList == node->pCommandList && head->pCommandQueue == node->pCommandQueue;
    return count;
}

/* Changes all nodes, which are copies already: written_wrap. */
static void strain_all(struct layer_device *device, D3D12_AUTO_BREADCRUMB_NODE1 **to,
                       bool has_contexts)
{
    const D3D12_AUTO_BREADCRUMB_NODE *head = (const void *)*to;
    while (*to) {
        D3D12_AUTO_BREADCRUMB_NODE1 *node = *to;
        struct sieve sieve;
        void *const list = node->pCommandList;
        const struct object *object = object_at(list);
        if (!object && list) { /* a list of the layer, which the program never had */
            memcpy(to, &node->pNext, sizeof *to);
            continue;
        }
        pthread_mutex_lock(&device->lock);
        sieve_begin(device, find_mirror(device, object), count_alike(head, (const void *)node) == 1,
                    &sieve);
        pthread_mutex_unlock(&device->lock);
        if (sieve.has_words && has_contexts)
            copy_contexts(node);
        if (sieve.has_words)
            strain(node, &sieve, has_contexts);
        free(sieve.own);
        to = (D3D12_AUTO_BREADCRUMB_NODE1 **)(void *)&node->pNext;
    }
}

void layer_dred_answer(struct object *data, uint16_t method, const uint64_t *args, uint64_t *result)
{
    struct layer_device *device = layer_device_of_any(data);
    void *const out = (void *)(uintptr_t)args[0];
    if (out == &aside) {
        *result = UNSUPPORTED;
        return;
    }
    if (!device || !out || (int32_t)*result < 0)
        return;
    if (gets_breadcrumbs(method))
        strain_all(device, out,
                   method == METHOD_ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1);
}

void layer_dred_describe(struct object *configuration, void *desc)
{
    enum { BREADCRUMBS = 8, PAGE_FAULTS = 16 }; /* D3D12_DEVICE_FLAG_DRED_..._ENABLED */
    const struct layer_device *device = layer_device_of_any(configuration);
    uint32_t flags; /* its first member */
    if (!device)
        return;
    memcpy(&flags, desc, sizeof flags);
    if (device->dred.hides_breadcrumbs)
        flags &= ~(uint32_t)BREADCRUMBS;
    if (device->dred.hides_page_faults)
        flags &= ~(uint32_t)PAGE_FAULTS;
    memcpy(desc, &flags, sizeof flags);
}

/* ---- breadcrumbs ---- */

/* Returns the ID of the runtime's list or queue, which may be gone; 0: the layer has none. */
static uint64_t id_of(struct layer_device *device, void *real, struct sieve *sieve)
{
    pthread_mutex_lock(&device->lock);
    const struct layer_mirror *mirror = find_mirror(device, object_at(object_known(real)));
    const uint64_t id = mirror ? annot_object_id(mirror->object) : 0;
    sieve_begin(device, mirror, true, sieve);
    sieve->is_outer_only = sieve->has_words && layer_settings.level == CRASH_LEVEL_LOW;
    pthread_mutex_unlock(&device->lock);
    return id;
}

/* Returns the execution of the node; NULL: there is none, or there are several. */
static const annot_progress *execution_of(uint64_t queue, uint64_t list, const annot_progress *rows,
                                          uint32_t count)
{
    const annot_progress *found = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].bundle != 0 || rows[i].queue != queue || rows[i].object != list)
            continue;
        if (found)
            return NULL;
        found = &rows[i];
    }
    return found;
}

/* Copies the operations that pass, and counts the done ones. An operation that may be the layer's
 * own word has no name. False: out of memory. */
static bool copy_history(const D3D12_AUTO_BREADCRUMB_NODE *node, struct sieve sieve,
                         annot_crumbs *crumbs)
{
    const uint32_t count = node->BreadcrumbCount, done = *node->pLastBreadcrumbValue;
    const bool is_whole = count <= ANNOT_CRUMBS_OPS;
    const uint32_t all = is_whole ? count : ANNOT_CRUMBS_OPS;
    uint8_t *ops = malloc(all + (size_t)1);
    if (!ops)
        return false;
    *crumbs = (annot_crumbs){.count = count, .done = done, .kept = all, .ops = ops};
    if (is_whole)
        crumbs->count = crumbs->done = crumbs->kept = 0;
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t op = (uint32_t)node->pCommandHistory[i];
        if (is_whole && !passes(&sieve, op))
            continue;
        const bool is_nameless =
            sieve.is_mixed && op == D3D12_AUTO_BREADCRUMB_OP_WRITEBUFFERIMMEDIATE;
        ops[is_whole ? crumbs->kept++ : i] = is_nameless ? NO_NAME : (uint8_t)op;
        crumbs->count += is_whole;
        crumbs->done += is_whole && i < done;
        crumbs->markers += op <= D3D12_AUTO_BREADCRUMB_OP_ENDEVENT;
    }
    return true;
}

/* Whether this D3D12_AUTO_BREADCRUMB_OP is work. */
static bool is_work(uint32_t op)
{
#define IS_IT(iface, name, kind, ...) || op == (kind)
    return false LIST_WORK(IS_IT);
#undef IS_IT
}

/* Whether words tell more: at level "exact" words name the call, not only its number, but only if
 * the call's marker has begun. For barriers and the program's own writes, breadcrumbs tell more. */
static bool is_told_by_words(const struct layer_device *device, const annot_progress *execution,
                             const annot_crumbs *crumbs)
{
    return layer_settings.level == CRASH_LEVEL_EXACT &&
           device->evidence == LAYER_EVIDENCE_IMMEDIATE &&
           execution->state == ANNOT_PROGRESS_STARTED &&
           (execution->inside == ANNOT_INSIDE_STARTED ||
            execution->inside == ANNOT_INSIDE_TRACKED) &&
           execution->started != execution->completed && crumbs->done < crumbs->kept &&
           is_work(crumbs->ops[crumbs->done]);
}

/* Reads a node. False: the node tells nothing, or its execution is unknown. A list that never began
 * also has the value 0. `log` is new for each node; a list that is in flight twice has two
 * nodes. */
static bool read_node(struct layer_device *device, const D3D12_AUTO_BREADCRUMB_NODE *node,
                      const annot_progress *rows, uint32_t count, uint64_t log,
                      annot_crumbs *crumbs)
{
    const uint32_t done = node->pLastBreadcrumbValue ? *node->pLastBreadcrumbValue : 0;
    struct sieve of_queue, sieve = {0};
    if (done == 0 || done > node->BreadcrumbCount || !node->pCommandHistory)
        return false;
    const uint64_t queue = id_of(device, node->pCommandQueue, &of_queue);
    const uint64_t list = id_of(device, node->pCommandList, &sieve);
    const annot_progress *execution = queue && list ? execution_of(queue, list, rows, count) : NULL;
    const bool is_read = execution && copy_history(node, sieve, crumbs);
    free(sieve.own);
    if (!is_read)
        return false;
    if (is_told_by_words(device, execution, crumbs)) {
        free((void *)(uintptr_t)crumbs->ops);
        return false;
    }
    crumbs->queue = queue;
    crumbs->submission = execution->submission;
    crumbs->list = execution->list;
    crumbs->log = log;
    crumbs->flags = device->dred.is_markers_only ? ANNOT_CRUMBS_MARKERS_ONLY : 0;
    return true;
}

static void read_breadcrumbs(struct layer_device *device, ID3D12DeviceRemovedExtendedData *data,
                             const annot_progress *rows, uint32_t count, struct layer_crumbs *out)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT found = {NULL};
    const D3D12_AUTO_BREADCRUMB_NODE *node;
    if (data->lpVtbl->GetAutoBreadcrumbsOutput(data, &found) < 0)
        return;
    for (node = found.pHeadAutoBreadcrumbNode; node; node = node->pNext)
        if (out->count == LAYER_NODES)
            out->cut++;
        else if (count_alike(found.pHeadAutoBreadcrumbNode, node) == 1 &&
                 read_node(device, node, rows, count, out->count + 1, &out->rows[out->count]))
            out->count++;
}

/* Whether breadcrumbs can be joined with markers: the layer must not have made copies. */
static bool is_joined(const struct layer_device *device)
{
    return device->dred.is_there && device->dred.has_breadcrumbs &&
           device->evidence != LAYER_EVIDENCE_COPY;
}

/* ---- page faults ---- */

static void put_wide(const void *units, char *to, size_t size)
{
    size_t out = 0;
    for (size_t i = 0; unicode_unit(units, CAPTURE_WCHAR_SIZE, i) && out + 5 < size;) {
        const uint32_t c = unicode_next(units, CAPTURE_WCHAR_SIZE, SIZE_MAX, &i);
        out += unicode_encode(c > 0x10FFFF || c >> 11 == 0x1B ? 0xFFFD : c, to + out);
    }
    to[out] = '\0';
}

/* Writes names of objects into a line. False: there are none. */
static bool put_names(const D3D12_DRED_ALLOCATION_NODE *node, char *to, size_t size)
{
    size_t out = 0;
    to[0] = '\0';
    for (; node && out + 32 < size; node = node->pNext) {
        out += (size_t)snprintf(to + out, size - out, "%s", out ? ", " : "");
        if (node->ObjectNameA)
            snprintf(to + out, size - out, "%.80s", node->ObjectNameA);
        else if (node->ObjectNameW)
            put_wide(node->ObjectNameW, to + out, size - out);
        else
            snprintf(to + out, size - out, "(unnamed)");
        out += strlen(to + out);
    }
    return out > 0;
}

/* Adds the first object at the address, with DRED's name, because DRED does not identify the
 * program's object. */
static void add_range(struct layer_device *device, const D3D12_DRED_ALLOCATION_NODE *node,
                      bool is_freed, struct layer_crumbs *out)
{
    annot_object *object = NULL;
    if (!node)
        return;
    const annot_object_desc desc = {.kind = (uint32_t)node->AllocationType};
    if (annot_object_create(device->crash.annot, &desc, &object) != ANNOT_OK)
        return;
    if (node->ObjectNameA)
        annot_object_set_name(object, node->ObjectNameA, ANNOT_TEXT_UTF8);
    else if (node->ObjectNameW)
        annot_object_set_name(object, node->ObjectNameW, (annot_text_unit)CAPTURE_WCHAR_SIZE);
    out->ranges[out->range_count++] = (annot_allocation_range){
        .address = out->fault_address,
        .object = annot_object_id(object),
        .kind = desc.kind,
        .flags = is_freed ? ANNOT_RANGE_FREED : 0,
    };
    if (is_freed)
        annot_object_destroy(object);
    else
        out->existing_object = object;
}

static void read_page_fault(struct layer_device *device, ID3D12DeviceRemovedExtendedData *data,
                            struct layer_crumbs *out)
{
    D3D12_DRED_PAGE_FAULT_OUTPUT found = {0, NULL, NULL};
    if (data->lpVtbl->GetPageFaultAllocationOutput(data, &found) < 0 || found.PageFaultVA == 0)
        return;
    out->fault_address = found.PageFaultVA;
    out->has_existing =
        put_names(found.pHeadExistingAllocationNode, out->existing, sizeof out->existing);
    out->has_freed = put_names(found.pHeadRecentFreedAllocationNode, out->freed, sizeof out->freed);
    add_range(device, found.pHeadExistingAllocationNode, false, out);
    add_range(device, found.pHeadRecentFreedAllocationNode, true, out);
}

/* ---- all evidence ---- */

void layer_dred_read(struct layer_device *device, const annot_progress *rows, uint32_t count,
                     struct layer_crumbs *out)
{
    void *data = device->dred.is_there
                     ? object_query(device->real, iid_of(TYPE_ID3D12DeviceRemovedExtendedData))
                     : NULL;
    if (!data)
        return;
    if (is_joined(device))
        read_breadcrumbs(device, data, rows, count, out);
    read_page_fault(device, data, out);
    object_release(data);
}

void layer_dred_give(struct layer_crumbs *crumbs)
{
    for (uint32_t i = 0; i < crumbs->count; i++)
        free((void *)(uintptr_t)crumbs->rows[i].ops);
    annot_object_destroy(crumbs->existing_object);
    crumbs->existing_object = NULL;
    crumbs->count = crumbs->range_count = 0;
}
