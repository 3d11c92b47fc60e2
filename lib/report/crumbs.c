/* Breadcrumbs and addresses, in the reader's interface and in the text report. */
#include "report/report_page.h"

#include "analysis/ops.h"
#include "base/sized.h"

#include <annot/dump.h>

/* ---- for programs ---- */

size_t annot_reader_crumbs_count(const annot_reader *reader)
{
    return reader->crumb_count;
}

static bool reader_crumbs_at(const annot_reader *reader, size_t index, annot_reader_crumbs *out)
{
    if (index >= reader->crumb_count)
        return false;
    const struct annot__crumbs *crumbs = &reader->crumbs[index];
    *out = (annot_reader_crumbs){
        .queue = crumbs->queue,
        .execution = crumbs->execution,
        .submission = crumbs->fields.submission,
        .list = crumbs->fields.list,
        .bundle = crumbs->fields.bundle,
        .count = crumbs->fields.count,
        .done = crumbs->fields.done,
        .is_markers_only = crumbs->fields.flags & ANNOT_CRUMBS_MARKERS_ONLY,
        .state = annot__crumbs_claim(&crumbs->fields),
    };
    if (crumbs->execution != ANNOT__NONE &&
        reader->executions[crumbs->execution].crumbs == (uint32_t)index) {
        const struct annot__execution *execution = &reader->executions[crumbs->execution];
        out->is_joined = execution->is_joined;
        out->is_disputed = execution->is_disputed;
        out->overruled = (annot_state)execution->overruled;
    }
    return true;
}

bool annot_reader_crumbs_at_sized(const annot_reader *reader, size_t index,
                                  annot_reader_crumbs *out, size_t out_size)
{
    annot_reader_crumbs whole = {0};
    if (!reader_crumbs_at(reader, index, &whole))
        return false;
    annot__give(out, out_size, &whole, sizeof whole);
    return true;
}

uint32_t annot_reader_op(const annot_reader *reader, size_t crumbs, uint32_t number)
{
    return crumbs < reader->crumb_count
               ? annot__op_at(reader, reader->crumbs[crumbs].fields.log, number)
               : ANNOT__NONE;
}

size_t annot_reader_range_count(const annot_reader *reader)
{
    return reader->range_count;
}

static bool reader_range_at(const annot_reader *reader, size_t index, annot_reader_range *out)
{
    if (index >= reader->range_count)
        return false;
    const struct annot__dump_RANGE *range = &reader->ranges[index];
    *out = (annot_reader_range){
        .address = range->address,
        .size = range->size,
        .object = range->object,
        .freed_before = range->freed_before,
        .kind = range->kind,
        .is_freed = range->flags & ANNOT_RANGE_FREED,
    };
    return true;
}

bool annot_reader_range_at_sized(const annot_reader *reader, size_t index, annot_reader_range *out,
                                 size_t out_size)
{
    annot_reader_range whole = {0};
    if (!reader_range_at(reader, index, &whole))
        return false;
    annot__give(out, out_size, &whole, sizeof whole);
    return true;
}

/* ---- for people ---- */

static void say_markers_only(struct annot__page *page, const struct annot__dump_CRUMBS *crumbs)
{
    annot__say(page, crumbs->flags & ANNOT_CRUMBS_MARKERS_ONLY ? "  (markers only)\n" : "\n");
}

/* "43 of 47, Dispatch: not done; 42, CopyResource: done" */
static void say_operation(struct annot__page *page, uint32_t index)
{
    const annot_reader *reader = page->reader;
    const struct annot__dump_CRUMBS *crumbs = &reader->crumbs[index].fields;
    const uint32_t execution = reader->crumbs[index].execution;
    const uint32_t stream =
        execution != ANNOT__NONE ? reader->executions[execution].stream : ANNOT__NONE;
    char name[256];
    if (crumbs->done == ANNOT_CRUMBS_NOT_BEGUN) {
        annot__format(page, "none of %u was reached\n", crumbs->count);
        return;
    }
    if (crumbs->done >= crumbs->count) {
        annot__format(page, "all %u done", crumbs->count);
        if (annot__crumbs_claim(crumbs) == ANNOT_STATE_IN_PROGRESS)
            annot__say(page, ", the end of the list was not reached");
        say_markers_only(page, crumbs);
        return;
    }
    annot__operation_name(reader, index, stream, crumbs->done, name, sizeof name);
    annot__format(page, "%llu of %u, %s: not done", (unsigned long long)crumbs->done + 1,
                  crumbs->count, name);
    if (crumbs->done > 0) {
        annot__operation_name(reader, index, stream, crumbs->done - 1, name, sizeof name);
        annot__format(page, "; %u, %s: done", crumbs->done, name);
    }
    say_markers_only(page, crumbs);
}

