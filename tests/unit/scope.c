/* Scopes: nesting, surplus Ends, unclosed Begins [ANN-MARK-05, -06, -07, -10]. */
#include "scene.h"

#include <limits.h>
#include <pthread.h>

static annot_context *context_of(struct scene *s, int which)
{
    return which ? s->queue.context : s->list.context;
}

/* ANN-MARK-05: against a stack kept by the test, over a random walk that crosses many chunks. */
Test(event_stack, each_end_passes_the_id_of_the_begin_it_closes)
{
    for (int which = 0; which < 2; which++) {
        struct scene s = scene_make(0);
        annot_context *context = context_of(&s, which);
        static uint64_t stack[100000];
        static const char payload[2500];
        size_t depth = 0;
        uint64_t random = 1234567;
        for (int i = 0; i < 60000; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint32_t size = (uint32_t)(random >> 33) % 97;
            if (random >> 57 == 0)
                size = (uint32_t)(random >> 20) % 2500;
            unsigned choice = (unsigned)(random >> 60);
            if (choice < 7) {
                annot_context_begin_event(context, (uint32_t)depth, payload, size);
                annot_marker_info info;
                cr_assert_eq(annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0),
                             ANNOT_LOOKUP_LIVE);
                cr_assert_eq(info.parent, depth ? stack[depth - 1] : 0);
                cr_assert(info.is_scope && !info.is_closed);
                stack[depth++] = spy_last()->id;
            } else if (choice < 13 && depth) {
                annot_context_end_event(context);
                cr_assert_eq(spy_last()->id, stack[--depth]);
                annot_marker_info info;
                cr_assert_eq(annot_device_lookup(s.device, stack[depth], &info, NULL, 0),
                             ANNOT_LOOKUP_LIVE);
                cr_assert(info.is_closed);
            } else {
                annot_context_set_marker(context, 0, payload, size);
                annot_marker_info info;
                cr_assert_eq(annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0),
                             ANNOT_LOOKUP_LIVE);
                cr_assert_eq(info.parent, depth ? stack[depth - 1] : 0);
                cr_assert(!info.is_scope && !info.is_closed);
            }
        }
        while (depth) {
            annot_context_end_event(context);
            cr_assert_eq(spy_last()->id, stack[--depth]);
        }
        cr_expect_eq(spy_said.count, 0);
        scene_done(&s);
        spy_forget_calls();
    }
}

/* ANN-MARK-10: on a small stack nothing recurses 100,000 deep. */

enum { DEEP = 100000 };

static void *nest_deep(void *argument)
{
    struct scene *s = argument;
    for (int which = 0; which < 2; which++) {
        annot_context *context = context_of(s, which);
        size_t start = spy_calls.count;
        for (int i = 0; i < DEEP; i++)
            annot_context_begin_event(context, (uint32_t)i, &i, sizeof i);
        for (int i = 0; i < DEEP; i++)
            annot_context_end_event(context);
        for (size_t i = 0; i < DEEP; i++)
            if (spy_calls.calls[start + i].id != spy_calls.calls[start + 2 * DEEP - 1 - i].id)
                return "an End with the wrong EventID";
    }
    /* And once more left open at Close. */
    for (int i = 0; i < DEEP; i++)
        annot_context_begin_event(s->list.context, 0, NULL, 0);
    annot_context_close(s->list.context);
    return NULL;
}

Test(event_stack, a_hundred_thousand_levels_take_a_bounded_stack)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    size_t stack = 65536; /* sanitizers and libc want their share */
    if ((long)stack < (long)PTHREAD_STACK_MIN)
        stack = (size_t)PTHREAD_STACK_MIN;
    cr_assert_eq(pthread_attr_setstacksize(&attributes, stack * 2), 0);
    pthread_t thread;
    void *wrong;
    cr_assert_eq(pthread_create(&thread, &attributes, nest_deep, &s), 0);
    pthread_join(thread, &wrong);
    pthread_attr_destroy(&attributes);
    cr_assert_null(wrong, "%s", (const char *)wrong);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW), 0);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK), 1);
    cr_expect_neq(strstr(spy_said.text, "100000"), NULL, "%s", spy_said.text);
    annot_marker_info info;
    cr_expect_eq(annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
}

