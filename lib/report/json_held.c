/* Writes the parts of the report without trees of markers: the device, objects, facts, blobs,
 * losses, findings, the kernel-mode driver's answers, breadcrumbs and address ranges. */
#include "report/json_page.h"

#include <stddef.h>

void annot__json_device(struct annot__json_page *json)
{
    annot_reader_device of;
    annot_reader_get_device(json->reader, &of);
    annot__json_open(&json->to, "device", "{");
    annot__json_bool(&json->to, "known", of.is_known);
    annot__json_key(&json->to, "guid");
    annot__out_text(&json->out, "\"");
    for (unsigned i = 0; i < 16; i++)
        annot__out_format(&json->out, "%02x", of.guid[i]);
    annot__out_text(&json->out, "\"");
    annot__json_number(&json->to, "error", of.error);
    annot__json_decimal(&json->to, "time", of.time);
    if (of.has_virtual_clock)
        annot__json_decimal(&json->to, "virtual_time", of.virtual_time);
    annot__json_number(&json->to, "mode", of.mode);
    annot__json_bool(&json->to, "driver_supported", of.driver_supported);
    annot__json_bool(&json->to, "has_report", of.has_report);
    annot__json_number(&json->to, "order_window", of.order_window);
    annot__json_bool(&json->to, "starts_in_order", of.promises & ANNOT_PROMISE_STARTS_IN_ORDER);
    annot__json_bool(&json->to, "retires_in_order", of.promises & ANNOT_PROMISE_RETIRES_IN_ORDER);
    annot__json_bool(&json->to, "drains", of.promises & ANNOT_PROMISE_DRAINS);
    annot__json_decimal(&json->to, "budget", of.budget);
    annot__json_decimal(&json->to, "live_bytes", of.live_bytes);
    annot__json_number(&json->to, "pointer_size", of.pointer_size);
    annot__json_decimal(&json->to, "fault_count", of.fault_count);
    annot__json_hex(&json->to, "fault_address", of.fault_address);
    annot__json_text(json, "application", of.application);
    annot__json_text(json, "adapter", of.adapter);
    annot__json_text(json, "driver", of.driver);
    annot__json_text(json, "reason", of.reason);
    annot__json_text(json, "writer", of.writer);
    annot__json_close(&json->to, "}");
}

