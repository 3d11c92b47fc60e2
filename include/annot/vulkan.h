/*
 * Makes the GPU's writes of annot/evidence.h with Vulkan, for translation layers and API layers.
 * This header compiles as C11 and C++17, and needs no Vulkan library: the layer gives pointers to
 * its own Vulkan functions.
 *
 *     annot_vk_words_create         once per device: words in memory that the host sees, mapped
 *     annot_vk_tracker_desc         the description for annot_tracker_create
 *     annot_vk_driver               for annot_device_desc.driver: markers become writes
 *     annot_vk_recording_begin      after annot_context_open and vkBeginCommandBuffer
 *     annot_vk_recording_begin_pass, _end_pass
 *                                   before a render pass or dynamic rendering, and after it
 *     annot_vk_recording_end        in front of the vkEndCommandBuffer of the list's last one
 *     annot_vk_write_prologue       the writes of annot_tracker_submit_apart, in a command buffer
 *                                   in front of the list
 *     annot_vk_error                a VkResult as a dump's error
 *
 * The kinds of evidence, the best kind first:
 *
 *     MARKERS   VK_AMD_buffer_marker, at the top of the pipe for `started`, at its bottom for
 *               `completed`; in render passes, too
 *     BARRIER   vkCmdFillBuffer after a barrier of ALL_COMMANDS, for both; not in render passes.
 *               Work on the two sides of a marker doesn't overlap
 *     FILL      vkCmdFillBuffer alone: it shows what the front end reached, never what is done
 *     NONE      no words: completed submissions only
 *
 * The writes of one word must be ordered. Fills need a write-after-write barrier; BARRIER has this
 * barrier, and MARKERS doesn't need it. With FILL, readers believe only `started`.
 *
 * A fill in a render pass is not legal. If a marker in a pass needs a fill, `leave_pass` is called.
 * A layer that can end the pass then ends it, and begins the pass again with the next draw.
 * Otherwise the list's markers are unknown while the GPU is in the pass, and known again after the
 * pass.
 *
 * A list may consist of several command buffers, with one annot_vk_recording for all. Set
 * `commands` to the command buffer that is being recorded, and submit all command buffers in one
 * batch, in order. Vulkan begins the lists of one vkQueueSubmit in order, and a barrier reaches
 * across command buffers. So ANNOT_PROMISE_STARTS_IN_ORDER holds with MARKERS and BARRIER, and
 * ANNOT_PROMISE_RETIRES_IN_ORDER holds with BARRIER only.
 *
 * The words take 8 bytes for each list that is recorded or in flight, and 8 bytes for each further
 * execution in flight. If no words are left for a list, its state is unknown in a dump.
 */
#ifndef ANNOT_VULKAN_H
#define ANNOT_VULKAN_H

#ifndef VULKAN_CORE_H_
#include <vulkan/vulkan_core.h>
#endif

#include "ddi.h"
#include "dump.h"
#include "evidence.h"

#include <string.h>

typedef enum annot_vk_evidence {
    ANNOT_VK_MARKERS,
    ANNOT_VK_BARRIER,
    ANNOT_VK_FILL,
    ANNOT_VK_NONE
} annot_vk_evidence;

/* The layer's own Vulkan functions. The evidence MARKERS needs CmdWriteBufferMarkerAMD. */
typedef struct annot_vk_functions {
    PFN_vkCreateBuffer CreateBuffer;
    PFN_vkDestroyBuffer DestroyBuffer;
    PFN_vkGetBufferMemoryRequirements GetBufferMemoryRequirements;
    PFN_vkAllocateMemory AllocateMemory;
    PFN_vkFreeMemory FreeMemory;
    PFN_vkBindBufferMemory BindBufferMemory;
    PFN_vkMapMemory MapMemory;
    PFN_vkCmdFillBuffer CmdFillBuffer;
    PFN_vkCmdPipelineBarrier CmdPipelineBarrier;
    PFN_vkCmdWriteBufferMarkerAMD CmdWriteBufferMarkerAMD;
} annot_vk_functions;

typedef struct annot_vk_words {
    VkDevice device;
    annot_vk_functions functions;
    annot_vk_evidence evidence;
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;      /* the words' address for the CPU; NULL: the GPU can't write breadcrumbs */
    VkDeviceSize size; /* bytes */
} annot_vk_words;

