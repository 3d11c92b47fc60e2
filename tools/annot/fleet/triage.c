/* annot triage: which hangs many dumps show, and how often. */
#include "cli.h"
#include "commands.h"
#include "triage_edit.h"
#include "triage_html.h"
#include "triage_store.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: annot triage DIR|DUMP... [--db FILE] [--output text|json|html] [-o FILE] [--top N] "
    "[--jobs N]\n"
    "       annot triage --db FILE [--output text|json|html] ...\n"
    "\n"
    "Reads all dumps (*.annotdmp in and below folders) with all processors, groups them by "
    "signature, and shows for each\n"
    "hang how many dumps there are, when it was first and last seen, on which drivers and in which "
    "applications.\n"
    "\n"
    "  --db FILE      an SQLite database that keeps what was read: the next time only new and "
    "changed files are, and a\n"
    "                 stopped reading goes on where it was, also beside other ones; without it "
    "nothing is kept\n"
    "  --output FORM  text (without it), json, html: a page, or files: a line for each dump with "
    "its group, sure or\n"
    "                 probably, and its path, with tabs between\n"
    "  -o FILE        where it goes, a file that does not exist yet; without it standard output\n"
    "  --top N        the N largest groups; without it 50, and all in JSON\n"
    "  --jobs N       threads; without it as many as processors\n" FILTER_USAGE
    "  --new-in VERSION, --gone-in VERSION   hangs that this version brought, or ended: versions "
    "are in the order in\n"
    "                                        which they were first seen\n"
    "  --new-since WHEN, --gone-since WHEN   hangs that were not seen before, or not since\n"
    "\n"
    "annot triage regroup, merge, split, name, why and undo change groups, by rules and by hand; "
    "each has a help of its own\n"
    "\n"
    "exit code: 0 all dumps are whole, 1 some are damaged or can't be read, 2 wrong usage, a "
    "folder "
    "without a dump, or the\n"
    "database can't be used\n";

struct arguments {
    struct triage_view view;
    const char *db, *output, *to, *top, *jobs, *new_since, *gone_since;
    int first_path, path_count;
};

static int parse(int argc, char **argv, struct arguments *arguments)
{
    const struct {
        const char *name, **value;
    } options[] = {{"--db", &arguments->db},
                   {"--output", &arguments->output},
                   {"--top", &arguments->top},
                   {"--jobs", &arguments->jobs},
                   {"--new-in", &arguments->view.new_in},
                   {"--gone-in", &arguments->view.gone_in},
                   {"--new-since", &arguments->new_since},
                   {"--gone-since", &arguments->gone_since},
                   {"-o", &arguments->to}};
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;
        size_t option = 0;
        bool is_good;
        if (filter_option(&arguments->view.filter, "triage", argc, argv, &i, &is_good)) {
            if (!is_good)
                return EXIT_UNUSABLE;
            continue;
        }
        for (; option < sizeof options / sizeof options[0] && !value; option++)
            value = cli_option_value(options[option].name, argc, argv, &i);
        if (value && !*value)
            return cli_complain("triage", "a value is missing behind", options[option - 1].name);
        if (value)
            *options[option - 1].value = value;
        else if (argv[i][0] == '-' && argv[i][1])
            return cli_refuse_option("triage", usage, argv[i]);
        else
            argv[++paths] = argv[i];
    }
    arguments->path_count = paths;
    if (arguments->output && strcmp(arguments->output, "text") != 0 &&
        strcmp(arguments->output, "json") != 0 && strcmp(arguments->output, "html") != 0 &&
        strcmp(arguments->output, "files") != 0)
        return cli_complain("triage", "--output takes text, json, html or files, not",
                            arguments->output);
    if ((arguments->new_since && !filter_time(arguments->new_since, &arguments->view.new_since)) ||
        (arguments->gone_since && !filter_time(arguments->gone_since, &arguments->view.gone_since)))
        return cli_complain("triage",
                            "--new-since and --gone-since take YYYY-MM-DD, or with a "
                            "time behind a blank, not",
                            arguments->view.new_since ? arguments->gone_since
                                                      : arguments->new_since);
    if (paths > 0 || arguments->db)
        return EXIT_FINE;
    fputs("annot triage: which dumps? annot triage DIR|DUMP...\n", stderr);
    return EXIT_UNUSABLE;
}

static bool number_of(const char *text, uint64_t most, uint64_t *out)
{
    char *end;
    if (!text)
        return true;
    const unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return text[0] >= '0' && text[0] <= '9' && !*end && value <= most;
}

/* ---- reading ---- */

struct reading {
    struct triage_store *store;
    struct dump_progress progress;
};

static bool take(void *user, const struct dump_file *file, const struct dump_summary *summary)
{
    struct reading *reading = user;
    dump_progress_step(&reading->progress);
    return triage_store_put(reading->store, file, summary);
}

