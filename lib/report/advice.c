/* Writes a report's advice: what the reader can do next. Each paragraph follows from the known
 * facts. If another source could tell more, the paragraph has the command for that source. */
#include "report/answer.h"
#include "report/wait.h"

#include "hang/hang.h"
#include "hang/unfinished.h"

#include <annot/dump.h>
#include <annot/evidence.h>

#include <string.h>

static bool has_markers(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].markers > 0)
            return true;
    return false;
}

static bool is_retained(const annot_reader *reader)
{
    return reader->device.mode != ANNOT_MODE_RUNTIME_ONLY; /* 0 where the record is lost */
}

/* The first suspect, unless the device didn't fail. */
static const annot_reader_suspect *first_suspect(const annot_reader *reader)
{
    return annot__is_crash(reader) || !reader->has_device ? annot__known_suspect(reader) : NULL;
}

/* Returns the first suspect's stop; NULL if no evidence names its list. */
static const annot_reader_stop *first_stop(const annot_reader *reader)
{
    const annot_reader_suspect *suspect = first_suspect(reader);
    return suspect ? annot__stop_of(reader, suspect) : NULL;
}

/* Returns true if the first suspect's operation is known, perhaps as the oldest of several, with
 * its arguments where `out` gets them. */
static bool is_operation_known(const annot_reader *reader, annot_reader_operation *out)
{
    const annot_reader_suspect *suspect = first_suspect(reader);
    return suspect && annot__suspect_operation(reader, suspect, out) &&
           (suspect->certainty == ANNOT_OPERATION_CERTAIN || out->crumbs != ANNOT__NONE);
}

static uint32_t innermost(const annot_reader_stop *stop)
{
    return stop->bundle_entry != ANNOT__NONE ? stop->bundle_entry : stop->entry;
}

/* ---- where it was made ---- */

/* Says which variable of the emulator ordered the removal, or which trace a replay read. */
static bool say_origin(struct annot__line *line)
{
    static const char *const variables[] = {"EMU_HANG", "EMU_FAULT", "EMU_LOSE"};
    annot_text value;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        value = annot__fact_of(line->reader, variables[i]);
        if (value.size == 0)
            continue;
        annot__line_format(line, "%s caused the failure, not the program: ", variables[i]);
        annot__line_text(line, value);
        annot__line_say(line, ".");
        return true;
    }
    value = annot__fact_of(line->reader, "replayed by");
    if (value.size == 0)
        return false;
    annot__line_say(line, "These are calls of a replay, not of the program itself: ");
    annot__line_text(line, value);
    annot__line_say(line, ".");
    return true;
}

/* ---- what to look at ---- */

static void say_work(struct annot__line *line, const annot_reader_stop *stop)
{
    const uint32_t leaf = innermost(stop);
    const uint32_t first = stop->oldest != ANNOT__NONE ? stop->oldest : leaf;
    annot__line_say(line, "Look at the work recorded in ");
    if (first != ANNOT__NONE) {
        annot__line_quoted_entry(line, first);
    } else {
        annot__line_format(line, "%s ", line->words->list);
        annot__line_called(line, annot__called_in_execution(line->reader, stop->execution));
    }
    if (stop->completed != ANNOT__NONE && stop->completed != first &&
        line->reader->order_window == 0) {
        annot__line_say(line, " after ");
        annot__line_quoted_entry(line, stop->completed);
    }
    if (first != leaf)
        annot__line_say(line, leaf == ANNOT__NONE ? ", and after it" : ", up to ");
    if (first != leaf && leaf != ANNOT__NONE)
        annot__line_quoted_entry(line, leaf);
}

static bool has_pipeline(const annot_reader_operation *operation)
{
    for (uint32_t i = 0; i < operation->object_count; i++)
        if (operation->objects[i].role == ANNOT_BOUND_PIPELINE && operation->objects[i].object != 0)
            return true;
    return false;
}

