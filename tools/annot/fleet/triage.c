/* annot triage: the hangs that many dumps show, and their numbers. */
#include "commands.h"
#include "json_writer.h"
#include "options.h"
#include "triage_edit.h"
#include "triage_store.h"
#include "page/html.h"
#include "page/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct arguments {
    struct triage_view view;
    const char *db, *output, *to, *reports;
    uint64_t top, jobs;
};

static const struct option table[] = {
    OPTION("--db", "FILE", db,
           "an SQLite database that keeps the results: the next run reads only new and changed "
           "files, and continues a stopped run. Several runs may use the database at once. Without "
           "--db, annot keeps nothing"),
    OPTION("--output", "text|json|html|files", output,
           "text (default), json, html (a page), or files (a line for each dump: group, tab, sure, "
           "weak or probably, tab, path)"),
    OPTION("-o", "FILE", to,
           "the file to write (default: standard output); the file must not exist yet"),
    OPTION("--reports", "FOLDER", reports,
           "an existing folder for reports; needs html. annot writes a report of each group's "
           "newest dump; existing reports stay. The page links to the reports"),
    OPTION_NUMBER("--top", "N", top, UINT32_MAX,
                  "shows the N largest groups (default: 50; JSON: all groups)"),
    OPTION_NUMBER("--jobs", "N", jobs, 256, "number of threads (default: as many as processors)"),
    FILTER_OPTIONS(view.filter),
    OPTION("--new-in", "VERSION", view.new_in,
           "shows only hangs that this version has and no earlier version had; versions are in the "
           "order of their first dumps"),
};

const struct command command_triage = {
    .name = "triage",
    .about = "group many dumps by hang",
    .operands = "DIR|DUMP...",
    .also = "--db FILE ...\nregroup|merge|split|name|why|undo ... --db FILE",
    .text = "Reads all dumps with all processors, and groups the dumps by signature. Folders are "
            "searched for files that contain dumps. Shows for each hang: how many dumps there are, "
            "when it was first and last seen, how many there were on each of the 14 days that end "
            "with the newest dump, the drivers and the applications.",
    OPTIONS(table),
    .end =
        "certainty: sure = the operation at which the GPU stopped is known; weak = the group may "
        "have different hangs; probably = the dumps are probably of another group, which the "
        "next line names\n\nannot triage regroup, merge, split, "
        "name and undo change groups; annot triage why explains groups. Each command has its "
        "own help text\n\nexit code: 0 = all dumps are whole; 1 = some are damaged or can't be "
        "read, or reports are missing; 2 = wrong usage, a folder without a dump, or an unusable "
        "database",
    .most = MANY_OPERANDS,
    .run = cmd_triage,
};

#ifndef ANNOT_HAVE_SQLITE

int cmd_triage(int argc, char **argv)
{
    struct arguments arguments = {0};
    int count, code;
    if (!options_read(&command_triage, argc, argv, &arguments, &count, &code))
        return code;
    fputs("annot triage: this build has no SQLite; install its development package "
          "(libsqlite3-dev) and build again\n",
          stderr);
    return EXIT_UNUSABLE;
}

#else

/* ---- text ---- */

struct output {
    FILE *file;
    struct triage_store *store;
    struct annot__json json;
    const char *reports;  /* folder of the page's reports; NULL: no reports are written */
    uint64_t shown, lost; /* `lost`: dumps of reports that can't be read */
    bool is_full;         /* a report could not be written */
    char reason[160];     /* why the dumps above are damaged */
};

static void print_trend(FILE *file, const uint64_t *days)
{
    static const char levels[] = " .:-=+*#";
    uint64_t most = 1;
    for (int i = 0; i < TRIAGE_DAYS; i++)
        most = days[i] > most ? days[i] : most;
    for (int i = 0; i < TRIAGE_DAYS; i++)
        fputc(levels[days[i] == 0 ? 0 : 1 + (days[i] * 6 + most / 2) / most], file);
}

static const char *certainty(const char *likely, const char *quality)
{
    return likely[0] ? "probably" : strcmp(quality, "full") == 0 ? "sure" : "weak";
}

