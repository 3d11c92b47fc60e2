/* A DirectX dump file for people: what was unfinished and where, the page fault, annotations by
 * owner, what is odd. */
#include "dxdmp/dxdmp_report.h"
#include "base/sized.h"

#include <annot/dump.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ANNOTATIONS_SHOWN = 8, ALLOCATIONS_SHOWN = 16, NODES_SHOWN = 16, OWNERS_NAMED = 256 };

struct text {
    struct annot__out out;
    struct dxdmp_names names;
    const annot_dxdmp *dump;
    bool shows_all;
};

static void style(struct text *text, const char *words)
{
    annot__out_text(&text->out, words);
    annot__out_text(&text->out, "\n");
}

/* Words of the file, in quotes; what has no name is said by its address. */
static void quoted(struct text *text, const char *name, size_t size, uint64_t address)
{
    if (size == 0) {
        annot__out_format(&text->out, "0x%" PRIx64 " (unnamed)", address);
        return;
    }
    annot__out_text(&text->out, "\"");
    dxdmp_print_name(&text->out, &text->names, name, size);
    annot__out_text(&text->out, "\"");
}

static void field(struct text *text, const char *label, const char *value, size_t size)
{
    if (size == 0)
        return;
    annot__out_format(&text->out, "  %-12s ", label);
    dxdmp_print_name(&text->out, &text->names, value, size);
    annot__out_text(&text->out, "\n");
}

static void string_field(struct text *text, const char *label, uint64_t id)
{
    char value[DXDMP_NAME_MAX];
    field(text, label, value, annot_dxdmp_string(text->dump, id, value, sizeof value));
}

/* ---- the head ---- */

static void write_time(struct text *text, uint64_t nanoseconds)
{
    time_t seconds = (time_t)(nanoseconds / 1000000000u);
    struct tm parts;
    char words[64];
#ifdef _WIN32
    bool is_known = gmtime_s(&parts, &seconds) == 0;
#else
    bool is_known = gmtime_r(&seconds, &parts) != NULL;
#endif
    if (nanoseconds == 0 || !is_known)
        return;
    field(text, "time", words, strftime(words, sizeof words, "%Y-%m-%d %H:%M:%S UTC", &parts));
}

static void write_system(struct text *text, const annot_dxdmp_info *info)
{
    char words[DXDMP_NAME_MAX];
    field(text, "adapter", words, annot_dxdmp_adapter(text->dump, words, sizeof words));
    if (info->driver_version != 0)
        annot__out_format(&text->out, "  driver       %u.%u.%u.%u\n",
                          (unsigned)(info->driver_version >> 48),
                          (unsigned)(info->driver_version >> 32 & 0xFFFF),
                          (unsigned)(info->driver_version >> 16 & 0xFFFF),
                          (unsigned)(info->driver_version & 0xFFFF));
    string_field(text, "system", info->os);
    if (info->os_build != 0)
        annot__out_format(&text->out, "  build        %u\n", (unsigned)info->os_build);
}

static void write_head(struct text *text, const annot_dxdmp_info *info)
{
    annot__out_format(&text->out, "%s (device error %s",
                      annot_device_error_headline((int32_t)info->error),
                      info->error > 0xFFFF ? "0x" : "");
    annot__out_format(&text->out, info->error > 0xFFFF ? "%" PRIx32 ")\n" : "%" PRIu32 ")\n",
                      info->error);
    string_field(text, "executable", info->executable);
    string_field(text, "application", info->application);
    string_field(text, "engine", info->engine);
    write_system(text, info);
    write_time(text, info->time);
    if (info->has_dred)
        annot__out_format(&text->out, "  removed      %s (0x%08" PRIx32 ")\n",
                          dxdmp_removed_text(info->removed_reason), info->removed_reason);
    char guid[40];
    dxdmp_guid_text(info->guid, guid);
    annot__out_format(&text->out, "  GUID         %s\n", guid);
}

/* ---- breadcrumbs ---- */

static void write_op(struct text *text, const annot_dxdmp_node *node, uint32_t op)
{
    uint32_t kind;
    const char *name = NULL;
    bool is_kept = annot_dxdmp_node_op(text->dump, node, op, &kind);
    if (is_kept)
        name = annot_breadcrumb_op_text(kind);
    if (name)
        annot__out_text(&text->out, name);
    else if (is_kept)
        annot__out_format(&text->out, "operation of kind %u", (unsigned)kind);
    else
        annot__out_text(&text->out, "not in the file");
}

