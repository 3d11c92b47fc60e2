/* Describes the resources that an operation uses: buffers and textures with size and format, and
 * barriers. */
#include "reader/bound.h"

#include "dump_read/ops.h"
#include "base/search.h"

#include <annot/evidence.h>

#include <stdio.h>

/* DXGI_FORMAT, from 0. */
static const char formats[] =
    "UNKNOWN\0R32G32B32A32_TYPELESS\0R32G32B32A32_FLOAT\0R32G32B32A32_UINT\0R32G32B32A32_SINT\0"
    "R32G32B32_TYPELESS\0R32G32B32_FLOAT\0R32G32B32_UINT\0R32G32B32_SINT\0R16G16B16A16_TYPELESS\0"
    "R16G16B16A16_FLOAT\0R16G16B16A16_UNORM\0R16G16B16A16_UINT\0R16G16B16A16_SNORM\0"
    "R16G16B16A16_SINT\0R32G32_TYPELESS\0R32G32_FLOAT\0R32G32_UINT\0R32G32_SINT\0"
    "R32G8X24_TYPELESS\0D32_FLOAT_S8X24_UINT\0R32_FLOAT_X8X24_TYPELESS\0X32_TYPELESS_G8X24_UINT\0"
    "R10G10B10A2_TYPELESS\0R10G10B10A2_UNORM\0R10G10B10A2_UINT\0R11G11B10_FLOAT\0"
    "R8G8B8A8_TYPELESS\0R8G8B8A8_UNORM\0R8G8B8A8_UNORM_SRGB\0R8G8B8A8_UINT\0R8G8B8A8_SNORM\0"
    "R8G8B8A8_SINT\0R16G16_TYPELESS\0R16G16_FLOAT\0R16G16_UNORM\0R16G16_UINT\0R16G16_SNORM\0"
    "R16G16_SINT\0R32_TYPELESS\0D32_FLOAT\0R32_FLOAT\0R32_UINT\0R32_SINT\0R24G8_TYPELESS\0"
    "D24_UNORM_S8_UINT\0R24_UNORM_X8_TYPELESS\0X24_TYPELESS_G8_UINT\0R8G8_TYPELESS\0R8G8_UNORM\0"
    "R8G8_UINT\0R8G8_SNORM\0R8G8_SINT\0R16_TYPELESS\0R16_FLOAT\0D16_UNORM\0R16_UNORM\0R16_UINT\0"
    "R16_SNORM\0R16_SINT\0R8_TYPELESS\0R8_UNORM\0R8_UINT\0R8_SNORM\0R8_SINT\0A8_UNORM\0R1_UNORM\0"
    "R9G9B9E5_SHAREDEXP\0R8G8_B8G8_UNORM\0G8R8_G8B8_UNORM\0BC1_TYPELESS\0BC1_UNORM\0"
    "BC1_UNORM_SRGB\0BC2_TYPELESS\0BC2_UNORM\0BC2_UNORM_SRGB\0BC3_TYPELESS\0BC3_UNORM\0"
    "BC3_UNORM_SRGB\0BC4_TYPELESS\0BC4_UNORM\0BC4_SNORM\0BC5_TYPELESS\0BC5_UNORM\0BC5_SNORM\0"
    "B5G6R5_UNORM\0B5G5R5A1_UNORM\0B8G8R8A8_UNORM\0B8G8R8X8_UNORM\0R10G10B10_XR_BIAS_A2_UNORM\0"
    "B8G8R8A8_TYPELESS\0B8G8R8A8_UNORM_SRGB\0B8G8R8X8_TYPELESS\0B8G8R8X8_UNORM_SRGB\0"
    "BC6H_TYPELESS\0BC6H_UF16\0BC6H_SF16\0BC7_TYPELESS\0BC7_UNORM\0BC7_UNORM_SRGB";

const char *annot_dxgi_format_text(uint32_t format)
{
    return ANNOT__WORD_AT(formats, format);
}

