/* 32-bit words that a GPU wrote in place of EventIDs: annot_device_event_from_word, by the
 * guarantee in annot.h. */
#include "scene.h"

/* 5,000 dropped markers: their units wrap at 4,096, and a word is the newest of those that have
 * it. */
Test(event_word, a_dropped_marker_is_found_until_its_number_wraps)
{
    AT_END(scene_done) struct scene s = scene_make(1);
    uint64_t ids[5000];
    annot_marker_info info;
    for (int i = 0; i < 5000; i++) {
        ids[i] = spy_mark(s.list.context, 1);
        cr_assert_eq(annot_device_event_from_word(s.device, (uint32_t)ids[i]), ids[i]);
    }
    for (int i = 0; i < 5000; i++) {
        uint64_t newest = i + 4096 < 5000 ? ids[i + 4096] : ids[i];
        cr_assert_eq(annot_device_event_from_word(s.device, (uint32_t)ids[i]), newest, "%d", i);
        cr_assert_eq(annot_device_lookup(s.device, newest, &info, NULL, 0), ANNOT_LOOKUP_DROPPED);
    }
    annot_context_close(s.list.context);
}

Test(event_word, what_no_marker_can_have_is_none)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    spy_mark(s.list.context, 1);
    for (uint32_t word = 0; word < 10; word++)
        cr_expect_eq(annot_device_event_from_word(s.device, word), 0, "%u is the caller's", word);
    cr_expect_eq(annot_device_event_from_word(s.device, 0x12345678), 0);
    cr_expect_eq(annot_device_event_from_word(s.device, 0xFFFFF000), 0, "nothing was dropped");
    cr_expect_eq(annot_device_event_from_word(NULL, 0x10), 0);
    annot_context_close(s.list.context);
}
