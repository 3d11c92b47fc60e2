/* ID3D12InfoQueue1: the application's view of messages.h. An interface of the device's COM
 * object. */
#include "device/device.h"
#include "gate.h"

static struct d3d12_device *impl_from_info_queue(ID3D12InfoQueue1 *iface)
{
    return container_of(iface, struct d3d12_device, info_queue);
}

static struct messages *lock_messages(ID3D12InfoQueue1 *iface)
{
    struct messages *messages = &impl_from_info_queue(iface)->messages;
    emu_lock(&messages->lock);
    return messages;
}

COM_FACE(info_queue, ID3D12InfoQueue1, &impl_from_info_queue(iface)->iface)

static HRESULT STDMETHODCALLTYPE info_queue_SetMessageCountLimit(ID3D12InfoQueue1 *iface,
                                                                 UINT64 limit)
{
    messages_set_limit(&impl_from_info_queue(iface)->messages, limit);
    return S_OK;
}

static void STDMETHODCALLTYPE info_queue_ClearStoredMessages(ID3D12InfoQueue1 *iface)
{
    messages_clear(&impl_from_info_queue(iface)->messages);
}

/* Copies one D3D12_MESSAGE, with its text behind it. */
static HRESULT copy_message(const struct message *from, D3D12_MESSAGE *message, SIZE_T *size)
{
    const SIZE_T capacity = *size;
    *size = sizeof *message + from->size;
    if (!message)
        return S_FALSE;
    if (capacity < *size)
        return E_INVALIDARG;
    char *text = (char *)(message + 1);
    memcpy(text, from->text, from->size);
    message->Category = from->head.category;
    message->Severity = from->head.severity;
    message->ID = from->head.id;
    message->pDescription = text;
    message->DescriptionByteLength = from->size;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE info_queue_GetMessage(ID3D12InfoQueue1 *iface, UINT64 index,
                                                       D3D12_MESSAGE *message, SIZE_T *size)
{
    if (!size)
        return E_INVALIDARG;
    HRESULT hr = E_INVALIDARG;
    struct messages *messages = lock_messages(iface);
    const struct message *found = messages_find(messages, index);
    if (found)
        hr = copy_message(found, message, size);
    emu_unlock(&messages->lock);
    return hr;
}

/* Defines a method that returns an expression of the locked `messages`. */
#define INFO_QUEUE_METHOD(type, method, parameters, expression)                                    \
    static type STDMETHODCALLTYPE info_queue_##method parameters                                   \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        const type answer = expression;                                                            \
        emu_unlock(&messages->lock);                                                               \
        return answer;                                                                             \
    }
#define INFO_QUEUE_COUNTER(method, member)                                                         \
    INFO_QUEUE_METHOD(UINT64, method, (ID3D12InfoQueue1 * iface), messages->member)

INFO_QUEUE_COUNTER(GetNumMessagesAllowedByStorageFilter, allowed)
INFO_QUEUE_COUNTER(GetNumMessagesDeniedByStorageFilter, denied)
INFO_QUEUE_COUNTER(GetNumStoredMessages, count)
INFO_QUEUE_COUNTER(GetNumMessagesDiscardedByMessageCountLimit, discarded)
INFO_QUEUE_COUNTER(GetMessageCountLimit, limit)
INFO_QUEUE_METHOD(UINT64, GetNumStoredMessagesAllowedByRetrievalFilter, (ID3D12InfoQueue1 * iface),
                  messages_retrievable(messages))

