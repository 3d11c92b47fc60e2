#define COBJMACROS
#include "swap_chain.h"

#include "call.h"
#include "d3d12.h"
#include "unknown.h"

#include <windows.h>

#include <initguid.h> /* makes the headers below define the IIDs */

#include <dxgi1_4.h>

#include <pthread.h>
#include <string.h>

/* The replaced methods, and their places in the tables. */
typedef void (*method)(void);
enum hook {
    CREATE,
    CREATE_FOR_WINDOW,
    CREATE_FOR_CORE_WINDOW,
    CREATE_FOR_COMPOSITION,
    GET_DEVICE,
    PRESENT,
    GET_BUFFER,
    RESIZE,
    PRESENT_1,
    RESIZE_1,
    HOOKS
};
static const unsigned slots[HOOKS] = {10, 15, 16, 24, 7, 8, 9, 13, 22, 39};

/* A class of DXGI that was found, and the functions that its table had. */
struct met {
    void **table;
    void *originals[HOOKS];
};
enum { CLASSES = 16, BUFFERS = 16 };
static struct met classes[CLASSES];
static unsigned class_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void **table_of(void *object)
{
    void **table;
    memcpy(&table, object, sizeof table);
    return table;
}

/* Finds the class. The lock is held. */
static struct met *find(void **table)
{
    for (unsigned i = 0; i < class_count; i++)
        if (classes[i].table == table)
            return &classes[i];
    return NULL;
}

/* Gets the original function. A wrapper's table may be a copy of a known table. */
static void original(void *object, enum hook hook, void *to)
{
    pthread_mutex_lock(&lock);
    const struct met *class = find(table_of(object));
    for (unsigned i = 0; !class && i < class_count; i++)
        if (classes[i].originals[hook])
            class = &classes[i];
    memcpy(to, &class->originals[hook], sizeof(void *));
    pthread_mutex_unlock(&lock);
}

static void replace(struct met *class, enum hook hook, method by)
{
    DWORD before;
    void *function; /* the function as data */
    void **slot = &class->table[slots[hook]];
    memcpy(&function, &by, sizeof function);
    if (*slot == function || !VirtualProtect(slot, sizeof *slot, PAGE_READWRITE, &before))
        return;
    class->originals[hook] = *slot;
    __atomic_store_n(slot, function, __ATOMIC_RELEASE);
    VirtualProtect(slot, sizeof *slot, before, &before);
}

static bool has(void *object, const IID *iid)
{
    void *found = NULL;
    if (FAILED(IUnknown_QueryInterface((IUnknown *)object, iid, &found)))
        return false;
    IUnknown_Release((IUnknown *)found);
    return found == object;
}

/* ---- swap chains ---- */

/* Returns the program's device behind a swap chain; NULL: none. */
static struct object *device_of(IDXGISwapChain *chain)
{
    HRESULT(WINAPI * get)(IDXGISwapChain *, REFIID, void **);
    void *real = NULL;
    original(chain, GET_DEVICE, &get);
    if (FAILED(get(chain, iid_of(TYPE_ID3D12Device), &real)) || !real)
        return NULL;
    struct object *device = object_at(real); /* the swap chain is of a DXGI that asked a wrapper */
    if (!device)
        device = object_of_identity(real, TYPE_ID3D12Device);
    object_release(real);
    return device;
}

/* Wraps DXGI's result for the program. */
static HRESULT wrap(IDXGISwapChain *chain, HRESULT result, REFIID iid, void **out)
{
    struct object *device = device_of(chain);
    if (FAILED(result) || !iid || !out || !*out || object_at(*out) || !device)
        return result;
    const uint16_t type = schema_interface_of((const uint8_t *)iid);
    const bool is_new = !object_of_identity(*out, TYPE_IUnknown);
    void *wrapped = type == TYPE_NONE ? *out : object_wrap(*out, type, false);
    if (object_at(wrapped)) {
        *out = wrapped;
        call_given(device, wrapped, is_new);
        return result;
    }
    if (type == TYPE_NONE && !unknown_interface((const uint8_t *)iid))
        return result;
    object_release(*out);
    *out = NULL;
    return type == TYPE_NONE ? E_NOINTERFACE : E_OUTOFMEMORY;
}