/* Says what the dump knows about the address, and asks for missing data. */
static void say_fault(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const struct annot__dump_RANGE *range = annot__fault_range(reader);
    annot_resource of;
    uint64_t distance = 0;
    const struct annot__dump_RANGE *near_by = annot__fault_near(reader, &distance);
    if (reader->fault_count == 0) {
        annot__line_say(line, ": does this work use a released resource, or an index out of "
                              "bounds? The fault's address is not known.");
    } else if (range) {
        annot__line_say(line, ": the address is in ");
        annot__line_called(line, annot__called_last(reader, range->object));
        const bool is_reserved = annot_reader_resource_of(reader, range->object, &of) &&
                                 of.memory == ANNOT_MEMORY_RESERVED;
        annot__line_say(line, range->flags & ANNOT_RANGE_FREED
                                  ? ", whose memory was freed: does the GPU still use this memory?"
                              : is_reserved ? ", which is reserved: is the tile mapped?"
                                            : ", which was not released: is the memory resident?");
    } else if (near_by) {
        annot__line_format(line, ": the address is %llu bytes %s ", (unsigned long long)distance,
                           near_by->address <= reader->fault_address ? "past the end of"
                                                                     : "before");
        annot__line_called(line, annot__called_last(reader, near_by->object));
        annot__line_say(line, near_by->flags & ANNOT_RANGE_FREED
                                  ? ", which was released: is an index out of bounds?"
                                  : ": is an index out of bounds?");
    } else if (reader->range_count > 0) {
        annot__line_say(line, ": the address is in no object: is an index out of bounds, or is an "
                              "address out of date?");
    } else {
        annot__line_say(line, ": which resource has the fault's address? Was this resource "
                              "released, or is an index out of bounds?");
    }
}

enum { COPY = 3 }; /* D3D12_COMMAND_LIST_TYPE: no shader runs on copy queues */

static void say_causes(struct annot__line *line, const annot_reader_stop *stop,
                       const annot_reader_operation *operation)
{
    const bool has_shader = operation && has_pipeline(operation);
    const annot_reader *reader = line->reader;
    const uint32_t error = reader->device.error;
    annot_reader_object queue;
    const bool is_copy =
        annot_reader_object_find(reader, reader->streams[stop->queue].object, &queue) &&
        queue.list_type == COPY;
    if (reader->hang.slow.size > 0)
        annot__line_say(line, ": the work finished in the end, but took longer than the timeout "
                              "allows. Divide the work, or set a longer timeout.");
    else if (error == ANNOT_DEVICE_ERROR_PAGE_FAULT)
        say_fault(line);
    else if (operation && operation->kind == ANNOT_KIND_WAIT)
        annot__line_say(line, ": which call sets the event? Look for a vkSetEvent or vkCmdSetEvent "
                              "that is missing, comes later, or is undone by a reset.");
    else if (error != ANNOT_DEVICE_ERROR_HUNG)
        annot__line_say(line, ": this work was in progress when the device failed. The facts have "
                              "the reason. After a timeout, look for an endless loop in a shader, "
                              "a wait that nothing ends, or more work than the timeout allows.");
    else
        annot__line_format(line, ". Look for %s%sor more work than the timeout allows.",
                           has_shader || !is_copy ? "an endless loop in a shader, " : "",
                           has_shader ? "a resource that was not written yet, "
                                      : "a wait that nothing ends, ");
}

static void say_stop(struct annot__line *line, const annot_reader_stop *stop)
{
    annot_reader_operation operation;
    if (!is_operation_known(line->reader, &operation)) {
        say_work(line, stop);
        say_causes(line, stop, NULL);
        if (stop->oldest != ANNOT__NONE) {
            annot__line_say(line, " To find out whether the GPU stopped in ");
            annot__line_quoted_entry(line, stop->oldest);
            annot__line_say(line, ", record a barrier after this work.");
        }
        return;
    }
    annot__line_say(line, "Look at ");
    annot__line_operation(line, &operation);
    say_causes(line, stop, &operation);
    if (first_suspect(line->reader)->certainty == ANNOT_OPERATION_AMONG)
        annot__line_format(line,
                           " Other operations may have been in flight too. To tell them apart, "
                           "record a barrier after this operation%s.",
                           line->reader->voice == ANNOT_VOICE_LAYER &&
                                   !annot__text_is(annot__fact_of(line->reader, "level"), "exact")
                               ? ", or run annot d3d12 --level exact"
                               : "");
}