void annot__write_operation(struct annot__page *page, uint32_t execution)
{
    const uint32_t crumbs = page->reader->executions[execution].crumbs;
    if (crumbs == ANNOT__NONE)
        return;
    annot__say(page, "    operation      ");
    say_operation(page, crumbs);
}

enum { SHOWN = 8 };

/* Executions that the GPU had begun and not done, of which the dump has breadcrumbs but no
 * markers. */
bool annot__write_operations_elsewhere(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < reader->crumb_count && shown < SHOWN; i++) {
        const struct annot__crumbs *crumbs = &reader->crumbs[i];
        const annot_state claim = annot__crumbs_claim(&crumbs->fields);
        if (crumbs->execution != ANNOT__NONE || crumbs->queue == ANNOT__NONE ||
            crumbs->fields.bundle != 0 || claim == ANNOT_STATE_NOT_STARTED ||
            claim == ANNOT_STATE_FINISHED)
            continue;
        annot__say(page, "  (no markers were kept)\n    on queue ");
        annot__say_object(page, reader->streams[crumbs->queue].object);
        annot__format(page, ", submission %llu, list %llu\n    operation      ",
                      (unsigned long long)crumbs->fields.submission,
                      (unsigned long long)crumbs->fields.list + 1);
        say_operation(page, i);
        shown++;
    }
    return shown > 0;
}

static const char *kind_text(uint32_t kind)
{
    switch (kind) {
    case D3D12DDI_HT_HEAP:
        return "heap";
    case D3D12DDI_HT_RESOURCE:
        return "resource";
    default:
        return "object";
    }
}

static void say_owner(struct annot__page *page, const struct annot__dump_RANGE *range)
{
    annot__say_object(page, range->object);
    annot__format(page, " (%s, %llu bytes at 0x%llx)", kind_text(range->kind),
                  (unsigned long long)range->size, (unsigned long long)range->address);
    if (range->flags & ANNOT_RANGE_FREED)
        annot__format(page, ", destroyed %llu.%06llu s before",
                      (unsigned long long)(range->freed_before / 1000000000u),
                      (unsigned long long)(range->freed_before / 1000u % 1000000u));
    annot__say(page, "\n");
}

static bool holds(const struct annot__dump_RANGE *range, uint64_t address)
{
    return address >= range->address && address - range->address < range->size;
}

/* Bytes between an address outside of a range and the range. */
static uint64_t distance_of(const struct annot__dump_RANGE *range, uint64_t address)
{
    return range->address > address ? range->address - address
                                    : address - range->address - range->size;
}

/* An index that runs past an object's end is seldom off by more than the object, or by 64 KiB, the
 * alignment of allocations: what is further away says nothing. */
static bool is_near(const struct annot__dump_RANGE *range, uint64_t address)
{
    const uint64_t least = 65536;
    return distance_of(range, address) < (range->size > least ? range->size : least);
}

void annot__write_fault(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    const uint64_t fault = reader->fault_address;
    bool is_inside = false, is_near_any = false;
    if (reader->fault_count == 0)
        return;
    for (uint32_t i = 0; i < reader->range_count && i < SHOWN; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        if (!holds(range, fault))
            continue;
        is_inside = true;
        annot__format(page, "  address      %llu bytes into ",
                      (unsigned long long)(fault - range->address));
        say_owner(page, range);
    }
    for (uint32_t i = 0; i < reader->range_count && i < SHOWN && !is_inside; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        if (!is_near(range, fault))
            continue;
        is_near_any = true;
        annot__format(page, "  address      in no object: %llu bytes %s ",
                      (unsigned long long)distance_of(range, fault),
                      range->address <= fault ? "past the end of" : "before");
        say_owner(page, range);
    }
    if (reader->range_count > 0 && !is_inside && !is_near_any)
        annot__say(page, "  address      in no object, and none is near\n");
}

static void say_claim(struct annot__page *page, annot_state state)
{
    annot__say(page, annot_state_text(state));
}

bool annot__write_disputes(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < reader->execution_count && shown < SHOWN; i++) {
        const struct annot__execution *execution = &reader->executions[i];
        if (!execution->is_disputed)
            continue;
        const bool is_fenced = execution->evidence == ANNOT_EVIDENCE_FENCE;
        annot__say(page, "  submission ");
        annot__format(page, "%llu, ",
                      (unsigned long long)reader->submissions[execution->submission].serial);
        annot__say_list(page, i);
        annot__say(page, is_fenced ? ": its fence says " : ": breadcrumbs say ");
        say_claim(page, (annot_state)execution->state);
        if (!is_fenced) {
            annot__say(page, ", operation ");
            say_operation(page, execution->crumbs);
            annot__say(page, "    and the driver's report ");
        } else {
            annot__say(page, ", breadcrumbs ");
        }
        say_claim(page, (annot_state)execution->overruled);
        annot__say(page, "\n");
        shown++;
    }
    return shown > 0;
}
