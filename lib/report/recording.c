/* Writes the recordings of threads when the dump was taken; after a crash of the application, this
 * shows its place. */
#include "report/report_page.h"

enum {
    LISTS_SHOWN = 16,
    LISTS_MAX = 256, /* number of lists that are shown with `all` */
    SCOPES_SHOWN = 16
};

static void write_scopes(struct annot__page *page, const struct annot__stream *stream)
{
    uint32_t count = stream->unclosed.count;
    uint32_t gap = count > 2 * SCOPES_SHOWN ? count - 2 * SCOPES_SHOWN : 0;
    annot__begin(page, 1, NULL);
    annot__style(page, RED);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            annot__say(page, " / ");
        if (gap > 0 && i == SCOPES_SHOWN) {
            annot__format(page, "... %u more ... / ", gap);
            i += gap;
        }
        annot__say_entry_name(page, page->reader->unclosed[stream->unclosed.first + i], false);
    }
    if (count == 0)
        annot__say(page, "(outside of any scope)");
    annot__plain(page);
    annot__say(page, "\n");
}

static void write_last_marker(struct annot__page *page, const struct annot__stream *stream)
{
    const struct annot__entry *entries = page->reader->entries;
    uint32_t at = stream->entries.first + stream->entries.count;
    while (at > stream->entries.first && !annot__entry_is_marker(&entries[at - 1]))
        at--;
    if (at == stream->entries.first)
        return;
    annot__begin(page, 2, "last recorded");
    annot__say_entry_name(page, at - 1, false);
    annot__format(page, "  (EventID 0x%llx)\n",
                  (unsigned long long)annot__entry_event_id(page->reader, at - 1));
}

static void write_list(struct annot__page *page, const struct annot__stream *stream)
{
    write_scopes(page, stream);
    annot__item(page, 2, NULL, "on %s ", page->words->list);
    annot__say_recorded(page, (uint32_t)(stream - page->reader->streams), stream->object);
    if (stream->thread != 0)
        annot__format(page, ", begun by thread %u", stream->thread);
    annot__say(page, "\n");
    write_last_marker(page, stream);
}

void annot__write_recording(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    uint32_t shown = 0, more = 0, limit = page->options->all ? LISTS_MAX : LISTS_SHOWN;
    annot__head(page, "WHAT WAS BEING RECORDED");
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        if (!reader->streams[i].is_open || reader->streams[i].is_queue)
            continue;
        if (shown < limit) {
            write_list(page, &reader->streams[i]);
            shown++;
        } else {
            more++;
        }
    }
    if (more > 0)
        annot__item(page, 1, NULL, "... %u more %s%s\n", more, page->words->list,
                    annot__plural(more));
    if (shown == 0)
        annot__item(page, 1, NULL, "No %s was being recorded.\n", page->words->command_list);
}
