/* ID3D12InfoQueue1: the application's view of messages.h. A face of the device. */
#include "device.h"

static struct d3d12_device *impl_from_info_queue(ID3D12InfoQueue1 *iface)
{
    return container_of(iface, struct d3d12_device, info_queue);
}

static struct messages *lock_messages(ID3D12InfoQueue1 *iface)
{
    struct messages *messages = &impl_from_info_queue(iface)->messages;
    pthread_mutex_lock(&messages->lock);
    return messages;
}

static void unlock_messages(struct messages *messages)
{
    pthread_mutex_unlock(&messages->lock);
}

static HRESULT STDMETHODCALLTYPE info_queue_QueryInterface(ID3D12InfoQueue1 *iface, REFIID riid,
                                                           void **out)
{
    return d3d12_device_query(impl_from_info_queue(iface), riid, out);
}

static ULONG STDMETHODCALLTYPE info_queue_AddRef(ID3D12InfoQueue1 *iface)
{
    return d3d12_device_add_ref(impl_from_info_queue(iface));
}

static ULONG STDMETHODCALLTYPE info_queue_Release(ID3D12InfoQueue1 *iface)
{
    return d3d12_device_release(impl_from_info_queue(iface));
}

static HRESULT STDMETHODCALLTYPE info_queue_SetMessageCountLimit(ID3D12InfoQueue1 *iface,
                                                                 UINT64 limit)
{
    struct messages *messages = lock_messages(iface);
    messages->limit = limit;
    unlock_messages(messages);
    return S_OK;
}

static void STDMETHODCALLTYPE info_queue_ClearStoredMessages(ID3D12InfoQueue1 *iface)
{
    messages_clear(&impl_from_info_queue(iface)->messages);
}

/* One D3D12_MESSAGE with its text behind it. */
static HRESULT copy_message(const struct message *from, D3D12_MESSAGE *message, SIZE_T *size)
{
    const SIZE_T capacity = *size;
    *size = sizeof *message + from->size;
    if (message == NULL)
        return S_FALSE;
    if (capacity < *size)
        return E_INVALIDARG;
    char *text = (char *)(message + 1);
    memcpy(text, from->text, from->size);
    message->Category = from->category;
    message->Severity = from->severity;
    message->ID = from->id;
    message->pDescription = text;
    message->DescriptionByteLength = from->size;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE info_queue_GetMessage(ID3D12InfoQueue1 *iface, UINT64 index,
                                                       D3D12_MESSAGE *message, SIZE_T *size)
{
    if (size == NULL)
        return E_INVALIDARG;
    HRESULT hr = E_INVALIDARG;
    struct messages *messages = lock_messages(iface);
    if (index < messages->count)
        hr = copy_message(messages->stored[index], message, size);
    unlock_messages(messages);
    return hr;
}

static UINT64 STDMETHODCALLTYPE
info_queue_GetNumStoredMessagesAllowedByRetrievalFilter(ID3D12InfoQueue1 *iface)
{
    UINT64 count = 0;
    struct messages *messages = lock_messages(iface);
    for (UINT64 i = 0; i < messages->count; i++) {
        const struct message *m = messages->stored[i];
        count += message_filter_passes(&messages->retrieval, m->category, m->severity, m->id);
    }
    unlock_messages(messages);
    return count;
}

#define INFO_QUEUE_COUNTER(method, member)                                                         \
    static UINT64 STDMETHODCALLTYPE info_queue_##method(ID3D12InfoQueue1 *iface)                   \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        UINT64 value = messages->member;                                                           \
        unlock_messages(messages);                                                                 \
        return value;                                                                              \
    }

INFO_QUEUE_COUNTER(GetNumMessagesAllowedByStorageFilter, allowed)
INFO_QUEUE_COUNTER(GetNumMessagesDeniedByStorageFilter, denied)
INFO_QUEUE_COUNTER(GetNumStoredMessages, count)
INFO_QUEUE_COUNTER(GetNumMessagesDiscardedByMessageCountLimit, discarded)
INFO_QUEUE_COUNTER(GetMessageCountLimit, limit)

