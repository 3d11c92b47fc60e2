/* Messages: numbers, severities, texts, and what may be done in the callback. */
#include "spy.h"

/* D3D12's own numbers, as its headers have them [ANN-MODE-03, ANN-MARK-06, -07]. */
Test(message, has_d3d12s_numbers)
{
    cr_expect_eq(ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK, 1383);
    cr_expect_eq(ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW, 1384);
    cr_expect_eq(ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT, 1464);
}

/* Without a callback everything works and nobody is told. */
Test(message, callback_may_be_absent)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_device *device;
    annot_device_create(&desc, &device);
    cr_expect_eq(annot_device_set_mode(device, 0), ANNOT_ERROR_INVALID_ARGUMENT);
    annot_device_destroy(device);
}

/* annot.h: "no lock is held around the message callback": it may call the library. */
static struct {
    annot_device *device;
    annot_context *queue;
    annot_object *object;
    annot_arena *arena;
    uint64_t id;
    unsigned calls;
} inside;

static void call_back_in(void *user, const annot_message *message)
{
    cr_assert_eq(user, &inside);
    cr_assert(message->text && message->text[0]);
    if (inside.calls++ > 20)
        return;
    annot_marker_info info;
    annot_device_lookup(inside.device, inside.id, &info, NULL, 0);
    annot_object_set_name(inside.object, "from inside", ANNOT_TEXT_UTF8);
    annot_object_get_name(inside.object, NULL, 0);
    annot_context_submit(inside.queue, NULL, 0);
    annot_context_set_marker(inside.queue, 0, "inside", 6);
    annot_context_end_event(inside.queue);
    annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE};
    annot_object *object;
    if (annot_object_create(inside.device, &desc, &object) == ANNOT_OK)
        annot_object_destroy(object);
    annot_arena *arena;
    if (annot_arena_create(inside.device, &arena) == ANNOT_OK)
        annot_arena_destroy(arena);
}

Test(message, callback_may_call_the_library, .timeout = 20)
{
    annot_device_desc desc = spy_desc();
    desc.driver = &spy_driver;
    desc.memory_budget = 2 * 65536;
    desc.message = call_back_in;
    desc.message_user = &inside;
    desc.force_driver_retail = true;
    AT_END(spy_device_ended) annot_device *device;
    annot_device_create(&desc, &device);
    struct spy_child queue = spy_queue(device, 0, NULL), list = spy_list(device, 0, NULL);
    inside.device = device;
    inside.queue = queue.context;
    inside.object = queue.object;
    inside.arena = spy_arena(device);
    annot_context_begin_event(queue.context, 0, "a", 1);
    inside.id = spy_last()->id;
    static const char big[100000];

    annot_device_set_mode(device, 9);
    inside.calls = 0;
    annot_context_end_event(queue.context);
    annot_context_end_event(queue.context); /* underflow */
    inside.calls = 0;
    annot_context_set_marker(list.context, 0, "a", 1); /* not recording */
    inside.calls = 0;
    annot_context_open(list.context, inside.arena);
    annot_context_set_marker(list.context, 0, NULL, 1); /* NULL data */
    inside.calls = 0;
    annot_context_set_marker(queue.context, 0, NULL, 1);
    inside.calls = 0;
    annot_context_set_marker(list.context, 0, big, sizeof big); /* dropped */
    inside.calls = 0;
    annot_context_set_marker(queue.context, 0, big, sizeof big);
    annot_context_end_event(list.context); /* underflow */
    inside.calls = 0;
    annot_context_begin_event(list.context, 0, "a", 1);
    annot_context_close(list.context); /* leak */
    cr_expect_gt(inside.calls, 0);
    spy_child_done(list);
    spy_child_done(queue);
    annot_arena_destroy(inside.arena);
}