/* ANN-MARK-06 */
Test(event_stack, end_without_begin_passes_zero_and_says_so)
{
    for (int which = 0; which < 2; which++) {
        struct scene s = scene_make(0);
        annot_context *context = context_of(&s, which);
        for (int round = 0; round < 2; round++) {
            spy_forget_calls();
            spy_forget_messages();
            annot_context_end_event(context);
            annot_context_end_event(context);
            cr_assert_eq(spy_calls.count, 2);
            for (int i = 0; i < 2; i++) {
                cr_expect_eq(spy_calls.calls[i].function, which ? SPY_QUEUE_END : SPY_LIST_END);
                cr_expect_eq(spy_calls.calls[i].id, 0);
                cr_expect_eq(spy_calls.calls[i].handle, spy_handle(which ? 2 : 1));
            }
            cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW), 2);
            cr_expect_eq(spy_said.count, 2);
            /* The calls that follow are as if they had not been. */
            annot_context_begin_event(context, 0, "a", 1);
            uint64_t id = spy_last()->id;
            annot_marker_info info;
            annot_device_lookup(s.device, id, &info, NULL, 0);
            cr_expect_eq(info.parent, 0);
            annot_context_end_event(context);
            cr_expect_eq(spy_last()->id, id);
        }
        scene_done(&s);
        spy_forget_calls();
    }
}

/* ANN-MARK-07 */
Test(event_stack, open_scopes_at_close_are_told_and_do_not_leak)
{
    for (unsigned depth = 1; depth <= 20; depth += 19) {
        AT_END(scene_done) struct scene s = scene_make(0);
        for (unsigned i = 0; i < depth; i++)
            annot_context_begin_event(s.list.context, 0, "open", 4);
        uint64_t innermost = spy_last()->id;
        spy_forget_messages();
        cr_expect_eq(annot_context_close(s.list.context), ANNOT_OK);
        cr_expect_eq(spy_said.count, 1);
        cr_expect_eq(spy_said.id, ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK);
        char expected[32];
        snprintf(expected, sizeof expected, "%llx", (unsigned long long)innermost);
        cr_expect_neq(strstr(spy_said.text, expected), NULL, "EventID in '%s'", spy_said.text);
        snprintf(expected, sizeof expected, "%u", depth);
        cr_expect_neq(strstr(spy_said.text, expected), NULL, "depth in '%s'", spy_said.text);
        snprintf(expected, sizeof expected, "%llu",
                 (unsigned long long)annot_object_id(s.list.object));
        cr_expect_neq(strstr(spy_said.text, expected), NULL, "list in '%s'", spy_said.text);

        /* Its scopes stay open for ever, and the next recording starts at the top. */
        annot_marker_info info;
        cr_expect_eq(annot_device_lookup(s.device, innermost, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
        cr_expect_not(info.is_closed);
        cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
        annot_context_set_marker(s.list.context, 0, "next", 4);
        annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0);
        cr_expect_eq(info.parent, 0);
        annot_context_end_event(s.list.context);
        cr_expect_eq(spy_last()->id, 0);
        spy_forget_messages();
        annot_context_close(s.list.context);
        cr_expect_eq(spy_said.count, 0);
    }
}

/* ANN-MARK-07 */
Test(event_stack, destroying_a_recording_list_closes_it)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_context_begin_event(s.list.context, 0, "open", 4);
    annot_context_destroy(s.list.context);
    s.list.context = NULL;
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK), 1);
    cr_expect_eq(spy_lookup(s.device, spy_last()->id), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(annot_arena_reset(s.arena), ANNOT_OK);
}

/* ANN-MARK-05, ANN-LIFE-06: scopes that are not retained still pair up, mixed with those that are,
 * whatever their depth. Inside a list's that is not retained none is; a queue, which never ends,
 * keeps what is newer. */
