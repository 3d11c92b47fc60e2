#include "triage_html.h"

#include "cli.h"
#include "page/html.h"
#include "page/page.h"

#include <string.h>

struct page {
    FILE *file;
    const char *reports; /* folder; NULL: none are written */
};

/* Texts of dumps are inert already; what HTML reads as markup isn't. */
static void put(FILE *file, const char *text)
{
    char piece[ANNOT_ESCAPED_MAX];
    const size_t size = strlen(text);
    size_t piece_size;
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text + at, size - at, piece, &piece_size);
        for (size_t i = 0; i < piece_size; i++)
            switch (piece[i]) {
            case '<':
                fputs("&lt;", file);
                break;
            case '>':
                fputs("&gt;", file);
                break;
            case '&':
                fputs("&amp;", file);
                break;
            case '"':
                fputs("&quot;", file);
                break;
            default:
                fputc(piece[i], file);
            }
    }
}

static void put_time(FILE *file, uint64_t time)
{
    char text[48];
    summary_time_text(time, text, sizeof text);
    fprintf(file, "<td data-key=\"%llu\">%.10s</td>", (unsigned long long)time,
            text[0] ? text : "unknown");
}

static void put_trend(FILE *file, const uint64_t *days)
{
    uint64_t most = 1;
    for (int i = 0; i < TRIAGE_DAYS; i++)
        most = days[i] > most ? days[i] : most;
    fprintf(file, "<td class=\"t\" data-key=\"%llu\">", (unsigned long long)days[TRIAGE_DAYS - 1]);
    for (int i = 0; i < TRIAGE_DAYS; i++)
        fprintf(file, "<i style=\"height:%dpx\" title=\"%llu\"></i>",
                (int)(1 + days[i] * 22 / most), (unsigned long long)days[i]);
    fputs("</td>", file);
}

/* A path in a link. */
static void put_address(FILE *file, const char *path)
{
    for (; *path; path++)
        if (strchr("/._-~", *path) || (*path >= '0' && *path <= '9') ||
            ((*path | 0x20) >= 'a' && (*path | 0x20) <= 'z'))
            fputc(*path, file);
        else
            fprintf(file, "%%%02X", (unsigned char)*path);
}

/* A link to the report of the newest dump, if one was written. */
static void put_title(FILE *file, const char *reports, const struct triage_group *group)
{
    char path[4096];
    const int size =
        reports ? snprintf(path, sizeof path, "%s/%s.html", reports, group->signature) : 0;
    const bool has_report = size > 0 && size < (int)sizeof path && !strchr(group->signature, '/') &&
                            html_write_report(group->example, path);
    if (has_report) {
        fputs("<a href=\"", file);
        put_address(file, path);
        fputs("\">", file);
    }
    put(file, group->title);
    fputs(has_report ? "</a>" : "", file);
}

static void put_certainty(FILE *file, const struct triage_group *group)
{
    if (group->likely[0]) {
        fputs("<small>probably <a href=\"#", file);
        put(file, group->likely);
        fputs("\">", file);
        put(file, group->likely);
        fputs("</a></small>", file);
    }
    if (group->probably > 0)
        fprintf(file, "<small>and probably %llu more</small>", (unsigned long long)group->probably);
    if (group->signatures > 1)
        fprintf(file, "<small>%llu signatures</small>", (unsigned long long)group->signatures);
}

static void put_group(void *user, const struct triage_group *group)
{
    const struct page *page = user;
    FILE *file = page->file;
    fprintf(file, "<tr id=\"");
    put(file, group->signature);
    fprintf(file, "\"><td class=\"n\">%llu</td><td>", (unsigned long long)group->count);
    put_title(file, page->reports, group);
    put_certainty(file, group);
    fputs("<small>", file);
    if (group->shader[0]) {
        put(file, group->shader);
        fputs("</small><small>", file);
    }
    put(file, group->applications);
    if (group->versions[0]) {
        fputs(" · ", file);
        put(file, group->versions);
    }
    fputs("</small><small>", file);
    put(file, group->example);
    fputs("</small></td><td><code>", file);
    put(file, group->signature);
    fputs("</code><small>", file);
    put(file, group->quality);
    fputs("</small></td>", file);
    put_time(file, group->first);
    put_time(file, group->last);
    put_trend(file, group->days);
    fputs("<td>", file);
    put(file, group->drivers);
    if (group->adapters[0]) {
        fputs("<small>", file);
        put(file, group->adapters);
        fputs("</small>", file);
    }
    fputs("</td></tr>\n", file);
}

static void put_damaged(void *user, const char *path, const char *status, const char *why)
{
    FILE *file = user;
    fputs("<tr><td>", file);
    put(file, path);
    fputs("</td><td>", file);
    put(file, status);
    fputs("</td><td>", file);
    put(file, why);
    fputs("</td></tr>\n", file);
}

bool triage_write_html(struct triage_store *store, const struct triage_totals *totals,
                       uint64_t limit, const char *reports, FILE *file)
{
    struct page page = {file, reports};
    const char *rest = page_write_up_to(triage_template, "@SUMMARY@", file);
    fprintf(file,
            "<h1>%llu dumps, %llu hangs</h1>\n<p>%llu dumps are damaged, %llu can't be read, %llu "
            "more have no signature.</p>\n",
            (unsigned long long)totals->dumps, (unsigned long long)totals->groups,
            (unsigned long long)totals->damaged, (unsigned long long)totals->unreadable,
            (unsigned long long)totals->unsigned_dumps);
    rest = page_write_up_to(rest, "@ROWS@", file);
    if (!triage_store_groups(store, limit, put_group, &page))
        return false;
    rest = page_write_up_to(rest, "@DAMAGED@", file);
    if (totals->damaged + totals->unreadable > 0) {
        fputs("<h2>Damaged and unreadable dumps</h2>\n<table><tbody>\n", file);
        if (!triage_store_damaged(store, 1000, put_damaged, file))
            return false;
        fputs("</tbody></table>\n", file);
    }
    fputs(rest, file);
    return !ferror(file);
}