/* Returns a memory type that is host-visible and host-coherent. The CPU can read such memory even
 * if the device is lost. Prefers a host-cached type. UINT32_MAX: the device has no such type. */
ANNOT_INLINE uint32_t annot_vk_memory_type(const VkPhysicalDeviceMemoryProperties *memory,
                                           uint32_t allowed)
{
    const VkMemoryPropertyFlags needed =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags refused =
        VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        const VkMemoryPropertyFlags flags = memory->memoryTypes[i].propertyFlags;
        if (!(allowed & 1u << i) || (flags & needed) != needed || (flags & refused))
            continue;
        if (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT)
            return i;
        if (best == UINT32_MAX)
            best = i;
    }
    return best;
}

ANNOT_INLINE void annot_vk_words_destroy(annot_vk_words *words)
{
    if (words->buffer)
        words->functions.DestroyBuffer(words->device, words->buffer, NULL);
    if (words->memory)
        words->functions.FreeMemory(words->device, words->memory, NULL);
    words->buffer = VK_NULL_HANDLE;
    words->memory = VK_NULL_HANDLE;
    words->mapped = NULL;
    words->evidence = ANNOT_VK_NONE;
}

/* Makes the breadcrumb words, from the members device, functions and size that the caller has set.
 * `families` has the queue families of all queues that write words. Sets `evidence` to MARKERS if
 * CmdWriteBufferMarkerAMD exists, else to BARRIER; a layer may then set a weaker kind. After a
 * failure, `evidence` is NONE, and the call returns false. */
ANNOT_INLINE bool annot_vk_words_create(annot_vk_words *words,
                                        const VkPhysicalDeviceMemoryProperties *memory,
                                        const uint32_t *families, uint32_t family_count)
{
    VkBufferCreateInfo buffer;
    VkMemoryAllocateInfo allocate;
    VkMemoryRequirements needs;
    memset(&buffer, 0, sizeof buffer);
    memset(&allocate, 0, sizeof allocate);
    words->buffer = VK_NULL_HANDLE;
    words->memory = VK_NULL_HANDLE;
    words->mapped = NULL;
    words->evidence =
        words->functions.CmdWriteBufferMarkerAMD ? ANNOT_VK_MARKERS : ANNOT_VK_BARRIER;
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer.size = words->size;
    buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    buffer.sharingMode = family_count > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE;
    buffer.queueFamilyIndexCount = family_count > 1 ? family_count : 0;
    buffer.pQueueFamilyIndices = families;
    if (words->functions.CreateBuffer(words->device, &buffer, NULL, &words->buffer) == VK_SUCCESS) {
        words->functions.GetBufferMemoryRequirements(words->device, words->buffer, &needs);
        allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocate.allocationSize = needs.size;
        allocate.memoryTypeIndex = annot_vk_memory_type(memory, needs.memoryTypeBits);
        if (allocate.memoryTypeIndex == UINT32_MAX ||
            words->functions.AllocateMemory(words->device, &allocate, NULL, &words->memory) !=
                VK_SUCCESS) {
            words->memory = VK_NULL_HANDLE;
        } else if (words->functions.BindBufferMemory(words->device, words->buffer, words->memory,
                                                     0) == VK_SUCCESS &&
                   words->functions.MapMemory(words->device, words->memory, 0, VK_WHOLE_SIZE, 0,
                                              &words->mapped) == VK_SUCCESS) {
            memset(words->mapped, 0, (size_t)words->size);
            return true;
        }
    } else {
        words->buffer = VK_NULL_HANDLE;
    }
    words->mapped = NULL;
    annot_vk_words_destroy(words);
    return false;
}

/* Returns the description for annot_tracker_create. The layer must add its promises. */
ANNOT_INLINE annot_tracker_desc annot_vk_tracker_desc(const annot_vk_words *words)
{
    annot_tracker_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.memory = words->evidence == ANNOT_VK_NONE ? NULL : words->mapped;
    desc.memory_size = desc.memory ? words->size : 0;
    desc.word_size = 4;
    desc.writes_entered = desc.writes_completed = words->evidence < ANNOT_VK_FILL;
    return desc;
}

/* ---- single writes ---- */

/* Records the barrier for the evidence BARRIER. Fills after this barrier begin when all earlier
 * work is done and its memory is written. */
ANNOT_INLINE void annot_vk_barrier(const annot_vk_words *words, VkCommandBuffer commands)
{
    VkMemoryBarrier all;
    if (words->evidence != ANNOT_VK_BARRIER)
        return;
    memset(&all, 0, sizeof all);
    all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    all.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    all.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    words->functions.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                        VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &all, 0, NULL, 0,
                                        NULL);
}