/* Leaves the files that aren't known yet. */
static void leave_new(struct dump_files *files, struct triage_store *store)
{
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++)
        if (triage_store_knows(store, &files->files[i]))
            free(files->files[i].path);
        else
            files->files[kept++] = files->files[i];
    files->count = kept;
}

static bool read_all(struct triage_store *store, char **paths, int count, unsigned threads,
                     size_t *read)
{
    struct dump_files files = {NULL, 0, 0};
    struct reading reading = {.store = store};
    bool is_good = true;
    for (int i = 0; i < count && is_good; i++)
        is_good = dump_files_add(&files, "triage", paths[i]);
    if (is_good) {
        leave_new(&files, store);
        *read = files.count;
        dump_progress_start(&reading.progress, files.count);
        is_good = dump_files_read(&files, "triage", threads, take, &reading);
        is_good = triage_store_flush(store) && is_good;
        dump_progress_end(&reading.progress);
    }
    dump_files_free(&files);
    return is_good;
}

/* ---- text ---- */

struct output {
    FILE *file;
    struct json_out json;
    uint64_t shown;
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

/* A column: a database may hold any text. */
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
    print_padded(output->file, group->likely[0] ? "likely" : group->quality, 6);
    fprintf(output->file, "%.10s  %.10s  [", first[0] ? first : "unknown   ",
            last[0] ? last : "unknown   ");
    print_trend(output->file, group->days);
    fputs("]  ", output->file);
    cli_print(output->file, group->title, strlen(group->title));
    fprintf(output->file, "\n%10s", "");
    if (group->likely[0])
        fprintf(output->file, "probably %s | ", group->likely);
    if (group->probably > 0)
        fprintf(output->file, "and probably %llu more | ", (unsigned long long)group->probably);
    if (group->signatures > 1)
        fprintf(output->file, "%llu signatures | ", (unsigned long long)group->signatures);
    cli_print(output->file, group->drivers, strlen(group->drivers));
    for (int i = 0; i < 2; i++) {
        const char *more = i == 0 ? group->applications : group->versions;
        fputs(more[0] ? " | " : "", output->file);
        cli_print(output->file, more, strlen(more));
    }
    fputc('\n', output->file);
    output->shown++;
}

static void print_damaged(void *user, const char *path, const char *status, const char *why)
{
    struct output *output = user;
    fputs("  ", output->file);
    print_padded(output->file, status, 10);
    cli_print(output->file, path, strlen(path));
    fputs(": ", output->file);
    cli_print(output->file, why, strlen(why));
    fputc('\n', output->file);
    output->shown++;
}

static bool write_text(struct triage_store *store, const struct triage_totals *totals, uint64_t top,
                       size_t read, FILE *file)
{
    enum { DAMAGED_SHOWN = 20 };
    struct output output = {.file = file};
    fprintf(file,
            "%llu dumps (%llu read now): %llu in %llu groups, %llu damaged, %llu unreadable, "
            "%llu more without a signature\n\n",
            (unsigned long long)totals->dumps, (unsigned long long)read,
            (unsigned long long)totals->signed_dumps, (unsigned long long)totals->groups,
            (unsigned long long)totals->damaged, (unsigned long long)totals->unreadable,
            (unsigned long long)totals->unsigned_dumps);
    if (totals->groups > 0)
        fputs("   dumps  signature            quality first seen  last seen   [last 14 days ]  "
              "what hung\n",
              file);
    if (!triage_store_groups(store, top > 0 ? top : 50, print_group, &output))
        return false;
    if (totals->groups > output.shown)
        fprintf(file, "  ... %llu more groups; --top %llu shows all\n",
                (unsigned long long)(totals->groups - output.shown),
                (unsigned long long)totals->groups);
    if (totals->damaged + totals->unreadable == 0)
        return true;
    output.shown = 0;
    fputs("\nDAMAGED AND UNREADABLE\n", file);
    if (!triage_store_damaged(store, DAMAGED_SHOWN, print_damaged, &output))
        return false;
    if (totals->damaged + totals->unreadable > output.shown)
        fprintf(file, "  ... %llu more; --output json has all\n",
                (unsigned long long)(totals->damaged + totals->unreadable - output.shown));
    return true;
}

/* ---- JSON ---- */

static void time_member(struct json_out *out, const char *key, uint64_t time)
{
    char text[48];
    summary_time_text(time, text, sizeof text);
    json_out_word(out, key, text[0] ? text : NULL);
}

static void write_group(void *user, const struct triage_group *group)
{
    struct json_out *out = &((struct output *)user)->json;
    json_out_line(out);
    json_out_open(out, NULL, '{');
    json_out_word(out, "signature", group->signature);
    json_out_word(out, "quality", group->quality);
    json_out_word(out, "title", group->title);
    json_out_number(out, "dumps", group->count);
    json_out_number(out, "signatures", group->signatures);
    json_out_number(out, "probably", group->probably);
    json_out_word(out, "probably_of", group->likely[0] ? group->likely : NULL);
    time_member(out, "first", group->first);
    time_member(out, "last", group->last);
    json_out_word(out, "drivers", group->drivers);
    json_out_word(out, "applications", group->applications);
    json_out_word(out, "versions", group->versions);
    json_out_word(out, "example", group->example);
    json_out_open(out, "days", '[');
    for (int i = 0; i < TRIAGE_DAYS; i++)
        json_out_number(out, NULL, group->days[i]);
    json_out_close(out, ']');
    json_out_close(out, '}');
}