/* ---- in words ---- */

enum { BUFFER = 1, TEXTURE_3D = 4 };

static void put_format(const annot_resource *resource, bool is_d3d12, char *text, size_t size)
{
    const char *name = is_d3d12 ? annot_dxgi_format_text(resource->format) : NULL;
    if (name)
        snprintf(text, size, "%s", name);
    else if (is_d3d12)
        snprintf(text, size, "format %u", resource->format);
    else
        annot__vulkan_format_text(resource->format, text, size);
}

bool annot__resource_text(const annot_reader *reader, uint64_t object, char *text, size_t size)
{
    annot_resource of;
    char format[40], samples[32] = "", depth[24] = "";
    if (!annot_reader_resource_of(reader, object, &of))
        return false;
    if (of.dimension == BUFFER) {
        snprintf(text, size, "buffer, %llu bytes", (unsigned long long)of.width);
        return true;
    }
    put_format(&of, reader->voice != ANNOT_VOICE_VULKAN, format, sizeof format);
    if (of.depth > 1)
        snprintf(depth, sizeof depth, of.dimension == TEXTURE_3D ? " x %u" : ", %u slices",
                 of.depth);
    if (of.samples > 1)
        snprintf(samples, sizeof samples, ", %u samples", of.samples);
    snprintf(text, size, "%llu x %u%s, %s%s", (unsigned long long)of.width, of.height, depth,
             format, samples);
    return true;
}

/* ---- states ---- */

/* The parts whose state no barrier has set yet, on the way back through the recording. */
struct open_parts {
    struct annot__part of[4 * ANNOT__STATES];
    uint32_t count;
};

static void add_state(struct annot__states *out, struct annot__part part, bool is_known,
                      struct annot__bound_state state)
{
    if (out->count == ANNOT__STATES) {
        out->is_cut = true;
        return;
    }
    out->of[out->count].part = part;
    out->of[out->count].is_known = is_known;
    out->of[out->count++].state = state;
}

/* Notes that a barrier gives the state of a part, so the open pieces in the part are known now. */
static void settle(struct open_parts *open, struct annot__part part, bool is_known,
                   struct annot__bound_state state, struct annot__states *out)
{
    struct open_parts left = {.count = 0};
    for (uint32_t i = 0; i < open->count; i++) {
        struct annot__part both, rest[ANNOT__PART_RESTS];
        if (!annot__part_meets(open->of[i], part, &both)) {
            rest[0] = open->of[i];
            both.is_unknown = true;
        }
        const uint32_t count = both.is_unknown ? 1 : annot__part_without(open->of[i], both, rest);
        if (!both.is_unknown)
            add_state(out, both, is_known, state);
        for (uint32_t k = 0; k < count; k++)
            if (left.count < sizeof left.of / sizeof *left.of)
                left.of[left.count++] = rest[k];
            else
                out->is_cut = true;
    }
    *open = left;
}

static void look_at(const annot_reader *reader, const annot_reader_operation *barrier,
                    uint64_t object, struct open_parts *open, struct annot__states *out)
{
    for (uint32_t i = barrier->object_count; i-- > 0 && open->count > 0;) {
        if (barrier->objects[i].object != object || 2 * i + 1 >= barrier->argument_count)
            continue;
        const int64_t after = barrier->arguments[2 * i + 1];
        const struct annot__part part = annot__part_of(reader, object, barrier->parts[i]);
        const struct annot__bound_state state = {barrier->kind, barrier->objects[i].role,
                                                 (uint32_t)after};
        if (annot__barrier_kind(after)) /* no transition */
            continue;
        if (!part.is_unknown) {
            settle(open, part, !(after & ANNOT_BARRIER_BEGINS), state, out);
            continue;
        }
        out->is_cut = true; /* an open part, or another part */
        open->count = 0;
    }
}

