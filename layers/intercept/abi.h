/* Calls methods of D3D12 without the types of a D3D12 header: arguments have types of C. */
#pragma once

#include "../capture/table/d3d12_table.h"
#include "d3d12.h"
#include "object.h"

/* Structures that are passed by value. They contain only integers, so the type is only a size. */
#define ABI_BYTES(size)                                                                            \
    struct abi_##size {                                                                            \
        uint32_t words[(size) / 4];                                                                \
    };
D3D12_BY_VALUE(ABI_BYTES)

#define ABI_DECLARE(ctype, name, ...) , ctype name
#define ABI_PASS(ctype, name, ...)    , name

/* Defines at_IFACE_NAME, the C type of a method; methods return structures in one of two ways. */
#ifdef INTERCEPT_STRUCTS_BY_POINTER
#define ABI_RESULT_STRUCT(result) result *
#define ABI_TO_STRUCT(result)     , result *to_
#else
#define ABI_RESULT_STRUCT(result) result
#define ABI_TO_STRUCT(result)
#endif
#define ABI_RESULT_NOTHING(result) void
#define ABI_RESULT_VALUE(result)   result
#define ABI_TO_NOTHING(result)
#define ABI_TO_VALUE(result)
#define ABI_TYPE(iface, name, digest, how, result, ...)                                            \
    typedef ABI_RESULT_##how(result) STDMETHODCALLTYPE at_##iface##_##name(                        \
        void *This ABI_TO_##how(result) D3D12_PARAMS_##iface##_##name(ABI_DECLARE));
D3D12_METHODS(ABI_TYPE)

/* Calls a method of an object of the runtime. */
#define ABI_METHOD(object, iface, name, slot)                                                      \
    ((at_##iface##_##name *)(*(const object_slot *const *)(object))[slot])
