/* The method tables of all wrappers, expanded from capture/table/d3d12_table.h: a function per
 * method, a table per interface. */
#include "wrap.h"

#include "abi.h"
#include "call.h"

#include <string.h>

/* A structure that is larger than a word, and passed by value, is recorded through a pointer. */
#define PACK(ctype, name, ...)                                                                     \
    {                                                                                              \
        uint64_t word_ = (uintptr_t)(const void *)&name;                                           \
        if (sizeof name == 4) {                                                                    \
            uint32_t half_ = 0;                                                                    \
            memcpy(&half_, &name, sizeof name == 4 ? 4 : 0);                                       \
            word_ = half_;                                                                         \
        } else if (sizeof name <= 8) {                                                             \
            word_ = 0;                                                                             \
            memcpy(&word_, &name, sizeof name <= 8 ? sizeof name : 0);                             \
        }                                                                                          \
        args_[n_++] = word_;                                                                       \
    }
#define UNPACK(ctype, name, ...)                                                                   \
    memcpy(&name, &args_[n_], sizeof name <= sizeof *args_ ? sizeof name : 0);                     \
    n_++;

/* A call that no client wants, with the runtime's objects in the arguments. */
#define BARE(ctype, name, dir, kind, ...) , BARE_##kind(ctype, name)
#define BARE_O(ctype, name)               (ctype) object_real((void *)(uintptr_t)name)
#define BARE_U(ctype, name)               name
#define BARE_I(ctype, name)               name
#define BARE_B(ctype, name)               name
#define BARE_F(ctype, name)               name
#define BARE_E(ctype, name)               name
#define BARE_P(ctype, name)               name
#define BARE_Z(ctype, name)               name
#define BARE_W(ctype, name)               name
#define BARE_A(ctype, name)               name
#define BARE_C(ctype, name)               name
#define BARE_H(ctype, name)               name
#define BARE_K(ctype, name)               name
#define BARE_X(ctype, name)               name
#define BARE_Y(ctype, name)               name

