#include "triage_html.h"

#include "cli.h"

#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n"
    "<title>GPU hangs</title>\n<style>\n"
    "body { font: 14px/1.45 system-ui, sans-serif; margin: 16px; overflow-wrap: anywhere; }\n"
    "table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: "
    "top; padding: 6px 12px 6px 0; }\n"
    "tr { border-top: 1px solid #8884; } th { font-weight: 500; opacity: .7; } small { opacity: "
    ".75; display: block; }\n"
    ".n { text-align: right; font-variant-numeric: tabular-nums; } code { font-size: 12px; "
    "white-space: nowrap; }\n"
    ".t { white-space: nowrap; } .t i { display: inline-block; width: 5px; margin-right: 1px; "
    "background: currentColor; opacity: .7;\n"
    "  vertical-align: bottom; }\n"
    "@media (max-width: 640px) { td, th { display: block; padding: 2px 0; } .n { text-align: left; "
    "} thead { display: none; } }\n"
    "</style>\n</head>\n<body>\n";

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
    fprintf(file, "<td>%.10s</td>", text[0] ? text : "unknown");
}

static void put_trend(FILE *file, const uint64_t *days)
{
    uint64_t most = 1;
    for (int i = 0; i < TRIAGE_DAYS; i++)
        most = days[i] > most ? days[i] : most;
    fputs("<td class=\"t\">", file);
    for (int i = 0; i < TRIAGE_DAYS; i++)
        fprintf(file, "<i style=\"height:%dpx\" title=\"%llu\"></i>",
                (int)(1 + days[i] * 22 / most), (unsigned long long)days[i]);
    fputs("</td>", file);
}

static void put_group(void *user, const struct triage_group *group)
{
    FILE *file = user;
    fprintf(file, "<tr><td class=\"n\">%llu</td><td>", (unsigned long long)group->count);
    put(file, group->title);
    fputs("<small>", file);
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
                       uint64_t limit, FILE *file)
{
    fputs(head, file);
    fprintf(file,
            "<h1>%llu dumps, %llu hangs</h1>\n<p>%llu dumps are damaged, %llu can't be read, %llu "
            "more have no signature.</p>\n",
            (unsigned long long)totals->dumps, (unsigned long long)totals->groups,
            (unsigned long long)totals->damaged, (unsigned long long)totals->unreadable,
            (unsigned long long)totals->unsigned_dumps);
    fputs("<table><thead><tr><th class=\"n\">dumps</th><th>what "
          "hung</th><th>signature</th><th>first seen</th><th>last seen</th>"
          "<th>14 days</th><th>drivers</th></tr></thead><tbody>\n",
          file);
    if (!triage_store_groups(store, limit, put_group, file))
        return false;
    fputs("</tbody></table>\n", file);
    if (totals->damaged + totals->unreadable > 0) {
        fputs("<h2>Damaged and unreadable dumps</h2>\n<table><tbody>\n", file);
        if (!triage_store_damaged(store, 1000, put_damaged, file))
            return false;
        fputs("</tbody></table>\n", file);
    }
    fputs("</body>\n</html>\n", file);
    return !ferror(file);
}
