/* A DirectX dump file for programs: one object; docs/DXDMP.md lists the members. 64-bit numbers are strings. */
#include "dxdmp/dxdmp_report.h"

#include <inttypes.h>
#include <string.h>

struct json {
    struct annot__out out;
    struct dxdmp_names names;
    const annot_dxdmp *dump;
    bool needs_comma;
};

/* ---- syntax ---- */

static void separate(struct json *json)
{
    if (json->needs_comma)
        annot__out_text(&json->out, ",");
    json->needs_comma = true;
}

static void open(struct json *json, const char *key, const char *bracket)
{
    separate(json);
    if (key)
        annot__out_format(&json->out, "\"%s\":", key);
    annot__out_text(&json->out, bracket);
    json->needs_comma = false;
}

static void close(struct json *json, const char *bracket)
{
    annot__out_text(&json->out, bracket);
    json->needs_comma = true;
}

static void number(struct json *json, const char *key, uint32_t value)
{
    separate(json);
    annot__out_format(&json->out, "\"%s\":%" PRIu32, key, value);
}

static void hex(struct json *json, const char *key, uint64_t value)
{
    separate(json);
    annot__out_format(&json->out, "\"%s\":\"0x%016" PRIx64 "\"", key, value);
}

static void decimal(struct json *json, const char *key, uint64_t value)
{
    separate(json);
    annot__out_format(&json->out, "\"%s\":\"%" PRIu64 "\"", key, value);
}

static void boolean(struct json *json, const char *key, bool value)
{
    separate(json);
    annot__out_format(&json->out, "\"%s\":%s", key, value ? "true" : "false");
}

/* null when names have filled their share. */
static void text(struct json *json, const char *key, const char *words, size_t size)
{
    separate(json);
    annot__out_format(&json->out, "\"%s\":", key);
    if (dxdmp_names_take(&json->names, size))
        annot__out_json(&json->out, words, size);
    else
        annot__out_text(&json->out, "null");
}

static void string(struct json *json, const char *key, uint64_t id)
{
    char words[DXDMP_NAME_MAX];
    size_t size = annot_dxdmp_string(json->dump, id, words, sizeof words);
    if (size > 0)
        text(json, key, words, size);
}

static void dred_string(struct json *json, const char *key, const uint64_t keys[2])
{
    char words[DXDMP_NAME_MAX];
    size_t size = annot_dxdmp_dred_string(json->dump, keys, words, sizeof words);
    if (size > 0)
        text(json, key, words, size);
}

/* ---- parts ---- */

static void write_info(struct json *json)
{
    char words[DXDMP_NAME_MAX];
    annot_dxdmp_info info;
    annot_dxdmp_get_info(json->dump, &info);
    number(json, "version", info.version);
    dxdmp_guid_text(info.guid, words);
    text(json, "guid", words, strlen(words));
    number(json, "error", info.error);
    decimal(json, "time", info.time);
    boolean(json, "uploaded", info.was_uploaded);
    boolean(json, "debugged", info.was_debugged);
    string(json, "executable", info.executable);
    string(json, "application", info.application);
    string(json, "engine", info.engine);
    size_t size = annot_dxdmp_adapter(json->dump, words, sizeof words);
    if (size > 0)
        text(json, "adapter", words, size);
    number(json, "vendor", info.vendor);
    number(json, "device", info.device);
    hex(json, "driver_version", info.driver_version);
    string(json, "os", info.os);
    number(json, "os_build", info.os_build);
    boolean(json, "has_dred", info.has_dred);
    if (info.has_dred)
        hex(json, "removed_reason", info.removed_reason);
    if (info.has_page_fault)
        hex(json, "fault_address", info.fault_address);
}

static void write_op(struct json *json, const char *key, const annot_dxdmp_node *node, uint32_t op)
{
    uint32_t kind;
    if (!annot_dxdmp_node_op(json->dump, node, op, &kind))
        return;
    const char *name = annot_breadcrumb_op_text(kind);
    open(json, key, "{");
    number(json, "index", op);
    number(json, "kind", kind);
    if (name)
        text(json, "name", name, strlen(name));
    close(json, "}");
}