/* Prints a column, escaped, because a database may hold any text. */
static void print_padded(FILE *file, const char *text, int width)
{
    const size_t size = strlen(text);
    cli_print(file, text, size);
    fprintf(file, "%*s  ", size < (size_t)width ? width - (int)size : 0, "");
}

static void print_group(void *user, const struct triage_group *group)
{
    struct output *output = user;
    char first[48], last[48];
    summary_time_text(group->first, first, sizeof first);
    summary_time_text(group->last, last, sizeof last);
    fprintf(output->file, "%8llu  ", (unsigned long long)group->count);
    print_padded(output->file, group->signature, 19);
    print_padded(output->file, certainty(group->likely, group->quality), 9);
    fprintf(output->file, "%.10s  %.10s  [", first[0] ? first : "unknown   ",
            last[0] ? last : "unknown   ");
    print_trend(output->file, group->days);
    cli_format(output->file, "]  %s\n          ", group->title);
    if (group->likely[0])
        cli_format(output->file, "probably %s | ", group->likely);
    if (group->probably > 0)
        fprintf(output->file, "and probably %llu dump%s | ", (unsigned long long)group->probably,
                group->probably == 1 ? "" : "s");
    if (group->signatures > 1)
        fprintf(output->file, "%llu signatures | ", (unsigned long long)group->signatures);
    const struct {
        const char *word, *text;
    } details[] = {{"", group->kinds},
                   {"with ", group->shader},
                   {"", group->applications},
                   {"version ", group->versions},
                   {"driver ", group->drivers},
                   {"GPU ", group->adapters},
                   {"for example ", group->example}};
    for (size_t i = 0, shown = 0; i < sizeof details / sizeof details[0]; i++)
        if (details[i].text[0])
            cli_format(output->file, "%s%s%s", shown++ > 0 ? " | " : "", details[i].word,
                       details[i].text);
    fputc('\n', output->file);
    output->shown++;
}

static void print_damaged(void *user, const char *const *texts)
{
    struct output *output = user;
    static const char none[] = "none: ";
    const char *why = texts[2];
    const char *reason = strncmp(why, none, strlen(none)) == 0 ? why + strlen(none) : why;
    if (strcmp(reason, output->reason) != 0) {
        snprintf(output->reason, sizeof output->reason, "%s", reason);
        cli_format(output->file, "  %s:\n", reason);
    }
    fputs("    ", output->file);
    print_padded(output->file, texts[1], 10);
    cli_format(output->file, "%s\n", texts[0]);
    output->shown++;
}

static bool write_text(struct triage_store *store, const struct triage_totals *totals, uint64_t top,
                       size_t read, FILE *file)
{
    enum { DAMAGED_SHOWN = 20 };
    struct output output = {.file = file};
    fprintf(file,
            "%llu dump%s (%llu read now). With a signature: %llu, in %llu group%s. Damaged: %llu. "
            "Unreadable: %llu. Whole, but without a signature: %llu.\n\n",
            (unsigned long long)totals->dumps, totals->dumps == 1 ? "" : "s",
            (unsigned long long)read, (unsigned long long)totals->signed_dumps,
            (unsigned long long)totals->groups, totals->groups == 1 ? "" : "s",
            (unsigned long long)totals->damaged, (unsigned long long)totals->unreadable,
            (unsigned long long)totals->unsigned_dumps);
    if (totals->groups > 0)
        fputs("   dumps  signature            certainty  first seen  last seen   [14 d to newest]  "
              "what hung\n",
              file);
    if (!triage_store_groups(store, top > 0 ? (int64_t)top : 50, print_group, &output))
        return false;
    if (totals->groups > output.shown)
        fprintf(file, "  ... %llu more groups; --top %llu shows all\n",
                (unsigned long long)(totals->groups - output.shown),
                (unsigned long long)totals->groups);
    if (totals->damaged + totals->unreadable == 0)
        return true;
    output.shown = 0;
    fputs("\nDAMAGED AND UNREADABLE\n", file);
    output.reason[0] = 0;
    if (!triage_store_damaged(store, DAMAGED_SHOWN, print_damaged, &output))
        return false;
    if (totals->damaged + totals->unreadable > output.shown)
        fprintf(file, "  ... %llu more files; --output json has all\n",
                (unsigned long long)(totals->damaged + totals->unreadable - output.shown));
    return true;
}

