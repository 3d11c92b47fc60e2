/* The emulator as somebody else's runtime without hooks, with one method that is wrong in the way
 * that WRONG_RUNTIME names, in every object of its class. wrong.sh says which case notices which.
 */
#define COBJMACROS
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>

#include "stand_in.h"

typedef ID3D12GraphicsCommandList2 list_iface;

/* In place of any method: the caller's arguments are left where they are. */

static HRESULT do_nothing(void)
{
    return S_OK;
}

static HRESULT refuse(void)
{
    return E_FAIL;
}

/* ---- lists ---- */

static HRESULT(STDMETHODCALLTYPE *real_close)(list_iface *);
static void(STDMETHODCALLTYPE *real_list_begin)(list_iface *, UINT, const void *, UINT);

static HRESULT STDMETHODCALLTYPE close_never_again(list_iface *list)
{
    static HRESULT first_failure;
    const HRESULT hr = real_close(list);
    if (SUCCEEDED(first_failure))
        first_failure = hr;
    return first_failure;
}

static int depth; /* of a list's or queue's scopes */

static HRESULT STDMETHODCALLTYPE close_balanced(list_iface *list)
{
    const HRESULT hr = real_close(list);
    return depth != 0 ? E_FAIL : hr;
}

static void STDMETHODCALLTYPE begin_aligned(list_iface *list, UINT metadata, const void *data,
                                            UINT size)
{
    if ((uintptr_t)data % 2 != 0 && size > 1)
        abort();
    real_list_begin(list, metadata, data, size);
}

/* ---- queues, allocators ---- */

static void(STDMETHODCALLTYPE *real_execute)(ID3D12CommandQueue *, UINT,
                                             ID3D12CommandList *const *);

static void STDMETHODCALLTYPE lose_last(ID3D12CommandQueue *queue, UINT count,
                                        ID3D12CommandList *const *lists)
{
    real_execute(queue, count > 1 ? count - 1 : count, lists);
}

static void STDMETHODCALLTYPE begin_shallow(ID3D12CommandQueue *queue, UINT metadata,
                                            const void *data, UINT size)
{
    (void)queue, (void)metadata, (void)data, (void)size;
    if (++depth > 9000)
        abort();
}

static void STDMETHODCALLTYPE end_of_something(ID3D12CommandQueue *queue)
{
    (void)queue;
    if (--depth < 0)
        abort();
}

static HRESULT STDMETHODCALLTYPE answer_wrongly(ID3D12Device *device, D3D12_FEATURE feature,
                                                void *data, UINT size)
{
    (void)device;
    if (feature == D3D12_FEATURE_USER_DEFINED_ANNOTATION)
        return E_INVALIDARG;
    memset(data, 2, size);
    return S_OK;
}

/* ---- names ---- */

typedef HRESULT(STDMETHODCALLTYPE *set_name_fn)(ID3D12Fence *, const WCHAR *);
static set_name_fn real_set_name;
static HRESULT(STDMETHODCALLTYPE *real_set_data)(ID3D12Fence *, REFGUID, UINT, const void *);

static HRESULT STDMETHODCALLTYPE never_clear(ID3D12Fence *fence, const WCHAR *name)
{
    return name ? real_set_name(fence, name) : S_OK;
}

static HRESULT STDMETHODCALLTYPE name_first(ID3D12Fence *fence, const WCHAR *name)
{
    static ID3D12Fence *first;
    first = first ? first : fence;
    return real_set_name(first, name);
}

static HRESULT STDMETHODCALLTYPE mend_name(ID3D12Fence *fence, const WCHAR *name)
{
    WCHAR mended[64] = {0};
    for (size_t i = 0; name && name[i] && i < 63; i++)
        mended[i] = name[i] >= 0xD800 && name[i] < 0xE000 ? 0xFFFD : name[i];
    return real_set_name(fence, name ? mended : NULL);
}

static HRESULT STDMETHODCALLTYPE halve_data(ID3D12Fence *fence, REFGUID id, UINT size,
                                            const void *data)
{
    return real_set_data(fence, id, size / 2, data);
}

/* ---- modes ---- */

static D3D12_USER_DEFINED_ANNOTATION_MODE any_mode;

