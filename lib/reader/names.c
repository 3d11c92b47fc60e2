/* Makes the names of a report: the first ANNOT_REPORT_NAME_LIMIT bytes of each name. A marker
 * appears for each execution of its list, so long payloads are converted once, when the report
 * begins. The conversion of a short payload is faster than a search for its copy. */
#include "reader/ask.h"
#include "base/search.h"

/* Payloads up to this many bytes are converted at each mention. */
enum { SHORT_PAYLOAD = 512 };

struct annot__kept_name {
    uint32_t entry;
    struct annot__name name; /* its text is `text` */
    char text[ANNOT_REPORT_NAME_LIMIT + 1];
};

static bool is_long(const annot_reader *reader, uint32_t index)
{
    struct annot__marker_view marker;
    if (!annot__entry_is_marker(&reader->entries[index]))
        return false;
    annot__entry_marker(reader, &reader->entries[index], &marker);
    return marker.bytes.size > SHORT_PAYLOAD;
}

bool annot__names_init(struct annot__names *names, const annot_reader *reader)
{
    uint32_t count = 0;
    names->reader = reader;
    names->kept = NULL;
    names->count = 0;
    if (reader->payloads.longest <= SHORT_PAYLOAD)
        return true;
    for (uint32_t i = 0; i < reader->entry_count; i++)
        count += is_long(reader, i);
    if (count == 0)
        return true;
    names->kept = annot__report_allocate(reader, count * sizeof *names->kept);
    if (!names->kept)
        return false;
    for (uint32_t i = 0; i < reader->entry_count; i++) {
        if (!is_long(reader, i))
            continue;
        struct annot__kept_name *kept = &names->kept[names->count++];
        kept->entry = i;
        annot__name_of_entry(reader, i, kept->text, sizeof kept->text, &kept->name);
    }
    return true;
}

void annot__names_finish(struct annot__names *names)
{
    annot__report_release(names->reader, names->kept, names->count * sizeof *names->kept);
}

void annot__names_of_entry(struct annot__names *names, uint32_t entry, struct annot__name *name)
{
    uint32_t low = 0, high = names->count;
    ANNOT__LOWER_BOUND(low, high, i, names->kept[i].entry < entry);
    if (low == names->count || names->kept[low].entry != entry) {
        annot__name_of_entry(names->reader, entry, names->text, sizeof names->text, name);
        return;
    }
    *name = names->kept[low].name;
    name->text = names->kept[low].text;
}

void annot__names_of_text(struct annot__names *names, annot_text text, struct annot__name *name)
{
    annot__name_of_text(text, names->text, sizeof names->text, name);
}
