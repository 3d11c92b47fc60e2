/* ID3D12InfoQueue1's callbacks: which messages a callback gets, on which thread, and until when. */
#include "kit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define INFO D3D12_MESSAGE_SEVERITY_INFO
#define APP  D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED

static void say(ID3D12InfoQueue1 *queue, int id, const char *text)
{
    MUST(ID3D12InfoQueue1_AddMessage(queue, APP, INFO, (D3D12_MESSAGE_ID)id, text));
}

struct ear {
    atomic_int calls;
    atomic_int inside; /* calls that have not returned */
    int id, order;
    ID3D12InfoQueue1 *queue;
    DWORD cookie;
    void (*act)(struct ear *ear);
};

static atomic_int calls_made;

static void listen(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                   D3D12_MESSAGE_ID id, LPCSTR text, void *context)
{
    (void)category, (void)severity, (void)text;
    struct ear *ear = context;
    atomic_fetch_add(&ear->inside, 1);
    atomic_fetch_add(&ear->calls, 1);
    if (!ear->act || ear->queue) {
        ear->id = (int)id;
        ear->order = atomic_fetch_add(&calls_made, 1);
    }
    if (ear->act)
        ear->act(ear);
    atomic_fetch_sub(&ear->inside, 1);
}

static void open_ear(struct ear *ear, ID3D12InfoQueue1 *queue, D3D12_MESSAGE_CALLBACK_FLAGS flags)
{
    ear->queue = queue;
    MUST(ID3D12InfoQueue1_RegisterMessageCallback(queue, listen, flags, ear, &ear->cookie));
    cr_assert(ear->cookie != 0);
}

Test(message_callbacks, hear_messages_in_the_order_of_their_registration)
{
    ID3D12InfoQueue1 *queue = kit_info_queue();
    struct ear ears[20] = {0};
    for (int i = 0; i < 20; i++)
        open_ear(&ears[i], queue, D3D12_MESSAGE_CALLBACK_FLAG_NONE);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < i; j++)
            cr_assert(ears[i].cookie != ears[j].cookie);
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(queue, ears[3].cookie));
    say(queue, 5, "");
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(ears[i].calls, i != 3);
        cr_assert(i == 3 || (ears[i].id == 5 && ears[i].order == i - (i > 3)));
    }
    EXPECT_HR(ID3D12InfoQueue1_UnregisterMessageCallback(queue, ears[3].cookie), E_INVALIDARG);
    EXPECT_HR(ID3D12InfoQueue1_UnregisterMessageCallback(queue, 0), E_INVALIDARG);
    EXPECT_HR(ID3D12InfoQueue1_UnregisterMessageCallback(queue, 0xFFFFFFFF), E_INVALIDARG);
    kit_close_info_queue(queue); /* with nineteen that nobody unregistered */
}

Test(message_callbacks, are_filtered_unless_they_ask_not_to_be)
{
    D3D12_MESSAGE_ID one = (D3D12_MESSAGE_ID)1;
    D3D12_INFO_QUEUE_FILTER filter = {.DenyList = {.NumIDs = 1, .pIDList = &one}};
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    struct ear filtered = {0}, all = {0};
    open_ear(&filtered, queue, D3D12_MESSAGE_CALLBACK_FLAG_NONE);
    open_ear(&all, queue, D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS);
    MUST(ID3D12InfoQueue1_PushStorageFilter(queue, &filter));
    MUST(ID3D12InfoQueue1_SetMessageCountLimit(queue, 0));
    say(queue, 1, "");
    cr_assert_eqs(filtered.calls, 0, all.calls, 1);
    say(queue, 2, "");
    cr_assert_eqs(filtered.calls, 1, all.calls, 2, "the limit is the store's only");
}

Test(message_callbacks, that_can_not_be_are_refused)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    DWORD cookie = 7;
    EXPECT_HR(ID3D12InfoQueue1_RegisterMessageCallback(
                  queue, NULL, D3D12_MESSAGE_CALLBACK_FLAG_NONE, NULL, &cookie),
              E_INVALIDARG);
    cr_assert_eq(cookie, 0);
    cookie = 7;
    EXPECT_HR(ID3D12InfoQueue1_RegisterMessageCallback(
                  queue, listen, (D3D12_MESSAGE_CALLBACK_FLAGS)2, NULL, &cookie),
              E_INVALIDARG);
    cr_assert_eq(cookie, 0);
    EXPECT_HR(ID3D12InfoQueue1_RegisterMessageCallback(
                  queue, listen, D3D12_MESSAGE_CALLBACK_FLAG_NONE, NULL, NULL),
              E_INVALIDARG);
    say(queue, 1, "");
}