/* The methods of a filter stack, once for storage and once for retrieval. */
#define INFO_QUEUE_FILTER_METHODS(Stack, stack)                                                    \
    INFO_QUEUE_METHOD(HRESULT, Add##Stack##FilterEntries,                                          \
                      (ID3D12InfoQueue1 * iface, D3D12_INFO_QUEUE_FILTER * filter),                \
                      message_filter_add(&messages->stack, filter))                                \
    INFO_QUEUE_METHOD(HRESULT, Get##Stack##Filter,                                                 \
                      (ID3D12InfoQueue1 * iface, D3D12_INFO_QUEUE_FILTER * filter, SIZE_T * size), \
                      message_filter_get(&messages->stack, filter, size))                          \
    INFO_QUEUE_METHOD(HRESULT, PushEmpty##Stack##Filter, (ID3D12InfoQueue1 * iface),               \
                      message_filter_push_empty(&messages->stack))                                 \
    INFO_QUEUE_METHOD(HRESULT, PushCopyOf##Stack##Filter, (ID3D12InfoQueue1 * iface),              \
                      message_filter_push_copy(&messages->stack))                                  \
    INFO_QUEUE_METHOD(HRESULT, Push##Stack##Filter,                                                \
                      (ID3D12InfoQueue1 * iface, D3D12_INFO_QUEUE_FILTER * filter),                \
                      message_filter_push(&messages->stack, filter))                               \
    INFO_QUEUE_METHOD(UINT, Get##Stack##FilterStackSize, (ID3D12InfoQueue1 * iface),               \
                      messages->stack.count)                                                       \
    static void STDMETHODCALLTYPE info_queue_Clear##Stack##Filter(ID3D12InfoQueue1 *iface)         \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        message_filter_clear(&messages->stack);                                                    \
        emu_unlock(&messages->lock);                                                               \
    }                                                                                              \
    static void STDMETHODCALLTYPE info_queue_Pop##Stack##Filter(ID3D12InfoQueue1 *iface)           \
    {                                                                                              \
        struct messages *messages = lock_messages(iface);                                          \
        message_filter_pop(&messages->stack);                                                      \
        emu_unlock(&messages->lock);                                                               \
    }

INFO_QUEUE_FILTER_METHODS(Storage, storage)
INFO_QUEUE_FILTER_METHODS(Retrieval, retrieval)

static bool is_category(D3D12_MESSAGE_CATEGORY category)
{
    return (unsigned)category < MESSAGE_CATEGORIES;
}

static bool is_severity(D3D12_MESSAGE_SEVERITY severity)
{
    return (unsigned)severity < MESSAGE_SEVERITIES;
}

static HRESULT STDMETHODCALLTYPE info_queue_AddMessage(ID3D12InfoQueue1 *iface,
                                                       D3D12_MESSAGE_CATEGORY category,
                                                       D3D12_MESSAGE_SEVERITY severity,
                                                       D3D12_MESSAGE_ID id, LPCSTR text)
{
    if (!text || !is_category(category) || !is_severity(severity))
        return E_INVALIDARG;
    messages_add(&impl_from_info_queue(iface)->messages, category, severity, (int)id, text);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE info_queue_AddApplicationMessage(ID3D12InfoQueue1 *iface,
                                                                  D3D12_MESSAGE_SEVERITY severity,
                                                                  LPCSTR text)
{
    return info_queue_AddMessage(iface, D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED, severity,
                                 D3D12_MESSAGE_ID_UNKNOWN, text);
}

/* ---- breakpoints: messages that pass the storage filter stop the program as DebugBreak does
 * ---- */

static void set_bit(UINT *bits, unsigned bit, BOOL on)
{
    *bits = on ? *bits | 1u << bit : *bits & ~(1u << bit);
}

#define INFO_QUEUE_BREAK(What, type, is_valid, bits)                                               \
    static HRESULT STDMETHODCALLTYPE info_queue_SetBreakOn##What(ID3D12InfoQueue1 *iface,          \
                                                                 type value, BOOL enable)          \
    {                                                                                              \
        if (!is_valid(value))                                                                      \
            return E_INVALIDARG;                                                                   \
        struct messages *messages = lock_messages(iface);                                          \
        set_bit(&messages->bits, (unsigned)value, enable);                                         \
        emu_unlock(&messages->lock);                                                               \
        return S_OK;                                                                               \
    }                                                                                              \
    INFO_QUEUE_METHOD(BOOL, GetBreakOn##What, (ID3D12InfoQueue1 * iface, type value),              \
                      is_valid(value) && (messages->bits >> (unsigned)value & 1) != 0)