static void write_node(struct json *json, const annot_dxdmp_node *node)
{
    char words[4 * DXDMP_NAME_MAX];
    open(json, NULL, "\n{");
    dred_string(json, "list_name", node->list_name);
    dred_string(json, "queue_name", node->queue_name);
    hex(json, "list", node->list);
    hex(json, "queue", node->queue);
    number(json, "operations", node->op_count);
    number(json, "done", node->done);
    text(json, "path", words, annot_dxdmp_node_path(json->dump, node, words, sizeof words));
    if (node->done > 0)
        write_op(json, "last_done", node, node->done - 1);
    write_op(json, "first_not_done", node, node->done);
    close(json, "}");
}

static void write_dred(struct json *json)
{
    annot_dxdmp_node node;
    annot_dxdmp_allocation allocation;
    open(json, "breadcrumbs", "[");
    for (size_t i = 0; annot_dxdmp_node_at(json->dump, i, &node); i++)
        write_node(json, &node);
    close(json, "]");
    open(json, "allocations", "[");
    for (size_t i = 0; annot_dxdmp_allocation_at(json->dump, i, &allocation); i++) {
        open(json, NULL, "\n{");
        const char *type = dxdmp_allocation_text(allocation.type);
        number(json, "type", allocation.type);
        text(json, "type_name", type, strlen(type));
        dred_string(json, "name", allocation.name);
        hex(json, "object", allocation.object);
        boolean(json, "freed", allocation.is_freed);
        close(json, "}");
    }
    close(json, "]");
}

static void write_annotations(struct json *json)
{
    char words[DXDMP_NAME_MAX];
    annot_dxdmp_annotation annotation;
    annot_dxdmp_owner owner;
    open(json, "annotations", "[");
    for (size_t i = 0; annot_dxdmp_annotation_at(json->dump, i, &annotation); i++) {
        open(json, NULL, "\n{");
        hex(json, "event_id", annotation.event_id);
        number(json, "metadata", annotation.metadata);
        number(json, "type", annotation.type);
        decimal(json, "size", annotation.size);
        text(json, "name", words,
             annot_dxdmp_annotation_name(json->dump, &annotation, words, sizeof words));
        close(json, "}");
    }
    close(json, "]");
    open(json, "owners", "[");
    for (size_t i = 0; annot_dxdmp_owner_at(json->dump, i, &owner); i++) {
        open(json, NULL, "\n{");
        text(json, "kind", owner.is_queue ? "queue" : "allocator", owner.is_queue ? 5 : 9);
        hex(json, "handle", owner.handle);
        open(json, "event_ids", "[");
        for (uint32_t k = 0; k < owner.id_count; k++) {
            separate(json);
            annot__out_format(&json->out, "\"0x%016" PRIx64 "\"",
                              annot_dxdmp_owner_id(json->dump, &owner, k));
        }
        close(json, "]");
        close(json, "}");
    }
    close(json, "]");
}

static void write_objects(struct json *json)
{
    annot_dxdmp_object object;
    open(json, "objects", "[");
    for (size_t i = 0; annot_dxdmp_object_at(json->dump, i, &object); i++) {
        open(json, NULL, "\n{");
        text(json, "kind", object.kind, strlen(object.kind));
        hex(json, "address", object.address);
        hex(json, "handle", object.handle);
        string(json, "name", object.name);
        close(json, "}");
    }
    close(json, "]");
}

static void write_findings(struct json *json)
{
    annot_dxdmp_finding finding;
    open(json, "findings", "[");
    for (size_t i = 0; annot_dxdmp_finding_at(json->dump, i, &finding); i++) {
        open(json, NULL, "\n{");
        text(json, "name", finding.name, strlen(finding.name));
        text(json, "text", finding.text, strlen(finding.text));
        boolean(json, "damage", finding.is_damage);
        decimal(json, "count", finding.count);
        decimal(json, "offset", finding.offset);
        close(json, "}");
    }
    close(json, "]");
    decimal(json, "names_left_out", json->names.left_out);
}

annot_result annot_dxdmp_report_json(const annot_dxdmp *dump, const annot_report_options *options,
                                     const annot_report_sink *sink)
{
    (void)options;
    struct json json = {.out = {.sink = sink}, .dump = dump};
    dxdmp_names_init(&json.names, dump);
    annot__out_text(&json.out, "{\"format\":\"dxdmp\",\"schema\":1");
    json.needs_comma = true;
    write_info(&json);
    write_dred(&json);
    write_annotations(&json);
    write_objects(&json);
    write_findings(&json);
    annot__out_text(&json.out, "}\n");
    return annot__out_flush(&json.out) ? ANNOT_OK : ANNOT_ERROR_IO;
}