Test(event_stack, dropped_scopes_pair_up_with_their_ends)
{
    for (int which = 0; which < 2; which++)
        for (unsigned dropped = 1; dropped <= 100; dropped = dropped * 3 + 1) {
            struct scene s = scene_make(128 << 10); /* two chunks: the list's and the queue's */
            annot_context *context = context_of(&s, which);
            annot_context_set_marker(s.queue.context, 0, "q", 1);
            uint64_t stack[256];
            unsigned depth = 0;
            static const char big[66000];
            for (; depth < 3; depth++) {
                annot_context_begin_event(context, 0, "kept", 4);
                stack[depth] = spy_last()->id;
                cr_assert_eq(spy_lookup(s.device, stack[depth]), ANNOT_LOOKUP_LIVE);
            }
            for (unsigned i = 0; i < dropped; i++) {
                annot_context_begin_event(context, 0, big, i ? 4 : sizeof big);
                stack[depth++] = spy_last()->id;
                cr_expect_neq(spy_last()->id, 0);
                cr_expect_eq(spy_last()->hash, spy_hash(big, i ? 4 : sizeof big));
                const bool is_kept = which && i > 0;
                cr_expect_eq(spy_lookup(s.device, spy_last()->id),
                             is_kept ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_DROPPED);
                /* A marker inside that fits is kept, below the innermost kept scope. */
                annot_context_set_marker(context, 0, "set", 3);
                annot_marker_info info;
                cr_expect_eq(annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0),
                             ANNOT_LOOKUP_LIVE);
                cr_expect_eq(info.parent, is_kept ? stack[depth - 1] : stack[2]);
            }
            while (depth) {
                annot_context_end_event(context);
                cr_expect_eq(spy_last()->id, stack[--depth]);
            }
            annot_context_end_event(context);
            cr_expect_eq(spy_last()->id, 0);
            cr_expect_eq(spy_stats(s.device).dropped_markers, which ? 1 : dropped);
            /* After them, recording goes on as before. */
            annot_context_begin_event(context, 0, "kept", 4);
            cr_expect_eq(spy_lookup(s.device, spy_last()->id), ANNOT_LOOKUP_LIVE);
            annot_context_end_event(context);
            scene_done(&s);
            spy_forget_calls();
        }
}

/* ANN-MARK-07: dropped ones count, too. */
Test(event_stack, dropped_scopes_open_at_close_are_told)
{
    AT_END(scene_done) struct scene s = scene_make(1);
    for (int i = 0; i < 11; i++)
        annot_context_begin_event(s.list.context, 0, "x", 1);
    uint64_t innermost = spy_last()->id;
    spy_forget_messages();
    annot_context_close(s.list.context);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK), 1);
    char expected[32];
    snprintf(expected, sizeof expected, "%llx", (unsigned long long)innermost);
    cr_expect_neq(strstr(spy_said.text, expected), NULL, "%s", spy_said.text);
    cr_expect_neq(strstr(spy_said.text, "11"), NULL, "%s", spy_said.text);
}

/* ---- partners in other lists ---- */

/* Records `ends` Ends, then `begins` Begins, and executes it on the scene's queue. */
static void execute(struct scene *s, int ends, int begins)
{
    if (ends + begins > 0) {
        annot_context_close(s->list.context);
        cr_assert_eq(annot_context_open(s->list.context, s->arena), ANNOT_OK);
    }
    for (int i = 0; i < ends; i++)
        annot_context_end_event(s->list.context);
    for (int i = 0; i < begins; i++)
        annot_context_begin_event(s->list.context, 0, "x", 1);
    annot_context_close(s->list.context);
    spy_forget_messages();
    annot_context_submit(s->queue.context, &s->list.context, 1);
    cr_assert_eq(annot_context_open(s->list.context, s->arena), ANNOT_OK);
}

