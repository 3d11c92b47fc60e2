#define INITGUID
#include "asserts.h"
#include "d3d12_objects.h"
#include "stage.h"

enum { ACTORS_MAX = 64, NAME_MAX_SIZE = 32, BUFFER_SIZE = 65536 };

enum actor_kind { ACTOR_QUEUE, ACTOR_LIST, ACTOR_BUNDLE, ACTOR_FENCE };

struct actor {
    char name[NAME_MAX_SIZE];
    enum actor_kind kind;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
};

struct stage {
    ID3D12Device *device;
    ID3D12RootSignature *root_signature;
    ID3D12PipelineState *fill, *spin, *touch;
    ID3D12Resource *buffer;
    struct actor actors[ACTORS_MAX];
    size_t actor_count;
};

/* ---- the set ---- */

static void stage_open(struct stage *s)
{
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&s->device));
    kit_set_mode(s->device, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    s->root_signature = kit_root_signature(s->device);
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(BUFFER_SIZE);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    s->buffer = kit_resource(s->device, &desc, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    s->fill = kit_pipeline(s->device, s->root_signature, EMU_KERNEL_FILL);
    s->spin = kit_pipeline(s->device, s->root_signature, EMU_KERNEL_SPIN);
    s->touch = kit_pipeline(s->device, s->root_signature, EMU_KERNEL_TOUCH);
}

static void stage_close(struct stage *s)
{
    for (size_t i = 0; i < s->actor_count; i++) {
        struct actor *a = &s->actors[i];
        if (a->list)
            ID3D12GraphicsCommandList_Release(a->list);
        if (a->allocator)
            ID3D12CommandAllocator_Release(a->allocator);
        if (a->queue)
            ID3D12CommandQueue_Release(a->queue);
        if (a->fence)
            ID3D12Fence_Release(a->fence);
    }
    RELEASE(s->fill, s->spin, s->touch, s->buffer, s->root_signature);
    ULONG left = ID3D12Device_Release(s->device);
    cr_assert_eq(left, 0, "%u references to the device are left", (unsigned)left);
}

/* ---- actors ---- */

static struct actor *find(struct stage *s, const char *name)
{
    for (size_t i = 0; i < s->actor_count; i++)
        if (strcmp(s->actors[i].name, name) == 0)
            return &s->actors[i];
    cr_assert_fail("the script speaks of %s before it was made", name);
    return NULL;
}

static struct actor *make_actor(struct stage *s, enum actor_kind kind, const char *name)
{
    cr_assert(s->actor_count < ACTORS_MAX && strlen(name) < NAME_MAX_SIZE);
    struct actor *a = &s->actors[s->actor_count++];
    *a = (struct actor){.kind = kind};
    memcpy(a->name, name, strlen(name) + 1);
    return a;
}

static D3D12_COMMAND_LIST_TYPE type_of(const char *word)
{
    if (strcmp(word, "compute") == 0)
        return D3D12_COMMAND_LIST_TYPE_COMPUTE;
    if (strcmp(word, "copy") == 0)
        return D3D12_COMMAND_LIST_TYPE_COPY;
    return D3D12_COMMAND_LIST_TYPE_DIRECT;
}

static void name_object(void *object, const char *name)
{
    WCHAR wide[NAME_MAX_SIZE] = {0};
    for (size_t i = 0; name[i] != '\0' && i < NAME_MAX_SIZE - 1; i++)
        wide[i] = (WCHAR)name[i]; /* ASCII; libc's own functions know one width of wchar_t only */
    MUST(ID3D12Object_SetName((ID3D12Object *)object, wide));
}

static void make_queue(struct stage *s, const char *name, const char *type)
{
    struct actor *a = make_actor(s, ACTOR_QUEUE, name);
    a->queue = kit_queue(s->device, type_of(type));
    name_object(a->queue, name);
}

static void prepare_list(struct stage *s, struct actor *a)
{
    ID3D12GraphicsCommandList_SetComputeRootSignature(a->list, s->root_signature);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        a->list, 0, ID3D12Resource_GetGPUVirtualAddress(s->buffer));
}

static void make_list(struct stage *s, const char *name, D3D12_COMMAND_LIST_TYPE type)
{
    bool is_bundle = type == D3D12_COMMAND_LIST_TYPE_BUNDLE;
    struct actor *a = make_actor(s, is_bundle ? ACTOR_BUNDLE : ACTOR_LIST, name);
    a->allocator = kit_allocator(s->device, type);
    a->list = kit_list(s->device, a->allocator, type);
    name_object(a->list, name);
    prepare_list(s, a);
}

static void make_fence(struct stage *s, const char *name)
{
    struct actor *a = make_actor(s, ACTOR_FENCE, name);
    a->fence = kit_fence(s->device, 0);
    name_object(a->fence, name);
}

/* ---- commands ---- */

static void begin(struct actor *a, const char *text)
{
    if (a->queue)
        ID3D12CommandQueue_BeginEvent(a->queue, 1, text, (UINT)strlen(text));
    else
        ID3D12GraphicsCommandList_BeginEvent(a->list, 1, text, (UINT)strlen(text));
}