/* Finds states from the recording's barriers, back from the operation. */
static void states_of_barriers(const annot_reader *reader, const annot_reader_operation *operation,
                               uint32_t index, struct annot__states *out)
{
    const struct annot__range *noted = &reader->streams[operation->stream].noted;
    const uint64_t object = operation->objects[index].object;
    const bool is_vulkan = reader->voice == ANNOT_VOICE_VULKAN;
    struct open_parts open = {{annot__part_of(reader, object, operation->parts[index])}, 1};
    annot_reader_operation barrier;
    uint32_t at = noted->first, end = at + noted->count;
    ANNOT__LOWER_BOUND(at, end, i, reader->operations[i].number < operation->number);
    out->is_cut = open.of[0].is_unknown;
    for (uint32_t looked = 0; at > noted->first && open.count > 0 && !out->is_cut; looked++) {
        const struct annot__operation *of = &reader->operations[--at];
        out->is_cut = looked == ANNOT__BARRIERS_LOOKED ||
                      (is_vulkan && of->kind == ANNOT__EXECUTE_BUNDLE); /* which has barriers */
        if (!out->is_cut && annot__is_barrier(of->kind) &&
            annot__operation_read(reader, at, &barrier))
            look_at(reader, &barrier, object, &open, out);
    }
    out->is_all = open.count == 0 && !out->is_cut;
}

void annot__states_at(const annot_reader *reader, const annot_reader_operation *operation,
                      uint32_t index, struct annot__states *out)
{
    const annot_bound_object *bound = &operation->objects[index];
    out->count = 0;
    out->is_all = out->is_cut = false;
    if (annot__is_barrier(operation->kind))
        return;
    if (bound->layout == 0) {
        states_of_barriers(reader, operation, index, out);
        return;
    }
    add_state(out, annot__part_of(reader, bound->object, operation->parts[index]), true,
              (struct annot__bound_state){ANNOT__BARRIER, ANNOT_BOUND_BARRIER, bound->layout - 1});
    out->is_all = true;
}

bool annot__states_are_one(const struct annot__states *states)
{
    for (uint32_t i = 0; i < states->count; i++)
        if (!states->of[i].is_known || states->of[i].state.kind != states->of[0].state.kind ||
            states->of[i].state.role != states->of[0].state.role ||
            states->of[i].state.value != states->of[0].state.value)
            return false;
    return states->is_all;
}

bool annot__state_created(const annot_reader *reader, uint64_t object,
                          struct annot__bound_state *state)
{
    annot_resource of;
    if (!annot_reader_resource_of(reader, object, &of) || of.state == 0)
        return false;
    *state =
        (struct annot__bound_state){ANNOT__RESOURCE_BARRIER, ANNOT_BOUND_BARRIER, of.state - 1};
    return true;
}

/* ---- barriers ---- */

const char *annot__barrier_kind(int64_t after)
{
    return after & ANNOT_BARRIER_UAV              ? "unordered access"
           : after & ANNOT_BARRIER_ALIASED_BEFORE ? "another resource gets this resource's memory"
           : after & ANNOT_BARRIER_ALIASED_AFTER  ? "this resource gets another resource's memory"
                                                  : NULL;
}

const char *annot__barrier_half(int64_t after)
{
    return after & ANNOT_BARRIER_BEGINS ? "begins" : after & ANNOT_BARRIER_ENDS ? "ends" : NULL;
}

/* Returns true if only barriers, which have numbers, and idle operations are between the two
 * operations. */
static bool follows(const annot_reader *reader, uint32_t crumbs, uint32_t before, uint32_t number)
{
    if (crumbs == ANNOT__NONE)
        return number - before <= 1;
    for (uint32_t i = before + 1; i < number; i++)
        if (!annot__op_is_idle(annot__op_at(reader, reader->crumbs[crumbs].fields.log, i)))
            return false;
    return true;
}

static uint32_t barriers_in(const annot_reader *reader, uint32_t record)
{
    annot_reader_operation barrier;
    return annot__operation_read(reader, record, &barrier) ? barrier.object_count : 0;
}