static void say_between(struct annot__line *line, const annot_reader_stop *stop)
{
    const struct annot__submitted *submission = &line->reader->submissions[stop->submission];
    if (stop->execution == submission->executions.first)
        annot__line_format(
            line,
            "The GPU began the submission, but has not begun any %s: look at the queue's own calls "
            "before the submission, and at the end of the previous submission.",
            line->words->list);
    else
        annot__line_format(line,
                           "The GPU stopped between two %ss: look at the last barriers, resolves "
                           "and clears of the first %s, and at those that begin the second %s.",
                           line->words->command_list, line->words->list, line->words->list);
}

/* Returns true if no list has started of the submission that the first line names. */
static bool is_before_lists(const annot_reader *reader, const annot_reader_suspect *suspect)
{
    return suspect && suspect->role == ANNOT_SUSPECT_GUILTY &&
           suspect->place == ANNOT_SUSPECT_SUBMISSION &&
           reader->submissions[suspect->submission].state == ANNOT_STATE_NOT_STARTED;
}

/* Says that a DirectX dump file only has the data that the program asked for. */
static void say_untold(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    if (reader->fault_count > 0 && reader->range_count > 0) {
        annot__line_say(line, "Look at the work that uses the memory");
        say_fault(line);
    }
    annot__line_say(line, line->size > 0 ? " " : "");
    annot__line_say(line, "The file does not tell what the GPU was doing: DRED's breadcrumbs were "
                          "not on. To record breadcrumbs the next time, run d3dconfig dred "
                          "auto-breadcrumbs=forced-on breadcrumb-contexts=forced-on.");
}

static void say_nothing_known(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const annot_reader_suspect *suspect = first_suspect(reader);
    if (reader->findings.of[ANNOT__FINDING_SLOT_END_MISSING].count > 0)
        annot__line_say(line, "The end of the dump is lost, so nothing says how far work got: look "
                              "for a whole dump of the same crash, and for a full disk or a killed "
                              "process on the machine that wrote the dump.");
    else if (reader->losses[ANNOT__LOSS_SLOT_UNTOLD] > 0)
        say_untold(line);
    else if (reader->has_device && !reader->device.has_report)
        annot__line_say(line, line->words->no_report);
    else if (!reader->hang.has_unfinished)
        annot__line_say(line, "The dump shows no unfinished work: look at the facts below.");
    else if (is_before_lists(reader, suspect))
        annot__line_format(line,
                           "The kernel holds that queue guilty, and no %s of the submission has "
                           "started: look at the queue's own calls before the submission, and at "
                           "the end of the previous submission.",
                           line->words->list);
    else if (suspect && suspect->place == ANNOT_SUSPECT_NOT_KEPT)
        annot__line_format(line,
                           "The dump has nothing of that submission: its %ss were made before "
                           "the mode was DRIVER_RETAIL, or memory ran out.",
                           line->words->list);
    else if (reader->has_device && !reader->device.driver_supported && reader->crumb_count == 0)
        annot__line_format(line,
                           "This %s takes no annotations, so nothing says how far unfinished work "
                           "got: look at the unknown [?] and waiting [ ] submissions below.",
                           line->words->driver);
    else if (suspect && suspect->place == ANNOT_SUSPECT_QUEUE)
        annot__line_format(line,
                           "The dump has no work of that queue: its %ss were made before the mode "
                           "was DRIVER_RETAIL, or the queue executed nothing. Look at the last "
                           "work that the program submitted to that queue.",
                           line->words->list);
    else if (suspect && suspect->is_begun)
        annot__line_say(line, "Look at the submission that is named below.");
    else if (reader->device.error != ANNOT_DEVICE_ERROR_HUNG)
        annot__line_say(line, "Nothing is known to have been in progress when the device failed: "
                              "the facts have the reason.");
    else {
        if (reader->device.driver_supported)
            annot__line_format(line, "The %s's report names", line->words->driver);
        else
            annot__line_say(line, "Breadcrumbs show");
        annot__line_say(line, " no work in progress: look at the unknown [?] and waiting [ ] "
                              "submissions below, and at fences that are never signaled.");
    }
}

