/* Commands without a function in the layer. A command that may do work is counted, so that no other
 * command seems to be the only one. A stub notes the call, restores all registers, and jumps to the
 * next layer's function; it knows a command's arguments in registers by its name.
 *
 * There is a stub for each name that was asked for; processors without stubs get the next layer's
 * function, whose calls are not counted. */
#include "calls.h"
#include "classes.h"

/* The bytes of each of the VKL_STUBS stubs. */
enum { STUB_BYTES = 16, NAME_MAX_BYTES = 64 };

_Static_assert(VKL_STUBS == 160, "as below");

/* ---- classes ---- */

enum { NO_WORK = 0 };

static const struct named {
    const char *name;
    uint32_t is; /* the operation's kind, or NO_WORK */
} kinds[] = {
#define WORK(name, kind) {"vkCmd" #name, VKL_OP_##kind},
#define NAME(name)       {"vkCmd" #name, NO_WORK},
    VKL_OTHER_WORK(WORK) VKL_ORDER(NAME) VKL_STATE(NAME) VKL_LABELS(NAME)};

/* Commands that set noted state in a way that the layer doesn't follow: enum vkl_set. An unknown
 * command may set all of it. */
static const struct named setters[] = {
    {"vkCmdBindShadersEXT", VKL_PIPELINES},
    {"vkCmdBindPipelineShaderGroupNV", VKL_PIPELINES},
    {"vkCmdBindIndexBuffer3KHR", VKL_INDICES},
    {"vkCmdBindVertexBuffers3KHR", VKL_VERTICES},
    {"vkCmdBeginCustomResolveEXT", VKL_PASS},
    {"vkCmdExecuteGeneratedCommandsEXT", VKL_BOUND},
    {"vkCmdExecuteGeneratedCommandsNV", VKL_BOUND},
};

/* What the table says of a name, or `otherwise`. */
static uint32_t look_up(const struct named *table, size_t count, const char *name,
                        uint32_t otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].is;
    return otherwise;
}

static uint32_t kind_of(const char *name)
{
    return look_up(kinds, sizeof kinds / sizeof *kinds, name, ANNOT_KIND_UNKNOWN);
}

static uint32_t sets_of(const char *name, uint32_t kind)
{
    return look_up(setters, sizeof setters / sizeof *setters, name,
                   kind == ANNOT_KIND_UNKNOWN ? VKL_BOUND | VKL_PASS : 0);
}

/* ---- arguments ---- */

/* The parameters of a command behind its command buffer, one letter each: x, y and z are the
 * operation's numbers, X, Y and Z the same with 64 bits; a and c are the buffers of arguments and
 * counts; s and d are acceleration structures that are read and written; i is a written image; -
 * has 32 bits, = has 64, and neither is noted. `point` is the kind of pipeline, or NONE. */
enum { NONE = -1, GRAPHICS, COMPUTE, RAYS };

static const struct recipe {
    const char *name;
    int point;
    const char *letters;
} recipes[] = {
    {"vkCmdDrawMeshTasksNV", GRAPHICS, "x"},
    {"vkCmdDrawMeshTasksIndirectNV", GRAPHICS, "aYx"},
    {"vkCmdDrawMeshTasksIndirectCountNV", GRAPHICS, "aYc=x"},
    {"vkCmdDrawIndirectCountAMD", GRAPHICS, "aYc=x"},
    {"vkCmdDrawIndexedIndirectCountAMD", GRAPHICS, "aYc=x"},
    {"vkCmdDrawClusterHUAWEI", GRAPHICS, "xyz"},
    {"vkCmdDrawClusterIndirectHUAWEI", GRAPHICS, "aY"},
    {"vkCmdSubpassShadingHUAWEI", COMPUTE, ""},
    {"vkCmdTraceRaysNV", RAYS, ""},
    {"vkCmdCopyMemoryIndirectNV", NONE, "Yx"},
    {"vkCmdCopyMemoryToImageIndirectNV", NONE, "Yx-i"},
    {"vkCmdCopyAccelerationStructureNV", NONE, "ds"},
    {"vkCmdBuildMicromapsEXT", NONE, "x"},
    {"vkCmdDecompressMemoryNV", NONE, "x"},
    {"vkCmdWriteAccelerationStructuresPropertiesKHR", NONE, "x"},
    {"vkCmdWriteAccelerationStructuresPropertiesNV", NONE, "x"},
    {"vkCmdWriteMicromapsPropertiesEXT", NONE, "x"},
};

