/* Writes the parts of the report without trees of markers: the device, objects, facts, blobs,
 * losses, findings, the kernel-mode driver's answers, breadcrumbs and address ranges. */
#include "report/json_page.h"

#include <stddef.h>

static void bytes(struct annot__json_page *json, const char *name, const uint8_t *data,
                  uint32_t size)
{
    annot__json_key(&json->to, name);
    annot__out_text(&json->out, "\"");
    for (uint32_t i = 0; i < size; i++)
        annot__out_format(&json->out, "%02x", data[i]);
    annot__out_text(&json->out, "\"");
}

void annot__json_device(struct annot__json_page *json)
{
    annot_reader_device of;
    annot_reader_get_device(json->reader, &of);
    annot__json_say(json, "device:{known:%d", of.is_known);
    bytes(json, "guid", of.guid, sizeof of.guid);
    annot__json_say(json, "error:%u time:" JSON_DIGITS, of.error, of.time);
    if (of.has_virtual_clock)
        annot__json_say(json, "virtual_time:" JSON_DIGITS, of.virtual_time);
    annot__json_say(json,
                    "mode:%u driver_supported:%d has_report:%d order_window:%u starts_in_order:%d "
                    "retires_in_order:%d drains:%d budget:" JSON_DIGITS " live_bytes:" JSON_DIGITS
                    " pointer_size:%u fault_count:" JSON_DIGITS " fault_address:" JSON_HEX,
                    of.mode, of.driver_supported, of.has_report, of.order_window,
                    (of.promises & ANNOT_PROMISE_STARTS_IN_ORDER) != 0,
                    (of.promises & ANNOT_PROMISE_RETIRES_IN_ORDER) != 0,
                    (of.promises & ANNOT_PROMISE_DRAINS) != 0, of.budget, of.live_bytes,
                    of.pointer_size, of.fault_count, of.fault_address);
    annot__json_text(json, "application", of.application);
    annot__json_text(json, "adapter", of.adapter);
    annot__json_text(json, "driver", of.driver);
    annot__json_text(json, "reason", of.reason);
    annot__json_text(json, "writer", of.writer);
    annot__json_say(json, "}");
}

void annot__json_objects(struct annot__json_page *json)
{
    annot_reader_object of;
    annot__json_say(json, "objects:[");
    for (size_t i = 0; annot_reader_object_at(json->reader, i, &of); i++) {
        annot__json_say(json, "\n{id:" JSON_DIGITS " kind:%u", of.id, of.kind);
        if (of.kind_name.size > 0)
            annot__json_short_text(json, "kind_name", of.kind_name);
        if (json->reader->objects[i].fields.type != 0)
            annot__json_say(json, "type:%s", annot_object_type_text(of.type));
        annot__json_say(json, "flavor:%u handle:" JSON_HEX, of.list_type, of.handle);
        bool is_whole = true;
        if (of.is_named || of.name.size > 0)
            is_whole = annot__json_text(json, "name", of.name);
        else
            annot__json_string(&json->to, "name", NULL);
        annot__json_say(json, "name_cut:%d destroyed:%d driver_retail:%d",
                        of.is_name_cut || !is_whole, of.is_destroyed, of.is_retail);
        if (of.made != 0)
            annot__json_say(json, "made_before:" JSON_DIGITS, of.made);
        if (of.destroyed != 0)
            annot__json_say(json, "destroyed_before:" JSON_DIGITS, of.destroyed);
        annot__json_resource(json, of.id);
        annot__json_say(json, "}");
    }
    annot__json_say(json, "]");
}