static bool say_what(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const annot_reader_stop *stop = first_stop(reader);
    if (reader->device.error == ANNOT_DEVICE_ERROR_APPLICATION && reader->hang.recording == 0)
        annot__line_format(line, "Look at the thread that failed: the thread was recording no %s.",
                           line->words->command_list);
    else if (reader->device.error == ANNOT_DEVICE_ERROR_APPLICATION)
        annot__line_say(line, "Look at the code that was recording the scopes below, on the thread "
                              "that failed.");
    else if (reader->hang.is_anothers)
        annot__line_say(
            line, "The GPU was reset because of another process, which the kernel names below. "
                  "Look at that process; nothing says that this program was at fault.");
    else if (!stop && annot__line_wait_advice(line))
        return true;
    else if (!annot__is_crash(reader) && reader->has_device)
        annot__line_say(line, reader->stop_count > 0
                                  ? "If the program stood still, look at the work that was "
                                    "running. The device had not failed."
                                  : "Nothing to do: the device had not failed. The tree shows the "
                                    "known states of the device's work.");
    else if (stop && stop->is_between)
        say_between(line, stop);
    else if (stop)
        say_stop(line, stop);
    else
        say_nothing_known(line);
    return true;
}

/* ---- what would have told more ---- */

/* Returns true if level "labels" would mark something in the scope where the GPU stopped. */
static bool has_labels_inside(const annot_reader *reader, uint32_t scope)
{
    for (uint32_t i = scope; scope != ANNOT__NONE && i++ < annot__entry_last(reader, scope);) {
        const struct annot__entry *entry = &reader->entries[i];
        if (entry->kind != ANNOT_ENTRY_BUNDLE ||
            (entry->leaf.link != ANNOT__NONE && reader->streams[entry->leaf.link].markers > 0))
            return true;
    }
    return false;
}

static bool is_pass(const annot_reader *reader, uint32_t scope)
{
    static const char pass[] = "vkCmdBeginRender";
    char name[64] = "";
    if (scope != ANNOT__NONE)
        annot_reader_entry_name(reader, scope, name, sizeof name);
    return strncmp(name, pass, sizeof pass - 1) == 0;
}

/* Advises a layer's next level that tells more than the present one. */
static bool say_level(struct annot__line *line, bool is_operation_known)
{
    const annot_reader *reader = line->reader;
    const char *command = reader->voice == ANNOT_VOICE_VULKAN ? "vulkan" : "d3d12";
    const annot_text level = annot__fact_of(reader, "level");
    const bool is_low = annot__text_is(level, "low");
    const annot_reader_stop *stop = first_stop(reader);
    if (!stop || stop->is_between)
        return false;
    const bool is_in_pass = is_pass(reader, innermost(stop));
    const bool is_blind =
        is_in_pass && annot__text_begins(annot__fact_of(reader, "in passes"), "nothing");
    if (is_blind || (is_in_pass && annot__text_is(level, "exact"))) {
        if (!is_operation_known)
            annot__line_format(line, "%s. To narrow it down, divide the render pass.",
                               is_blind ? "No level finds the draw in a render pass on this device"
                                        : "The level exact did not find the draw");
        return !is_operation_known;
    }
    if (is_low && has_labels_inside(reader, innermost(stop)))
        annot__line_format(
            line, "To find the innermost scope, run annot %s --level labels -- PROGRAM.", command);
    else if (is_low && is_in_pass &&
             annot__text_begins(annot__fact_of(reader, "evidence"), "vkCmdFillBuffer"))
        /* from "labels" on, the layer finds out whether the driver gives evidence in passes */
        annot__line_say(line, "To find out whether a level finds the draw, run annot vulkan "
                              "--level labels -- PROGRAM.");
    else if ((is_low || annot__text_is(level, "labels")) && !is_operation_known)
        annot__line_format(line, "To find the operation, run annot %s --level exact -- PROGRAM.",
                           command);
    else
        return false;
    return true;
}

static bool say_layer(struct annot__line *line, bool is_operation_known, bool is_weak)
{
    const annot_text evidence = annot__fact_of(line->reader, "evidence");
    const bool is_level_idle = /* without marks each level tells the same */
        annot__text_begins(evidence, "completed submissions only") ||
        annot__text_begins(evidence, "DRED's");
    if (line->reader->voice == ANNOT_VOICE_LAYER &&
        (is_weak || (is_level_idle && !is_operation_known))) {
        annot__line_say(line, "annot d3d12 --probe says which evidence works on this machine.");
        return true;
    }
    return !is_level_idle && say_level(line, is_operation_known);
}