/* ---- JSON ---- */

/* The report of the group's newest dump, which is written unless it is there. After a failure, no
 * more reports are written. */
static void write_report(struct output *output, const struct triage_group *group)
{
    char path[4096];
    const int size = snprintf(path, sizeof path, "%s/%s.html", output->reports, group->signature);
    if (output->is_full || size <= 0 || size >= (int)sizeof path || strchr(group->signature, '/'))
        return;
    const int code = html_write_report("triage", group->example, path);
    output->lost += code == EXIT_DAMAGED;
    output->is_full = code == EXIT_UNUSABLE;
    if (code == EXIT_FINE)
        annot__json_string(&output->json, "report", path);
}

static void write_group(void *user, const struct triage_group *group)
{
    struct output *output = user;
    struct annot__json *out = &output->json;
    char first[48], last[48];
    summary_time_text(group->first, first, sizeof first);
    summary_time_text(group->last, last, sizeof last);
    annot__json_format(out,
                       "\n{signature:%s quality:%s title:%s dumps:" JSON_U64 " signatures:" JSON_U64
                       " probably:" JSON_U64 " probably_of:%-s first:%-s last:%-s drivers:%s "
                       "applications:%s versions:%s example:%s days:[",
                       group->signature, group->quality, group->title, group->count,
                       group->signatures, group->probably, group->likely, first, last,
                       group->drivers, group->applications, group->versions, group->example);
    for (int i = 0; i < TRIAGE_DAYS; i++)
        annot__json_number(out, NULL, group->days[i]);
    annot__json_format(out, "] shader:%-s adapters:%s kinds:%s", group->shader, group->adapters,
                       group->kinds);
    triage_store_write_detail(output->store, group->signature, out);
    if (output->reports)
        write_report(output, group);
    annot__json_close(out, "}");
}

static void write_damaged(void *user, const char *const *texts)
{
    struct annot__json *out = &((struct output *)user)->json;
    annot__json_format(out, "\n{file:%s status:%s why:%s}", texts[0], texts[1], texts[2]);
}

static bool write_json(struct triage_store *store, const struct triage_totals *totals, uint64_t top,
                       size_t read, struct output *output)
{
    struct annot__json *out = &output->json;
    output->store = store;
    if (!triage_store_detail(store))
        return false;
    annot__json_format(out,
                       "{version:%u dumps:" JSON_U64 " read_now:" JSON_U64
                       " with_signature:" JSON_U64 " probably:" JSON_U64 " group_count:" JSON_U64
                       " damaged_count:" JSON_U64 " unreadable_count:" JSON_U64
                       " without_signature:" JSON_U64 " groups:[",
                       1u, totals->dumps, (uint64_t)read, totals->signed_dumps, totals->probably,
                       totals->groups, totals->damaged, totals->unreadable, totals->unsigned_dumps);
    bool is_good = triage_store_groups(store, top > 0 ? (int64_t)top : -1, write_group, output);
    annot__json_format(out, "] damaged:[");
    is_good = is_good && triage_store_damaged(store, -1, write_damaged, output);
    annot__json_close(out, "]}\n");
    return is_good;
}

/* Writes data so that nothing in it can end the page's element. */
static bool write_in_page(void *file, const void *data, size_t size)
{
    const char *text = data;
    for (const char *end; (end = memchr(text, '<', size)); text = end + 1) {
        fprintf(file, "%.*s\\u003c", (int)(end - text), text);
        size -= (size_t)(end + 1 - text);
    }
    return fwrite(text, 1, size, file) == size && !ferror((FILE *)file);
}