/* One list's scope that another one closes is normal. */
static void expect_underflow(const char *count)
{
    cr_assert_eq(spy_said.count, count ? 1 : 0, "%s", spy_said.text);
    if (!count)
        return;
    cr_expect_eq(spy_said.id, ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW);
    cr_expect_eq(spy_said.severity, ANNOT_SEVERITY_WARNING);
    cr_expect_eq(strncmp(spy_said.text, count, strlen(count)), 0, "%s", spy_said.text);
}

/* ANN-MARK-06: the queue's order tells which Ends have no partner. */
Test(event_stack, an_end_that_no_earlier_list_began_is_a_warning_at_its_execution)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    execute(&s, 0, 3);
    expect_underflow(NULL);
    execute(&s, 2, 1);
    expect_underflow(NULL);
    execute(&s, 2, 0);
    expect_underflow(NULL);
    execute(&s, 1, 1);
    expect_underflow("1 ");
    execute(&s, 4, 0);
    expect_underflow("3 ");
    execute(&s, 0, 0);
    expect_underflow(NULL);
    spy_forget_messages();
    spy_child_done(s.queue);
    cr_expect_eq(spy_said.count, 0);
    s.queue = spy_queue(s.device, 0, spy_handle(2));
}

/* The order of one queue says nothing of another's. */
Test(event_stack, each_queue_has_its_own_order)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    AT_END(spy_child_ended) struct spy_child other = spy_queue(s.device, 0, spy_handle(3));
    execute(&s, 0, 1);
    annot_context_end_event(s.list.context);
    annot_context_close(s.list.context);
    spy_forget_messages();
    annot_context_submit(other.context, &s.list.context, 1);
    expect_underflow("1 ");
    spy_forget_messages();
    annot_context_submit(s.queue.context, &s.list.context, 1);
    expect_underflow(NULL);
    annot_context *twice[] = {s.list.context, s.list.context};
    annot_context_submit(s.queue.context, twice, 2);
    expect_underflow("2 ");
}

/* Unknown work proves nothing: lists that retain no markers, none at all, bundles that are not
 * balanced or not known, submissions that were taken back. */
Test(event_stack, an_end_behind_something_unknown_is_no_warning)
{
    for (int what = 0; what < 7; what++) {
        AT_END(scene_done) struct scene s = scene_make(0);
        AT_END(spy_arena_ended)
        annot_arena *arena = spy_arena(s.device), *inner = spy_arena(s.device);
        annot_device_set_mode(s.device, what == 0 || what == 5 ? ANNOT_MODE_RUNTIME_ONLY
                                                               : ANNOT_MODE_DRIVER_RETAIL);
        AT_END(spy_child_ended) struct spy_child bundle = spy_list(s.device, 1, spy_handle(5));
        annot_device_set_mode(s.device,
                              what == 0 ? ANNOT_MODE_RUNTIME_ONLY : ANNOT_MODE_DRIVER_RETAIL);
        AT_END(spy_child_ended) struct spy_child unknown = spy_list(s.device, 0, spy_handle(4));
        annot_context *lists[] = {what == 1 ? NULL : unknown.context};
        cr_assert_eq(annot_context_open(unknown.context, arena), ANNOT_OK);
        if (what == 2 || what == 3) {
            if (what == 2)
                annot_context_begin_event(s.list.context, 0, "x", 1);
            else
                annot_context_end_event(s.list.context);
            annot_context_close(s.list.context);
            annot_context_execute_bundle(unknown.context, s.list.context);
            cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
        }
        if (what >= 5) { /* a bundle that retains nothing, one that executes what is not balanced */
            cr_assert_eq(annot_context_open(bundle.context, inner), ANNOT_OK);
            if (what == 6) {
                annot_context_begin_event(s.list.context, 0, "x", 1);
                annot_context_close(s.list.context);
                annot_context_execute_bundle(bundle.context, s.list.context);
                cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
            }
            annot_context_close(bundle.context);
            annot_context_execute_bundle(unknown.context, bundle.context);
        }
        annot_context_close(unknown.context);
        uint64_t serial = annot_context_submit(s.queue.context, lists, 1);
        if (what == 4)
            cr_assert_eq(annot_context_withdraw(s.queue.context, serial), ANNOT_OK);
        execute(&s, 1, 0);
        expect_underflow(NULL);
        execute(&s, 0, 1);
        spy_forget_messages();
        spy_child_done(s.queue);
        cr_expect_eq(spy_said.count, 0, "%d: %s", what, spy_said.text);
        s.queue = spy_queue(s.device, 0, spy_handle(2));
    }
}

