/* ID3D12InfoQueue1: what is stored and what stops the program. */
#include "kit.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define INFO D3D12_MESSAGE_SEVERITY_INFO
#define APP  D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED

static void say(ID3D12InfoQueue1 *queue, int id, const char *text)
{
    MUST(ID3D12InfoQueue1_AddMessage(queue, APP, INFO, (D3D12_MESSAGE_ID)id, text));
}

/* The text of a stored message, in memory that the next call uses again. */
static const char *read_text(ID3D12InfoQueue1 *queue, UINT64 index)
{
    static union {
        D3D12_MESSAGE message;
        char room[8192];
    } buffer;
    SIZE_T size = sizeof buffer;
    MUST(ID3D12InfoQueue1_GetMessage(queue, index, &buffer.message, &size));
    return buffer.message.pDescription;
}

/* ---- the store ---- */

Test(info_queue, a_message_comes_back_as_it_was_added)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    MUST(ID3D12InfoQueue1_AddMessage(queue, D3D12_MESSAGE_CATEGORY_SHADER,
                                     D3D12_MESSAGE_SEVERITY_CORRUPTION, (D3D12_MESSAGE_ID)77,
                                     "a text"));
    SIZE_T size = 0;
    EXPECT_HR(ID3D12InfoQueue1_GetMessage(queue, 0, NULL, &size), S_FALSE);
    cr_assert_eq(size, sizeof(D3D12_MESSAGE) + sizeof "a text");
    union {
        D3D12_MESSAGE message;
        char room[256];
    } buffer;
    memset(&buffer, 0xA5, sizeof buffer);
    size--;
    EXPECT_HR(ID3D12InfoQueue1_GetMessage(queue, 0, &buffer.message, &size), E_INVALIDARG);
    cr_assert_eqs(size, sizeof(D3D12_MESSAGE) + sizeof "a text", buffer.room[0], (char)0xA5);
    EXPECT_HR(ID3D12InfoQueue1_GetMessage(queue, 0, &buffer.message, &size), S_OK);
    cr_assert_eq(buffer.message.Category, D3D12_MESSAGE_CATEGORY_SHADER);
    cr_assert_eq(buffer.message.Severity, D3D12_MESSAGE_SEVERITY_CORRUPTION);
    cr_assert_eq((int)buffer.message.ID, 77);
    cr_assert_eq(buffer.message.DescriptionByteLength, sizeof "a text");
    cr_assert_str_eq(buffer.message.pDescription, "a text");
    cr_assert_eq(buffer.message.pDescription, (const char *)(&buffer.message + 1));
    cr_assert_eq(buffer.room[size], (char)0xA5);
    EXPECT_HR(ID3D12InfoQueue1_GetMessage(queue, 1, &buffer.message, &size), E_INVALIDARG);
    EXPECT_HR(ID3D12InfoQueue1_GetMessage(queue, 0, &buffer.message, NULL), E_INVALIDARG);
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 1, "reading takes nothing away");
}

Test(info_queue, texts_of_any_length_are_kept)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    char text[4000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    MUST(ID3D12InfoQueue1_AddApplicationMessage(queue, INFO, text));
    MUST(ID3D12InfoQueue1_AddApplicationMessage(queue, INFO, ""));
    cr_assert_str_eq(read_text(queue, 0), text);
    cr_assert_str_eq(read_text(queue, 1), "");
}

Test(info_queue, messages_that_can_not_be_are_refused)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    EXPECT_HR(ID3D12InfoQueue1_AddMessage(queue, APP, INFO, (D3D12_MESSAGE_ID)0, NULL),
              E_INVALIDARG);
    EXPECT_HR(ID3D12InfoQueue1_AddApplicationMessage(queue, INFO, NULL), E_INVALIDARG);
    for (int i = 0; i < 2; i++) {
        const int value = i == 0 ? -1 : 11;
        EXPECT_HR(ID3D12InfoQueue1_AddMessage(queue, (D3D12_MESSAGE_CATEGORY)value, INFO,
                                              (D3D12_MESSAGE_ID)0, ""),
                  E_INVALIDARG);
        EXPECT_HR(ID3D12InfoQueue1_AddApplicationMessage(queue, (D3D12_MESSAGE_SEVERITY)value, ""),
                  E_INVALIDARG);
    }
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 0);
}

/* "When the number of messages has reached the maximum limit, new messages coming in will push old
 * messages out." */