/* Returns true for a dump of the emulator, which has DRED and its settings. Other writers have no
 * DRED. */
static bool has_dred(const annot_reader *reader)
{
    return !reader->has_device ||
           annot__text_begins(reader->texts[ANNOT__DUMP_TEXT_ADAPTER], "libannot emulator");
}

static bool say_source(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const annot_reader_stop *stop = first_stop(reader);
    const bool is_failed = annot__is_crash(reader) || !reader->has_device;
    annot_reader_operation operation;
    const bool is_known = is_operation_known(reader, &operation);
    const bool is_cut = reader->findings.of[ANNOT__FINDING_SLOT_END_MISSING].count > 0;
    if (!is_failed || is_cut || !reader->hang.has_unfinished)
        return false;
    if (annot__is_layer(reader))
        return say_layer(line, is_known, !stop && !reader->device.has_report);
    if (!stop && (!reader->device.has_report || !reader->device.driver_supported)) {
        annot__line_format(line,
                           "If the program uses D3D12, annot d3d12 -- PROGRAM shows the program's "
                           "markers%s with any driver",
                           reader->losses[ANNOT__LOSS_SLOT_UNTOLD] > 0 && has_markers(reader)
                               ? " and their progress"
                               : "");
        annot__line_say(
            line, has_dred(reader) && reader->crumb_count == 0
                      ? ". To find the operation, run d3dconfig dred auto-breadcrumbs=forced-on."
                      : ".");
        return true;
    }
    if (!has_dred(reader) || !stop || is_known || stop->is_between ||
        reader->executions[stop->execution].crumbs != ANNOT__NONE)
        return false;
    annot__line_say(line,
                    annot__fact_of(reader, "DRED").size > 0
                        ? "To find the operation, switch DRED on before the device is created."
                        : "To find the operation, run d3dconfig dred auto-breadcrumbs=forced-on, "
                          "then run the program again.");
    return true;
}

/* ---- markers ---- */

/* Returns the list that stopped; NULL if the dump lacks its markers, or the GPU stopped in no
 * list. */
static const struct annot__stream *stopped_list(const annot_reader *reader,
                                                const annot_reader_stop *stop)
{
    const uint32_t stream =
        stop && !stop->is_between ? reader->executions[stop->execution].stream : ANNOT__NONE;
    return stream == ANNOT__NONE ? NULL : &reader->streams[stream];
}

/* Returns true if the list has no EventIDs, so that only breadcrumbs count markers. */
static bool has_no_event_ids(const annot_reader *reader, const annot_reader_stop *stop)
{
    return reader->has_device && !reader->device.driver_supported &&
           reader->executions[stop->execution].crumbs == ANNOT__NONE;
}

/* Returns true if scopes would show the place in the list where the GPU stopped: the list has no
 * markers, and the driver follows more than whole lists. */
static bool wants_scopes(const annot_reader *reader, const annot_reader_stop *stop,
                         const struct annot__stream *list)
{
    annot_reader_operation operation;
    return list && list->markers == 0 && innermost(stop) == ANNOT__NONE &&
           reader->order_window == 0 && !reader->executions[stop->execution].bounds.is_uniform &&
           !is_operation_known(reader, &operation);
}

/* Returns the variable without which DXVK and vkd3d-proton pass no labels on. NULL: the dump has
 * labels, or the program uses neither of them. */
static const char *label_variable(const annot_reader *reader)
{
    const annot_text engine = annot__fact_of(reader, "engine");
    if (!annot__text_begins(annot__fact_of(reader, "labels"), "0 begun, 0 ended, 0 points"))
        return NULL;
    return annot__text_begins(engine, "DXVK")    ? "DXVK_DEBUG=markers"
           : annot__text_begins(engine, "vkd3d") ? "VKD3D_CONFIG=debug_utils"
                                                 : NULL;
}

