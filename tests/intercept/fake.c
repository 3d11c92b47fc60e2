#include "fake.h"

#include <intercept/abi.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void (*fake_answer)(uint16_t method, struct fake *self, uint64_t *args, struct call_result *result);
uint64_t fake_slept;

static const struct schema_interface *interface_at(uint16_t type)
{
    return &schema_interfaces[type - SCHEMA_INTERFACE_FIRST];
}

bool type_derives(uint16_t type, uint16_t base)
{
    return type == base || (type != TYPE_NONE && type_derives(interface_at(type)->base, base));
}

uint16_t type_newest(uint16_t base)
{
    for (uint16_t type = SCHEMA_INTERFACE_FIRST; type < TYPE_NONE; type++)
        if (interface_at(type)->is_leaf && type_derives(type, base))
            return type;
    return base;
}

/* ---- allocations and sleeps ---- */

static unsigned allocations, failing_from;

void fake_fail_allocations(unsigned from)
{
    allocations = 0;
    failing_from = from;
}

unsigned fake_allocations(void)
{
    return allocations;
}

static bool fails(void)
{
    const bool does = ++allocations >= failing_from && failing_from;
    if (does)
        errno = ENOMEM;
    return does;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    fake_slept += (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
    return 0;
}

/* ---- IUnknown ---- */

static void query(struct fake *self, uint64_t *args, struct call_result *result)
{
    const uint16_t type = schema_interface_of((const uint8_t *)(uintptr_t)args[0]);
    void **out = (void **)(uintptr_t)args[1];
    *out = NULL;
    if (type == TYPE_IUnknown)
        *out = self->unknown;
    for (struct fake *each = self->unknown; each && !*out; each = each->sibling)
        if (type != TYPE_NONE && type_derives(each->type, type))
            *out = each;
    if (type != TYPE_IUnknown && type_derives(self->type, type))
        *out = self;
    if (self->queried < 0 || self->is_silent)
        *out = NULL;
    self->unknown->references += *out != NULL;
    result->word = self->queried ? (uint32_t)self->queried : *out ? 0 : (uint32_t)E_NOINTERFACE;
}

static void arrive(uint16_t method, void *object, uint64_t *args, struct call_result *result)
{
    struct fake *self = object;
    if (method == METHOD_IUnknown_QueryInterface)
        query(self, args, result);
    else if (method == METHOD_IUnknown_AddRef)
        result->word = (uint32_t)++self->unknown->references;
    else if (method == METHOD_IUnknown_Release)
        result->word = (uint32_t)--self->unknown->references;
    else
        fake_answer(method, self, args, result);
}

/* ---- every method ---- */

#define PACK(ctype, name, ...)                                                                     \
    if (sizeof name <= sizeof *args_)                                                              \
        memcpy(&args_[n_], &name, sizeof name <= sizeof *args_ ? sizeof name : 0);                 \
    else                                                                                           \
        args_[n_] = (uintptr_t)(const void *)&name;                                                \
    n_++;
#define ARRIVE(iface, name, count)                                                                 \
    uint64_t args_[(count) + 1] = {0};                                                             \
    size_t n_ = 0;                                                                                 \
    struct call_result to_ = {0};                                                                  \
    D3D12_PARAMS_##iface##_##name(PACK)(void) n_;                                                  \
    arrive(METHOD_##iface##_##name, This, args_, &to_);

#define FAKE_NOTHING(iface, name, result, count)                                                   \
    static void STDMETHODCALLTYPE fake_##iface##_##name(                                           \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        ARRIVE(iface, name, count)                                                                 \
    }
#define FAKE_VALUE(iface, name, result, count)                                                     \
    static result STDMETHODCALLTYPE fake_##iface##_##name(                                         \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        result result_;                                                                            \
        ARRIVE(iface, name, count)                                                                 \
        memcpy(&result_, &to_.word, sizeof result_);                                               \
        return result_;                                                                            \
    }
#ifdef INTERCEPT_STRUCTS_BY_POINTER
#define FAKE_STRUCT(iface, name, result, count)                                                    \
    static result *STDMETHODCALLTYPE fake_##iface##_##name(                                        \
        void *This, result *result_ D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                    \
    {                                                                                              \
        ARRIVE(iface, name, count)                                                                 \
        memcpy(result_, to_.structure, sizeof *result_);                                           \
        return result_;                                                                            \
    }
#else
#define FAKE_STRUCT(iface, name, result, count)                                                    \
    static result STDMETHODCALLTYPE fake_##iface##_##name(                                         \
        void *This D3D12_PARAMS_##iface##_##name(ABI_DECLARE))                                     \
    {                                                                                              \
        result result_;                                                                            \
        ARRIVE(iface, name, count)                                                                 \
        memcpy(&result_, to_.structure, sizeof result_);                                           \
        return result_;                                                                            \
    }
#endif
#define FAKE(iface, name, digest, how, result, kind, ref, size, first, count, slot)                \
    FAKE_##how(iface, name, result, count)
D3D12_METHODS(FAKE)

#define SLOT(iface, name) (object_slot) fake_##iface##_##name,
#define TABLE(iface, ...) static const object_slot table_##iface[] = {D3D12_SLOTS_##iface(SLOT)};
D3D12_INTERFACES(TABLE)
#define TABLE_ROW(iface, ...) table_##iface,
static const object_slot *const tables[] = {D3D12_INTERFACES(TABLE_ROW)};

#define IS_NOTHING                        false
#define IS_VALUE                          false
#define IS_STRUCT                         true
#define IS(iface, name, digest, how, ...) IS_##how,
bool fake_returns_structure(uint16_t method)
{
    static const bool rows[] = {D3D12_METHODS(IS)};
    return rows[method];
}

#define SIZE(ctype, ...)        sizeof(ctype),
#define SIZES(iface, name, ...) D3D12_PARAMS_##iface##_##name(SIZE)
size_t fake_size(uint16_t method, uint32_t i)
{
    static const uint16_t sizes[] = {D3D12_METHODS(SIZES)};
    return sizes[schema_methods[method].first + i];
}

struct fake *fake_create(uint16_t type)
{
    static struct fake *all; /* reachable for a search for leaks */
    struct fake *fake = __real_calloc(1, sizeof *fake);
    *fake = (struct fake){.next = all,
                          .table = tables[type - SCHEMA_INTERFACE_FIRST],
                          .type = type,
                          .unknown = fake,
                          .references = 1};
    all = fake;
    return fake;
}

struct fake *fake_sibling(struct fake *of, uint16_t type)
{
    struct fake *fake = fake_create(type);
    fake->unknown = of->unknown;
    fake->sibling = of->unknown->sibling;
    of->unknown->sibling = fake;
    of->unknown->references++;
    return fake;
}
