#include "trace_trim.h"

#include "cli.h"
#include "trim_survey.h"
#include "array.h"
#include "json_writer.h"

#include <capture/trace/schema.h>
#include <capture/trace/write.h>

/* The set of needed calls grows until nothing more is needed; calls are never removed. */
struct closure {
    struct trim_survey *s;
    uint64_t from;
    uint32_t *stack;
    size_t stack_capacity;
    uint32_t stamp;
    bool needs_all; /* the addresses in buffers are unknown, so all memory is needed */
    bool has_changed, has_failed;
};

/* ---- needed nodes ---- */

static void need(struct closure *c, uint32_t node)
{
    struct trim_survey *s = c->s;
    const uint32_t root = trim_alias(s, node);
    if (!root || s->nodes[root].is_needed)
        return;
    s->nodes[root].is_needed = c->has_changed = true;
    c->needs_all |= s->nodes[root].touches_all;
    if (s->nodes[root].kind == NODE_MEMORY)
        s->nodes[trim_memory(s, root)].is_memory_needed = true;
}

static bool is_needed(const struct closure *c, uint32_t node)
{
    return node && c->s->nodes[trim_alias(c->s, node)].is_needed;
}

static void keep(struct closure *c, struct trim_call *call)
{
    call->is_kept = c->has_changed = true;
    need(c, call->self);
    need(c, call->recording);
    for (uint32_t i = call->first; i < call->end; i++)
        need(c, c->s->pool[i]);
}

static bool push(struct closure *c, size_t *height, uint32_t node)
{
    struct trim_node *n = &c->s->nodes[node];
    if (n->stamp == c->stamp)
        return true;
    n->stamp = c->stamp;
    if (!ARRAY_ROOM(c->stack, *height, c->stack_capacity))
        return false;
    c->stack[(*height)++] = node;
    return true;
}

/* Whether the GPU may have touched needed memory when it executed this call. */
static bool touches_needed(struct closure *c, const struct trim_call *call)
{
    struct trim_survey *s = c->s;
    size_t height = 0;
    c->stamp++;
    for (uint32_t i = call->first; i < call->end; i++)
        if (s->nodes[s->pool[i]].kind == NODE_RECORDING)
            c->has_failed |= !push(c, &height, s->pool[i]);
    while (height) {
        const struct trim_node *n = &s->nodes[c->stack[--height]];
        const uint32_t node = (uint32_t)(n - s->nodes);
        if (n->touches_all ||
            (n->kind == NODE_MEMORY && s->nodes[trim_memory(s, node)].is_memory_needed))
            return true;
        for (uint32_t e = n->first_edge; e; e = s->edges[e].next)
            c->has_failed |= !push(c, &height, trim_alias(s, s->edges[e].to));
    }
    return false;
}

static bool any_needed(const struct closure *c, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (is_needed(c, c->s->pool[i]))
            return true;
    return false;
}

/* Whether a call only counts references. An object that the range only releases is not created. */
static bool counts_references(const struct trim_call *call)
{
    return call->method == METHOD_IUnknown_AddRef || call->method == METHOD_IUnknown_Release;
}

static bool has_to_be_kept(struct closure *c, const struct trim_call *call)
{
    if (c->s->was_removed || (call->number >= c->from && !counts_references(call)))
        return true;
    switch ((enum trim_rule)call->rule) {
    case RULE_NEVER:
        return false;
    case RULE_ALWAYS:
        return true;
    case RULE_SELF:
    case RULE_RETURN:
        return is_needed(c, call->self);
    case RULE_CREATION:
        return any_needed(c, call->created, call->end);
    case RULE_RECORDED: /* the Close of a list counts, whatever was recorded */
        return is_needed(c, call->recording) || (call->is_close && is_needed(c, call->self));
    case RULE_EXECUTION:
        return touches_needed(c, call);
    case RULE_VIEW:
        return call->heaps ? any_needed(c, call->first, call->first + call->heaps) : true;
    case RULE_ARGUMENTS:
        return any_needed(c, call->first, call->created);
    case RULE_SIGNAL:
        return is_needed(c, call->self) || any_needed(c, call->first, call->created);
    }
    return true;
}

/* Leaves out as many Releases as left-out calls returned references. */
static void drop_releases(struct trim_survey *s)
{
    for (size_t i = 0; i < s->call_count; i++) {
        struct trim_call *call = &s->calls[i];
        struct trim_node *self = &s->nodes[trim_alias(s, call->self)];
        if (!call->is_kept && call->rule == RULE_RETURN)
            for (uint32_t k = call->created; k < call->end; k++)
                s->nodes[trim_alias(s, s->pool[k])].spare_releases++;
        if (call->is_kept && call->method == METHOD_IUnknown_Release && self->spare_releases) {
            self->spare_releases--;
            call->is_kept = false;
        }
    }
}