void annot__json_facts(struct annot__json_page *json)
{
    annot_reader_fact of;
    if (json->reader->fact_count == 0)
        return;
    annot__json_say(json, "facts:[");
    for (size_t i = 0; annot_reader_fact_at(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_text(json, "key", of.key);
        annot__json_text(json, "value", of.value);
        annot__json_say(json, "source:%s}", annot_fact_source_text(of.source));
    }
    annot__json_say(json, "]");
}

void annot__json_blobs(struct annot__json_page *json)
{
    annot_reader_blob of;
    annot__json_say(json, "blobs:[");
    for (size_t i = 0; annot_reader_blob_at(json->reader, i, &of); i++)
        annot__json_say(json, "\n{kind:%s index:%u metadata:" JSON_DIGITS " size:" JSON_DIGITS "}",
                        annot_blob_kind_text(of.kind), of.index, of.metadata, (uint64_t)of.size);
    annot__json_say(json, "]");
}

#define LOSS_MEMBER(name, number, member, one, many) #member,

void annot__json_losses(struct annot__json_page *json)
{
    static const char *const names[] = {ANNOT_LOSSES(LOSS_MEMBER, ANNOT_IN_D3D12)};
    annot__json_say(json, "lost:{");
    for (uint32_t i = 0; i < ANNOT__LOSS_SLOTS; i++)
        annot__json_decimal(&json->to, names[i], json->reader->losses[i]);
    annot__json_say(json, "finished_lists_expired:" JSON_DIGITS "}", json->reader->expired);
}

void annot__json_findings(struct annot__json_page *json)
{
    static const char *const classes[] = {"", "damage", "note", "evidence"};
    annot_finding of;
    annot__json_say(json, "findings:[");
    for (size_t i = 0; annot_reader_finding(json->reader, i, &of); i++)
        annot__json_say(json,
                        "\n{name:%s number:%u class:%s text:%s count:" JSON_DIGITS
                        " offset:" JSON_DIGITS " value:" JSON_HEX "}",
                        of.name, (unsigned)of.kind, classes[of.finding_class], of.text, of.count,
                        of.offset, of.value);
    annot__json_say(json, "]");
}

void annot__json_kernel_driver(struct annot__json_page *json)
{
    annot_reader_tdr tdr;
    if (!annot_reader_get_tdr(json->reader, &tdr))
        return;
    annot__json_say(json,
                    "tdr:{type:%s type_number:%u reason:%u ddi:%u status:%x bucketing_key:%x "
                    "dma_buffer_offset:%x",
                    annot_tdr_type_text(tdr.type), tdr.type, tdr.reason, tdr.ddi,
                    (unsigned)tdr.status, tdr.bucketing_key, tdr.dma_offset);
    if (tdr.node != UINT32_MAX)
        annot__json_say(json, "node:%u", tdr.node);
    if (tdr.queue != 0)
        annot__json_object(json, "queue", tdr.queue);
    if (tdr.context != 0)
        annot__json_object(json, "guilty", tdr.context);
    annot__json_say(json,
                    "last_completed:" JSON_DIGITS " last_submitted:" JSON_DIGITS
                    " nanoseconds:" JSON_DIGITS " broken_rules:%u",
                    tdr.last_completed, tdr.last_submitted, tdr.time, tdr.flags);
    bytes(json, "payload", tdr.payload, tdr.payload_size);
    bytes(json, "returned", tdr.returned, tdr.payload_size);
    annot__json_say(json, "}");
}

void annot__json_all_crumbs(struct annot__json_page *json)
{
    annot_reader_crumbs of;
    if (json->reader->crumb_count == 0)
        return;
    annot__json_say(json, "breadcrumbs:[");
    for (uint32_t i = 0;
         annot_reader_crumbs_at(json->reader, i, &of) && annot__json_take_node(json); i++) {
        annot__json_element(&json->to);
        annot__json_object(json, "queue", json->reader->crumbs[i].fields.queue);
        annot__json_say(json, "submission:" JSON_DIGITS " list:%u bundle:%u", of.submission,
                        of.list, of.bundle);
        annot__json_crumbs(json, i);
        annot__json_say(json, "joined:%d state:%s", of.is_joined, annot_state_text(of.state));
        if (of.is_disputed)
            annot__json_say(json, "disputed:%s", annot_state_text(of.overruled));
        annot__json_say(json, "}");
    }
    annot__json_say(json, "]");
}

void annot__json_ranges(struct annot__json_page *json)
{
    annot_reader_range of;
    if (json->reader->range_count == 0)
        return;
    annot__json_say(json, "ranges:[");
    for (uint32_t i = 0; annot_reader_range_at(json->reader, i, &of) && annot__json_take_node(json);
         i++) {
        annot__json_say(json, "\n{address:" JSON_HEX " size:" JSON_DIGITS, of.address, of.size);
        annot__json_object(json, "object", of.object);
        annot__json_say(json, "kind:%u freed:%d", of.kind, of.is_freed);
        if (of.is_freed)
            annot__json_say(json, "freed_before:" JSON_DIGITS, of.freed_before);
        annot__json_say(json, "}");
    }
    annot__json_say(json, "]");
}
