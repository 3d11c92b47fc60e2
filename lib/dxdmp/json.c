/* A DirectX dump file for programs: one object; docs/DXDMP.md lists the members. 64-bit numbers are
 * strings. */
#include "dxdmp/dxdmp_report.h"
#include "json/json_writer.h"
#include "base/sized.h"

#include <inttypes.h>
#include <string.h>

struct json {
    struct annot__out out;
    struct annot__json to; /* into it */
    struct dxdmp_names names;
    const annot_dxdmp *dump;
};

/* null when names have filled their share. */
static void text(struct json *json, const char *key, const char *words, size_t size)
{
    annot__json_separate(&json->to);
    annot__out_format(&json->out, "\"%s\":", key);
    if (dxdmp_names_take(&json->names, size))
        annot__json_quote(&json->to, words, size);
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
    annot__json_number(&json->to, "version", info.version);
    dxdmp_guid_text(info.guid, words);
    text(json, "guid", words, strlen(words));
    annot__json_number(&json->to, "error", info.error);
    annot__json_decimal(&json->to, "time", info.time);
    annot__json_bool(&json->to, "uploaded", info.was_uploaded);
    annot__json_bool(&json->to, "debugged", info.was_debugged);
    string(json, "executable", info.executable);
    string(json, "application", info.application);
    string(json, "engine", info.engine);
    size_t size = annot_dxdmp_adapter(json->dump, words, sizeof words);
    if (size > 0)
        text(json, "adapter", words, size);
    annot__json_number(&json->to, "vendor", info.vendor);
    annot__json_number(&json->to, "device", info.device);
    annot__json_hex16(&json->to, "driver_version", info.driver_version);
    string(json, "os", info.os);
    annot__json_number(&json->to, "os_build", info.os_build);
    annot__json_bool(&json->to, "has_dred", info.has_dred);
    if (info.has_dred)
        annot__json_hex16(&json->to, "removed_reason", info.removed_reason);
    if (info.has_page_fault)
        annot__json_hex16(&json->to, "fault_address", info.fault_address);
}

static void write_op(struct json *json, const char *key, const annot_dxdmp_node *node, uint32_t op)
{
    uint32_t kind;
    if (!annot_dxdmp_node_op(json->dump, node, op, &kind))
        return;
    const char *name = annot_breadcrumb_op_text(kind);
    annot__json_open(&json->to, key, "{");
    annot__json_number(&json->to, "index", op);
    annot__json_number(&json->to, "kind", kind);
    if (name)
        text(json, "name", name, strlen(name));
    annot__json_close(&json->to, "}");
}

static void write_node(struct json *json, const annot_dxdmp_node *node)
{
    char words[4 * DXDMP_NAME_MAX];
    annot__json_open(&json->to, NULL, "\n{");
    dred_string(json, "list_name", node->list_name);
    dred_string(json, "queue_name", node->queue_name);
    annot__json_hex16(&json->to, "list", node->list);
    annot__json_hex16(&json->to, "queue", node->queue);
    annot__json_number(&json->to, "operations", node->op_count);
    annot__json_number(&json->to, "done", node->done);
    text(json, "path", words, annot_dxdmp_node_path(json->dump, node, words, sizeof words));
    if (node->done > 0)
        write_op(json, "last_done", node, node->done - 1);
    write_op(json, "first_not_done", node, node->done);
    annot__json_close(&json->to, "}");
}