INFO_QUEUE_BREAK(Category, D3D12_MESSAGE_CATEGORY, is_category, break_categories)
INFO_QUEUE_BREAK(Severity, D3D12_MESSAGE_SEVERITY, is_severity, break_severities)

static HRESULT STDMETHODCALLTYPE info_queue_SetBreakOnID(ID3D12InfoQueue1 *iface,
                                                         D3D12_MESSAGE_ID id, BOOL enable)
{
    const int value = (int)id;
    bool ok = true;
    struct messages *messages = lock_messages(iface);
    if (!enable)
        message_list_remove(&messages->break_ids, value);
    else if (!message_list_has(&messages->break_ids, value))
        ok = message_list_add(&messages->break_ids, value);
    emu_unlock(&messages->lock);
    return ok ? S_OK : E_OUTOFMEMORY;
}

INFO_QUEUE_METHOD(BOOL, GetBreakOnID, (ID3D12InfoQueue1 * iface, D3D12_MESSAGE_ID id),
                  message_list_has(&messages->break_ids, (int)id))

/* Only stores the switch, because no text goes to a debugger. */
static void STDMETHODCALLTYPE info_queue_SetMuteDebugOutput(ID3D12InfoQueue1 *iface, BOOL mute)
{
    struct messages *messages = lock_messages(iface);
    messages->muted = mute != FALSE;
    emu_unlock(&messages->lock);
}

INFO_QUEUE_METHOD(BOOL, GetMuteDebugOutput, (ID3D12InfoQueue1 * iface), messages->muted)

static HRESULT STDMETHODCALLTYPE
info_queue_RegisterMessageCallback(ID3D12InfoQueue1 *iface, D3D12MessageFunc function,
                                   D3D12_MESSAGE_CALLBACK_FLAGS flags, void *context, DWORD *cookie)
{
    if (!cookie)
        return E_INVALIDARG;
    *cookie = 0;
    if (!function || (UINT)flags > D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS)
        return E_INVALIDARG;
    *cookie = message_callbacks_add(&impl_from_info_queue(iface)->messages.callbacks, function,
                                    flags, context);
    return *cookie != 0 ? S_OK : E_OUTOFMEMORY;
}

static HRESULT STDMETHODCALLTYPE info_queue_UnregisterMessageCallback(ID3D12InfoQueue1 *iface,
                                                                      DWORD cookie)
{
    return message_callbacks_remove(&impl_from_info_queue(iface)->messages.callbacks, cookie)
               ? S_OK
               : E_INVALIDARG;
}

#define FILTER_ENTRIES(Stack)                                                                      \
    COM_METHODS(info_queue, Add##Stack##FilterEntries, Get##Stack##Filter, Clear##Stack##Filter,   \
                PushEmpty##Stack##Filter, PushCopyOf##Stack##Filter, Push##Stack##Filter,          \
                Pop##Stack##Filter, Get##Stack##FilterStackSize)
#define BREAK_ENTRIES(What) COM_METHODS(info_queue, SetBreakOn##What, GetBreakOn##What)

CONST_VTBL ID3D12InfoQueue1Vtbl d3d12_info_queue_vtable = {
    COM_FACE_ENTRIES(info_queue),
    COM_METHODS(info_queue, SetMessageCountLimit, ClearStoredMessages),
    .GetMessage = info_queue_GetMessage,
    COM_METHODS(info_queue, GetNumMessagesAllowedByStorageFilter,
                GetNumMessagesDeniedByStorageFilter, GetNumStoredMessages,
                GetNumStoredMessagesAllowedByRetrievalFilter,
                GetNumMessagesDiscardedByMessageCountLimit, GetMessageCountLimit),
    FILTER_ENTRIES(Storage),
    FILTER_ENTRIES(Retrieval),
    COM_METHODS(info_queue, AddMessage, AddApplicationMessage),
    BREAK_ENTRIES(Category),
    BREAK_ENTRIES(Severity),
    BREAK_ENTRIES(ID),
    COM_METHODS(info_queue, SetMuteDebugOutput, GetMuteDebugOutput, RegisterMessageCallback,
                UnregisterMessageCallback),
};