static const struct recipe *recipe_of(const char *name)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        if (strcmp(recipes[i].name, name) == 0)
            return &recipes[i];
    return NULL;
}

static void add_object(struct vkl_operation *to, uint32_t role, VkObjectType type, uint64_t handle)
{
    to->objects[to->object_count++] = (struct vkl_bound){role, 0, type, handle, 0};
}

static void add_number(struct vkl_operation *to, uint32_t place, int64_t number)
{
    to->arguments[place] = number;
    if (to->argument_count <= place)
        to->argument_count = place + 1;
}

static void add_argument(struct vkl_operation *to, char letter, uint64_t value)
{
    static const struct {
        char letter;
        uint32_t role;
        VkObjectType type;
    } objects[] = {
        {'a', ANNOT_BOUND_ARGUMENTS, VK_OBJECT_TYPE_BUFFER},
        {'c', ANNOT_BOUND_COUNTS, VK_OBJECT_TYPE_BUFFER},
        {'s', ANNOT_BOUND_SOURCE, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV},
        {'d', ANNOT_BOUND_DESTINATION, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV},
        {'i', ANNOT_BOUND_DESTINATION, VK_OBJECT_TYPE_IMAGE},
    };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (objects[i].letter == letter)
            add_object(to, objects[i].role, objects[i].type, value);
    if (letter >= 'x')
        add_number(to, (uint32_t)(letter - 'x'), (uint32_t)value);
    else if (letter >= 'X' && letter <= 'Z')
        add_number(to, (uint32_t)(letter - 'X'), (int64_t)value);
}

/* ---- names that were asked for ---- */

static struct {
    pthread_mutex_t lock;
    atomic_uint count;
    struct asked {
        char name[NAME_MAX_BYTES];
        uint32_t kind, sets;
        const struct recipe *recipe; /* NULL: nothing is known of the command's arguments */
        PFN_vkVoidFunction next;     /* the first answer, for devices that lack this name */
    } asked[VKL_STUBS];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Returns the name's place; VKL_STUBS: there is no room. */
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
        asked->sets = sets_of(name, asked->kind);
        asked->recipe = recipe_of(name);
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

/* The arguments behind the command buffer, where the stub saved them or the caller put them. */
#if defined(__i386__)
typedef uint32_t saved_word;
enum { ARGUMENTS = 8 };
#else
typedef uint64_t saved_word;
enum { ARGUMENTS = 5 };                  /* in registers */
#endif

static uint64_t next_argument(const saved_word *saved, size_t *at, char letter)
{
#if defined(__x86_64__)
    (void)letter;
    return saved[4 - (*at)++]; /* pushed one on the other */
#elif defined(__i386__)
    const uint64_t low = saved[(*at)++]; /* on the stack; 64 bits take two words */
    return strchr("xyz-", letter) ? low : low | (uint64_t)saved[(*at)++] << 32;
#else
    (void)letter;
    return saved[1 + (*at)++];
#endif
}

/* Returns the place to which a called stub jumps. */
__attribute__((visibility("hidden"), used)) PFN_vkVoidFunction
vkl_unknown_called(VkCommandBuffer handle, uint32_t place, const saved_word *saved);

static void note(struct vkl_cmd *cmd, const struct asked *asked, const saved_word *saved)
{
    const struct recipe *recipe = asked->recipe;
    struct vkl_operation *to = &cmd->operation;
    *to = (struct vkl_operation){.kind = asked->kind};
    if (recipe && recipe->point != NONE)
        add_object(to, ANNOT_BOUND_PIPELINE, VK_OBJECT_TYPE_PIPELINE,
                   (uint64_t)cmd->pipelines[recipe->point]);
    size_t at = 0;
    for (size_t i = 0; recipe && i < ARGUMENTS && recipe->letters[i]; i++)
        add_argument(to, recipe->letters[i], next_argument(saved, &at, recipe->letters[i]));
    to->targets = recipe && recipe->point == GRAPHICS ? VKL_ALL_TARGETS : 0;
    cmd->has_operation = true;
    cmd->stream.unnoted++;
}

PFN_vkVoidFunction vkl_unknown_called(VkCommandBuffer handle, uint32_t place,
                                      const saved_word *saved)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (cmd) {
        const struct asked *asked = &all.asked[place];
        if (asked->kind != NO_WORK)
            note(cmd, asked, saved);
        if (cmd->device->settings.level == CRASH_LEVEL_EXACT)
            vkl_operation_flush(cmd); /* before other targets and barriers */
        vkl_bound_forget(cmd, asked->sets);
    }
    return next_of(cmd ? cmd->device : vkl_device_of(vkl_key(handle)), place);
}

