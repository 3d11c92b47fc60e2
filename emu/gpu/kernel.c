#include "gpu/kernel.h"

#include <stdatomic.h>
#include <string.h>

/* ---- bytecode: a DXBC container with one chunk, "EMUK", whose content is the kernel's number
 * ---- */

#define BYTECODE_SIZE 48u
#define DIGEST_OFFSET 4u
#define DIGEST_SIZE   16u
#define CHUNK_OFFSET  36u
#define KERNEL_OFFSET 44u
#define BYTECODE(kernel)                                                                           \
    {                                                                                              \
        'D', 'X', 'B', 'C', 'l', 'i', 'b', 'a', 'n', 'n', 'o', 't', ' ', 'k', 'e', 'r', 'n', 'e',  \
            'l', ' ', 1, 0, 0, 0, BYTECODE_SIZE, 0, 0, 0, 1, 0, 0, 0, CHUNK_OFFSET, 0, 0, 0, 'E',  \
            'M', 'U', 'K', 4, 0, 0, 0, kernel, 0, 0, 0                                             \
    }

static const unsigned char bytecode[][BYTECODE_SIZE] = {
    BYTECODE(EMU_KERNEL_FILL), BYTECODE(EMU_KERNEL_COPY),  BYTECODE(EMU_KERNEL_ADD),
    BYTECODE(EMU_KERNEL_SPIN), BYTECODE(EMU_KERNEL_TOUCH),
};

#define KERNEL_COUNT (sizeof bytecode / sizeof bytecode[0])

const void *emu_kernel_bytecode(emu_kernel kernel, size_t *size)
{
    size_t index = (size_t)kernel - EMU_KERNEL_FILL;
    if (size)
        *size = index < KERNEL_COUNT ? BYTECODE_SIZE : 0;
    return index < KERNEL_COUNT ? bytecode[index] : NULL;
}

uint32_t emu_kernel_from_bytecode(const void *code, size_t size)
{
    const size_t rest = DIGEST_OFFSET + DIGEST_SIZE;
    const unsigned char *bytes = code;
    for (size_t i = 0; code && size == BYTECODE_SIZE && i < KERNEL_COUNT; i++)
        if (memcmp(bytes, bytecode[i], DIGEST_OFFSET) == 0 &&
            memcmp(bytes + rest, bytecode[i] + rest, BYTECODE_SIZE - rest) == 0)
            return bytecode[i][KERNEL_OFFSET];
    return 0;
}

/* ---- execution ---- */

/* A pass over `total` bytes at `destination`, in units that are read and written whole. */
struct pass {
    uint64_t destination;
    uint64_t source;      /* used when has_source */
    uint64_t source_size; /* past this size, `apply` gets no source and uses zeros */
    uint64_t total;
    uint32_t unit;
    bool has_source;
    void (*apply)(void *destination, const void *source, size_t size, const struct pass *pass);
    const void *pattern; /* a fill's pattern of `unit` bytes */
};

static void apply_fill(void *destination, const void *source, size_t size, const struct pass *pass)
{
    (void)source;
    for (size_t i = 0; i < size; i += pass->unit)
        memcpy((char *)destination + i, pass->pattern, pass->unit);
}

static void apply_copy(void *destination, const void *source, size_t size, const struct pass *pass)
{
    uint32_t word;
    (void)pass;
    /* without this, a copied word has the same bytes, unless a thread looks meanwhile */
    if (source && size == sizeof word && (uintptr_t)destination % sizeof word == 0) {
        /* at once, because the CPU may look at a word while the GPU copies it */
        memcpy(&word, source, sizeof word);
        atomic_store_explicit((_Atomic uint32_t *)destination, word, memory_order_release);
    } else if (source)
        memmove(destination, source, size);
    else
        memset(destination, 0, size);
}

static void apply_add(void *destination, const void *source, size_t size, const struct pass *pass)
{
    (void)pass;
    for (size_t i = 0; source && i < size; i += sizeof(uint32_t)) {
        uint32_t a;
        uint32_t b;
        memcpy(&a, (const char *)destination + i, sizeof a);
        memcpy(&b, (const char *)source + i, sizeof b);
        a += b;
        memcpy((char *)destination + i, &a, sizeof a);
    }
}