static void unregister_itself(struct ear *ear)
{
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(ear->queue, ear->cookie));
    EXPECT_HR(ID3D12InfoQueue1_UnregisterMessageCallback(ear->queue, ear->cookie), E_INVALIDARG);
}

static void use_everything(struct ear *ear)
{
    struct ear other = {0};
    OWNED ID3D12Device *device = AS(ID3D12Device, ear->queue);
    open_ear(&other, ear->queue, D3D12_MESSAGE_CALLBACK_FLAG_NONE);
    say(ear->queue, 100, "from inside");
    cr_assert_eqs(other.calls, 1, ear->calls, 1, "others hear it, this one not");
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(ear->queue, other.cookie));
    MUST(ID3D12InfoQueue1_SetMessageCountLimit(ear->queue, 500));
    ID3D12Fence *fence = kit_fence(device, 0);
    ID3D12Fence_Release(fence);
    kit_set_mode(device, (D3D12_USER_DEFINED_ANNOTATION_MODE)7); /* an error of its own */
    cr_assert_eq(kit_messages(device), 3);
}

Test(message_callbacks, a_callback_may_unregister_itself)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    struct ear ear = {.act = unregister_itself}, after = {0};
    open_ear(&ear, queue, D3D12_MESSAGE_CALLBACK_FLAG_NONE);
    open_ear(&after, queue, D3D12_MESSAGE_CALLBACK_FLAG_NONE);
    say(queue, 1, "");
    say(queue, 2, "");
    cr_assert_eqs(ear.calls, 1, after.calls, 2);
    EXPECT_HR(ID3D12InfoQueue1_UnregisterMessageCallback(queue, ear.cookie), E_INVALIDARG);
}

Test(message_callbacks, a_callback_may_use_the_queue_and_the_device)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    struct ear ear = {.act = use_everything};
    open_ear(&ear, queue, D3D12_MESSAGE_CALLBACK_FLAG_NONE);
    say(queue, 1, "");
    cr_assert_eq(ear.calls, 1);
}

/* ---- and threads ---- */

static atomic_bool stop;

static void *speak(void *queue)
{
    while (!atomic_load(&stop))
        say(queue, 1, "");
    return NULL;
}

static void linger(struct ear *ear)
{
    (void)ear;
    sched_yield();
}

/* "It is guaranteed that UnregisterMessageCallback won't return until any outstanding callbacks
 * have completed." */
Test(message_callbacks, a_callback_is_over_when_it_is_unregistered)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    pthread_t speakers[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&speakers[i], NULL, speak, queue);
    for (int round = 0; round < 200; round++) {
        struct ear *ear = calloc(1, sizeof *ear); /* a use after free is a report */
        ear->act = linger;
        MUST(ID3D12InfoQueue1_RegisterMessageCallback(
            queue, listen, D3D12_MESSAGE_CALLBACK_FLAG_NONE, ear, &ear->cookie));
        while (atomic_load(&ear->calls) == 0)
            sched_yield();
        MUST(ID3D12InfoQueue1_UnregisterMessageCallback(queue, ear->cookie));
        cr_assert_eq(atomic_load(&ear->inside), 0);
        const int calls = atomic_load(&ear->calls);
        sched_yield();
        cr_assert_eq(atomic_load(&ear->calls), calls);
        free(ear);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 3; i++)
        pthread_join(speakers[i], NULL);
}

static struct ear pair[2];
static atomic_int met;

/* Each of two threads is in one callback and unregisters the other. */
static void unregister_the_other(struct ear *ear)
{
    atomic_fetch_add(&met, 1);
    while (atomic_load(&met) < 2)
        sched_yield();
    struct ear *other = ear == &pair[0] ? &pair[1] : &pair[0];
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(other->queue, other->cookie));
}

static void listen_for_own(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                           D3D12_MESSAGE_ID id, LPCSTR text, void *context)
{
    (void)category, (void)severity, (void)text;
    if (context == &pair[(int)id])
        unregister_the_other(context);
}

static void *speak_once(void *ear)
{
    struct ear *own = ear;
    say(own->queue, (int)(own - pair), "");
    return NULL;
}

Test(message_callbacks, two_callbacks_may_unregister_each_other, .timeout = 30)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pair[i].queue = queue;
        MUST(ID3D12InfoQueue1_RegisterMessageCallback(
            queue, listen_for_own, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &pair[i], &pair[i].cookie));
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, speak_once, &pair[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        EXPECT_HR(ID3D12InfoQueue1_UnregisterMessageCallback(queue, pair[i].cookie), E_INVALIDARG);
}