/* The methods of a filter stack, once for storage and once for retrieval. Reading a filter back is not modelled. */
#define INFO_QUEUE_FILTER_METHODS(Stack, stack)                                                    \
    static HRESULT STDMETHODCALLTYPE info_queue_Add##Stack##FilterEntries(                         \
        ID3D12InfoQueue1 *iface, D3D12_INFO_QUEUE_FILTER *filter)                                  \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        HRESULT hr = message_filter_add(&messages->stack, filter);                                 \
        unlock_messages(messages);                                                                 \
        return hr;                                                                                 \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE info_queue_Get##Stack##Filter(                                \
        ID3D12InfoQueue1 *iface, D3D12_INFO_QUEUE_FILTER *filter, SIZE_T *size)                    \
    {                                                                                              \
        (void)filter;                                                                              \
        (void)size;                                                                                \
        d3d12_device_not_modelled(impl_from_info_queue(iface),                                     \
                                  "ID3D12InfoQueue::Get" #Stack "Filter");                         \
        return E_NOTIMPL;                                                                          \
    }                                                                                              \
    static void STDMETHODCALLTYPE info_queue_Clear##Stack##Filter(ID3D12InfoQueue1 *iface)         \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        message_filter_clear(&messages->stack);                                                    \
        unlock_messages(messages);                                                                 \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE info_queue_PushEmpty##Stack##Filter(ID3D12InfoQueue1 *iface)  \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        HRESULT hr = message_filter_push(&messages->stack, NULL);                                  \
        unlock_messages(messages);                                                                 \
        return hr;                                                                                 \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE info_queue_PushCopyOf##Stack##Filter(ID3D12InfoQueue1 *iface) \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        HRESULT hr = message_filter_push_copy(&messages->stack);                                   \
        unlock_messages(messages);                                                                 \
        return hr;                                                                                 \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE info_queue_Push##Stack##Filter(                               \
        ID3D12InfoQueue1 *iface, D3D12_INFO_QUEUE_FILTER *filter)                                  \
    {                                                                                              \
        if (filter == NULL)                                                                        \
            return E_INVALIDARG;                                                                   \
        struct messages *messages = lock_messages(iface);                                          \
        HRESULT hr = message_filter_push(&messages->stack, filter);                                \
        unlock_messages(messages);                                                                 \
        return hr;                                                                                 \
    }                                                                                              \
    static void STDMETHODCALLTYPE info_queue_Pop##Stack##Filter(ID3D12InfoQueue1 *iface)           \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        message_filter_pop(&messages->stack);                                                      \
        unlock_messages(messages);                                                                 \
    }                                                                                              \
    static UINT STDMETHODCALLTYPE info_queue_Get##Stack##FilterStackSize(ID3D12InfoQueue1 *iface)  \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        UINT size = messages->stack.count;                                                         \
        unlock_messages(messages);                                                                 \
        return size;                                                                               \
    }

INFO_QUEUE_FILTER_METHODS(Storage, storage)
INFO_QUEUE_FILTER_METHODS(Retrieval, retrieval)