static void write_damaged(void *user, const char *path, const char *status, const char *why)
{
    struct json_out *out = &((struct output *)user)->json;
    json_out_line(out);
    json_out_open(out, NULL, '{');
    json_out_word(out, "file", path);
    json_out_word(out, "status", status);
    json_out_word(out, "why", why);
    json_out_close(out, '}');
}

static bool write_json(struct triage_store *store, const struct triage_totals *totals, uint64_t top,
                       size_t read, FILE *file)
{
    struct output output = {.file = file, .json = json_out_to_file(file)};
    struct json_out *out = &output.json;
    json_out_open(out, NULL, '{');
    json_out_number(out, "version", 1);
    json_out_number(out, "dumps", totals->dumps);
    json_out_number(out, "read_now", read);
    json_out_number(out, "with_signature", totals->signed_dumps);
    json_out_number(out, "probably", totals->probably);
    json_out_number(out, "group_count", totals->groups);
    json_out_number(out, "damaged_count", totals->damaged);
    json_out_number(out, "unreadable_count", totals->unreadable);
    json_out_number(out, "without_signature", totals->unsigned_dumps);
    json_out_open(out, "groups", '[');
    bool is_good = triage_store_groups(store, top, write_group, &output);
    json_out_close(out, ']');
    json_out_open(out, "damaged", '[');
    is_good = is_good && triage_store_damaged(store, 0, write_damaged, &output);
    json_out_close(out, ']');
    json_out_close(out, '}');
    fputc('\n', file);
    return is_good;
}

/* ---- the command ---- */

static void print_member(void *user, const char *path, const char *hang, const char *likely)
{
    FILE *file = user;
    cli_print(file, likely[0] ? likely : hang, strlen(likely[0] ? likely : hang));
    fprintf(file, "\t%s\t", likely[0] ? "probably" : "sure");
    cli_print(file, path, strlen(path));
    fputc('\n', file);
}

static bool write_overview(struct triage_store *store, const struct triage_totals *totals,
                           const struct arguments *arguments, uint64_t top, size_t read, FILE *file)
{
    if (arguments->output && strcmp(arguments->output, "html") == 0)
        return triage_write_html(store, totals, top, file);
    if (arguments->output && strcmp(arguments->output, "files") == 0)
        return triage_store_files(store, print_member, file);
    if (cli_wants_json(arguments->output))
        return write_json(store, totals, top, read, file);
    return write_text(store, totals, top, read, file);
}

static int report(struct triage_store *store, const struct arguments *arguments, uint64_t top,
                  size_t read)
{
    struct triage_totals totals;
    if (!triage_store_regroup(store) || !triage_store_settle(store, &arguments->view) ||
        !triage_store_totals(store, &totals))
        return EXIT_UNUSABLE;
    const int code = totals.damaged + totals.unreadable > 0 ? EXIT_DAMAGED : EXIT_FINE;
    FILE *file = arguments->to ? cli_create("triage", arguments->to) : stdout;
    if (!file)
        return EXIT_UNUSABLE;
    const bool is_good = write_overview(store, &totals, arguments, top, read, file);
    if (arguments->to)
        return cli_close_created("triage", arguments->to, file, is_good) ? code : EXIT_UNUSABLE;
    return is_good ? cli_finish("triage", code) : EXIT_UNUSABLE;
}

int cmd_triage(int argc, char **argv)
{
    struct arguments arguments = {0};
    uint64_t top = 0, jobs = 0;
    size_t read = 0;
    if (argc > 1 && triage_is_edit(argv[1]))
        return triage_edit(argc, argv);
    for (int i = 1; i < argc; i++)
        if (cli_is_help(argv[i]))
            return cli_print_usage(usage);
    int code = parse(argc, argv, &arguments);
    if (code != EXIT_FINE)
        return code;
    if (!number_of(arguments.top, UINT32_MAX, &top))
        return cli_complain("triage", "--top takes a number, not", arguments.top);
    if (!number_of(arguments.jobs, 256, &jobs))
        return cli_complain("triage", "--jobs takes a number up to 256, not", arguments.jobs);
    struct triage_store *store = triage_store_open(arguments.db);
    if (!store)
        return EXIT_UNUSABLE;
    code = read_all(store, argv + 1, arguments.path_count, (unsigned)jobs, &read)
               ? report(store, &arguments, top, read)
               : EXIT_UNUSABLE;
    return triage_store_close(store) ? code : EXIT_UNUSABLE;
}