/* Counts the barriers behind a bundle's last work. Returns false if the bundle works, or notes no
 * operations. */
static bool count_in_bundle(const annot_reader *reader, uint32_t stream,
                            struct annot__barriers *out)
{
    const struct annot__range none = {0, 0};
    const struct annot__range *noted =
        stream == ANNOT__NONE ? &none : &reader->streams[stream].noted;
    out->looked += noted->count;
    out->is_cut |= noted->count == 0 || out->looked > ANNOT__BARRIERS_LOOKED;
    if (out->is_cut)
        return false;
    for (uint32_t i = noted->first + noted->count; i-- > noted->first;) {
        if (!annot__is_barrier(reader->operations[i].kind))
            return false;
        out->left_out += barriers_in(reader, i);
    }
    return true;
}

/* Returns true if no bundle between two places of the recording does work, from the last one on. */
static bool is_idle_between(const annot_reader *reader, uint32_t stream, uint64_t from, uint64_t to,
                            struct annot__barriers *out)
{
    const struct annot__range *entries = &reader->streams[stream].entries;
    uint32_t low = entries->first, end = low + entries->count;
    ANNOT__LOWER_BOUND(low, end, i, reader->entries[i].offset < to);
    for (; end > entries->first && reader->entries[end - 1].offset >= from; end--) {
        const struct annot__entry *entry = &reader->entries[end - 1];
        out->is_cut |= ++out->looked > ANNOT__BARRIERS_LOOKED;
        if (out->is_cut ||
            (entry->kind == ANNOT_ENTRY_BUNDLE && !count_in_bundle(reader, entry->leaf.link, out)))
            return false;
    }
    return true;
}

/* Leaves out the first barriers, so that the last barriers are shown. */
static void leave_out(const annot_reader *reader, struct annot__barriers *of)
{
    uint32_t shown = 0, end = of->shown.first + of->shown.count, first = end;
    while (first > of->shown.first) {
        const uint32_t more = barriers_in(reader, first - 1);
        if (shown + more > ANNOT__BARRIERS_SHOWN)
            break;
        shown += more;
        first--;
    }
    for (uint32_t i = of->shown.first; i < first; i++)
        of->left_out += barriers_in(reader, i);
    of->shown = (struct annot__range){first, end - first};
}

void annot__barriers_before(const annot_reader *reader, const annot_reader_operation *operation,
                            struct annot__barriers *out)
{
    enum { MARKERS_LOOKED = 4096 };
    struct annot__range of = {operation->stream != ANNOT__NONE
                                  ? annot__operation_find(reader, operation->stream,
                                                          operation->number)
                                  : ANNOT__NONE,
                              0};
    *out = (struct annot__barriers){.left_out = 0};
    if (of.first == ANNOT__NONE)
        return;
    const struct annot__range *noted = &reader->streams[operation->stream].noted;
    while (annot__is_barrier(operation->kind) &&
           of.first + of.count < noted->first + noted->count &&
           reader->operations[of.first + of.count].number == operation->number)
        of.count++; /* its own */
    uint32_t number = operation->number;
    while (!out->is_cut) {
        const struct annot__operation *before =
            of.first > noted->first ? &reader->operations[of.first - 1] : NULL;
        if (before && (number - before->number > MARKERS_LOOKED ||
                       !follows(reader, operation->crumbs, before->number, number)))
            break;
        if (!is_idle_between(reader, operation->stream, before ? before->offset : 0,
                             reader->operations[of.first].offset, out) ||
            !before || !annot__is_barrier(before->kind))
            break;
        out->is_cut |= ++out->looked > ANNOT__BARRIERS_LOOKED;
        number = before->number;
        of.first--;
        of.count++;
    }
    /* the caller's barriers come before the bundle */
    out->is_cut |= of.first == noted->first && reader->streams[operation->stream].is_bundle;
    out->shown = of;
    leave_out(reader, out);
}