static HRESULT WINAPI get_device(IDXGISwapChain *self, REFIID iid, void **out)
{
    HRESULT(WINAPI * get)(IDXGISwapChain *, REFIID, void **);
    original(self, GET_DEVICE, &get);
    return wrap(self, get(self, iid, out), iid, out);
}

static HRESULT WINAPI get_buffer(IDXGISwapChain *self, UINT buffer, REFIID iid, void **out)
{
    HRESULT(WINAPI * get)(IDXGISwapChain *, UINT, REFIID, void **);
    original(self, GET_BUFFER, &get);
    return wrap(self, get(self, buffer, iid, out), iid, out);
}

/* Checks the result; `as` is Proton's method that does the same. */
static HRESULT check(IDXGISwapChain *self, uint16_t as, HRESULT result)
{
    struct object *device = FAILED(result) ? device_of(self) : NULL;
    if (device)
        call_failed(as, device, (uint32_t)result);
    return result;
}

static HRESULT WINAPI present(IDXGISwapChain *self, UINT interval, UINT flags)
{
    HRESULT(WINAPI * go)(IDXGISwapChain *, UINT, UINT);
    original(self, PRESENT, &go);
    return check(self, METHOD_IDXGIVkSwapChain_Present, go(self, interval, flags));
}

static HRESULT WINAPI present_1(IDXGISwapChain *self, UINT interval, UINT flags,
                                const DXGI_PRESENT_PARAMETERS *parameters)
{
    HRESULT(WINAPI * go)(IDXGISwapChain *, UINT, UINT, const DXGI_PRESENT_PARAMETERS *);
    original(self, PRESENT_1, &go);
    return check(self, METHOD_IDXGIVkSwapChain_Present, go(self, interval, flags, parameters));
}

/* The addresses of buffers that a resize ends; new buffers may have the same addresses. */
struct buffers {
    void *real[BUFFERS];
};

static void list_buffers(IDXGISwapChain *self, struct buffers *buffers)
{
    HRESULT(WINAPI * get)(IDXGISwapChain *, UINT, REFIID, void **);
    original(self, GET_BUFFER, &get);
    memset(buffers, 0, sizeof *buffers);
    for (UINT i = 0; device_of(self) && i < BUFFERS; i++) {
        if (FAILED(get(self, i, iid_of(TYPE_ID3D12Resource), &buffers->real[i])))
            break;
        object_release(buffers->real[i]);
    }
}

static HRESULT resized(IDXGISwapChain *self, const struct buffers *buffers, HRESULT result)
{
    for (UINT i = 0; SUCCEEDED(result) && i < BUFFERS; i++)
        if (buffers->real[i])
            object_ended(buffers->real[i]);
    return check(self, METHOD_IDXGIVkSwapChain_ChangeProperties, result);
}

static HRESULT WINAPI resize(IDXGISwapChain *self, UINT count, UINT width, UINT height,
                             DXGI_FORMAT format, UINT flags)
{
    struct buffers buffers;
    HRESULT(WINAPI * go)(IDXGISwapChain *, UINT, UINT, UINT, DXGI_FORMAT, UINT);
    list_buffers(self, &buffers);
    original(self, RESIZE, &go);
    return resized(self, &buffers, go(self, count, width, height, format, flags));
}

static HRESULT WINAPI resize_1(IDXGISwapChain *self, UINT count, UINT width, UINT height,
                               DXGI_FORMAT format, UINT flags, const UINT *nodes,
                               IUnknown *const *queues)
{
    struct buffers buffers;
    IUnknown *real[BUFFERS];
    DXGI_SWAP_CHAIN_DESC desc;
    HRESULT(WINAPI * go)
    (IDXGISwapChain *, UINT, UINT, UINT, DXGI_FORMAT, UINT, const UINT *, IUnknown *const *);
    original(self, RESIZE_1, &go);
    list_buffers(self, &buffers);
    if (count == 0 && SUCCEEDED(IDXGISwapChain_GetDesc(self, &desc)))
        count = desc.BufferCount;
    for (UINT i = 0; queues && i < count && i < BUFFERS; i++)
        real[i] = object_real(queues[i]);
    return resized(self, &buffers,
                   go(self, count, width, height, format, flags, nodes,
                      queues && count <= BUFFERS ? real : queues));
}

