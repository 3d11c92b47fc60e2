/* Writes texts, objects and markers as members of the report. */
#include "report/json_page.h"

bool annot__json_text(struct annot__json_page *json, const char *name, annot_text value)
{
    struct annot__name of;
    annot__name_of_text(value, json->name, sizeof json->name, &of);
    annot__json_bytes(&json->to, name, of.text, of.size);
    return !of.is_short;
}

void annot__json_short_text(struct annot__json_page *json, const char *name, annot_text value)
{
    struct annot__name beginning;
    annot__names_of_text(&json->names, value, &beginning);
    annot__json_bytes(&json->to, name, beginning.text, beginning.size);
}

void annot__json_called(struct annot__json_page *json, const char *prefix,
                        struct annot__called_object object)
{
    struct annot__name name;
    annot__json_decimal(&json->to, prefix, object.id);
    annot__json_separate(&json->to);
    annot__out_format(&json->out, "\"%s_name\":", prefix);
    if (object.name.size == 0) {
        annot__out_text(&json->out, "null");
        return;
    }
    annot__names_of_text(&json->names, object.name, &name);
    annot__json_quote(&json->to, name.text, name.size);
    if (!name.is_short)
        return;
    annot__json_separate(&json->to);
    annot__out_format(&json->out, "\"%s_name_short\":true", prefix);
}

void annot__json_object(struct annot__json_page *json, const char *prefix, uint64_t id)
{
    annot__json_called(json, prefix, annot__called_last(json->reader, id));
}

void annot__json_queue_of(struct annot__json_page *json, uint32_t submission)
{
    annot__json_called(json, "queue", annot__called_in_submission(json->reader, submission));
}

void annot__json_list_of(struct annot__json_page *json, uint32_t execution)
{
    annot__json_called(json, "object", annot__called_in_execution(json->reader, execution));
}

static void entry_name(struct annot__json_page *json, uint32_t index)
{
    static const char *const payloads[] = {"copied", "referenced", "changed", "unreadable"};
    struct annot__name name;
    annot__names_of_entry(&json->names, index, &name);
    annot__json_say(json, "name:%.*s", (int)name.size, name.text);
    if (name.is_short)
        annot__json_say(json, "name_short:%d", true);
    if (name.is_cut)
        annot__json_say(json, "name_cut:%d", true);
    if (name.has_color)
        annot__json_say(json, "color:%u", name.color);
    if (name.payload != ANNOT_PAYLOAD_COPIED)
        annot__json_say(json, "payload:%s", payloads[name.payload]);
}

void annot__json_entry(struct annot__json_page *json, uint32_t index)
{
    static const char *const kinds[] = {"", "begin", "set", "surplus_end", "bundle", "submission"};
    const struct annot__entry *of = &json->reader->entries[index];
    annot__json_say(json, "kind:%s", kinds[of->kind]);
    if (annot__entry_is_marker(of)) {
        struct annot__marker_view marker;
        annot__entry_marker(json->reader, of, &marker);
        annot__json_say(json, "event_id:" JSON_HEX, annot__entry_event_id(json->reader, index));
        entry_name(json, index);
        annot__json_say(json, "metadata:%u size:%u", marker.metadata, marker.size);
    }
    if (of->kind == ANNOT_ENTRY_BEGIN)
        annot__json_say(json, "closed:%d", of->end != ANNOT__NEVER);
    if (of->kind == ANNOT_ENTRY_BUNDLE) {
        annot__json_say(json, "bundle:%u", annot__entry_bundle(json->reader, index).ordinal);
        annot__json_called(json, "object", annot__called_in_bundle(json->reader, index));
    }
}

bool annot__json_take_node(struct annot__json_page *json)
{
    if (json->out.written >= json->size_limit)
        json->nodes_left = 0;
    if (json->nodes_left == 0) {
        json->is_cut = true;
        return false;
    }
    json->nodes_left--;
    return true;
}