Test(info_queue, the_newest_messages_are_kept)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    char text[16];
    cr_assert_eq(ID3D12InfoQueue1_GetMessageCountLimit(queue), 1024, "D3D12's default");
    MUST(ID3D12InfoQueue1_SetMessageCountLimit(queue, 5));
    for (int i = 0; i < 48; i++) {
        snprintf(text, sizeof text, "%d", i);
        say(queue, i, text);
    }
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 5);
    cr_assert_eq(ID3D12InfoQueue1_GetNumMessagesDiscardedByMessageCountLimit(queue), 43);
    cr_assert_str_eq(read_text(queue, 0), "43");
    cr_assert_str_eq(read_text(queue, 4), "47");

    MUST(ID3D12InfoQueue1_SetMessageCountLimit(queue, 2));
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 2);
    cr_assert_eq(ID3D12InfoQueue1_GetNumMessagesDiscardedByMessageCountLimit(queue), 46);
    cr_assert_str_eq(read_text(queue, 0), "46");

    ID3D12InfoQueue1_ClearStoredMessages(queue);
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 0);
    say(queue, 0, "after");
    cr_assert_str_eq(read_text(queue, 0), "after");
    cr_assert_eq(ID3D12InfoQueue1_GetNumMessagesAllowedByStorageFilter(queue), 49);
}

Test(info_queue, a_limit_of_0_stores_nothing_and_of_minus_1_everything)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    MUST(ID3D12InfoQueue1_SetMessageCountLimit(queue, 0));
    say(queue, 1, "");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 0);
    cr_assert_eq(ID3D12InfoQueue1_GetNumMessagesDiscardedByMessageCountLimit(queue), 1);
    MUST(ID3D12InfoQueue1_SetMessageCountLimit(queue, UINT64_MAX));
    cr_assert_eq(ID3D12InfoQueue1_GetMessageCountLimit(queue), UINT64_MAX);
    for (int i = 0; i < 3000; i++)
        say(queue, i, "");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 3000);
    cr_assert_eq(ID3D12InfoQueue1_GetNumMessagesDiscardedByMessageCountLimit(queue), 1);
}

/* The limit bounds the cost of markers gone wild. */
Test(info_queue, surplus_ends_fill_it_to_its_limit_only)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    kit_set_mode(device, MODE_RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    for (int i = 0; i < 3000; i++)
        ID3D12CommandQueue_EndEvent(queue);
    cr_assert_eq(kit_messages(device), 1024);
}

/* Scopes that one list opens and another one closes are normal: nothing that a program would stop
 * at [ANN-MARK-06, -07]. */
Test(info_queue, scopes_that_a_list_leaves_open_or_closes_are_of_no_more_than_interest)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_MESSAGE_SEVERITY info = INFO;
    D3D12_INFO_QUEUE_FILTER filter = {.AllowList = {.NumSeverities = 1, .pSeverityList = &info}};
    OWNED ID3D12InfoQueue *messages = AS(ID3D12InfoQueue, device);
    MUST(ID3D12InfoQueue_PushStorageFilter(messages, &filter));
    kit_set_mode(device, MODE_RETAIL);
    OPEN_LIST(DIRECT);
    ID3D12GraphicsCommandList_EndEvent(list);
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "open", 4);
    MUST(ID3D12GraphicsCommandList_Close(list));
    cr_assert_eq3(kit_messages(device), 2, kit_count(device, 1384), 1, kit_count(device, 1383), 1);
}

static atomic_bool stop;
static char texts[2][2000]; /* "aaa..." and "bbb..." */

static void *speak(void *queue)
{
    for (unsigned i = 0; !atomic_load(&stop); i++)
        say(queue, (int)(i % 2), texts[i % 2]);
    return NULL;
}

/* A message that one thread reads is whole, though others push it out. */
Test(info_queue, may_be_read_while_others_speak, .timeout = 60)
{
    ID3D12InfoQueue1 *queue = kit_info_queue();
    pthread_t speakers[2];
    union {
        D3D12_MESSAGE message;
        char room[sizeof texts[0] + sizeof(D3D12_MESSAGE)];
    } buffer;
    for (int i = 0; i < 2; i++)
        memset(texts[i], 'a' + i, sizeof texts[i] - 1);
    MUST(ID3D12InfoQueue1_SetMessageCountLimit(queue, 2));
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&speakers[i], NULL, speak, queue), 0);
    for (int read = 0; read < 20000;) {
        SIZE_T size = sizeof buffer;
        if (ID3D12InfoQueue1_GetMessage(queue, 0, &buffer.message, &size) != S_OK)
            continue;
        read++;
        const unsigned id = (unsigned)buffer.message.ID;
        cr_assert(id < 2 && size == sizeof buffer &&
                  memcmp(buffer.message.pDescription, texts[id], sizeof texts[id]) == 0);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(speakers[i], NULL);
    kit_close_info_queue(queue);
}

