/* What `annot trace diff` says of two runs of one program [ANN-TRACE-06]: the second run changes
 * one thing, and its objects have other numbers. */
#include "made_trace.h"
#include "trace_diff.h"

#include "at_end.h"

#include <unistd.h>

enum { FRAMES = 4, PASSES = 3, DRAWS = 3, TEXTURES = 3 };
enum { DEVICE = 1, ALLOCATOR, LIST, FENCE, PIPELINES = 10, TEXTURE = 20 };

enum change {
    NOTHING,
    DRAW,            /* one draw is left out */
    CONSTANT,        /* one constant has another value */
    BARRIER_ORDER,   /* the barriers of each call come in another order */
    BARRIER,         /* one barrier leads to another state */
    BARRIER_TEXTURE, /* two barriers of a call have each other's textures */
    CREATION,        /* an object is created in another way */
    PASS,            /* the first pass of a frame comes last */
    RELEASE_ORDER,
    PRIVATE_ORDER
};

#define ON_LIST(name) METHOD_ID3D12GraphicsCommandList_##name

struct run {
    struct made made;
    enum change change;
    uint64_t shift;   /* what is added to the numbers of objects */
    bool has_garbage; /* the third constant differs in each run */
};

struct barrier { /* D3D12_RESOURCE_BARRIER of a transition */
    uint32_t type, flags;
    uint64_t resource;
    uint32_t subresource, before, after, padding;
};

static void call(struct run *r, int method, uint64_t self, const uint64_t args[4])
{
    uint64_t all[CODEC_ARGS] = {0};
    memcpy(all, args, 4 * sizeof *args);
    made_call(&r->made, method, self + r->shift, all, NULL);
}
#define CALL(r, method, self, ...) call(r, method, self, (const uint64_t[4]){__VA_ARGS__})