static HRESULT STDMETHODCALLTYPE info_queue_AddMessage(ID3D12InfoQueue1 *iface,
                                                       D3D12_MESSAGE_CATEGORY category,
                                                       D3D12_MESSAGE_SEVERITY severity,
                                                       D3D12_MESSAGE_ID id, LPCSTR text)
{
    if (text == NULL)
        return E_INVALIDARG;
    messages_emit(&impl_from_info_queue(iface)->messages, category, severity, (int)id, "%s", text);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE info_queue_AddApplicationMessage(ID3D12InfoQueue1 *iface,
                                                                  D3D12_MESSAGE_SEVERITY severity,
                                                                  LPCSTR text)
{
    return info_queue_AddMessage(iface, D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED, severity,
                                 D3D12_MESSAGE_ID_UNKNOWN, text);
}

/* The emulator never breaks into a debugger: asking for it is answered honestly. */
static HRESULT refuse_break(ID3D12InfoQueue1 *iface, BOOL enable, const char *method)
{
    if (!enable)
        return S_OK;
    d3d12_device_not_modelled(impl_from_info_queue(iface), method);
    return E_NOTIMPL;
}

#define INFO_QUEUE_BREAK(What, type)                                                               \
    static HRESULT STDMETHODCALLTYPE info_queue_SetBreakOn##What(ID3D12InfoQueue1 *iface,          \
                                                                 type value, BOOL enable)          \
    {                                                                                              \
        (void)value;                                                                               \
        return refuse_break(iface, enable, "ID3D12InfoQueue::SetBreakOn" #What);                   \
    }                                                                                              \
    static BOOL STDMETHODCALLTYPE info_queue_GetBreakOn##What(ID3D12InfoQueue1 *iface, type value) \
    {                                                                                              \
        (void)iface;                                                                               \
        (void)value;                                                                               \
        return FALSE;                                                                              \
    }

INFO_QUEUE_BREAK(Category, D3D12_MESSAGE_CATEGORY)
INFO_QUEUE_BREAK(Severity, D3D12_MESSAGE_SEVERITY)
INFO_QUEUE_BREAK(ID, D3D12_MESSAGE_ID)

static void STDMETHODCALLTYPE info_queue_SetMuteDebugOutput(ID3D12InfoQueue1 *iface, BOOL mute)
{
    struct messages *messages = lock_messages(iface);
    messages->muted = mute != FALSE;
    unlock_messages(messages);
}

static BOOL STDMETHODCALLTYPE info_queue_GetMuteDebugOutput(ID3D12InfoQueue1 *iface)
{
    struct messages *messages = lock_messages(iface);
    bool muted = messages->muted;
    unlock_messages(messages);
    return muted ? TRUE : FALSE;
}

static HRESULT STDMETHODCALLTYPE
info_queue_RegisterMessageCallback(ID3D12InfoQueue1 *iface, D3D12MessageFunc function,
                                   D3D12_MESSAGE_CALLBACK_FLAGS flags, void *context, DWORD *cookie)
{
    if (function == NULL || cookie == NULL)
        return E_INVALIDARG;
    *cookie = 0;
    struct messages *messages = lock_messages(iface);
    for (int i = 0; i < MESSAGES_CALLBACKS && *cookie == 0; i++) {
        if (messages->callbacks[i].cookie != 0)
            continue;
        *cookie = ++messages->next_cookie;
        messages->callbacks[i] = (struct message_callback){function, flags, context, *cookie};
    }
    unlock_messages(messages);
    return *cookie != 0 ? S_OK : E_OUTOFMEMORY;
}

static HRESULT STDMETHODCALLTYPE info_queue_UnregisterMessageCallback(ID3D12InfoQueue1 *iface,
                                                                      DWORD cookie)
{
    HRESULT hr = E_INVALIDARG;
    struct messages *messages = lock_messages(iface);
    for (int i = 0; i < MESSAGES_CALLBACKS && cookie != 0; i++) {
        if (messages->callbacks[i].cookie != cookie)
            continue;
        messages->callbacks[i].cookie = 0;
        hr = S_OK;
    }
    unlock_messages(messages);
    return hr;
}

#define FILTER_ENTRIES(Stack)                                                                      \
    .Add##Stack##FilterEntries = info_queue_Add##Stack##FilterEntries,                             \
    .Get##Stack##Filter = info_queue_Get##Stack##Filter,                                           \
    .Clear##Stack##Filter = info_queue_Clear##Stack##Filter,                                       \
    .PushEmpty##Stack##Filter = info_queue_PushEmpty##Stack##Filter,                               \
    .PushCopyOf##Stack##Filter = info_queue_PushCopyOf##Stack##Filter,                             \
    .Push##Stack##Filter = info_queue_Push##Stack##Filter,                                         \
    .Pop##Stack##Filter = info_queue_Pop##Stack##Filter,                                           \
    .Get##Stack##FilterStackSize = info_queue_Get##Stack##FilterStackSize
#define BREAK_ENTRIES(What)                                                                        \
    .SetBreakOn##What = info_queue_SetBreakOn##What, .GetBreakOn##What = info_queue_GetBreakOn##What

CONST_VTBL ID3D12InfoQueue1Vtbl d3d12_info_queue_vtable = {
    .QueryInterface = info_queue_QueryInterface,
    .AddRef = info_queue_AddRef,
    .Release = info_queue_Release,
    .SetMessageCountLimit = info_queue_SetMessageCountLimit,
    .ClearStoredMessages = info_queue_ClearStoredMessages,
    .GetMessage = info_queue_GetMessage,
    .GetNumMessagesAllowedByStorageFilter = info_queue_GetNumMessagesAllowedByStorageFilter,
    .GetNumMessagesDeniedByStorageFilter = info_queue_GetNumMessagesDeniedByStorageFilter,
    .GetNumStoredMessages = info_queue_GetNumStoredMessages,
    .GetNumStoredMessagesAllowedByRetrievalFilter =
        info_queue_GetNumStoredMessagesAllowedByRetrievalFilter,
    .GetNumMessagesDiscardedByMessageCountLimit =
        info_queue_GetNumMessagesDiscardedByMessageCountLimit,
    .GetMessageCountLimit = info_queue_GetMessageCountLimit,
    FILTER_ENTRIES(Storage),
    FILTER_ENTRIES(Retrieval),
    .AddMessage = info_queue_AddMessage,
    .AddApplicationMessage = info_queue_AddApplicationMessage,
    BREAK_ENTRIES(Category),
    BREAK_ENTRIES(Severity),
    BREAK_ENTRIES(ID),
    .SetMuteDebugOutput = info_queue_SetMuteDebugOutput,
    .GetMuteDebugOutput = info_queue_GetMuteDebugOutput,
    .RegisterMessageCallback = info_queue_RegisterMessageCallback,
    .UnregisterMessageCallback = info_queue_UnregisterMessageCallback,
};