static void write_node(struct text *text, const annot_dxdmp_node *node)
{
    char words[4 * DXDMP_NAME_MAX];
    size_t size = annot_dxdmp_node_path(text->dump, node, words, sizeof words);
    annot__out_text(&text->out, "  ");
    if (size > 0)
        dxdmp_print_name(&text->out, &text->names, words, size);
    else
        annot__out_text(&text->out, "(no marker was open)");
    annot__out_text(&text->out, "\n    on queue ");
    size = annot_dxdmp_dred_string(text->dump, node->queue_name, words, DXDMP_NAME_MAX);
    quoted(text, words, size, node->queue);
    annot__out_text(&text->out, ", list ");
    size = annot_dxdmp_dred_string(text->dump, node->list_name, words, DXDMP_NAME_MAX);
    quoted(text, words, size, node->list);
    annot__out_format(&text->out, "\n    operation %u of %u, ", (unsigned)node->done + 1,
                      (unsigned)node->op_count);
    write_op(text, node, node->done);
    annot__out_text(&text->out, ": not done");
    if (node->done > 0) {
        annot__out_format(&text->out, "; %u, ", (unsigned)node->done);
        write_op(text, node, node->done - 1);
        annot__out_text(&text->out, ": done");
    }
    annot__out_text(&text->out, "\n");
}

static void write_nodes(struct text *text, const annot_dxdmp_info *info)
{
    uint64_t shown = 0, unfinished = 0, untouched = 0;
    annot_dxdmp_node node;
    style(text, "\nUNFINISHED LISTS, by DRED's breadcrumbs");
    for (size_t i = 0; annot_dxdmp_node_at(text->dump, i, &node); i++) {
        if (node.done >= node.op_count)
            continue;
        unfinished++;
        untouched += node.done == 0;
        if (shown == NODES_SHOWN && !text->shows_all)
            continue;
        shown++;
        write_node(text, &node);
    }
    if (unfinished > shown)
        annot__out_format(&text->out, "  %" PRIu64 " more (--all)\n", unfinished - shown);
    if (unfinished == 0)
        style(text, info->has_dred ? "  none: breadcrumbs were off, or all lists were done"
                                   : "  unknown: the file has no DRED data");
    if (untouched > 0)
        annot__out_format(&text->out,
                          "  %" PRIu64
                          " of them had done nothing: they may only have waited their turn\n",
                          untouched);
}

/* ---- page fault ---- */

static void write_allocations(struct text *text, bool is_freed)
{
    uint64_t shown = 0, count = 0;
    annot_dxdmp_allocation allocation;
    for (size_t i = 0; annot_dxdmp_allocation_at(text->dump, i, &allocation); i++) {
        if (allocation.is_freed != is_freed)
            continue;
        if (++count > ALLOCATIONS_SHOWN && !text->shows_all)
            continue;
        char name[DXDMP_NAME_MAX];
        size_t size = annot_dxdmp_dred_string(text->dump, allocation.name, name, sizeof name);
        annot__out_format(&text->out, "  %s  %s ", is_freed ? "freed" : "live ",
                          dxdmp_allocation_text(allocation.type));
        quoted(text, name, size, allocation.object);
        annot__out_text(&text->out, "\n");
        shown++;
    }
    if (count > shown)
        annot__out_format(&text->out, "  %" PRIu64 " more %s (--all)\n", count - shown,
                          is_freed ? "freed" : "live");
}

static void write_fault(struct text *text, const annot_dxdmp_info *info)
{
    if (!info->has_page_fault)
        return;
    annot__out_format(&text->out, "\nPAGE FAULT at 0x%016" PRIx64 "\n", info->fault_address);
    write_allocations(text, false);
    write_allocations(text, true);
    if (annot_dxdmp_allocation_count(text->dump) == 0)
        style(text, "  no allocation that DRED kept holds this address");
}

/* ---- annotations ---- */

static void write_annotation(struct text *text, uint64_t event_id)
{
    char name[DXDMP_NAME_MAX];
    annot_dxdmp_annotation annotation;
    annot__out_text(&text->out, "    ");
    if (!annot_dxdmp_annotation_find(text->dump, event_id, &annotation)) {
        annot__out_format(&text->out, "0x%016" PRIx64 " (not in the file)\n", event_id);
        return;
    }
    size_t size = annot_dxdmp_annotation_name(text->dump, &annotation, name, sizeof name);
    if (size > 0)
        dxdmp_print_name(&text->out, &text->names, name, size);
    else
        annot__out_text(&text->out, "(no name)");
    annot__out_format(&text->out, "  0x%016" PRIx64 "\n", event_id);
}