static bool say_markers(struct annot__line *line)
{
    const char *variable = label_variable(line->reader);
    const annot_reader *reader = line->reader;
    const annot_reader_stop *stop = first_stop(reader);
    const struct annot__stream *list = stopped_list(reader, stop);
    const bool is_gone = stop && !stop->is_between && !list;
    const bool is_damaged = annot_reader_is_damaged(reader);
    const struct annot__words *words = line->words;
    if (variable)
        annot__line_format(line,
                           "The program's D3D library passes labels on only if %s is set. annot "
                           "vulkan sets the variable for programs of Wine and Proton.",
                           variable);
    else if (!has_markers(reader) && !is_retained(reader))
        annot__line_format(line,
                           "No %ss were kept: annotations were in mode RUNTIME_ONLY. %s keeps "
                           "them.",
                           words->marker,
                           has_dred(reader) ? "d3dconfig device force-driver-retail-annotations=on"
                                            : "A program that chooses DRIVER_RETAIL");
    else if (is_damaged && (!list || list->is_damaged))
        return false; /* lost markers may have been labels */
    else if (is_gone)
        annot__line_format(line,
                           "The %s's %ss are not in the dump: its %s was reset before the work was "
                           "done, or memory ran out.%s",
                           words->list, words->marker, words->allocator,
                           annot__is_layer(reader)
                               ? ""
                               : " A list that was made in mode RUNTIME_ONLY keeps no markers.");
    else if (!has_markers(reader))
        annot__line_format(
            line, "The dump has no %ss: record %s around passes to see where work stops.%s",
            words->marker, words->scope_calls,
            annot__is_layer(reader) ? ""
                                    : " Lists and queues that were made before the mode was "
                                      "DRIVER_RETAIL keep no markers.");
    else if (list && has_no_event_ids(reader, stop))
        annot__line_format(line,
                           "The %s takes no annotations, so no EventID says which %s of the %s the "
                           "GPU was in.",
                           words->driver, words->marker, words->list);
    else if (list && list->dropped > 0)
        annot__line_format(
            line, "There was no memory left for some %ss of this %s: raise the memory budget.",
            words->marker, words->list);
    else if (wants_scopes(reader, stop, list))
        annot__line_format(line,
                           "Scopes (%s) around parts of this %s would show the place more exactly.",
                           words->scope_calls, words->list);
    else
        return false;
    return true;
}

static bool say_order(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    if (reader->device.order_window == 0 || !reader->device.driver_supported)
        return false;
    annot__line_format(line, "%s, so some states are unknown [?].", line->words->no_order);
    return true;
}

/* Advises to read the kernel's log as root, because ordinary users, and so the layer, can't read
 * it. */
static bool say_kernel(struct annot__line *line)
{
    const annot_reader *reader = line->reader;
    const uint64_t before = 60, after = 120;
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    const uint64_t seconds = device.time / 1000000000u; /* 0: unknown, or a virtual clock */
    if (!annot__text_begins(annot__fact_of(reader, "kernel"), "not read: ") ||
        annot__fact_of(reader, "kernel added").size > 0 || seconds < before)
        return false;
    annot__line_format(line,
                       "To add the kernel's messages, run: sudo journalctl -k -o short-unix "
                       "--since @%llu --until @%llu | annot kernel DUMP -o NEW",
                       (unsigned long long)(seconds - before),
                       (unsigned long long)(seconds + after));
    return true;
}

static bool (*const paragraphs[])(struct annot__line *line) = {say_origin,  say_what,  say_source,
                                                               say_markers, say_order, say_kernel};

bool annot__line_advice(struct annot__line *line, uint32_t index)
{
    for (size_t i = 0; i < sizeof paragraphs / sizeof paragraphs[0]; i++) {
        line->size = 0;
        if (paragraphs[i](line) && index-- == 0)
            return true;
    }
    line->to[0] = 0;
    return false;
}

size_t annot_reader_advice(const annot_reader *reader, size_t index, char *buffer, size_t capacity)
{
    struct annot__line line;
    if (capacity == 0)
        return 0;
    annot__line_init(&line, reader, buffer, capacity);
    return index < UINT32_MAX && annot__line_advice(&line, (uint32_t)index) ? line.size : 0;
}
