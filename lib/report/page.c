/* The words and signs that all parts of a text report share. */
#include "report/report_page.h"

#include <string.h>

enum {
    INDENT_MAX = 24 /* levels of indentation; deeper lines say their depth */
};

void annot__style(struct annot__page *page, const char *code)
{
    if (page->options->color)
        annot__format(page, "\x1b[%sm", code);
}

void annot__plain(struct annot__page *page)
{
    if (page->options->color)
        annot__out_text(&page->out, "\x1b[0m");
}

void annot__head(struct annot__page *page, const char *words)
{
    if (page->options->outline) {
        annot__format(page, "0\t\t%s\n", words);
        return;
    }
    annot__out_text(&page->out, "\n");
    annot__styled(page, BOLD, "%s", words);
    annot__out_text(&page->out, "\n");
}

void annot__begin(struct annot__page *page, unsigned level, const char *label)
{
    if (page->options->outline)
        annot__format(page, "%u\t%s\t", level, label ? label : "");
    else if (!label)
        annot__out_text(&page->out, level == 1 ? "  " : "    ");
    else
        annot__format(page, level == 1 ? "  %-12s " : "    %-14s ", label);
}

void annot__say(struct annot__page *page, const char *words)
{
    annot__out_text(&page->out, words);
}

void annot__spend_line(struct annot__page *page)
{
    if (page->out.written >= page->size_limit)
        page->nodes_left = 0;
    else
        page->nodes_left--;
}

/* Writes a name in quotes, so that quotes in the name don't end the quotes around it. */
static bool say_in_quotes(struct annot__page *page, const char *text, size_t size)
{
    const uint64_t limit = page->out.written + ANNOT_REPORT_NAME_LIMIT;
    const char *quote;
    /* without bytes `text` may be NULL, which memchr doesn't allow */
    while ((quote = size > 0 ? memchr(text, '"', size) : NULL)) {
        const size_t before = (size_t)(quote - text);
        if (!annot__out_printable(&page->out, text, before, (size_t)(limit - page->out.written)))
            return false;
        if (page->out.written + 2 > limit) {
            annot__out_text(&page->out, "...");
            return false;
        }
        annot__out_text(&page->out, "\\\"");
        size -= before + 1;
        text = quote + 1;
    }
    return annot__out_printable(&page->out, text, size, (size_t)(limit - page->out.written));
}

static void say_name(struct annot__page *page, const struct annot__name *name)
{
    bool is_whole = page->is_in_quotes ? say_in_quotes(page, name->text, name->size)
                                       : annot__out_printable(&page->out, name->text, name->size,
                                                              ANNOT_REPORT_NAME_LIMIT);
    if (is_whole && name->is_short)
        annot__say(page, "...");
    page->names_cut += !is_whole || name->is_short;
}

void annot__print_text(struct annot__page *page, annot_text words)
{
    struct annot__name name;
    annot__names_of_text(&page->names, words, &name);
    say_name(page, &name);
}

static void say_swatch(struct annot__page *page, const struct annot__name *name)
{
    if (page->options->color && page->options->truecolor && name->has_color)
        annot__format(page, "\x1b[38;2;%u;%u;%um\xe2\x96\xa0\x1b[0m ", name->color >> 16 & 0xFF,
                      name->color >> 8 & 0xFF, name->color & 0xFF);
}

void annot__say_entry_name(struct annot__page *page, uint32_t entry, bool has_swatch)
{
    struct annot__name name;
    annot__names_of_entry(&page->names, entry, &name);
    if (has_swatch)
        say_swatch(page, &name);
    say_name(page, &name);
    if (name.is_cut)
        annot__say(page, " (name cut)");
    if (name.is_no_utf8)
        annot__say(page, " (some bytes are not text)");
    if (name.payload == ANNOT_PAYLOAD_CHANGED)
        annot__say(page, " (changed since it was recorded)");
}

void annot__open_quote(struct annot__page *page)
{
    page->is_in_quotes = !page->options->branches;
    annot__say(page, page->options->branches ? "\xe2\x80\x9c" : "\"");
}

void annot__close_quote(struct annot__page *page)
{
    page->is_in_quotes = false;
    annot__say(page, page->options->branches ? "\xe2\x80\x9d" : "\"");
}

void annot__say_quoted_entry(struct annot__page *page, uint32_t entry)
{
    annot__open_quote(page);
    annot__say_entry_name(page, entry, false);
    annot__close_quote(page);
}

static void say_called(struct annot__page *page, struct annot__called_object object)
{
    if (object.name.size > 0) {
        annot__open_quote(page);
        annot__print_text(page, object.name);
        annot__say(page, object.is_name_cut ? "..." : "");
        annot__close_quote(page);
    } else {
        annot__format(page, object.is_known ? "#%llu (unnamed)" : "#%llu",
                      (unsigned long long)object.id);
    }
    if (object.is_destroyed)
        annot__say(page, " (destroyed)");
}

void annot__say_object(struct annot__page *page, uint64_t id)
{
    say_called(page, annot__called_last(page->reader, id));
}

void annot__say_bound(struct annot__page *page, uint32_t stream, uint64_t id)
{
    say_called(page, annot__called_bound(page->reader, stream, id));
}

void annot__say_queue(struct annot__page *page, uint32_t submission)
{
    say_called(page, annot__called_in_submission(page->reader, submission));
}

void annot__say_bundle(struct annot__page *page, uint32_t entry)
{
    say_called(page, annot__called_in_bundle(page->reader, entry));
}

void annot__say_recorded(struct annot__page *page, uint32_t stream, uint64_t id)
{
    say_called(page, annot__called_in_recording(page->reader, stream, id));
}

const char *annot__plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void annot__say_state(struct annot__page *page, annot_state state)
{
    static const struct {
        const char *code, *mark;
    } looks[] = {{MAGENTA, "[?]"}, {DIM, "[ ]"}, {RED, "[>]"}, {GREEN, "[X]"}, {DIM, "[-]"}};
    annot__styled(page, looks[state].code, "%s", looks[state].mark);
    annot__say(page, " ");
}

void annot__indent(struct annot__page *page, uint64_t depth)
{
    uint64_t levels = depth < INDENT_MAX ? depth : INDENT_MAX;
    if (page->options->branches)
        annot__style(page, DIM);
    for (uint64_t i = 0; i < levels; i++)
        annot__say(page, page->options->branches ? "\xe2\x94\x82 " : "  ");
    if (page->options->branches)
        annot__plain(page);
    if (depth >= INDENT_MAX)
        annot__format(page, "(depth %llu) ", (unsigned long long)depth);
}

void annot__say_list(struct annot__page *page, uint32_t index)
{
    const struct annot__execution *execution = &page->reader->executions[index];
    const struct annot__submitted *submission = &page->reader->submissions[execution->submission];
    annot__format(page, "%s %u of %u ", page->words->list, execution->list + 1,
                  submission->executions.count);
    say_called(page, annot__called_in_execution(page->reader, index));
}