/* annot.h: the text is UTF-8, also when a long driver name is cut. */
Test(message, text_is_cut_at_a_characters_border)
{
    char name[1200];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(name, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof name; i += 3) {
            memcpy(name + i, "\xE2\x82\xAC", 3);
            name[i + 3] = 0;
        }
        const annot_driver driver = {name, 2, NULL, 0}; /* a version that nobody knows */
        annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
        desc.driver = &driver;
        desc.message = spy_message;
        annot_device *device;
        spy_forget_messages();
        annot_device_create(&desc, &device);
        annot_device_destroy(device);
        cr_assert_eq(spy_said.count, 1);
        const char *euros = strchr(spy_said.text, '\xE2');
        cr_assert_not_null(euros);
        size_t rest = strlen(euros);
        while (rest >= 3 && memcmp(euros, "\xE2\x82\xAC", 3) == 0) {
            euros += 3;
            rest -= 3;
        }
        cr_expect(rest == 0 || (unsigned char)*euros < 0x80, "shift %zu", shift);
    }
}

Test(message, every_result_has_a_line_of_its_own)
{
    const char *seen[9];
    for (int result = 0; result >= ANNOT_ERROR_FORKED; result--) {
        const char *text = annot_result_text((annot_result)result);
        cr_assert(text && text[0] && !strchr(text, '\n'));
        for (int other = 0; other < -result; other++)
            cr_expect_str_neq(text, seen[other]);
        seen[-result] = text;
    }
    static const int unknown[] = {1, ANNOT_ERROR_FORKED - 1};
    for (int i = 0; i < 2; i++)
        cr_expect_str_eq(annot_result_text((annot_result)unknown[i]), "unknown result");
    cr_expect_not_null(annot_version());
}

/* annot_object_type_text: a number without a name is an "object". */
Test(message, every_type_of_object_has_a_name)
{
    cr_expect_str_eq(annot_object_type_text(ANNOT_OBJECT_QUEUE), "queue");
    cr_expect_str_eq(annot_object_type_text(ANNOT_OBJECT_COMMAND_LIST), "command list");
    cr_expect_str_eq(annot_object_type_text(ANNOT_OBJECT_FENCE), "fence");
    cr_expect_str_eq(annot_object_type_text(ANNOT_OBJECT_PIPELINE), "pipeline");
    cr_expect_str_eq(annot_object_type_text(ANNOT_OBJECT_RENDER_PASS), "render pass");
    cr_expect_str_eq(annot_object_type_text(ANNOT_OBJECT_OTHER), "object");
    cr_expect_str_eq(annot_object_type_text(0), "object");
    cr_expect_str_eq(annot_object_type_text(UINT32_MAX), "object");
#define COUNT(name, number, words) +1
    enum { TYPES = 0 ANNOT_OBJECT_TYPES(COUNT) };
    for (uint32_t type = 1; type <= TYPES; type++)
        for (uint32_t other = 0; other <= TYPES; other++)
            cr_expect(type == other || type + other == ANNOT_OBJECT_OTHER ||
                          strcmp(annot_object_type_text(type), annot_object_type_text(other)) != 0,
                      "%u and %u", type, other);
}

/* A marker on a list that is not recording: the message says which call, and of which list. */
Test(message, names_the_call_that_was_not_recorded)
{
    static const char *const calls[] = {"BeginEvent", "SetMarker", "EndEvent"};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
    cr_assert_eq(annot_object_set_name(list.object, "Shadow list", ANNOT_TEXT_UTF8), ANNOT_OK);
    spy_forget_calls();
    for (unsigned i = 0; i < 3; i++) {
        spy_forget_messages();
        if (i == 0)
            annot_context_begin_event(list.context, 1, "x", 1);
        else if (i == 1)
            annot_context_set_marker(list.context, 1, "x", 1);
        else
            annot_context_end_event(list.context);
        cr_expect_eq(spy_said.count, 1u);
        cr_expect_eq(spy_said.id, ANNOT_MESSAGE_MARKER_NOT_RECORDING);
        cr_expect_eq(strncmp(spy_said.text, calls[i], strlen(calls[i])), 0, "%s", spy_said.text);
        cr_expect(strstr(spy_said.text, "'Shadow list'"), "%s", spy_said.text);
    }
    cr_expect_eq(spy_calls.count, 0);
}