/* Begins an access to whole units; false with the first byte that isn't mapped. */
static bool access_units(emu_gpu *gpu, uint64_t address, uint64_t size, uint32_t unit,
                         struct emu_gpu_access *access, uint64_t *fault_address)
{
    *fault_address = address;
    if (!emu_gpu_access_begin(gpu, address, size, access))
        return false;
    if (access->size >= unit)
        return true;
    *fault_address = address + access->size;
    emu_gpu_access_end(access);
    return false;
}

static enum emu_engine_status pass_step(emu_gpu *gpu, const struct pass *pass, uint64_t *done,
                                        uint64_t *fault_address)
{
    if (*done >= pass->total)
        return EMU_ENGINE_DONE;
    uint64_t size = pass->total - *done;
    if (size > EMU_ENGINE_STEP_BYTES)
        size = EMU_ENGINE_STEP_BYTES;
    struct emu_gpu_access source = {0};
    struct emu_gpu_access destination;
    enum emu_engine_status status = EMU_ENGINE_FAULT;
    const bool reads = pass->has_source && *done < pass->source_size;
    if (reads && size > pass->source_size - *done)
        size = pass->source_size - *done;
    if (reads) {
        if (!access_units(gpu, pass->source + *done, size, pass->unit, &source, fault_address))
            goto err0;
        size = source.size;
    }
    if (!access_units(gpu, pass->destination + *done, size, pass->unit, &destination,
                      fault_address))
        goto err1;
    size = destination.size / pass->unit * pass->unit;
    pass->apply(destination.cpu, source.cpu, (size_t)size, pass);
    *done += size;
    status = *done == pass->total ? EMU_ENGINE_DONE : EMU_ENGINE_BUSY;
    emu_gpu_access_end(&destination);
err1:
    emu_gpu_access_end(&source);
err0:
    return status;
}

enum emu_engine_status emu_copy_step(emu_gpu *gpu, const struct emu_packet_copy *copy,
                                     uint64_t *done, uint64_t *fault_address)
{
    struct pass pass = {copy->destination, copy->source, copy->size, copy->size, 1, true,
                        apply_copy,        NULL};
    return pass_step(gpu, &pass, done, fault_address);
}

enum emu_engine_status emu_fill_step(emu_gpu *gpu, const struct emu_packet_fill *fill,
                                     uint64_t *done, uint64_t *fault_address)
{
    const struct pass pass = {.destination = fill->destination,
                              .total = fill->size,
                              .unit = fill->unit,
                              .apply = apply_fill,
                              .pattern = fill->pattern};
    return pass_step(gpu, &pass, done, fault_address);
}

static uint64_t whole_words(uint64_t bytes)
{
    return bytes / sizeof(uint32_t) * sizeof(uint32_t);
}

enum emu_engine_status emu_kernel_step(emu_gpu *gpu, const struct emu_packet_dispatch *dispatch,
                                       const uint64_t limits[2], uint64_t *done,
                                       uint64_t *fault_address)
{
    if (dispatch->groups[0] == 0 || dispatch->groups[1] == 0 || dispatch->groups[2] == 0)
        return EMU_ENGINE_DONE;
    const uint32_t *constants = dispatch->constants;
    struct pass pass = {.destination = dispatch->arguments[0],
                        .source = dispatch->arguments[1],
                        .source_size = whole_words(limits[1]),
                        .total = (uint64_t)constants[1] * sizeof(uint32_t),
                        .unit = sizeof(uint32_t),
                        .pattern = &constants[0]};
    if (pass.total > whole_words(limits[0]))
        pass.total = whole_words(limits[0]);
    switch (dispatch->kernel) {
    case EMU_KERNEL_FILL:
        pass.apply = apply_fill;
        break;
    case EMU_KERNEL_COPY:
        pass.apply = apply_copy;
        pass.has_source = true;
        break;
    case EMU_KERNEL_ADD:
        pass.apply = apply_add;
        pass.has_source = true;
        break;
    case EMU_KERNEL_TOUCH:
        pass.apply = apply_fill;
        pass.destination = (uint64_t)constants[1] << 32 | constants[0];
        pass.total = sizeof(uint32_t);
        pass.pattern = &constants[2];
        break;
    case EMU_KERNEL_SPIN:
    default: /* the engine has refused all other kernels */
        return EMU_ENGINE_SPINNING;
    }
    return pass_step(gpu, &pass, done, fault_address);
}