static HRESULT STDMETHODCALLTYPE set_any_mode(ID3D12DeviceTools2 *tools,
                                              D3D12_USER_DEFINED_ANNOTATION_MODE mode)
{
    (void)tools;
    any_mode = mode;
    return S_OK;
}

static D3D12_USER_DEFINED_ANNOTATION_MODE STDMETHODCALLTYPE get_any_mode(ID3D12DeviceTools2 *tools)
{
    (void)tools;
    return any_mode;
}

/* ---- messages, dump files ---- */

static UINT64 STDMETHODCALLTYPE one_message(ID3D12InfoQueue *messages)
{
    (void)messages;
    return 1;
}

static D3D12_DUMPFILEBEGINCALLBACK begin_of_program;
static D3D12_DUMPFILEENDCALLBACK end_of_program;
static void(STDMETHODCALLTYPE *real_callbacks)(ID3D12DevicePreview *, D3D12_DUMPFILEBEGINCALLBACK,
                                               D3D12_DUMPFILEENDCALLBACK);

static UINT begin_always(UINT64 flags)
{
    begin_of_program(flags);
    return 1;
}

static void end_twice(const WCHAR *path)
{
    end_of_program(path);
    end_of_program(path);
}

static void STDMETHODCALLTYPE set_other_callbacks(ID3D12DevicePreview *dumps,
                                                  D3D12_DUMPFILEBEGINCALLBACK begin,
                                                  D3D12_DUMPFILEENDCALLBACK end)
{
    begin_of_program = begin;
    end_of_program = end;
    real_callbacks(dumps, begin_always, end_twice);
}

/* ---- all of them ---- */

#define ALL(M)                                                                                     \
    M("skip-copy", list, CopyBufferRegion, do_nothing, NULL)                                       \
    M("skip-clear", list, ClearUnorderedAccessViewUint, do_nothing, NULL)                          \
    M("skip-writes", list, WriteBufferImmediate, do_nothing, NULL)                                 \
    M("skip-predication", list, SetPredication, do_nothing, NULL)                                  \
    M("skip-query", list, EndQuery, do_nothing, NULL)                                              \
    M("keep-recording", list, Reset, do_nothing, NULL)                                             \
    M("close-never-again", list, Close, close_never_again, &real_close)                            \
    M("begin-aligned", list, BeginEvent, begin_aligned, &real_list_begin)                          \
    M("lose-last", queue, ExecuteCommandLists, lose_last, &real_execute)                           \
    M("begin-shallow", queue, BeginEvent, begin_shallow, NULL)                                     \
    M("end-of-something", queue, BeginEvent, begin_shallow, NULL)                                  \
    M("end-of-something", queue, EndEvent, end_of_something, NULL)                                 \
    M("signal-nothing", queue, Signal, do_nothing, NULL)                                           \
    M("answer-wrongly", device, CheckFeatureSupport, answer_wrongly, NULL)                         \
    M("never-reset", allocator, Reset, refuse, NULL)                                               \
    M("never-clear", fence, SetName, never_clear, &real_set_name)                                  \
    M("name-first", fence, SetName, name_first, &real_set_name)                                    \
    M("mend-name", fence, SetName, mend_name, &real_set_name)                                      \
    M("halve-data", fence, SetPrivateData, halve_data, &real_set_data)                             \
    M("keep-no-name", device, SetName, do_nothing, NULL)                                           \
    M("any-mode", tools, SetUserDefinedAnnotationMode, set_any_mode, NULL)                         \
    M("any-mode", tools, GetUserDefinedAnnotationMode, get_any_mode, NULL)                         \
    M("answer-nothing", device, CheckFeatureSupport, do_nothing, NULL)                             \
    M("list-end-of-something", list, BeginEvent, begin_shallow, NULL)                              \
    M("list-end-of-something", list, EndEvent, end_of_something, NULL)                             \
    M("list-begin-shallow", list, BeginEvent, begin_shallow, NULL)                                 \
    M("close-balanced", list, BeginEvent, begin_shallow, NULL)                                     \
    M("close-balanced", list, EndEvent, end_of_something, NULL)                                    \
    M("close-balanced", list, Close, close_balanced, &real_close)                                  \
    M("skip-begin", list, BeginEvent, do_nothing, NULL)                                            \
    M("nameless", fence, SetName, do_nothing, NULL)                                                \
    M("get-nothing", tools, GetUserDefinedAnnotationMode, do_nothing, NULL)                        \
    M("no-address", tools, SetNextAllocationAddress, do_nothing, NULL)                             \
    M("no-messages", messages, GetNumStoredMessages, do_nothing, NULL)                             \
    M("one-message", messages, GetNumStoredMessages, one_message, NULL)                            \
    M("no-crumbs", dred, GetAutoBreadcrumbsOutput1, refuse, NULL)                                  \
    M("crumbs-of-nothing", dred, GetAutoBreadcrumbsOutput, do_nothing, NULL)                       \
    M("crumbs-of-nothing", dred, GetAutoBreadcrumbsOutput1, do_nothing, NULL)                      \
    M("no-blob", dumps, AddBlobToDumpFile, do_nothing, NULL)                                       \
    M("no-options", dumps, ConfigureDumpFile, refuse, NULL)                                        \
    M("other-callbacks", dumps, SetDumpFileCallbacks, set_other_callbacks, &real_callbacks)