static uint64_t memory(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static void begin_event(struct run *r, const char *name)
{
    CALL(r, ON_LIST(BeginEvent), LIST, 1, memory(name), strlen(name) + 1);
}

static void set_barriers(struct run *r, bool is_here)
{
    struct barrier barriers[TEXTURES];
    for (uint32_t i = 0; i < TEXTURES; i++) {
        const uint32_t k = r->change == BARRIER_ORDER ? TEXTURES - 1 - i : i;
        const bool is_other = r->change == BARRIER_TEXTURE && is_here && k < 2;
        barriers[i] = (struct barrier){.resource = TEXTURE + (is_other ? 1 - k : k) + r->shift,
                                       .before = 4,
                                       .after = 64u << k};
        if (r->change == BARRIER && is_here && k == 1)
            barriers[i].after = 8;
    }
    CALL(r, ON_LIST(ResourceBarrier), LIST, TEXTURES, memory(barriers));
}

static void play_pass(struct run *r, uint32_t frame, uint32_t pass)
{
    static const char *const names[PASSES] = {"Shadows", "Lights", "Glow"};
    const bool is_here = frame == 2 && pass == 1;
    const float constants[3] = {(float)frame,
                                r->change == CONSTANT && is_here ? 0.25f : (float)pass,
                                r->has_garbage ? (float)r->shift : 0};
    begin_event(r, names[pass]);
    CALL(r, ON_LIST(SetPipelineState), LIST, PIPELINES + pass + r->shift);
    CALL(r, ON_LIST(SetGraphicsRoot32BitConstants), LIST, 0, 3, memory(constants));
    set_barriers(r, is_here);
    for (uint32_t i = 0; i < DRAWS; i++)
        if (r->change != DRAW || !is_here || i != 1)
            CALL(r, ON_LIST(DrawInstanced), LIST, 3 * (pass + 1), 1);
    CALL(r, ON_LIST(EndEvent), LIST, 0);
}

static void play_frame(struct run *r, uint32_t frame)
{
    CALL(r, ON_LIST(Reset), LIST, ALLOCATOR + r->shift);
    begin_event(r, "Frame");
    for (uint32_t i = 0; i < PASSES; i++)
        play_pass(r, frame, r->change == PASS && frame == 2 ? (i + 1) % PASSES : i);
    CALL(r, ON_LIST(EndEvent), LIST, 0);
    CALL(r, ON_LIST(Close), LIST, 0);
    CALL(r, METHOD_ID3D12Fence_Signal, FENCE, frame + 1);
}

static const uint8_t guids[2][16] = {{1}, {2}};

/* Any object will do as a texture. */
static void create(struct run *r, uint64_t object, uint64_t value)
{
    const uint64_t made = object + r->shift;
    CALL(r, METHOD_ID3D12Device_CreateFence, DEVICE, value, 0, memory(guids[0]), memory(&made));
}

/* Plays the whole program. */
static struct trace *play(struct run *r, enum change change, uint64_t shift, bool has_garbage)
{
    *r = (struct run){made_begin(2), change, shift, has_garbage};
    create(r, FENCE, change == CREATION ? 7 : 0);
    for (uint32_t i = 0; i < TEXTURES; i++)
        create(r, TEXTURE + i, 0);
    for (int i = 0; i < 2; i++)
        CALL(r, METHOD_ID3D12Object_SetPrivateData, FENCE,
             memory(guids[change == PRIVATE_ORDER ? 1 - i : i]), 16, memory(guids[0]));
    for (uint32_t i = 0; i < FRAMES; i++)
        play_frame(r, i);
    for (uint32_t i = 0; i < TEXTURES; i++)
        CALL(r, METHOD_IUnknown_Release, TEXTURE + (change == RELEASE_ORDER ? TEXTURES - 1 - i : i),
             0);
    return made_open(&r->made);
}

/* Returns what trace_diff prints. */
static char *said(struct trace *first, struct trace *second, struct trace *noise, int *status)
{
    char *text = calloc(1, 1 << 16);
    FILE *file = tmpfile();
    const int before = dup(STDOUT_FILENO);
    cr_assert(text && file && before >= 0);
    fflush(stdout);
    cr_assert(dup2(fileno(file), STDOUT_FILENO) >= 0);
    *status = trace_diff(first, second, noise, false);
    fflush(stdout);
    cr_assert(dup2(before, STDOUT_FILENO) >= 0);
    rewind(file);
    (void)!fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    close(before);
    return text;
}

/* Compares a run with a run that has a change. With garbage there is a third recording. */
static char *differences(enum change change, bool has_garbage, int *status)
{
    struct run runs[3];
    struct trace *traces[3] = {play(&runs[0], NOTHING, 0, has_garbage),
                               play(&runs[1], change, 1000, has_garbage),
                               play(&runs[2], NOTHING, 2000, has_garbage)};
    char *text = said(traces[0], traces[1], has_garbage ? traces[2] : NULL, status);
    for (int i = 0; i < 3; i++) {
        trace_close(traces[i]);
        fclose(runs[i].made.file);
    }
    return text;
}

/* Bytes that the program never wrote differ in a third recording, too. */
Test(diff, one_change_is_what_the_first_group_says)
{
#define PASS_2 ", in \"Frame\" / \"Lights\"\n"
    static const struct {
        enum change change;
        bool has_garbage;
        const char *begin, *end; /* of the first group's line */
        unsigned groups;
    } rows[] = {
        {NOTHING, false, "no difference in ", " calls\n", 0},
        {NOTHING, true, "no difference in ", " calls\n", 0},
        {BARRIER_ORDER, false, "no difference in ", " calls\n", 0},
        {RELEASE_ORDER, false, "no difference in ", " calls\n", 0},
        {PRIVATE_ORDER, false, "no difference in ", " calls\n", 0},
        {DRAW, false, "\nonly in the first trace, at call ", "::DrawInstanced" PASS_2, 1},
        {CONSTANT, false, "\nother arguments, at", "::SetGraphicsRoot32BitConstants" PASS_2, 1},
        {CONSTANT, true, "\nother arguments, at", "::SetGraphicsRoot32BitConstants" PASS_2, 1},
        {BARRIER, false, "\nother arguments, at call ", "::ResourceBarrier" PASS_2, 1},
        {BARRIER_TEXTURE, false, "\nother arguments, at call ", "::ResourceBarrier" PASS_2, 1},
        {CREATION, false, "\nother arguments, at call 1: ", "ID3D12Device::CreateFence\n", 1},
        {PASS, false, "\nother order, ", "::DrawInstanced, in \"Frame\"", 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned groups = 0;
        int status;
        AT_END(at_end_free) char *text = differences(rows[i].change, rows[i].has_garbage, &status);
        const char *at = strstr(text, rows[i].begin);
        const char *end = at ? strstr(at, rows[i].end) : NULL;
        cr_expect(end && end <= strchr(at + 1, '\n'), "row %zu: %s", i, text);
        for (at = text; (at = strchr(at, '\n')); at++)
            groups += at[1] && at[1] != ' ';
        cr_expect_eqs(groups, rows[i].groups, status, groups > 0);
    }
}