static void write_dred(struct json *json)
{
    annot_dxdmp_node node;
    annot_dxdmp_allocation allocation;
    annot__json_open(&json->to, "breadcrumbs", "[");
    for (size_t i = 0; annot_dxdmp_node_at(json->dump, i, &node); i++)
        write_node(json, &node);
    annot__json_close(&json->to, "]");
    annot__json_open(&json->to, "allocations", "[");
    for (size_t i = 0; annot_dxdmp_allocation_at(json->dump, i, &allocation); i++) {
        annot__json_open(&json->to, NULL, "\n{");
        const char *type = dxdmp_allocation_text(allocation.type);
        annot__json_number(&json->to, "type", allocation.type);
        text(json, "type_name", type, strlen(type));
        dred_string(json, "name", allocation.name);
        annot__json_hex16(&json->to, "object", allocation.object);
        annot__json_bool(&json->to, "freed", allocation.is_freed);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void write_annotations(struct json *json)
{
    char words[DXDMP_NAME_MAX];
    annot_dxdmp_annotation annotation;
    annot_dxdmp_owner owner;
    annot__json_open(&json->to, "annotations", "[");
    for (size_t i = 0; annot_dxdmp_annotation_at(json->dump, i, &annotation); i++) {
        annot__json_open(&json->to, NULL, "\n{");
        annot__json_hex16(&json->to, "event_id", annotation.event_id);
        annot__json_number(&json->to, "metadata", annotation.metadata);
        annot__json_number(&json->to, "type", annotation.type);
        annot__json_decimal(&json->to, "size", annotation.size);
        text(json, "name", words,
             annot_dxdmp_annotation_name(json->dump, &annotation, words, sizeof words));
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
    annot__json_open(&json->to, "owners", "[");
    for (size_t i = 0; annot_dxdmp_owner_at(json->dump, i, &owner); i++) {
        annot__json_open(&json->to, NULL, "\n{");
        text(json, "kind", owner.is_queue ? "queue" : "allocator", owner.is_queue ? 5 : 9);
        annot__json_hex16(&json->to, "handle", owner.handle);
        annot__json_open(&json->to, "event_ids", "[");
        for (uint32_t k = 0; k < owner.id_count; k++) {
            annot__json_separate(&json->to);
            annot__out_format(&json->out, "\"0x%016" PRIx64 "\"",
                              annot_dxdmp_owner_id(json->dump, &owner, k));
        }
        annot__json_close(&json->to, "]");
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void write_objects(struct json *json)
{
    annot_dxdmp_object object;
    annot__json_open(&json->to, "objects", "[");
    for (size_t i = 0; annot_dxdmp_object_at(json->dump, i, &object); i++) {
        annot__json_open(&json->to, NULL, "\n{");
        text(json, "kind", object.kind, strlen(object.kind));
        annot__json_hex16(&json->to, "address", object.address);
        annot__json_hex16(&json->to, "handle", object.handle);
        string(json, "name", object.name);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void write_findings(struct json *json)
{
    annot_dxdmp_finding finding;
    annot__json_open(&json->to, "findings", "[");
    for (size_t i = 0; annot_dxdmp_finding_at(json->dump, i, &finding); i++) {
        annot__json_open(&json->to, NULL, "\n{");
        text(json, "name", finding.name, strlen(finding.name));
        text(json, "text", finding.text, strlen(finding.text));
        annot__json_bool(&json->to, "damage", finding.is_damage);
        annot__json_decimal(&json->to, "count", finding.count);
        annot__json_decimal(&json->to, "offset", finding.offset);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
    annot__json_decimal(&json->to, "names_left_out", json->names.left_out);
}

annot_result annot_dxdmp_report_json_sized(const annot_dxdmp *dump,
                                           const annot_report_options *options, size_t options_size,
                                           const annot_report_sink *sink)
{
    annot_report_options known = {0};
    if (!ANNOT__TAKE(known, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    struct json json = {.out = {.sink = sink}, .dump = dump};
    json.to = (struct annot__json){annot__out_json, &json.out, false};
    dxdmp_names_init(&json.names, dump);
    annot__out_text(&json.out, "{\"format\":\"dxdmp\",\"schema\":1");
    json.to.needs_comma = true;
    write_info(&json);
    write_dred(&json);
    write_annotations(&json);
    write_objects(&json);
    write_findings(&json);
    annot__out_text(&json.out, "}\n");
    return annot__out_flush(&json.out) ? ANNOT_OK : ANNOT_ERROR_IO;
}