/* ---- filters ---- */

static D3D12_INFO_QUEUE_FILTER deny_id(D3D12_MESSAGE_ID *id)
{
    return (D3D12_INFO_QUEUE_FILTER){.DenyList = {.NumIDs = 1, .pIDList = id}};
}

/* Allowed is what stands in each of the lists that aren't empty; denied what stands in any. */
Test(info_queue, filters_allow_and_deny_categories_severities_and_ids)
{
    D3D12_MESSAGE_CATEGORY category = D3D12_MESSAGE_CATEGORY_EXECUTION;
    D3D12_MESSAGE_SEVERITY severity = D3D12_MESSAGE_SEVERITY_WARNING;
    D3D12_MESSAGE_ID id = (D3D12_MESSAGE_ID)5;
    const D3D12_INFO_QUEUE_FILTER_DESC of_category = {.NumCategories = 1,
                                                      .pCategoryList = &category};
    const D3D12_INFO_QUEUE_FILTER_DESC of_severity = {.NumSeverities = 1,
                                                      .pSeverityList = &severity};
    const D3D12_INFO_QUEUE_FILTER_DESC of_id = {.NumIDs = 1, .pIDList = &id};
    const D3D12_INFO_QUEUE_FILTER_DESC all = {1, &category, 1, &severity, 1, &id};
    static const struct {
        bool is_category, is_severity, is_id;
    } messages[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                    {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    const D3D12_INFO_QUEUE_FILTER filters[] = {
        {.AllowList = of_category},
        {.AllowList = of_severity},
        {.AllowList = of_id},
        {.AllowList = all},
        {.DenyList = of_category},
        {.DenyList = of_severity},
        {.DenyList = of_id},
        {.DenyList = all},
        {.AllowList = all, .DenyList = of_id},
    };
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    for (size_t f = 0; f < sizeof filters / sizeof filters[0]; f++) {
        D3D12_INFO_QUEUE_FILTER filter = filters[f];
        MUST(ID3D12InfoQueue1_PushStorageFilter(queue, &filter));
        for (size_t m = 0; m < sizeof messages / sizeof messages[0]; m++) {
            const bool c = messages[m].is_category, s = messages[m].is_severity,
                       i = messages[m].is_id;
            const bool passes[] = {c, s, i, c && s && i, !c, !s, !i, !c && !s && !i, false};
            ID3D12InfoQueue1_ClearStoredMessages(queue);
            MUST(ID3D12InfoQueue1_AddMessage(queue, c ? category : APP, s ? severity : INFO,
                                             i ? id : (D3D12_MESSAGE_ID)6, ""));
            cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), passes[f],
                         "filter %zu, message %zu", f, m);
        }
        ID3D12InfoQueue1_PopStorageFilter(queue);
    }
}

Test(info_queue, the_filter_on_top_of_the_stack_applies)
{
    D3D12_MESSAGE_ID one = (D3D12_MESSAGE_ID)1, two = (D3D12_MESSAGE_ID)2;
    D3D12_INFO_QUEUE_FILTER no_1 = deny_id(&one), no_2 = deny_id(&two);
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    cr_assert_eq(ID3D12InfoQueue1_GetStorageFilterStackSize(queue), 0);
    MUST(ID3D12InfoQueue1_AddStorageFilterEntries(queue, &no_1)); /* there is one now */
    cr_assert_eq(ID3D12InfoQueue1_GetStorageFilterStackSize(queue), 1);
    MUST(ID3D12InfoQueue1_PushCopyOfStorageFilter(queue));
    MUST(ID3D12InfoQueue1_AddStorageFilterEntries(queue, &no_2));
    say(queue, 1, "");
    say(queue, 2, "");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 0, "a copy, and more");
    MUST(ID3D12InfoQueue1_PushEmptyStorageFilter(queue));
    cr_assert_eq(ID3D12InfoQueue1_GetStorageFilterStackSize(queue), 3);
    say(queue, 1, "");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 1, "all pass an empty filter");
    ID3D12InfoQueue1_PopStorageFilter(queue);
    ID3D12InfoQueue1_PopStorageFilter(queue);
    say(queue, 1, "");
    say(queue, 2, "");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 2, "the copied one is as it was");
    ID3D12InfoQueue1_ClearStorageFilter(queue);
    say(queue, 1, "");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 3);
    cr_assert_eq(ID3D12InfoQueue1_GetStorageFilterStackSize(queue), 1);
    ID3D12InfoQueue1_PopStorageFilter(queue);
    ID3D12InfoQueue1_PopStorageFilter(queue); /* of an empty stack: nothing happens */
    cr_assert_eq(ID3D12InfoQueue1_GetStorageFilterStackSize(queue), 0);
    cr_assert_eqs(ID3D12InfoQueue1_GetNumMessagesAllowedByStorageFilter(queue), 3,
                  ID3D12InfoQueue1_GetNumMessagesDeniedByStorageFilter(queue), 3);
}