void annot__json_objects(struct annot__json_page *json)
{
    annot_reader_object of;
    annot__json_open(&json->to, "objects", "[");
    for (size_t i = 0; annot_reader_object_at(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_decimal(&json->to, "id", of.id);
        annot__json_number(&json->to, "kind", of.kind);
        if (of.kind_name.size > 0)
            annot__json_short_text(json, "kind_name", of.kind_name);
        if (json->reader->objects[i].fields.type != 0)
            annot__json_string(&json->to, "type", annot_object_type_text(of.type));
        annot__json_number(&json->to, "flavor", of.list_type);
        annot__json_hex(&json->to, "handle", of.handle);
        annot__json_key(&json->to, "name");
        bool is_whole = true;
        if (of.is_named || of.name.size > 0)
            is_whole = annot__json_text_value(json, of.name);
        else
            annot__out_text(&json->out, "null");
        annot__json_bool(&json->to, "name_cut", of.is_name_cut || !is_whole);
        annot__json_bool(&json->to, "destroyed", of.is_destroyed);
        annot__json_bool(&json->to, "driver_retail", of.is_retail);
        annot__json_resource(json, of.id);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

void annot__json_facts(struct annot__json_page *json)
{
    annot_reader_fact of;
    if (json->reader->fact_count == 0)
        return;
    annot__json_open(&json->to, "facts", "[");
    for (size_t i = 0; annot_reader_fact_at(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_text(json, "key", of.key);
        annot__json_text(json, "value", of.value);
        annot__json_string(&json->to, "source", annot_fact_source_text(of.source));
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

void annot__json_blobs(struct annot__json_page *json)
{
    annot_reader_blob of;
    annot__json_open(&json->to, "blobs", "[");
    for (size_t i = 0; annot_reader_blob_at(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_string(&json->to, "kind", annot_blob_kind_text(of.kind));
        annot__json_number(&json->to, "index", of.index);
        annot__json_decimal(&json->to, "metadata", of.metadata);
        annot__json_decimal(&json->to, "size", of.size);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

#define LOSS_MEMBER(name, number, member, one, many) #member,

void annot__json_losses(struct annot__json_page *json)
{
    static const char *const names[] = {ANNOT_LOSSES(LOSS_MEMBER, ANNOT_IN_D3D12)};
    annot__json_open(&json->to, "lost", "{");
    for (uint32_t i = 0; i < ANNOT__LOSS_SLOTS; i++)
        annot__json_decimal(&json->to, names[i], json->reader->losses[i]);
    annot__json_decimal(&json->to, "finished_lists_expired", json->reader->expired);
    annot__json_close(&json->to, "}");
}

void annot__json_findings(struct annot__json_page *json)
{
    static const char *const classes[] = {"", "damage", "note", "evidence"};
    annot_finding of;
    annot__json_open(&json->to, "findings", "[");
    for (size_t i = 0; annot_reader_finding(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_string(&json->to, "name", of.name);
        annot__json_number(&json->to, "number", (uint64_t)of.kind);
        annot__json_string(&json->to, "class", classes[of.finding_class]);
        annot__json_string(&json->to, "text", of.text);
        annot__json_decimal(&json->to, "count", of.count);
        annot__json_decimal(&json->to, "offset", of.offset);
        annot__json_hex(&json->to, "value", of.value);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void bytes(struct annot__json_page *json, const char *name, const uint8_t *data,
                  uint32_t size)
{
    annot__json_key(&json->to, name);
    annot__out_text(&json->out, "\"");
    for (uint32_t i = 0; i < size; i++)
        annot__out_format(&json->out, "%02x", data[i]);
    annot__out_text(&json->out, "\"");
}

void annot__json_kernel_driver(struct annot__json_page *json)
{
    annot_reader_tdr tdr;
    if (!annot_reader_get_tdr(json->reader, &tdr))
        return;
    annot__json_open(&json->to, "tdr", "{");
    annot__json_string(&json->to, "type", annot_tdr_type_text(tdr.type));
    annot__json_number(&json->to, "type_number", tdr.type);
    annot__json_number(&json->to, "reason", tdr.reason);
    annot__json_number(&json->to, "ddi", tdr.ddi);
    annot__json_hex(&json->to, "status", (uint32_t)tdr.status);
    annot__json_hex(&json->to, "bucketing_key", tdr.bucketing_key);
    annot__json_hex(&json->to, "dma_buffer_offset", tdr.dma_offset);
    if (tdr.node != UINT32_MAX)
        annot__json_number(&json->to, "node", tdr.node);
    if (tdr.queue != 0)
        annot__json_object(json, "queue", tdr.queue);
    if (tdr.context != 0)
        annot__json_object(json, "guilty", tdr.context);
    annot__json_decimal(&json->to, "last_completed", tdr.last_completed);
    annot__json_decimal(&json->to, "last_submitted", tdr.last_submitted);
    annot__json_decimal(&json->to, "nanoseconds", tdr.time);
    annot__json_number(&json->to, "broken_rules", tdr.flags);
    bytes(json, "payload", tdr.payload, tdr.payload_size);
    bytes(json, "returned", tdr.returned, tdr.payload_size);
    annot__json_close(&json->to, "}");
}

void annot__json_all_crumbs(struct annot__json_page *json)
{
    annot_reader_crumbs of;
    if (json->reader->crumb_count == 0)
        return;
    annot__json_open(&json->to, "breadcrumbs", "[");
    for (uint32_t i = 0;
         annot_reader_crumbs_at(json->reader, i, &of) && annot__json_take_node(json); i++) {
        annot__json_element(&json->to);
        annot__json_object(json, "queue", json->reader->crumbs[i].fields.queue);
        annot__json_decimal(&json->to, "submission", of.submission);
        annot__json_number(&json->to, "list", of.list);
        annot__json_number(&json->to, "bundle", of.bundle);
        annot__json_crumbs(json, i);
        annot__json_bool(&json->to, "joined", of.is_joined);
        annot__json_state(json, of.state);
        if (of.is_disputed)
            annot__json_string(&json->to, "disputed", annot_state_text(of.overruled));
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

void annot__json_ranges(struct annot__json_page *json)
{
    annot_reader_range of;
    if (json->reader->range_count == 0)
        return;
    annot__json_open(&json->to, "ranges", "[");
    for (uint32_t i = 0; annot_reader_range_at(json->reader, i, &of) && annot__json_take_node(json);
         i++) {
        annot__json_element(&json->to);
        annot__json_hex(&json->to, "address", of.address);
        annot__json_decimal(&json->to, "size", of.size);
        annot__json_object(json, "object", of.object);
        annot__json_number(&json->to, "kind", of.kind);
        annot__json_bool(&json->to, "freed", of.is_freed);
        if (of.is_freed)
            annot__json_decimal(&json->to, "freed_before", of.freed_before);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}