/* ---- stubs: they leave their number in a register without an argument ---- */

#if defined(__x86_64__)
#define ENTER                                                                                      \
    "pushq %rbp\n movq %rsp, %rbp\n"                                                               \
    "pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n"                  \
    "subq $128, %rsp\n"                                                                            \
    "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n"                     \
    "movups %xmm3, 48(%rsp)\n movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n"                   \
    "movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"                                           \
    "movl %eax, %esi\n"                                                                            \
    "leaq -48(%rbp), %rdx\n"                                                                       \
    "call vkl_unknown_called\n"                                                                    \
    "movq %rax, %r11\n"                                                                            \
    "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n"                     \
    "movups 48(%rsp), %xmm3\n movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n"                   \
    "movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"                                           \
    "addq $128, %rsp\n"                                                                            \
    "popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %rbp\n"            \
    "jmp *%r11\n"
#define STUB "endbr64\n movl $vkl_stub, %eax\n jmp vkl_unknown_enter\n"
#elif defined(__aarch64__)
#define ENTER                                                                                      \
    "stp x29, x30, [sp, #-224]!\n mov x29, sp\n"                                                   \
    "stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n"                      \
    "stp x6, x7, [sp, #64]\n stp x8, x9, [sp, #80]\n"                                              \
    "stp q0, q1, [sp, #96]\n stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n"                    \
    "stp q6, q7, [sp, #192]\n"                                                                     \
    "mov w1, w16\n add x2, sp, #16\n bl vkl_unknown_called\n mov x16, x0\n"                        \
    "ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n"                      \
    "ldp x6, x7, [sp, #64]\n ldp x8, x9, [sp, #80]\n"                                              \
    "ldp q0, q1, [sp, #96]\n ldp q2, q3, [sp, #128]\n ldp q4, q5, [sp, #160]\n"                    \
    "ldp q6, q7, [sp, #192]\n"                                                                     \
    "ldp x29, x30, [sp], #224\n br x16\n"
#define STUB "hint #34\n mov w16, #vkl_stub\n b vkl_unknown_enter\n"
#elif defined(__i386__) /* no argument is in a register */
#define ENTER                                                                                      \
    "pushl %ebp\n movl %esp, %ebp\n"                                                               \
    "leal 12(%ebp), %ecx\n movl 8(%ebp), %edx\n"                                                   \
    "andl $-16, %esp\n subl $16, %esp\n"                                                           \
    "movl %edx, (%esp)\n movl %eax, 4(%esp)\n movl %ecx, 8(%esp)\n"                                \
    "call vkl_unknown_called\n"                                                                    \
    "leave\n jmp *%eax\n"
#define STUB "endbr32\n movl $vkl_stub, %eax\n jmp vkl_unknown_enter\n"
#endif

#ifdef STUB
__asm__(".pushsection .text\n"
        ".p2align 4\n"
        "vkl_unknown_enter:\n" ENTER ".p2align 4\n"
        ".hidden vkl_unknown_stubs\n .globl vkl_unknown_stubs\n"
        "vkl_unknown_stubs:\n"
        ".set vkl_stub, 0\n"
        ".rept 160\n"
        ".p2align 4\n" STUB ".set vkl_stub, vkl_stub + 1\n"
        ".endr\n"
        ".popsection\n");
extern const char vkl_unknown_stubs[] __attribute__((visibility("hidden")));

PFN_vkVoidFunction vkl_unknown_stub(const char *name, PFN_vkVoidFunction next)
{
    if (!next || strncmp(name, "vkCmd", 5) != 0 || strlen(name) >= NAME_MAX_BYTES ||
        (kind_of(name) == NO_WORK && sets_of(name, NO_WORK) == 0))
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