ANNOT_INLINE void annot_vk_write(const annot_vk_words *words, VkCommandBuffer commands,
                                 VkPipelineStageFlagBits stage, uint64_t offset, uint32_t value)
{
    if (offset == ANNOT_WORDS_NONE || words->evidence == ANNOT_VK_NONE)
        return;
    if (words->evidence == ANNOT_VK_MARKERS)
        words->functions.CmdWriteBufferMarkerAMD(commands, stage, words->buffer, offset, value);
    else
        words->functions.CmdFillBuffer(commands, words->buffer, offset, sizeof value, value);
}

/* Records a write of `started` before the work: the GPU has reached this place. */
ANNOT_INLINE void annot_vk_write_started(const annot_vk_words *words, VkCommandBuffer commands,
                                         annot_words at, uint64_t value)
{
    annot_vk_write(words, commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, at.started, (uint32_t)value);
}

/* Records a write of `completed` after the work and a barrier: the work is done. Without the
 * barrier the word would prove nothing. */
ANNOT_INLINE void annot_vk_write_completed(const annot_vk_words *words, VkCommandBuffer commands,
                                           annot_words at, uint64_t value)
{
    if (words->evidence != ANNOT_VK_FILL)
        annot_vk_write(words, commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, at.completed,
                       (uint32_t)value);
}

ANNOT_INLINE void annot_vk_write_prologue(const annot_vk_words *words, VkCommandBuffer commands,
                                          const annot_prologue *prologue)
{
    const struct {
        uint64_t offset;
        uint32_t value;
    } writes[] = {{prologue->entered, ANNOT_WORD_ENTERED},
                  {prologue->restarted, 0},
                  {prologue->entered, ANNOT_WORD_LEFT},
                  {prologue->claimed, ANNOT_WORD_ENTERED},
                  {prologue->cleared, 0},
                  {prologue->claimed, ANNOT_WORD_LEFT}};
    for (uint32_t i = 0; i < (words->evidence == ANNOT_VK_FILL ? 3u : 6u); i++) {
        annot_vk_barrier(words, commands);
        annot_vk_write(words, commands,
                       i < 3 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT
                             : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                       writes[i].offset, writes[i].value);
    }
}

/* ---- recording of a list ---- */

/* A breadcrumb value that is neither an EventID nor a value of the tracker. While a word has this
 * value, the recording's markers are unknown. */
#define ANNOT_VK_WORD_LOST 3u

typedef struct annot_vk_recording {
    const annot_vk_words *words;
    VkCommandBuffer commands; /* the command buffer that is being recorded */
    annot_words at;           /* the result of annot_tracker_record */
    bool is_in_pass;
    uint64_t started, completed; /* the last ones */
    /* The layer's function that ends the render pass and calls annot_vk_recording_end_pass; the
     * next draw begins the pass again. Set leave_pass before annot_vk_recording_begin_pass. Set
     * NULL if the pass can't be ended; readers then don't believe earlier words during the pass. */
    void (*leave_pass)(struct annot_vk_recording *recording);
    void *user;
} annot_vk_recording;

/* Records commands that write both words when all earlier work is done. */
ANNOT_INLINE void annot_vk_recording_write(annot_vk_recording *recording, uint64_t started,
                                           uint64_t completed)
{
    annot_vk_barrier(recording->words, recording->commands);
    annot_vk_write_started(recording->words, recording->commands, recording->at, started);
    annot_vk_write_completed(recording->words, recording->commands, recording->at, completed);
}

ANNOT_INLINE void annot_vk_recording_begin(annot_vk_recording *recording, annot_words at)
{
    recording->at = at;
    recording->is_in_pass = false;
    recording->started = ANNOT_WORD_ENTERED;
    recording->completed = 0;
    annot_vk_barrier(recording->words, recording->commands);
    annot_vk_write_started(recording->words, recording->commands, at, ANNOT_WORD_ENTERED);
}

/* Prepares the words for a render pass, before the pass or dynamic rendering begins. If writes in
 * the pass are impossible, and the layer can't leave it, the list's state there is unknown. */