static void make_wrong(ID3D12Device *device, const char *wrong)
{
    const D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_DIRECT;
    ID3D12CommandAllocator *allocator;
    list_iface *list;
    ID3D12CommandQueue *queue;
    ID3D12Fence *fence;
    ID3D12DeviceTools2 *tools;
    ID3D12InfoQueue *messages;
    ID3D12DeviceRemovedExtendedData1 *dred;
    ID3D12DevicePreview *dumps;
    if (FAILED(ID3D12Device_CreateCommandAllocator(device, type, &IID_ID3D12CommandAllocator,
                                                   (void **)&allocator)) ||
        FAILED(ID3D12Device_CreateCommandList(device, 0, type, allocator, NULL,
                                              &IID_ID3D12GraphicsCommandList2, (void **)&list)) ||
        FAILED(ID3D12Device_CreateCommandQueue(device, &(D3D12_COMMAND_QUEUE_DESC){.Type = type},
                                               &IID_ID3D12CommandQueue, (void **)&queue)) ||
        FAILED(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                        (void **)&fence)) ||
        FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceTools2, (void **)&tools)) ||
        FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, (void **)&messages)) ||
        FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceRemovedExtendedData1,
                                           (void **)&dred)) ||
        FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12DevicePreview, (void **)&dumps)))
        abort();
#define USE(name, object, method, replacement, real)                                               \
    if (strcmp(wrong, name) == 0)                                                                  \
        PATCH(&(object)->lpVtbl->method, replacement, real);
    ALL(USE)
#undef USE
    IUnknown *const made[] = {(IUnknown *)list,  (IUnknown *)allocator, (IUnknown *)queue,
                              (IUnknown *)fence, (IUnknown *)tools,     (IUnknown *)messages,
                              (IUnknown *)dred,  (IUnknown *)dumps};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        made[i]->lpVtbl->Release(made[i]);
}

EXPORT HRESULT WINAPI D3D12GetDebugInterface(REFIID riid, void **out)
{
    HRESULT(WINAPI * get)(REFIID, void **);
    return find("D3D12GetDebugInterface", &get) ? get(riid, out) : E_NOINTERFACE;
}

EXPORT HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL minimum, REFIID riid,
                                        void **out)
{
    static bool is_wrong;
    const char *wrong = getenv("WRONG_RUNTIME");
    HRESULT(WINAPI * create)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    ID3D12Device *device;
    if (!find("D3D12CreateDevice", &create))
        return E_FAIL;
    const HRESULT hr = create(adapter, minimum, riid, out);
    if (SUCCEEDED(hr) && out && wrong && !is_wrong &&
        SUCCEEDED(((IUnknown *)*out)
                      ->lpVtbl->QueryInterface(*out, &IID_ID3D12Device, (void **)&device))) {
        is_wrong = true;
        make_wrong(device, wrong);
        ID3D12Device_Release(device);
    }
    return hr;
}
