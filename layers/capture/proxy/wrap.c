/* The method tables of all wrappers, expanded from table/d3d12_table.h: a function per method, a
 * table per interface. */
#include "d3d12.h"

#include "call.h"

#include <string.h>

#define DECLARE(ctype, name, ...) , ctype name
#define PASS(ctype, name, ...)    , name
/* A structure that is larger than a word, and passed by value, is recorded through a pointer. */
#define PACK(ctype, name, ...)                                                                     \
    if (sizeof name <= sizeof *args_)                                                              \
        memcpy(&args_[n_], &name, sizeof name <= sizeof *args_ ? sizeof name : 0);                 \
    else                                                                                           \
        args_[n_] = (uintptr_t)(const void *)&name;                                                \
    n_++;
#define UNPACK(ctype, name, ...)                                                                   \
    memcpy(&name, &args_[n_], sizeof name <= sizeof *args_ ? sizeof name : 0);                     \
    n_++;

#define ENTER(iface, name, count)                                                                  \
    struct call call_;                                                                             \
    uint64_t args_[(count) + 1] = {0};                                                             \
    size_t n_ = 0;                                                                                 \
    iface *real_ = ((struct object *)(void *)This)->real;                                          \
    D3D12_PARAMS_##iface##_##name(PACK) call_enter(&call_, METHOD_##iface##_##name, This, args_);  \
    n_ = 0;                                                                                        \
    D3D12_PARAMS_##iface##_##name(UNPACK)(void) n_;

#define WRAP_NOTHING(iface, name, result, count)                                                   \
    static void STDMETHODCALLTYPE wrap_##iface##_##name(                                           \
        iface *This D3D12_PARAMS_##iface##_##name(DECLARE))                                        \
    {                                                                                              \
        ENTER(iface, name, count)                                                                  \
        real_->lpVtbl->name(real_ D3D12_PARAMS_##iface##_##name(PASS));                            \
        call_leave(&call_, args_, 0, NULL);                                                        \
    }

#define WRAP_VALUE(iface, name, result, count)                                                     \
    static result STDMETHODCALLTYPE wrap_##iface##_##name(                                         \
        iface *This D3D12_PARAMS_##iface##_##name(DECLARE))                                        \
    {                                                                                              \
        ENTER(iface, name, count)                                                                  \
        result result_ = real_->lpVtbl->name(real_ D3D12_PARAMS_##iface##_##name(PASS));           \
        uint64_t word_ = 0;                                                                        \
        memcpy(&word_, &result_, sizeof result_);                                                  \
        call_leave(&call_, args_, word_, NULL);                                                    \
        return result_;                                                                            \
    }

#ifdef CAPTURE_STRUCTS_BY_POINTER
#define WRAP_STRUCT(iface, name, result, count)                                                    \
    static result *STDMETHODCALLTYPE wrap_##iface##_##name(                                        \
        iface *This, result *to_ D3D12_PARAMS_##iface##_##name(DECLARE))                           \
    {                                                                                              \
        ENTER(iface, name, count)                                                                  \
        real_->lpVtbl->name(real_, to_ D3D12_PARAMS_##iface##_##name(PASS));                       \
        uint64_t word_ = 0;                                                                        \
        memcpy(&word_, to_, sizeof *to_ <= sizeof word_ ? sizeof *to_ : 0);                        \
        call_leave(&call_, args_, word_, to_);                                                     \
        return to_;                                                                                \
    }
#else
#define WRAP_STRUCT(iface, name, result, count)                                                    \
    static result STDMETHODCALLTYPE wrap_##iface##_##name(                                         \
        iface *This D3D12_PARAMS_##iface##_##name(DECLARE))                                        \
    {                                                                                              \
        ENTER(iface, name, count)                                                                  \
        result result_ = real_->lpVtbl->name(real_ D3D12_PARAMS_##iface##_##name(PASS));           \
        uint64_t word_ = 0;                                                                        \
        memcpy(&word_, &result_, sizeof result_ <= sizeof word_ ? sizeof result_ : 0);             \
        call_leave(&call_, args_, word_, &result_);                                                \
        return result_;                                                                            \
    }
#endif

#define WRAP(iface, name, digest, how, result, kind, ref, size, first, count)                      \
    WRAP_##how(iface, name, result, count)
D3D12_METHODS(WRAP)

/* ---- tables ---- */

#define SLOT(iface, name) (object_slot) wrap_##iface##_##name,
#define TABLE(iface, base, slots, ...)                                                             \
    _Static_assert(sizeof(iface##Vtbl) == (slots) * sizeof(void *), "the table has every method"); \
    static const object_slot table_##iface[] = {D3D12_SLOTS_##iface(SLOT)};
D3D12_INTERFACES(TABLE)

#define TABLE_ROW(iface, ...) table_##iface,
static const object_slot *const tables[] = {D3D12_INTERFACES(TABLE_ROW)};

const object_slot *object_table(uint16_t type)
{
    return tables[type - SCHEMA_INTERFACE_FIRST];
}

/* All tables begin with this method, and no other table has it. */
bool object_has_table(const object_slot *table)
{
    return table && table[0] == (object_slot)wrap_IUnknown_QueryInterface;
}

int32_t object_query(void *real, const uint8_t iid[16], void **out)
{
    IID as_declared;
    IUnknown *unknown = real;
    memcpy(&as_declared, iid, sizeof as_declared);
    return unknown->lpVtbl->QueryInterface(unknown, &as_declared, out);
}

uint32_t object_release(void *real)
{
    IUnknown *unknown = real;
    return unknown->lpVtbl->Release(unknown);
}

/* ---- the headers that this is compiled with agree with the table ---- */

#define CHECK_STRUCT(name, size, ...)                                                              \
    _Static_assert(sizeof(name) == (size), "size of " #name ": generate the table again");
D3D12_STRUCTS(CHECK_STRUCT)

#define CHECK_BITS(owner, name, offset)
#define CHECK_FIELD(owner, name, offset)                                                           \
    _Static_assert(offsetof(owner, name) == (offset),                                              \
                   #owner "." #name ": generate the table again");
#define CHECK(owner, name, offset, kind, elem, ref, size, elem_size, how, of, times, array,        \
              union_, selector, low, high, what)                                                   \
    CHECK_##what(owner, name, offset)
D3D12_FIELDS(CHECK)
