/* Each call of a swap chain that may say that the device is gone, with each code for it, on a
 * device of its own that is removed. Prints for each whether a dump is there when it returns; the
 * layer names them as devices come: FILE, FILE-2 ... Without a layer there is none.
 *
 *     chain FILE
 */
#define INITGUID
#include "../../examples/setup.h"

#include <windows.h>

#include <dxgi1_4.h>

#include <stdbool.h>

#define D3DDDIERR_DEVICEREMOVED ((HRESULT)0x88760870)

static const HRESULT codes[] = {DXGI_ERROR_DEVICE_REMOVED, DXGI_ERROR_DEVICE_RESET,
                                DXGI_ERROR_DEVICE_HUNG, DXGI_ERROR_DRIVER_INTERNAL_ERROR,
                                D3DDDIERR_DEVICEREMOVED};
static const char *const calls[] = {"IDXGISwapChain::Present", "IDXGISwapChain::Present1",
                                    "IDXGISwapChain::ResizeBuffers",
                                    "IDXGISwapChain::ResizeBuffers1",
                                    "IDXGIFactory::CreateSwapChain"};
enum { CODES = sizeof codes / sizeof *codes, CALLS = sizeof calls / sizeof *calls };

static IDXGIFactory *factory;

static HRESULT call(unsigned which, IDXGISwapChain3 *chain, ID3D12CommandQueue *queue, HRESULT code)
{
    const UINT flags = (UINT)code;
    DXGI_SWAP_CHAIN_DESC desc = {.Flags = flags};
    switch (which) {
    case 0:
        return IDXGISwapChain3_Present(chain, 1, flags);
    case 1:
        return IDXGISwapChain3_Present1(chain, 1, flags, NULL);
    case 2:
        return IDXGISwapChain3_ResizeBuffers(chain, 0, 0, 0, DXGI_FORMAT_UNKNOWN, flags);
    case 3:
        return IDXGISwapChain3_ResizeBuffers1(chain, 2, 0, 0, DXGI_FORMAT_UNKNOWN, flags, NULL,
                                              NULL);
    default:
        return IDXGIFactory_CreateSwapChain(factory, (IUnknown *)queue, &desc,
                                            (IDXGISwapChain **)&chain);
    }
}

static bool has_dump(const char *file, unsigned number)
{
    char name[MAX_PATH];
    snprintf(name, sizeof name, number > 1 ? "%s-%u" : "%s", file, number);
    return GetFileAttributesA(name) != INVALID_FILE_ATTRIBUTES;
}

int main(int argc, char **argv)
{
    HRESULT(WINAPI * create)(REFIID, void **);
    const FARPROC found = GetProcAddress(LoadLibraryA("dxgi.dll"), "CreateDXGIFactory1");
    unsigned number = 0;
    memcpy(&create, &found, sizeof create);
    if (argc != 2 || !create || FAILED(create(&IID_IDXGIFactory, (void **)&factory)))
        return 2;
    for (unsigned i = 0; i < CALLS * CODES; i++) {
        const unsigned which = i % CALLS;
        const HRESULT code = codes[i / CALLS];
        DXGI_SWAP_CHAIN_DESC desc = {0};
        IDXGISwapChain3 *chain = NULL;
        ID3D12Device *device = make_device();
        ID3D12CommandQueue *queue = make_queue(device, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Frames");
        MUST(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)queue, &desc,
                                          (IDXGISwapChain **)&chain));
        const HRESULT well = call(which, chain, queue, code);
        const bool is_early = has_dump(argv[1], number + 1);
        emu_force_tdr(device);
        const HRESULT lost = call(which, chain, queue, code);
        printf("%s 0x%08X 0x%08X %s\n", calls[which], (unsigned)well, (unsigned)lost,
               is_early                      ? "early"
               : has_dump(argv[1], ++number) ? "dump"
                                             : "none");
        ID3D12CommandQueue_Release(queue);
        ID3D12Device_Release(device);
    }
    return 0;
}