#define REAL                              void *real_ = ((struct object *)This)->real;
#define IS_WANTED(iface, name)                                                                     \
    atomic_load_explicit(&call_ways[METHOD_##iface##_##name], memory_order_relaxed)
#define IS_DIRECT(iface, name) call_direct[METHOD_##iface##_##name]
/* The methods without a result that may have a shortcut. Other methods have no test for a shortcut,
 * which saves registers. */
#define IS_MARKER(name)                                                                            \
    (!strcmp(#name, "BeginEvent") || !strcmp(#name, "EndEvent") || !strcmp(#name, "SetMarker"))
#define CALL_DIRECT(iface, name, count)                                                            \
    do {                                                                                           \
        uint64_t args_[(count) + 3] = {0}; /* a jump follows, so the variable does not escape */   \
        size_t n_ = 0;                                                                             \
        D3D12_PARAMS_##iface##_##name(PACK)(void) n_;                                              \
        IS_DIRECT(iface, name)((struct object *)(void *)This, args_[0], args_[1], args_[2]);       \
    } while (0)
/* Whether the result, a HRESULT, is a failure: the method may have CALL_WAYS_FAILED. */
static inline bool is_failure(const void *result)
{
    int32_t code;
    memcpy(&code, result, sizeof code);
    return code < 0;
}

#define APART __attribute__((noinline))
#define ENTER(iface, name, count)                                                                  \
    struct call call_;                                                                             \
    uint64_t args_[(count) + 1] = {0};                                                             \
    size_t n_ = 0;                                                                                 \
    D3D12_PARAMS_##iface##_##name(PACK) call_enter(&call_, METHOD_##iface##_##name, This, args_);  \
    n_ = 0;                                                                                        \
    D3D12_PARAMS_##iface##_##name(UNPACK)(void) n_;

/* A separate function serves clients, so that a wrapper needs no frame: it jumps there or to the
 * runtime. A marker's wrapper has a frame, because a second jump would cost more. */
#define WRAP_NOTHING(iface, name, result, count, slot)                                             \
    APART static void tell_##iface##_##name(void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE)) \
    {                                                                                              \
        REAL ENTER(iface, name, count)                                                             \
            ABI_METHOD(real_, iface, name, slot)(real_ D3D12_PARAMS_##iface##_##name(ABI_PASS));   \
        uint64_t word_ = 0;                                                                        \
        call_leave(&call_, args_, &word_, NULL);                                                   \
    }                                                                                              \
    static void STDMETHODCALLTYPE wrap_##iface##_##name(                                           \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        REAL if (!IS_WANTED(iface, name))                                                          \
        {                                                                                          \
            ABI_METHOD(real_, iface, name, slot)(real_ D3D12_PARAMS_##iface##_##name(BARE));       \
        }                                                                                          \
        else if (IS_MARKER(name) && IS_DIRECT(iface, name))                                        \
        {                                                                                          \
            CALL_DIRECT(iface, name, count);                                                       \
            ABI_METHOD(real_, iface, name, slot)(real_ D3D12_PARAMS_##iface##_##name(ABI_PASS));   \
        }                                                                                          \
        else                                                                                       \
        {                                                                                          \
            tell_##iface##_##name(This D3D12_PARAMS_##iface##_##name(ABI_PASS));                   \
        }                                                                                          \
    }

#define WRAP_VALUE(iface, name, result, count, slot)                                               \
    APART static result tell_##iface##_##name(                                                     \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        REAL ENTER(iface, name, count) uint64_t word_ = 0;                                         \
        result result_;                                                                            \
        memset(&result_, 0, sizeof result_);                                                       \
        if (!call_.refusal)                                                                        \
            result_ = ABI_METHOD(real_, iface, name,                                               \
                                 slot)(real_ D3D12_PARAMS_##iface##_##name(ABI_PASS));             \
        memcpy(&word_, &result_, sizeof result_);                                                  \
        call_leave(&call_, args_, &word_, NULL);                                                   \
        memcpy(&result_, &word_, sizeof result_);                                                  \
        return result_;                                                                            \
    }                                                                                              \
    APART static result watch_##iface##_##name(                                                    \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        REAL if (IS_DIRECT(iface, name)) CALL_DIRECT(iface, name, count);                          \
        result result_ =                                                                           \
            ABI_METHOD(real_, iface, name, slot)(real_ D3D12_PARAMS_##iface##_##name(BARE));       \
        if (is_failure(&result_))                                                                  \
            call_failed(METHOD_##iface##_##name, (struct object *)(void *)This,                    \
                        (uint32_t)(uintptr_t)result_);                                             \
        return result_;                                                                            \
    }                                                                                              \
    static result STDMETHODCALLTYPE wrap_##iface##_##name(                                         \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        REAL const unsigned way_ = IS_WANTED(iface, name);                                         \
        if (!way_)                                                                                 \
            return ABI_METHOD(real_, iface, name,                                                  \
                              slot)(real_ D3D12_PARAMS_##iface##_##name(BARE));                    \
        if (way_ & ~(unsigned)CALL_WAYS_FAILED && !IS_DIRECT(iface, name))                         \
            return tell_##iface##_##name(This D3D12_PARAMS_##iface##_##name(ABI_PASS));            \
        return watch_##iface##_##name(This D3D12_PARAMS_##iface##_##name(ABI_PASS));               \
    }

#ifdef INTERCEPT_STRUCTS_BY_POINTER
#define WRAP_STRUCT(iface, name, result, count, slot)                                              \
    static result *STDMETHODCALLTYPE wrap_##iface##_##name(                                        \
        void *This, result *to_ D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                        \
    {                                                                                              \
        REAL if (!IS_WANTED(iface, name)) return ABI_METHOD(real_, iface, name, slot)(             \
            real_, to_ D3D12_PARAMS_##iface##_##name(BARE));                                       \
        ENTER(iface, name, count)                                                                  \
        ABI_METHOD(real_, iface, name, slot)(real_, to_ D3D12_PARAMS_##iface##_##name(ABI_PASS));  \
        uint64_t word_ = 0;                                                                        \
        memcpy(&word_, to_, sizeof *to_ <= sizeof word_ ? sizeof *to_ : 0);                        \
        call_leave(&call_, args_, &word_, to_);                                                    \
        return to_;                                                                                \
    }
#else
#define WRAP_STRUCT(iface, name, result, count, slot)                                              \
    static result STDMETHODCALLTYPE wrap_##iface##_##name(                                         \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        REAL if (!IS_WANTED(iface, name)) return ABI_METHOD(real_, iface, name, slot)(             \
            real_ D3D12_PARAMS_##iface##_##name(BARE));                                            \
        ENTER(iface, name, count)                                                                  \
        result result_ =                                                                           \
            ABI_METHOD(real_, iface, name, slot)(real_ D3D12_PARAMS_##iface##_##name(ABI_PASS));   \
        uint64_t word_ = 0;                                                                        \
        memcpy(&word_, &result_, sizeof result_ <= sizeof word_ ? sizeof result_ : 0);             \
        call_leave(&call_, args_, &word_, &result_);                                               \
        return result_;                                                                            \
    }
#endif

#define WRAP(iface, name, digest, how, result, kind, ref, size, first, count, slot)                \
    WRAP_##how(iface, name, result, count, slot)
D3D12_METHODS(WRAP)

/* ---- tables ---- */

#define SLOT(iface, name) (object_slot) wrap_##iface##_##name,
#define TABLE(iface, base, slots, ...)                                                             \
    static const object_slot table_##iface[] = {D3D12_SLOTS_##iface(SLOT)};                        \
    _Static_assert(sizeof table_##iface == (slots) * sizeof(void *), "the table has every "        \
                                                                     "method");
D3D12_INTERFACES(TABLE)

#define TABLE_ROW(iface, ...) table_##iface,
const object_slot *const wrap_tables[] = {D3D12_INTERFACES(TABLE_ROW)};
