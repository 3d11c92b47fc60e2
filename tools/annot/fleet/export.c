/* annot export: dumps as lines of JSON, for databases and services. */
#include "cli.h"
#include "commands.h"
#include "dump_files.h"
#include "export_event.h"
#include "filter.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: annot export DIR|DUMP... --output ndjson|sentry|backtrace [-o FILE] [--jobs N] "
    "[FILTER]\n"
    "\n"
    "Writes one JSON object on a line for each dump (*.annotdmp in and below folders), in no "
    "order.\n"
    "\n"
    "  --output ndjson     a summary with the same flat members for every dump, for DuckDB, "
    "ClickHouse, Spark\n"
    "  --output sentry     an event for Sentry\n"
    "  --output backtrace  a report for Backtrace\n"
    "  -o FILE             where it goes, a file that does not exist yet; without it standard "
    "output\n"
    "  --jobs N            threads; without it as many as processors\n" FILTER_USAGE "\n"
    "docs/FLEET.md has the members. Dumps that can't be read are lines of ndjson with a status, "
    "and "
    "are left out of events.\n"
    "\n"
    "exit code: 0 all dumps are whole, 1 some are damaged or can't be read, 2 wrong usage, or "
    "nothing could be written\n";

typedef void write_dump(struct json_out *out, const char *file, const struct dump_summary *summary);

static const struct {
    const char *name;
    write_dump *write;
    bool has_unreadable;
} forms[] = {{"ndjson", summary_write, true},
             {"sentry", export_sentry, false},
             {"backtrace", export_backtrace, false}};

struct exporter {
    FILE *file;
    size_t form;
    uint64_t imperfect;
    struct filter filter;
    struct dump_progress progress;
};

static bool take(void *user, const struct dump_file *file, const struct dump_summary *summary)
{
    struct exporter *exporter = user;
    struct json_out out = json_out_to_file(exporter->file);
    const struct filtered of = {summary->time, summary->app_version, summary->driver,
                                summary->application, summary->adapter};
    dump_progress_step(&exporter->progress);
    if (!filter_matches(&exporter->filter, &of))
        return true;
    exporter->imperfect += summary->status != DUMP_WHOLE;
    if (summary->status == DUMP_UNREADABLE && !forms[exporter->form].has_unreadable)
        return true;
    forms[exporter->form].write(&out, file->path, summary);
    fputc('\n', exporter->file);
    return !ferror(exporter->file);
}

struct arguments {
    const char *output, *to, *jobs;
    int paths;
};

static int parse(int argc, char **argv, struct arguments *arguments, size_t *form,
                 struct filter *filter)
{
    for (int i = 1; i < argc; i++) {
        const char *value;
        bool is_good;
        if (filter_option(filter, "export", argc, argv, &i, &is_good)) {
            if (!is_good)
                return EXIT_UNUSABLE;
        } else if ((value = cli_option_value("--output", argc, argv, &i)))
            arguments->output = value;
        else if ((value = cli_option_value("--jobs", argc, argv, &i)))
            arguments->jobs = value;
        else if ((value = cli_option_value("-o", argc, argv, &i)))
            arguments->to = value;
        else if (argv[i][0] == '-' && argv[i][1])
            return cli_refuse_option("export", usage, argv[i]);
        else
            argv[++arguments->paths] = argv[i];
    }
    if (arguments->paths == 0 || !arguments->output) {
        fputs("annot export: which dumps, and as what? annot export DIR|DUMP... --output ndjson\n",
              stderr);
        return EXIT_UNUSABLE;
    }
    for (*form = 0; *form < sizeof forms / sizeof forms[0]; ++*form)
        if (strcmp(arguments->output, forms[*form].name) == 0)
            return EXIT_FINE;
    return cli_complain("export", "--output takes ndjson, sentry or backtrace, not",
                        arguments->output);
}

static int export_files(const struct dump_files *files, struct exporter *exporter, const char *to,
                        unsigned jobs)
{
    exporter->file = to ? cli_create("export", to) : stdout;
    if (!exporter->file)
        return EXIT_UNUSABLE;
    dump_progress_start(&exporter->progress, files->count);
    const bool is_good = dump_files_read(files, "export", jobs, take, exporter);
    dump_progress_end(&exporter->progress);
    const int code = exporter->imperfect > 0 ? EXIT_DAMAGED : EXIT_FINE;
    if (to)
        return cli_close_created("export", to, exporter->file, is_good) ? code : EXIT_UNUSABLE;
    return cli_finish("export", is_good ? code : EXIT_UNUSABLE);
}

int cmd_export(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct exporter exporter = {0};
    struct dump_files files = {NULL, 0, 0};
    char *end = NULL;
    for (int i = 1; i < argc; i++)
        if (cli_is_help(argv[i]))
            return cli_print_usage(usage);
    int code = parse(argc, argv, &arguments, &exporter.form, &exporter.filter);
    if (code != EXIT_FINE)
        return code;
    const unsigned long jobs = arguments.jobs ? strtoul(arguments.jobs, &end, 10) : 0;
    if (end && (*end || end == arguments.jobs || jobs > 256))
        return cli_complain("export", "--jobs takes a number up to 256, not", arguments.jobs);
    for (int i = 1; i <= arguments.paths && code == EXIT_FINE; i++)
        code = dump_files_add(&files, "export", argv[i]) ? EXIT_FINE : EXIT_UNUSABLE;
    if (code == EXIT_FINE)
        code = export_files(&files, &exporter, arguments.to, (unsigned)jobs);
    dump_files_free(&files);
    return code;
}