static const method functions[HOOKS];

/* Replaces the methods of a class when its first object is found. */
static void meet(void *object, enum hook first, enum hook end)
{
    pthread_mutex_lock(&lock);
    struct met *class = find(table_of(object));
    if (!class && class_count < CLASSES) {
        class = &classes[class_count];
        class->table = table_of(object);
        for (enum hook hook = first; hook < end; hook++) /* before the program calls a method */
            class->originals[hook] = class->table[slots[hook]];
        class_count++;
        for (enum hook hook = first; hook < end; hook++)
            replace(class, hook, functions[hook]);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- factories ---- */

/* Follows a creation; if the call succeeded, `out` is the swap chain's place. */
static HRESULT made(HRESULT result, void *queue, const void *out)
{
    void *chain = NULL;
    if (!object_at(queue))
        return result;
    if (FAILED(result))
        call_failed(METHOD_IDXGIVkSwapChainFactory_CreateSwapChain, queue, (uint32_t)result);
    else if (out)
        memcpy(&chain, out, sizeof chain);
    if (chain)
        meet(chain, GET_DEVICE,
             has(chain, &IID_IDXGISwapChain3)   ? HOOKS
             : has(chain, &IID_IDXGISwapChain1) ? RESIZE_1
                                                : PRESENT_1);
    return result;
}

/* The arguments: the factory, the queue, other arguments, the place of the new swap chain. */
#define EACH(...) __VA_ARGS__
#define CREATES(name, hook, chain, declared, others)                                               \
    static HRESULT WINAPI name(IDXGIFactory *self, IUnknown *queue, EACH declared, chain **out)    \
    {                                                                                              \
        HRESULT(WINAPI *go)(IDXGIFactory *, IUnknown *, EACH declared, chain **);                  \
        original(self, hook, &go);                                                                 \
        return made(go(self, object_real(queue), EACH others, out), queue, out);                   \
    }
CREATES(create, CREATE, IDXGISwapChain, (DXGI_SWAP_CHAIN_DESC * desc), (desc))
CREATES(create_for_window, CREATE_FOR_WINDOW, IDXGISwapChain1,
        (HWND window, const DXGI_SWAP_CHAIN_DESC1 *desc,
         const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *full, IDXGIOutput *output),
        (window, desc, full, output))
CREATES(create_for_core_window, CREATE_FOR_CORE_WINDOW, IDXGISwapChain1,
        (IUnknown * window, const DXGI_SWAP_CHAIN_DESC1 *desc, IDXGIOutput *output),
        (window, desc, output))
CREATES(create_for_composition, CREATE_FOR_COMPOSITION, IDXGISwapChain1,
        (const DXGI_SWAP_CHAIN_DESC1 *desc, IDXGIOutput *output), (desc, output))

static const method functions[HOOKS] = {
    [CREATE] = (method)create,
    [CREATE_FOR_WINDOW] = (method)create_for_window,
    [CREATE_FOR_CORE_WINDOW] = (method)create_for_core_window,
    [CREATE_FOR_COMPOSITION] = (method)create_for_composition,
    [GET_DEVICE] = (method)get_device,
    [PRESENT] = (method)present,
    [GET_BUFFER] = (method)get_buffer,
    [RESIZE] = (method)resize,
    [PRESENT_1] = (method)present_1,
    [RESIZE_1] = (method)resize_1,
};

static void open_once(void)
{
    HRESULT(WINAPI * make)(REFIID, void **);
    const HMODULE library = LoadLibraryW(L"dxgi.dll");
    const FARPROC found = library ? GetProcAddress(library, "CreateDXGIFactory1") : NULL;
    void *factory = NULL;
    memcpy(&make, &found, sizeof make);
    if (!make || FAILED(make(&IID_IDXGIFactory1, &factory)))
        return;
    meet(factory, CREATE, has(factory, &IID_IDXGIFactory2) ? GET_DEVICE : CREATE_FOR_WINDOW);
    IUnknown_Release((IUnknown *)factory);
}

void swap_chain_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
}