/* "Index into message queue after an optional retrieval filter has been applied" */
Test(info_queue, the_retrieval_filter_hides_what_stays_stored)
{
    D3D12_MESSAGE_ID one = (D3D12_MESSAGE_ID)1;
    D3D12_INFO_QUEUE_FILTER no_1 = deny_id(&one);
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    say(queue, 1, "one");
    say(queue, 2, "two");
    say(queue, 1, "one");
    say(queue, 3, "three");
    MUST(ID3D12InfoQueue1_PushRetrievalFilter(queue, &no_1));
    cr_assert_eq(ID3D12InfoQueue1_GetRetrievalFilterStackSize(queue), 1);
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 4);
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessagesAllowedByRetrievalFilter(queue), 2);
    cr_assert_str_eq(read_text(queue, 0), "two");
    cr_assert_str_eq(read_text(queue, 1), "three");
    SIZE_T size = 0;
    EXPECT_HR(ID3D12InfoQueue1_GetMessage(queue, 2, NULL, &size), E_INVALIDARG);
    ID3D12InfoQueue1_PopRetrievalFilter(queue);
    cr_assert_str_eq(read_text(queue, 2), "one");
}

Test(info_queue, the_retrieval_filter_on_top_of_its_stack_applies)
{
    D3D12_MESSAGE_ID one = (D3D12_MESSAGE_ID)1, two = (D3D12_MESSAGE_ID)2;
    D3D12_INFO_QUEUE_FILTER no_1 = deny_id(&one), no_2 = deny_id(&two);
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    say(queue, 1, "one");
    say(queue, 2, "two");
    say(queue, 3, "three");
    MUST(ID3D12InfoQueue1_PushRetrievalFilter(queue, &no_1));
    MUST(ID3D12InfoQueue1_PushCopyOfRetrievalFilter(queue));
    MUST(ID3D12InfoQueue1_AddRetrievalFilterEntries(queue, &no_2));
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessagesAllowedByRetrievalFilter(queue), 1,
                 "a copy, and more");
    MUST(ID3D12InfoQueue1_PushEmptyRetrievalFilter(queue));
    cr_assert_eq(ID3D12InfoQueue1_GetRetrievalFilterStackSize(queue), 3);
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessagesAllowedByRetrievalFilter(queue), 3);
    ID3D12InfoQueue1_PopRetrievalFilter(queue);
    ID3D12InfoQueue1_ClearRetrievalFilter(queue);
    cr_assert_eq(ID3D12InfoQueue1_GetRetrievalFilterStackSize(queue), 2, "its entries only");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessagesAllowedByRetrievalFilter(queue), 3);
    ID3D12InfoQueue1_PopRetrievalFilter(queue);
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessagesAllowedByRetrievalFilter(queue), 2,
                 "the copied one is as it was");
}