/* Objects that outlive their device: how many, and the first four. */
Test(message, names_up_to_four_objects_that_outlive_the_device)
{
    enum { MOST = 6 };
    for (unsigned count = 1; count <= MOST; count++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
        const annot_object_desc desc = {.type = ANNOT_OBJECT_PIPELINE};
        annot_object *objects[MOST];
        char text[32];
        for (unsigned i = 0; i < count; i++) {
            cr_assert_eq(annot_object_create(device, &desc, &objects[i]), ANNOT_OK);
            snprintf(text, sizeof text, "%c", 'p' + (int)i);
            cr_assert_eq(annot_object_set_name(objects[i], text, ANNOT_TEXT_UTF8), ANNOT_OK);
        }
        annot_device_destroy(device);
        snprintf(text, sizeof text, "%u objects", count);
        cr_expect(strstr(spy_said.text, text), "%s", spy_said.text);
        for (unsigned i = 0; i < MOST; i++) {
            snprintf(text, sizeof text, "'%c'", 'p' + (int)i);
            cr_expect_eq(strstr(spy_said.text, text) != NULL, i < 4 && i < count, "%s of %u: %s",
                         text, count, spy_said.text);
        }
        cr_expect_eq(strstr(spy_said.text, ", ...") != NULL, count > 4, "%s", spy_said.text);
        snprintf(text, sizeof text, "%u objects still exist: pipeline", count);
        cr_expect(strstr(spy_said.text, text), "%s", spy_said.text);
        for (unsigned i = 0; i < count; i++)
            annot_object_destroy(objects[i]);
    }
}

/* Names that there is no room for are left out whole, and what is to be done is still said. */
Test(message, names_objects_that_outlive_the_device_as_far_as_there_is_room)
{
    enum { COUNT = 4, LENGTH = 90 };
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    const annot_object_desc desc = {.type = ANNOT_OBJECT_PIPELINE};
    annot_object *objects[COUNT];
    char names[COUNT][LENGTH + 3];
    size_t told = 0;
    for (size_t i = 0; i < COUNT; i++) {
        char name[LENGTH + 1] = "";
        memset(name, 'p' + (int)i, LENGTH);
        snprintf(names[i], sizeof names[i], "'%s'", name);
        cr_assert_eq(annot_object_create(device, &desc, &objects[i]), ANNOT_OK);
        cr_assert_eq(annot_object_set_name(objects[i], name, ANNOT_TEXT_UTF8), ANNOT_OK);
    }
    annot_device_destroy(device);
    for (size_t i = 0; i < COUNT; i++) {
        const bool is_told = strstr(spy_said.text, names[i]) != NULL;
        const char first[] = {'\'', (char)('p' + (int)i), 0};
        cr_expect_eq(strstr(spy_said.text, first) != NULL, is_told, "%s", spy_said.text);
        cr_expect_eq(is_told, told == i && i < 3, "%s", spy_said.text);
        told += is_told;
    }
    cr_expect_not_null(strstr(spy_said.text, "', ...; the device is kept. Destroy contexts"), "%s",
                       spy_said.text);
    for (size_t i = 0; i < COUNT; i++)
        annot_object_destroy(objects[i]);
}

/* A queue that is there without its object keeps the device, too. */
Test(message, a_queue_outlives_its_object_and_keeps_the_device)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child queue = spy_queue(device, 0, spy_handle(1));
    annot_object_set_name(queue.object, "remembered", ANNOT_TEXT_UTF8);
    annot_object_destroy(queue.object);
    annot_device_destroy(device);
    cr_expect_not_null(strstr(spy_said.text, "the device is kept"), "%s", spy_said.text);
    annot_context_destroy(queue.context);
}

/* A call that makes no sense is named, and why. */
Test(message, names_the_call_that_is_ignored)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    cr_expect_eq(annot_arena_create(device, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_str_eq(spy_said.text,
                     "annot_arena_create: `out` must not be NULL; the call is ignored");
}