static bool write_page(struct triage_store *store, const struct triage_totals *totals, uint64_t top,
                       size_t read, const char *reports, FILE *file, int *code)
{
    struct output output = {.json = {write_in_page, file, false}, .reports = reports};
    const char *rest = page_write_up_to(triage_template, "@DATA@", file);
    const bool is_good = write_json(store, totals, top, read, &output);
    fputs(rest, file);
    if (output.lost > 0)
        fprintf(stderr, "annot triage: %llu report%s missing, because the dumps can't be read\n",
                (unsigned long long)output.lost, output.lost == 1 ? " is" : "s are");
    *code = output.lost > 0 || output.is_full ? EXIT_DAMAGED : *code;
    return is_good && !ferror(file);
}

/* ---- the command ---- */

static void print_member(void *user, const char *const *texts)
{
    cli_format(user, "%s\t%s\t%s\n", texts[2][0] ? texts[2] : texts[1],
               certainty(texts[2], texts[3]), texts[0]);
}

static bool write_overview(struct triage_store *store, const struct triage_totals *totals,
                           const struct arguments *arguments, uint64_t top, size_t read, FILE *file,
                           int *code)
{
    if (arguments->output && strcmp(arguments->output, "html") == 0)
        return write_page(store, totals, top, read, arguments->reports, file, code);
    if (arguments->output && strcmp(arguments->output, "files") == 0)
        return triage_store_files(store, print_member, file);
    struct output json = {.json = {cli_write, file, false}};
    if (cli_wants_json(arguments->output))
        return write_json(store, totals, top, read, &json);
    return write_text(store, totals, top, read, file);
}

static int report(struct triage_store *store, const struct arguments *arguments, uint64_t top,
                  size_t read)
{
    struct triage_totals totals;
    if (!triage_store_regroup(store) || !triage_store_settle(store, &arguments->view) ||
        !triage_store_totals(store, &totals))
        return EXIT_UNUSABLE;
    if (totals.dumps == 0)
        fputs("annot triage: no dump of the database matches the options\n", stderr);
    int code = totals.damaged + totals.unreadable > 0 ? EXIT_DAMAGED : EXIT_FINE;
    FILE *file = arguments->to ? cli_create("triage", arguments->to) : stdout;
    if (!file)
        return EXIT_UNUSABLE;
    const bool is_good = write_overview(store, &totals, arguments, top, read, file, &code);
    if (arguments->to)
        return cli_close_created("triage", arguments->to, file, is_good) ? code : EXIT_UNUSABLE;
    return is_good ? cli_finish("triage", code) : EXIT_UNUSABLE;
}

static bool are_reports_good(const struct arguments *arguments)
{
    struct stat status;
    if (!arguments->reports)
        return true;
    if (!arguments->output || strcmp(arguments->output, "html") != 0)
        cli_complain("triage", "--reports needs --output html:", arguments->reports);
    else if (stat(arguments->reports, &status) != 0 || !S_ISDIR(status.st_mode))
        cli_complain("triage",
                     "--reports must be an existing folder; unusable:", arguments->reports);
    else
        return true;
    return false;
}

int cmd_triage(int argc, char **argv)
{
    struct arguments arguments = {0};
    size_t read = 0;
    int paths, code;
    if (argc > 1 && triage_is_edit(argv[1]))
        return triage_edit(argc, argv);
    if (!options_read(&command_triage, argc, argv, &arguments, &paths, &code))
        return code;
    if (!filter_read(&arguments.view.filter, "triage"))
        return EXIT_UNUSABLE;
    if (paths == 0 && !arguments.db) {
        fputs("annot triage: dumps are missing; usage: annot triage DIR|DUMP...\n", stderr);
        return EXIT_UNUSABLE;
    }
    if (!are_reports_good(&arguments))
        return EXIT_UNUSABLE;
    struct triage_store *store = triage_store_open("triage", arguments.db, paths > 0);
    if (!store)
        return EXIT_UNUSABLE;
    code = triage_store_read(store, argv + 1, paths, (unsigned)arguments.jobs, &read)
               ? report(store, &arguments, arguments.top, read)
               : EXIT_UNUSABLE;
    return triage_store_close(store) ? code : EXIT_UNUSABLE;
}

#endif