Test(info_queue, a_filter_is_read_back)
{
    D3D12_MESSAGE_CATEGORY categories[] = {D3D12_MESSAGE_CATEGORY_SHADER, APP};
    D3D12_MESSAGE_SEVERITY severities[] = {INFO};
    D3D12_MESSAGE_ID ids[] = {(D3D12_MESSAGE_ID)3, (D3D12_MESSAGE_ID)4, (D3D12_MESSAGE_ID)5};
    D3D12_INFO_QUEUE_FILTER filter = {
        .AllowList = {.NumCategories = 2, .pCategoryList = categories},
        .DenyList = {.NumSeverities = 1, .pSeverityList = severities, .NumIDs = 3, .pIDList = ids},
    };
    union {
        D3D12_INFO_QUEUE_FILTER filter;
        char room[512];
    } got;
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    MUST(ID3D12InfoQueue1_PushStorageFilter(queue, &filter));
    const SIZE_T needed = sizeof filter + 6 * sizeof(int);
    SIZE_T size = 0;
    EXPECT_HR(ID3D12InfoQueue1_GetStorageFilter(queue, NULL, &size), S_FALSE);
    cr_assert_eq(size, needed);
    memset(&got, 0xA5, sizeof got);
    size = needed - 1;
    EXPECT_HR(ID3D12InfoQueue1_GetStorageFilter(queue, &got.filter, &size), E_INVALIDARG);
    cr_assert_eqs(size, needed, got.room[0], (char)0xA5);
    EXPECT_HR(ID3D12InfoQueue1_GetStorageFilter(queue, &got.filter, &size), S_OK);
    cr_assert_eq(got.room[needed], (char)0xA5);
    cr_assert_eqs(got.filter.AllowList.NumCategories, 2, got.filter.AllowList.NumSeverities, 0);
    cr_assert_eqs(got.filter.AllowList.NumIDs, 0, got.filter.DenyList.NumCategories, 0);
    cr_assert_eqs(got.filter.DenyList.NumSeverities, 1, got.filter.DenyList.NumIDs, 3);
    cr_assert_mem_eq(got.filter.AllowList.pCategoryList, categories, sizeof categories);
    cr_assert_mem_eq(got.filter.DenyList.pSeverityList, severities, sizeof severities);
    cr_assert_mem_eq(got.filter.DenyList.pIDList, ids, sizeof ids);
    EXPECT_HR(ID3D12InfoQueue1_GetStorageFilter(queue, &got.filter, NULL), E_INVALIDARG);

    /* what was read can be pushed again; the other stack has a filter of its own: none */
    MUST(ID3D12InfoQueue1_PushRetrievalFilter(queue, &got.filter));
    ID3D12InfoQueue1_PopRetrievalFilter(queue);
    size = sizeof got;
    EXPECT_HR(ID3D12InfoQueue1_GetRetrievalFilter(queue, &got.filter, &size), S_OK);
    cr_assert_eqs(size, sizeof filter, got.filter.DenyList.NumIDs, 0);
}

Test(info_queue, a_filter_without_its_lists_is_refused)
{
    const D3D12_INFO_QUEUE_FILTER_DESC bad[] = {
        {.NumCategories = 1}, {.NumSeverities = 1}, {.NumIDs = 1}};
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    for (size_t i = 0; i < 2 * sizeof bad / sizeof bad[0]; i++) {
        D3D12_INFO_QUEUE_FILTER filter = {0};
        *(i % 2 == 0 ? &filter.AllowList : &filter.DenyList) = bad[i / 2];
        EXPECT_HR(ID3D12InfoQueue1_PushStorageFilter(queue, &filter), E_INVALIDARG);
        EXPECT_HR(ID3D12InfoQueue1_AddRetrievalFilterEntries(queue, &filter), E_INVALIDARG);
    }
    EXPECT_HR(ID3D12InfoQueue1_PushStorageFilter(queue, NULL), E_INVALIDARG);
    EXPECT_HR(ID3D12InfoQueue1_AddStorageFilterEntries(queue, NULL), E_INVALIDARG);
    cr_assert_eqs(ID3D12InfoQueue1_GetStorageFilterStackSize(queue), 0,
                  ID3D12InfoQueue1_GetRetrievalFilterStackSize(queue), 0);
}

/* ---- breakpoints ---- */

static volatile sig_atomic_t traps;

static void on_trap(int number)
{
    (void)number;
    traps++;
}