/* A balanced bundle changes nothing. */
Test(event_stack, an_end_behind_a_balanced_bundle_is_a_warning)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(s.device);
    AT_END(spy_child_ended) struct spy_child outer = spy_list(s.device, 0, spy_handle(4));
    cr_assert_eq(annot_context_open(outer.context, arena), ANNOT_OK);
    annot_context_close(s.list.context);
    annot_context_execute_bundle(outer.context, s.list.context);
    annot_context_close(outer.context);
    annot_context_submit(s.queue.context, &outer.context, 1);
    cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
    execute(&s, 1, 0);
    expect_underflow("1 ");
}

/* ANN-MARK-07: after a queue's last list nothing can close what is open. */
Test(event_stack, a_queue_that_ends_with_open_scopes_is_a_warning)
{
    for (int lists = 1; lists <= 5; lists += 4) {
        AT_END(scene_done) struct scene s = scene_make(0);
        char text[64];
        execute(&s, 0, lists + 2);
        execute(&s, 2, 0);
        annot_context_begin_event(s.queue.context, 0, "x", 1);
        spy_forget_messages();
        spy_child_done(s.queue);
        cr_assert_eq(spy_said.count, 1);
        cr_expect_eq(spy_said.id, ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK);
        cr_expect_eq(spy_said.severity, ANNOT_SEVERITY_WARNING);
        snprintf(text, sizeof text, " 1 event scope(s) of the queue and %d of", lists);
        cr_expect_not_null(strstr(spy_said.text, text), "%s", spy_said.text);
        s.queue = spy_queue(s.device, 0, spy_handle(2));
    }
}

/* The first of several lists with Ends too many is named, and all are counted. What a queue's lists
 * left open is not said where something unknown was executed: its own scopes are. */
Test(event_stack, ends_too_many_are_those_of_the_first_list_and_more)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child queue = spy_queue(device, 0, spy_handle(1)), lists[4];
    annot_arena *arenas[4];
    annot_context *contexts[5] = {NULL};
    for (unsigned i = 0; i < 4; i++) {
        char name[] = {(char)('a' + i), 0};
        lists[i] = spy_list(device, 0, spy_handle(2 + i));
        annot_object_set_name(lists[i].object, name, ANNOT_TEXT_UTF8);
        arenas[i] = spy_arena(device);
        contexts[i] = lists[i].context;
        annot_context_open(contexts[i], arenas[i]);
        for (unsigned ends = 0; ends < i; ends++)
            annot_context_end_event(contexts[i]);
        if (i == 3)
            annot_context_begin_event(contexts[i], 0, "left open", 9);
        annot_context_close(contexts[i]);
    }
    annot_context_submit(queue.context, contexts, 4);
    cr_expect_not_null(strstr(spy_said.text, "6 EndEvent(s) close nothing"), "%s", spy_said.text);
    cr_expect_not_null(strstr(spy_said.text, " 'b' and later lists of command queue "), "%s",
                       spy_said.text);
    annot_context_submit(queue.context, contexts + 4, 1); /* one of which nothing is known */
    for (unsigned i = 0; i < 2; i++)
        annot_context_begin_event(queue.context, 0, "x", 1);
    spy_child_done(queue);
    cr_expect_not_null(strstr(spy_said.text, " 2 event scope(s) of the queue and 0 of"), "%s",
                       spy_said.text);
    for (unsigned i = 0; i < 4; i++) {
        spy_child_done(lists[i]);
        annot_arena_destroy(arenas[i]);
    }
}
