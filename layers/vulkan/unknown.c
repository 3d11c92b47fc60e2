/*
 * Commands that the layer has no function of its own for. One that may do work is counted where it
 * is called, so that no neighbour is taken for the only one. Its parameters are not known: a stub
 * tells of the call, with all registers as they were, and jumps on to the next layer's function.
 *
 * There is a stub for each name that was asked for; processors without stubs get the next layer's
 * function, whose calls are not counted.
 */
#include "calls.h"
#include "classes.h"

/* VKL_STUBS of them, each of so many bytes. */
enum { STUB_BYTES = 16, NAME_MAX_BYTES = 64 };

_Static_assert(VKL_STUBS == 160, "as below");

/* ---- classes ---- */

static const struct {
    const char *name;
    uint32_t kind;
} works[] = {
#define WORK(name, kind) {"vkCmd" #name, VKL_OP_##kind},
    VKL_OTHER_WORK(WORK)};

static const char *const others[] = {
#define NAME(name) "vkCmd" #name,
    VKL_ORDER(NAME) VKL_STATE(NAME) VKL_LABELS(NAME)};

static bool does_no_work(const char *name)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], name) == 0)
            return true;
    return false;
}

static uint32_t kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (strcmp(works[i].name, name) == 0)
            return works[i].kind;
    return ANNOT_KIND_UNKNOWN;
}

/* ---- names that were asked for ---- */

static struct {
    pthread_mutex_t lock;
    atomic_uint count;
    struct asked {
        char name[NAME_MAX_BYTES];
        uint32_t kind;
        PFN_vkVoidFunction next; /* the first answer, for devices that have none of this name */
    } asked[VKL_STUBS];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* VKL_STUBS: there is no more room. */
static uint32_t place_of(const char *name, PFN_vkVoidFunction next)
{
    uint32_t place = 0, count;
    pthread_mutex_lock(&all.lock);
    count = atomic_load_explicit(&all.count, memory_order_relaxed);
    while (place < count && strcmp(all.asked[place].name, name) != 0)
        place++;
    if (place == count && count < VKL_STUBS) {
        struct asked *asked = &all.asked[place];
        memcpy(asked->name, name, strlen(name) + 1);
        asked->kind = kind_of(name);
        asked->next = next;
        atomic_store_explicit(&all.count, count + 1, memory_order_release);
    }
    pthread_mutex_unlock(&all.lock);
    return place;
}

static PFN_vkVoidFunction next_of(struct vkl_device *device, uint32_t place)
{
    const struct asked *asked = &all.asked[place];
    if (!device)
        return asked->next;
    PFN_vkVoidFunction next = atomic_load_explicit(&device->unknown[place], memory_order_acquire);
    if (next)
        return next;
    next = device->next.GetDeviceProcAddr(device->handle, asked->name);
    next = next ? next : asked->next;
    atomic_store_explicit(&device->unknown[place], next, memory_order_release);
    return next;
}

/* A stub was called: where it jumps. */
__attribute__((visibility("hidden"), used)) PFN_vkVoidFunction
vkl_unknown_called(VkCommandBuffer handle, uint32_t place);

PFN_vkVoidFunction vkl_unknown_called(VkCommandBuffer handle, uint32_t place)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (cmd) {
        cmd->operation = (struct vkl_operation){.kind = all.asked[place].kind};
        cmd->has_operation = true;
        cmd->stream.unnoted++;
    }
    return next_of(cmd ? cmd->device : vkl_device_of(vkl_key(handle)), place);
}

/* ---- stubs: they leave their number where no argument is ---- */

#if defined(__x86_64__)
__asm__(".pushsection .text\n"
        ".p2align 4\n"
        "vkl_unknown_enter:\n"
        "pushq %rbp\n movq %rsp, %rbp\n"
        "pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n"
        "subq $128, %rsp\n"
        "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n"
        "movups %xmm3, 48(%rsp)\n movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n"
        "movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
        "movl %eax, %esi\n"
        "call vkl_unknown_called\n"
        "movq %rax, %r11\n"
        "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n"
        "movups 48(%rsp), %xmm3\n movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n"
        "movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"
        "addq $128, %rsp\n"
        "popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %rbp\n"
        "jmp *%r11\n"
        ".p2align 4\n"
        ".hidden vkl_unknown_stubs\n .globl vkl_unknown_stubs\n"
        "vkl_unknown_stubs:\n"
        ".set vkl_stub, 0\n"
        ".rept 160\n"
        ".p2align 4\n endbr64\n movl $vkl_stub, %eax\n jmp vkl_unknown_enter\n"
        ".set vkl_stub, vkl_stub + 1\n"
        ".endr\n"
        ".popsection\n");
#define HAS_STUBS 1
#elif defined(__aarch64__)
__asm__(".pushsection .text\n"
        ".p2align 4\n"
        "vkl_unknown_enter:\n"
        "stp x29, x30, [sp, #-224]!\n mov x29, sp\n"
        "stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n"
        "stp x6, x7, [sp, #64]\n stp x8, x9, [sp, #80]\n"
        "stp q0, q1, [sp, #96]\n stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n"
        "stp q6, q7, [sp, #192]\n"
        "mov w1, w16\n bl vkl_unknown_called\n mov x16, x0\n"
        "ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n"
        "ldp x6, x7, [sp, #64]\n ldp x8, x9, [sp, #80]\n"
        "ldp q0, q1, [sp, #96]\n ldp q2, q3, [sp, #128]\n ldp q4, q5, [sp, #160]\n"
        "ldp q6, q7, [sp, #192]\n"
        "ldp x29, x30, [sp], #224\n br x16\n"
        ".p2align 4\n"
        ".hidden vkl_unknown_stubs\n .globl vkl_unknown_stubs\n"
        "vkl_unknown_stubs:\n"
        ".set vkl_stub, 0\n"
        ".rept 160\n"
        ".p2align 4\n hint #34\n mov w16, #vkl_stub\n b vkl_unknown_enter\n"
        ".set vkl_stub, vkl_stub + 1\n"
        ".endr\n"
        ".popsection\n");
#define HAS_STUBS 1
#else
#define HAS_STUBS 0
#endif

#if HAS_STUBS
extern const char vkl_unknown_stubs[] __attribute__((visibility("hidden")));

PFN_vkVoidFunction vkl_unknown_stub(const char *name, PFN_vkVoidFunction next)
{
    if (!next || strncmp(name, "vkCmd", 5) != 0 || strlen(name) >= NAME_MAX_BYTES ||
        does_no_work(name))
        return next;
    const uint32_t place = place_of(name, next);
    if (place == VKL_STUBS)
        return next;
    return (PFN_vkVoidFunction)(uintptr_t)(vkl_unknown_stubs + (size_t)place * STUB_BYTES);
}
#else
PFN_vkVoidFunction vkl_unknown_stub(const char *name, PFN_vkVoidFunction next)
{
    (void)name;
    return next;
}
#endif