static bool close_over(struct trim_survey *s, uint64_t from)
{
    struct closure c = {.s = s, .from = from};
    for (uint32_t i = 1; i < s->node_count; i++)
        if (s->nodes[i].is_seen)
            need(&c, i);
    c.has_changed = true;
    while (c.has_changed && !c.has_failed) {
        c.has_changed = false;
        for (size_t i = s->call_count; i-- > 0;)
            if (!s->calls[i].is_kept && has_to_be_kept(&c, &s->calls[i]))
                keep(&c, &s->calls[i]);
        for (uint32_t i = 1; c.needs_all && i < s->node_count; i++)
            if (s->nodes[i].kind == NODE_MEMORY)
                need(&c, i);
    }
    drop_releases(s);
    free(c.stack);
    return !c.has_failed;
}

/* ---- writing ---- */

static bool is_written(const struct trim_survey *s, const struct trace_item *item, uint64_t from,
                       uint64_t to)
{
    const struct trim_call *call = trim_call_of(s, item->record.call);
    if (item->record.call > to)
        return false;
    switch (item->record.kind) {
    case RECORD_ENTER:
    case RECORD_LEAVE:
    case RECORD_ADDRESS:
    case RECORD_GIVEN:
        return call && call->is_kept;
    case RECORD_MEMORY:
    case RECORD_FENCES:
        return item->record.call >= from ||
               s->nodes[trim_alias(s, trim_node_of(s, word_at(item, 0)))].is_needed;
    case RECORD_CHECK: /* what the GPU left there may be left out */
        return item->record.call >= from;
    default:
        return true;
    }
}

static bool write_kept(struct trace *trace, struct trace_writer *writer,
                       const struct trim_survey *s, uint64_t from, uint64_t to)
{
    struct trace_item item;
    struct trace_flight flight;
    bool ok = true;
    trace_rewind(trace);
    while (ok && trace_next(trace, &item))
        if (is_written(s, &item, from, to))
            ok = trace_writer_add(writer, &item);
    for (size_t i = 0; trace_get_flight(trace, i, &flight); i++)
        trace_writer_in_flight(writer, &flight);
    return ok;
}

static void print_trimmed(const struct trim_survey *s, uint64_t from, bool is_json)
{
    uint64_t before = 0, kept = 0, range = 0, executions = 0, kept_executions = 0;
    for (size_t i = 0; i < s->call_count; i++) {
        const struct trim_call *call = &s->calls[i];
        const bool is_before = call->number < from;
        range += !is_before;
        before += is_before;
        kept += is_before && call->is_kept;
        executions += is_before && call->rule == RULE_EXECUTION;
        kept_executions += is_before && call->rule == RULE_EXECUTION && call->is_kept;
    }
    if (is_json) {
        struct annot__json out = {cli_write, stdout, false};
        annot__json_format(&out,
                           "{calls:%" PRIu64 " before:%" PRIu64 " kept:%" PRIu64
                           " executions:%" PRIu64 " kept_executions:%" PRIu64 " was_removed:%d}\n",
                           range, before, kept, executions, kept_executions, s->was_removed);
        return;
    }
    printf("%" PRIu64 " calls in the range; kept from before the range: %" PRIu64 " of %" PRIu64
           " calls, %" PRIu64 " of %" PRIu64 " executions\n%s",
           range, kept, before, kept_executions, executions,
           s->was_removed ? "the device was removed, so nothing is left out\n" : "");
}

static int write_trimmed(struct trace *trace, struct trim_survey *s, const struct trim_order *order)
{
    struct trace_header header = *trace_get_header(trace);
    if (order->from > 1 || order->to != UINT64_MAX) {
        header.trimmed_from = order->from;
        header.trimmed_to = order->to;
    }
    FILE *file = cli_create("trace", order->path);
    if (!file)
        return EXIT_UNUSABLE;
    struct trace_writer *writer = trace_writer_open(file, &header, order->is_plain);
    bool ok = writer && write_kept(trace, writer, s, order->from, order->to);
    if (writer)
        ok &= trace_writer_close(writer);
    if (!cli_close_created("trace", order->path, file, ok))
        return EXIT_UNUSABLE;
    print_trimmed(s, order->from, order->is_json);
    return EXIT_FINE;
}

int trace_trim(struct trace *trace, const struct trim_order *order)
{
    struct trim_survey s;
    struct trim_order whole = *order;
    int status = EXIT_UNUSABLE;
    if (whole.from == 0)
        whole.from = 1;
    if (!trim_survey(&s, trace, whole.from, whole.to) || !close_over(&s, whole.from))
        fputs("annot trace: out of memory\n", stderr);
    else if (s.call_count == 0 || s.calls[s.call_count - 1].number < whole.from)
        fprintf(stderr, "annot trace: the trace has no call %" PRIu64 " or later\n", whole.from);
    else
        status = write_trimmed(trace, &s, &whole);
    trim_survey_free(&s);
    return status;
}