/* Looks through all objects, so only the first owners are asked for their names. */
static size_t owner_name(struct text *text, const annot_dxdmp_owner *owner, char *name)
{
    const char *kind = owner->is_queue ? "command queue" : "command allocator";
    annot_dxdmp_object object;
    for (size_t i = 0; annot_dxdmp_object_at(text->dump, i, &object); i++)
        if (object.handle == owner->handle && strcmp(object.kind, kind) == 0)
            return annot_dxdmp_string(text->dump, object.name, name, DXDMP_NAME_MAX);
    return 0;
}

static void write_owner(struct text *text, const annot_dxdmp_owner *owner, bool is_named)
{
    char name[DXDMP_NAME_MAX];
    size_t size = is_named ? owner_name(text, owner, name) : 0;
    annot__out_text(&text->out, owner->is_queue ? "  queue " : "  allocator ");
    quoted(text, name, size, owner->handle);
    annot__out_format(&text->out, ": %u\n", (unsigned)owner->id_count);
    uint32_t shown = owner->id_count;
    if (shown > ANNOTATIONS_SHOWN && !text->shows_all)
        shown = ANNOTATIONS_SHOWN;
    for (uint32_t i = 0; i < shown; i++)
        write_annotation(text, annot_dxdmp_owner_id(text->dump, owner, i));
    if (shown < owner->id_count)
        annot__out_format(&text->out, "    %u more (--all)\n", (unsigned)(owner->id_count - shown));
}

static void write_annotations(struct text *text)
{
    annot_dxdmp_owner owner;
    uint64_t count = annot_dxdmp_annotation_count(text->dump);
    annot__out_format(&text->out,
                      "\nANNOTATIONS: %" PRIu64 "; the file says neither which of them were "
                      "done nor how they nest\n",
                      count);
    for (size_t i = 0; annot_dxdmp_owner_at(text->dump, i, &owner); i++)
        write_owner(text, &owner, i < OWNERS_NAMED);
}

/* ---- the rest ---- */

static void write_contents(struct text *text)
{
    uint64_t blobs = 0, bytes = 0;
    annot_dxdmp_section section;
    for (size_t i = 0; annot_dxdmp_section_at(text->dump, i, &section); i++) {
        if (!dxdmp_is_blob(section.mem_type))
            continue;
        blobs++;
        bytes += section.size;
    }
    annot__out_format(&text->out,
                      "\nALSO IN THE FILE: %" PRIu64 " objects, %" PRIu64 " blobs (%" PRIu64
                      " bytes)\n",
                      (uint64_t)annot_dxdmp_object_count(text->dump), blobs, bytes);
}

static void write_findings(struct text *text)
{
    annot_dxdmp_finding finding;
    if (annot_dxdmp_finding_count(text->dump) == 0 && text->names.left_out == 0)
        return;
    style(text, "\nLOST OR ODD");
    for (size_t i = 0; annot_dxdmp_finding_at(text->dump, i, &finding); i++)
        annot__out_format(&text->out, "  %s: %" PRIu64 ", the first at byte %" PRIu64 "\n",
                          finding.text, finding.count, finding.offset);
    if (text->names.left_out > 0)
        annot__out_format(&text->out,
                          "  %" PRIu64 " names were left out: the report would be much larger "
                          "than the file\n",
                          text->names.left_out);
}

annot_result annot_dxdmp_report_text_sized(const annot_dxdmp *dump,
                                           const annot_report_options *options, size_t options_size,
                                           const annot_report_sink *sink)
{
    annot_report_options known = {0};
    if (!ANNOT__TAKE(known, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_dxdmp_info info;
    struct text text = {.out = {.sink = sink}, .dump = dump, .shows_all = known.all};
    dxdmp_names_init(&text.names, dump);
    annot_dxdmp_get_info(dump, &info);
    write_head(&text, &info);
    write_nodes(&text, &info);
    write_fault(&text, &info);
    write_annotations(&text);
    write_contents(&text);
    write_findings(&text);
    return annot__out_flush(&text.out) ? ANNOT_OK : ANNOT_ERROR_IO;
}