/* "Set a message ... to break on when a message ... passes through the storage filter." */
Test(info_queue, breaks_stop_the_program_at_messages_that_pass)
{
    const D3D12_MESSAGE_CATEGORY category = D3D12_MESSAGE_CATEGORY_EXECUTION;
    D3D12_MESSAGE_ID denied = (D3D12_MESSAGE_ID)9;
    D3D12_INFO_QUEUE_FILTER filter = deny_id(&denied);
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    signal(SIGTRAP, on_trap);
    say(queue, 7, "");
    cr_assert_eq(traps, 0, "nothing breaks unasked");

    MUST(ID3D12InfoQueue1_SetBreakOnID(queue, (D3D12_MESSAGE_ID)7, TRUE));
    cr_assert(ID3D12InfoQueue1_GetBreakOnID(queue, (D3D12_MESSAGE_ID)7));
    cr_assert(!ID3D12InfoQueue1_GetBreakOnID(queue, (D3D12_MESSAGE_ID)8));
    say(queue, 7, "");
    say(queue, 8, "");
    cr_assert_eq(traps, 1);

    MUST(ID3D12InfoQueue1_SetBreakOnCategory(queue, category, TRUE));
    cr_assert(ID3D12InfoQueue1_GetBreakOnCategory(queue, category));
    cr_assert(!ID3D12InfoQueue1_GetBreakOnCategory(queue, APP));
    MUST(ID3D12InfoQueue1_AddMessage(queue, category, INFO, (D3D12_MESSAGE_ID)8, ""));
    cr_assert_eq(traps, 2);

    MUST(ID3D12InfoQueue1_SetBreakOnSeverity(queue, D3D12_MESSAGE_SEVERITY_ERROR, TRUE));
    cr_assert(ID3D12InfoQueue1_GetBreakOnSeverity(queue, D3D12_MESSAGE_SEVERITY_ERROR));
    cr_assert(!ID3D12InfoQueue1_GetBreakOnSeverity(queue, INFO));
    MUST(ID3D12InfoQueue1_AddApplicationMessage(queue, D3D12_MESSAGE_SEVERITY_ERROR, ""));
    cr_assert_eq(traps, 3);
    MUST(ID3D12InfoQueue1_AddMessage(queue, category, D3D12_MESSAGE_SEVERITY_ERROR,
                                     (D3D12_MESSAGE_ID)7, ""));
    cr_assert_eq(traps, 4, "one break a message");

    MUST(ID3D12InfoQueue1_PushStorageFilter(queue, &filter));
    MUST(ID3D12InfoQueue1_AddMessage(queue, category, D3D12_MESSAGE_SEVERITY_ERROR, denied, ""));
    cr_assert_eq(traps, 4, "what the filter denies doesn't break");

    MUST(ID3D12InfoQueue1_SetBreakOnID(queue, (D3D12_MESSAGE_ID)7, FALSE));
    MUST(ID3D12InfoQueue1_SetBreakOnCategory(queue, category, FALSE));
    MUST(ID3D12InfoQueue1_SetBreakOnSeverity(queue, D3D12_MESSAGE_SEVERITY_ERROR, FALSE));
    MUST(ID3D12InfoQueue1_AddMessage(queue, category, D3D12_MESSAGE_SEVERITY_ERROR,
                                     (D3D12_MESSAGE_ID)7, ""));
    cr_assert_eq(traps, 4);
    cr_assert(!ID3D12InfoQueue1_GetBreakOnCategory(queue, category));

    EXPECT_HR(ID3D12InfoQueue1_SetBreakOnCategory(queue, (D3D12_MESSAGE_CATEGORY)11, TRUE),
              E_INVALIDARG);
    EXPECT_HR(ID3D12InfoQueue1_SetBreakOnSeverity(queue, (D3D12_MESSAGE_SEVERITY)-1, TRUE),
              E_INVALIDARG);
    cr_assert(!ID3D12InfoQueue1_GetBreakOnCategory(queue, (D3D12_MESSAGE_CATEGORY)32) &&
              !ID3D12InfoQueue1_GetBreakOnSeverity(queue, (D3D12_MESSAGE_SEVERITY)32));
}

/* Without a debugger or a handler the breakpoint is the end, as on Windows. */
Test(info_queue, a_break_that_nobody_handles_ends_the_program, .signal = SIGTRAP)
{
    ID3D12InfoQueue1 *queue = kit_info_queue();
    MUST(ID3D12InfoQueue1_SetBreakOnSeverity(queue, INFO, TRUE));
    say(queue, 1, "");
}

Test(info_queue, the_mute_switch_is_remembered)
{
    AT_END(kit_closed) ID3D12InfoQueue1 *queue = kit_info_queue();
    cr_assert(!ID3D12InfoQueue1_GetMuteDebugOutput(queue));
    ID3D12InfoQueue1_SetMuteDebugOutput(queue, 5);
    cr_assert_eq(ID3D12InfoQueue1_GetMuteDebugOutput(queue), TRUE);
    say(queue, 1, "");
    cr_assert_eq(ID3D12InfoQueue1_GetNumStoredMessages(queue), 1, "storing is something else");
}
