/* annot/vulkan.h by itself: what a layer of somebody else's records with it, call by call. */
#include <annot/vulkan.h>

#include "asserts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- a driver that writes down what is recorded ---- */

/* A letter a call, and for words "OFFSET=VALUE": f fill, t marker at the top of the pipe, m at its
 * bottom, | barrier, ) the layer ends its render pass. */
static char calls[1024];

static void note(const char *text)
{
    strncat(calls, text, sizeof calls - strlen(calls) - 1);
}

static void note_word(char kind, uint64_t offset, uint32_t value)
{
    char text[64];
    snprintf(text, sizeof text, " %c%" PRIu64 "=%" PRIu32, kind, offset, value);
    note(text);
}

static VKAPI_ATTR void VKAPI_CALL fill(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize at,
                                       VkDeviceSize size, uint32_t value)
{
    (void)commands, (void)buffer;
    cr_assert_eq(size, 4);
    note_word('f', at, value);
}

static VKAPI_ATTR void VKAPI_CALL marker(VkCommandBuffer commands, VkPipelineStageFlagBits stage,
                                         VkBuffer buffer, VkDeviceSize at, uint32_t value)
{
    (void)commands, (void)buffer;
    note_word(stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT ? 't' : 'm', at, value);
}

static VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags from,
                                          VkPipelineStageFlags to, VkDependencyFlags flags,
                                          uint32_t count, const VkMemoryBarrier *memory,
                                          uint32_t buffers, const VkBufferMemoryBarrier *buffer,
                                          uint32_t images, const VkImageMemoryBarrier *image)
{
    (void)commands, (void)flags, (void)buffers, (void)buffer, (void)images, (void)image;
    cr_assert_eqs(count, 1, from, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    cr_assert_eq(to, VK_PIPELINE_STAGE_TRANSFER_BIT);
    cr_assert_eq(memory->srcAccessMask, VK_ACCESS_MEMORY_WRITE_BIT);
    cr_assert_eq(memory->dstAccessMask, VK_ACCESS_TRANSFER_WRITE_BIT);
    note(" |");
}

static annot_vk_words words_of(annot_vk_evidence evidence)
{
    annot_vk_words words = {.evidence = evidence, .size = 64};
    words.functions.CmdFillBuffer = fill;
    words.functions.CmdPipelineBarrier = barrier;
    words.functions.CmdWriteBufferMarkerAMD = marker;
    calls[0] = '\0';
    return words;
}

static void expect_calls(const char *expected)
{
    cr_expect_str_eq(calls, expected, "recorded:%s\nexpected:%s", calls, expected);
    calls[0] = '\0';
}

static annot_vk_recording begin(const annot_vk_words *words)
{
    annot_vk_recording recording = {.words = words};
    annot_vk_recording_begin(&recording, (annot_words){.started = 0, .completed = 4});
    calls[0] = '\0';
    return recording;
}

static void end_pass(annot_vk_recording *recording)
{
    note(" )");
    annot_vk_recording_end_pass(recording);
}

/* ---- markers and render passes ---- */

Test(vulkan_words, markers_are_written_inside_of_a_render_pass)
{
    annot_vk_words words = words_of(ANNOT_VK_MARKERS);
    annot_vk_recording recording = begin(&words);
    recording.leave_pass = end_pass;
    annot_vk_recording_begin_pass(&recording);
    annot_vk_recording_started(&recording, 1001);
    annot_vk_recording_completed(&recording, 1001);
    annot_vk_recording_end_pass(&recording);
    expect_calls(" t0=1001 m4=1001");
}

/* No fill is legal in a render pass: what is behind its begin is unknown until its end. */
Test(vulkan_words, fills_leave_a_pass_unknown_that_cannot_be_left)
{
    annot_vk_words words = words_of(ANNOT_VK_BARRIER);
    annot_vk_recording recording = begin(&words);
    annot_vk_recording_started(&recording, 1001);
    calls[0] = '\0';
    annot_vk_recording_begin_pass(&recording);
    expect_calls(" | f0=3 f4=3"); /* neither an EventID nor a word of the tracker's */
    annot_vk_recording_started(&recording, 1002);
    annot_vk_recording_completed(&recording, 1002);
    expect_calls("");
    annot_vk_recording_end_pass(&recording);
    expect_calls(" | f0=1002 f4=1002");
}

Test(vulkan_words, a_pass_is_left_for_a_marker)
{
    annot_vk_words words = words_of(ANNOT_VK_BARRIER);
    annot_vk_recording recording = begin(&words);
    recording.leave_pass = end_pass;
    annot_vk_recording_begin_pass(&recording);
    expect_calls("");
    annot_vk_recording_started(&recording, 1001);
    cr_expect(!recording.is_in_pass);
    cr_expect(strncmp(calls, " ) |", 4) == 0, "%s", calls); /* out of the pass before a write */
    cr_expect(strstr(calls, " f0=1001"));
    calls[0] = '\0';
    annot_vk_recording_begin_pass(&recording); /* with the next draw */
    annot_vk_recording_completed(&recording, 1001);
    cr_expect(strncmp(calls, " ) |", 4) == 0 && strstr(calls, " f4=1001"), "%s", calls);
}

Test(vulkan_words, nothing_is_written_where_a_pass_is_not_left)
{
    annot_vk_words words = words_of(ANNOT_VK_FILL);
    annot_vk_recording recording = begin(&words);
    annot_vk_recording_begin_pass(&recording);
    calls[0] = '\0';
    annot_vk_recording_started(&recording, 1001);
    annot_vk_recording_completed(&recording, 1001);
    expect_calls("");
}

Test(vulkan_words, fills_without_barriers_say_nothing_of_what_is_done)
{
    annot_vk_words words = words_of(ANNOT_VK_FILL);
    annot_vk_recording recording = begin(&words);
    annot_vk_recording_started(&recording, 1001);
    annot_vk_recording_completed(&recording, 1001);
    annot_vk_recording_end(&recording);
    expect_calls(" f0=1001");
}

Test(vulkan_words, a_surplus_end_completes_nothing)
{
    annot_vk_words words = words_of(ANNOT_VK_MARKERS);
    annot_vk_recording recording = begin(&words);
    annot_vk_recording_completed(&recording, 0);
    expect_calls("");
}

/* ---- prologues ---- */

static const annot_prologue prologue = {.entered = 8, .restarted = 0, .claimed = 12, .cleared = 4};

Test(vulkan_words, a_prologue_is_written_in_its_order)
{
    annot_vk_words words = words_of(ANNOT_VK_BARRIER);
    annot_vk_write_prologue(&words, VK_NULL_HANDLE, &prologue);
    expect_calls(" | f8=1 | f0=0 | f8=2 | f12=1 | f4=0 | f12=2");
    words.evidence = ANNOT_VK_MARKERS;
    annot_vk_write_prologue(&words, VK_NULL_HANDLE, &prologue);
    expect_calls(" t8=1 t0=0 t8=2 m12=1 m4=0 m12=2");
    words.evidence = ANNOT_VK_FILL;
    annot_vk_write_prologue(&words, VK_NULL_HANDLE, &prologue);
    expect_calls(" f8=1 f0=0 f8=2");
}

Test(vulkan_words, what_has_no_word_is_not_written)
{
    const annot_prologue none = {ANNOT_WORDS_NONE, ANNOT_WORDS_NONE, ANNOT_WORDS_NONE,
                                 ANNOT_WORDS_NONE};
    annot_vk_words words = words_of(ANNOT_VK_MARKERS);
    annot_vk_write_prologue(&words, VK_NULL_HANDLE, &none);
    words.evidence = ANNOT_VK_NONE;
    annot_vk_write_prologue(&words, VK_NULL_HANDLE, &prologue);
    expect_calls("");
}

/* ---- memory ---- */

Test(vulkan_words, memory_is_coherent_and_cached_where_there_is_such)
{
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkPhysicalDeviceMemoryProperties memory = {
        .memoryTypeCount = 5,
        .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
                        {.propertyFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                          VK_MEMORY_PROPERTY_HOST_CACHED_BIT},
                        {.propertyFlags = host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT |
                                          VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD},
                        {.propertyFlags = host},
                        {.propertyFlags = host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT}}};
    cr_expect_eq(annot_vk_memory_type(&memory, 0x1f), 4);
    cr_expect_eq(annot_vk_memory_type(&memory, 0x0f), 3);
    cr_expect_eq(annot_vk_memory_type(&memory, 0x07), UINT32_MAX);
}