ANNOT_INLINE void annot_vk_recording_begin_pass(annot_vk_recording *recording)
{
    if (recording->words->evidence != ANNOT_VK_MARKERS && !recording->leave_pass)
        annot_vk_recording_write(recording, ANNOT_VK_WORD_LOST, ANNOT_VK_WORD_LOST);
    recording->is_in_pass = true;
}

/* Makes the list's state known again, after the pass has ended. */
ANNOT_INLINE void annot_vk_recording_end_pass(annot_vk_recording *recording)
{
    recording->is_in_pass = false;
    if (recording->words->evidence != ANNOT_VK_MARKERS)
        annot_vk_recording_write(recording, recording->started, recording->completed);
}

/* Returns true if the next command that is recorded may be a write of words. */
ANNOT_INLINE bool annot_vk_recording_may_write(annot_vk_recording *recording)
{
    if (recording->is_in_pass && recording->words->evidence != ANNOT_VK_MARKERS &&
        recording->leave_pass)
        recording->leave_pass(recording);
    return !recording->is_in_pass || recording->words->evidence == ANNOT_VK_MARKERS;
}

ANNOT_INLINE void annot_vk_recording_started(annot_vk_recording *recording, uint64_t event_id)
{
    recording->started = event_id;
    if (!annot_vk_recording_may_write(recording))
        return;
    annot_vk_barrier(recording->words, recording->commands);
    annot_vk_write_started(recording->words, recording->commands, recording->at, event_id);
}

/* Records a write of `completed`. EventID 0 (an End without a Begin) writes nothing. */
ANNOT_INLINE void annot_vk_recording_completed(annot_vk_recording *recording, uint64_t event_id)
{
    if (!event_id)
        return;
    recording->completed = event_id;
    if (!annot_vk_recording_may_write(recording))
        return;
    annot_vk_barrier(recording->words, recording->commands);
    annot_vk_write_completed(recording->words, recording->commands, recording->at, event_id);
}

ANNOT_INLINE void annot_vk_recording_end(annot_vk_recording *recording)
{
    annot_vk_barrier(recording->words, recording->commands);
    annot_vk_write_completed(recording->words, recording->commands, recording->at, ANNOT_WORD_LEFT);
}

/* ---- the driver's functions for a layer whose lists are annot_vk_recordings ---- */

ANNOT_INLINE void ANNOT_DDI_CALL annot_vk_list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                                     const void *data, uint32_t size,
                                                     uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    annot_vk_recording_started((annot_vk_recording *)list.pDrvPrivate, event_id);
}

ANNOT_INLINE void ANNOT_DDI_CALL annot_vk_list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    annot_vk_recording_completed((annot_vk_recording *)list.pDrvPrivate, event_id);
}

ANNOT_INLINE void ANNOT_DDI_CALL annot_vk_list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                                      const void *data, uint32_t size,
                                                      uint64_t event_id)
{
    annot_vk_list_begin(list, metadata, data, size, event_id);
    annot_vk_list_end(list, event_id);
}

ANNOT_INLINE void ANNOT_DDI_CALL annot_vk_queue_marker(D3D12DDI_HCOMMANDQUEUE queue,
                                                       uint32_t metadata, const void *data,
                                                       uint32_t size, uint64_t event_id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event_id;
}

ANNOT_INLINE void ANNOT_DDI_CALL annot_vk_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    (void)queue, (void)event_id;
}

ANNOT_INLINE void ANNOT_DDI_CALL annot_vk_set_name(D3D12DDI_HANDLE_AND_TYPE object,
                                                   const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

/* Returns the driver for annot_device_desc.driver. annot_object_desc.driver_handle of each list
 * must be the list's annot_vk_recording. Queue markers and names write nothing. */
ANNOT_INLINE const annot_driver *annot_vk_driver(void)
{
    static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
        annot_vk_queue_marker, annot_vk_queue_end,   annot_vk_queue_marker, annot_vk_list_begin,
        annot_vk_list_end,     annot_vk_list_marker, annot_vk_set_name};
    static const annot_driver driver = {
        "Vulkan", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST, &table, 0};
    return &driver;
}

/* ---- the end ---- */

/* Returns the value of annot_dump_info.error for a VkResult. VK_TIMEOUT means that a watchdog
 * waited too long, because the GPU hangs. */
ANNOT_INLINE annot_device_error annot_vk_error(VkResult result)
{
    return result == VK_TIMEOUT ? ANNOT_DEVICE_ERROR_HUNG
                                : annot_device_error_from_vk_result((int32_t)result);
}

#endif
