/* Methods that the emulator doesn't model. Each does nothing, emits one message with its name, and
 * returns E_NOTIMPL if it has a result. `make coverage-table` writes these methods into
 * docs/D3D12_COVERAGE.md; it reads the lists that are used with STUB.
 *
 *     #define NAME_STUBS(S) S(FAIL, OpenSharedHandleByName, LPCWSTR name, ...) S(...)
 *     NAME_STUBS(STUB)                     defines the methods
 *     .table = {NAME_STUBS(STUB_ENTRY)}    and their entries
 *
 * The kinds are VOID, FAIL and CREATE. Define these macros for the interface before you use a list:
 *
 *     STUB_NOUN        d3d12_device       prefix of the functions
 *     STUB_INTERFACE   device_iface       type of This
 *     STUB_NAME        "ID3D12Device"     its name in messages
 *     STUB_DEVICE      expression: the struct d3d12_device behind `iface` */
#pragma once

#if defined(__GNUC__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wunused-parameter" /* the macros below don't use all their parameters */
#endif

#define STUB_PASTE_(noun, method)     noun##_##method
#define STUB_PASTE(noun, method)      STUB_PASTE_(noun, method)
#define STUB_TELL(method)             d3d12_device_not_modelled(STUB_DEVICE, STUB_NAME "::" #method)

#define STUB(kind, method, ...)       STUB_##kind(method, __VA_ARGS__)
#define STUB_ENTRY(kind, method, ...) .method = STUB_PASTE(STUB_NOUN, method),

/* Defines a method without a result that only emits a message. */
#define STUB_VOID(method, ...)                                                                     \
    static void STDMETHODCALLTYPE STUB_PASTE(STUB_NOUN, method)(STUB_INTERFACE * iface,            \
                                                                __VA_ARGS__)                       \
    {                                                                                              \
        STUB_TELL(method);                                                                         \
    }
/* Returns an HRESULT. */
#define STUB_FAIL(method, ...)                                                                     \
    static HRESULT STDMETHODCALLTYPE STUB_PASTE(STUB_NOUN, method)(STUB_INTERFACE * iface,         \
                                                                   __VA_ARGS__)                    \
    {                                                                                              \
        STUB_TELL(method);                                                                         \
        return E_NOTIMPL;                                                                          \
    }
/* Defines a method that creates an object. Its last parameters are `riid` and `out`. */
#define STUB_CREATE(method, ...)                                                                   \
    static HRESULT STDMETHODCALLTYPE STUB_PASTE(STUB_NOUN, method)(                                \
        STUB_INTERFACE * iface, __VA_ARGS__, REFIID riid, void **out)                              \
    {                                                                                              \
        STUB_TELL(method);                                                                         \
        if (out)                                                                                   \
            *out = NULL;                                                                           \
        return E_NOTIMPL;                                                                          \
    }