static void set(struct actor *a, const char *text)
{
    if (a->queue)
        ID3D12CommandQueue_SetMarker(a->queue, 1, text, (UINT)strlen(text));
    else
        ID3D12GraphicsCommandList_SetMarker(a->list, 1, text, (UINT)strlen(text));
}

static void end(struct actor *a)
{
    if (a->queue)
        ID3D12CommandQueue_EndEvent(a->queue);
    else
        ID3D12GraphicsCommandList_EndEvent(a->list);
}

static void dispatch(struct stage *s, struct actor *a, ID3D12PipelineState *pipeline)
{
    UINT constants[2] = {42, BUFFER_SIZE / 4};
    if (pipeline == s->touch) {
        constants[0] = 0xdead0000u;
        constants[1] = 0x7fffu;
    }
    ID3D12GraphicsCommandList_SetPipelineState(a->list, pipeline);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(a->list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(a->list, 1, 1, 1);
}

static void execute(struct stage *s, struct actor *queue, char *names)
{
    ID3D12CommandList *lists[ACTORS_MAX];
    UINT count = 0;
    for (char *state, *name = strtok_r(names, " ", &state); name;
         name = strtok_r(NULL, " ", &state))
        lists[count++] = (ID3D12CommandList *)find(s, name)->list;
    ID3D12CommandQueue_ExecuteCommandLists(queue->queue, count, lists);
}

static void nest(struct actor *a, unsigned count)
{
    for (unsigned depth = 1; depth <= count; depth++) {
        char text[32];
        snprintf(text, sizeof text, "depth %u", depth);
        begin(a, text);
    }
}

/* Cuts the next word off `*rest`; "" at the end. */
static char *word(char **rest)
{
    char *start = *rest + strspn(*rest, " ");
    char *stop = start + strcspn(start, " ");
    *rest = *stop ? stop + 1 : stop;
    *stop = 0;
    return start;
}

static void command(struct stage *s, char *line)
{
    char *rest = line;
    const char *verb = word(&rest);
    const char *name = word(&rest);
#define IS(text) (strcmp(verb, text) == 0)
    if (IS("queue"))
        make_queue(s, name, word(&rest));
    else if (IS("list"))
        make_list(s, name, type_of(word(&rest)));
    else if (IS("bundle"))
        make_list(s, name, D3D12_COMMAND_LIST_TYPE_BUNDLE);
    else if (IS("fence"))
        make_fence(s, name);
    else if (IS("begin"))
        begin(find(s, name), rest);
    else if (IS("end"))
        end(find(s, name));
    else if (IS("set"))
        set(find(s, name), rest);
    else if (IS("nest"))
        nest(find(s, name), (unsigned)strtoul(rest, NULL, 10));
    else if (IS("unnest"))
        for (unsigned long left = strtoul(rest, NULL, 10); left > 0; left--)
            end(find(s, name));
    else if (IS("fill"))
        for (unsigned long left = strtoul(rest, &rest, 10); left > 0; left--)
            set(find(s, name), rest + 1);
    else if (IS("work"))
        dispatch(s, find(s, name), s->fill);
    else if (IS("spin"))
        dispatch(s, find(s, name), s->spin);
    else if (IS("touch"))
        dispatch(s, find(s, name), s->touch);
    else if (IS("call"))
        ID3D12GraphicsCommandList_ExecuteBundle(find(s, name)->list, find(s, rest)->list);
    else if (IS("close"))
        MUST(ID3D12GraphicsCommandList_Close(find(s, name)->list));
    else if (IS("exec"))
        execute(s, find(s, name), rest);
    else if (IS("signal")) {
        struct actor *fence = find(s, word(&rest));
        MUST(ID3D12CommandQueue_Signal(find(s, name)->queue, fence->fence,
                                       strtoull(rest, NULL, 10)));
    } else if (IS("wait")) {
        struct actor *fence = find(s, word(&rest));
        MUST(ID3D12CommandQueue_Wait(find(s, name)->queue, fence->fence, strtoull(rest, NULL, 10)));
    } else if (IS("reset"))
        MUST(ID3D12CommandAllocator_Reset(find(s, name)->allocator));
    else if (IS("reopen")) {
        struct actor *a = find(s, name);
        MUST(ID3D12GraphicsCommandList_Reset(a->list, a->allocator, NULL));
        prepare_list(s, a);
    } else if (IS("steps"))
        emu_run_steps(s->device, strtoull(name, NULL, 10));
    else if (IS("run"))
        emu_run_until_idle(s->device);
    else
        cr_assert_fail("the script says %s", verb);
#undef IS
}

void stage_play(const emu_config *config, const char *script, const char *dump_path)
{
    emu_config own = *config;
    own.order = EMU_ORDER_SEEDED;
    own.dump_path = dump_path;
    if (dump_path)
        remove(dump_path); /* the scene before may have left one */
    cr_assert_eq(emu_configure(&own), ANNOT_OK);
    struct stage *s = calloc(1, sizeof *s);
    char *lines = malloc(strlen(script) + 1);
    cr_assert(s && lines);
    strcpy(lines, script);
    stage_open(s);
    for (char *state, *line = strtok_r(lines, ";\n", &state); line;
         line = strtok_r(NULL, ";\n", &state)) {
        line += strspn(line, " ");
        if (*line)
            command(s, line);
    }
    stage_close(s);
    free(lines);
    free(s);
}
