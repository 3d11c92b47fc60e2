/*
 * Methods that the emulator doesn't model: each does nothing, says so in one message that names it, and returns
 * E_NOTIMPL where it returns anything. docs/D3D12_COVERAGE.md lists them from these lines: `make coverage-table`.
 *
 * A file that includes this defines, for the interface of the methods to come,
 *     RESIDUAL_NOUN        d3d12_device           prefix of the functions
 *     RESIDUAL_INTERFACE   ID3D12Device11         type of This
 *     RESIDUAL_NAME        "ID3D12Device"         as messages say it
 *     RESIDUAL_DEVICE      expression: the struct d3d12_device behind `iface`
 */
#ifndef D3D12_RESIDUAL_H
#define D3D12_RESIDUAL_H

#if defined(__GNUC__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wunused-parameter" /* of this file's methods, which is what they are about */
#endif

#define RESIDUAL_PASTE_(noun, method) noun##_##method
#define RESIDUAL_PASTE(noun, method)  RESIDUAL_PASTE_(noun, method)
#define RESIDUAL_TELL(method)         d3d12_device_not_modelled(RESIDUAL_DEVICE, RESIDUAL_NAME "::" #method)

/* Returns nothing. */
#define RESIDUAL_VOID(method, ...)                                                                 \
    static void STDMETHODCALLTYPE RESIDUAL_PASTE(RESIDUAL_NOUN,                                    \
                                                 method)(RESIDUAL_INTERFACE * iface, __VA_ARGS__)  \
    {                                                                                              \
        RESIDUAL_TELL(method);                                                                     \
    }
#define RESIDUAL_VOID0(method)                                                                     \
    static void STDMETHODCALLTYPE RESIDUAL_PASTE(RESIDUAL_NOUN,                                    \
                                                 method)(RESIDUAL_INTERFACE * iface)               \
    {                                                                                              \
        RESIDUAL_TELL(method);                                                                     \
    }
/* Returns an HRESULT. */
#define RESIDUAL_FAIL(method, ...)                                                                 \
    static HRESULT STDMETHODCALLTYPE RESIDUAL_PASTE(RESIDUAL_NOUN, method)(                        \
        RESIDUAL_INTERFACE * iface, __VA_ARGS__)                                                   \
    {                                                                                              \
        RESIDUAL_TELL(method);                                                                     \
        return E_NOTIMPL;                                                                          \
    }
/* Creates an object: its last parameters are a riid and where the object would go. */
#define RESIDUAL_CREATE(method, ...)                                                               \
    static HRESULT STDMETHODCALLTYPE RESIDUAL_PASTE(RESIDUAL_NOUN, method)(                        \
        RESIDUAL_INTERFACE * iface, __VA_ARGS__, REFIID riid, void **out)                          \
    {                                                                                              \
        RESIDUAL_TELL(method);                                                                     \
        if (out != NULL)                                                                           \
            *out = NULL;                                                                           \
        return E_NOTIMPL;                                                                          \
    }

#endif
