/* annot export: dumps as lines of JSON, for databases and services. */
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "dump_files.h"
#include "filter.h"

struct arguments {
    const char *output, *to;
    uint64_t jobs;
    struct filter filter;
};

static const struct option table[] = {
    OPTION_WANTED(
        "--output", "ndjson", output, OPTION_NEEDED,
        "one flat JSON object for each dump, for DuckDB, Spark, jq; all have the same members"),
    OPTION("-o", "FILE", to,
           "the file to write (default: standard output); the file must not exist yet"),
    OPTION_NUMBER("--jobs", "N", jobs, 256, "number of threads (default: as many as processors)"),
    FILTER_OPTIONS(filter),
};

const struct command command_export = {
    .name = "export",
    .about = "write dumps as lines of JSON",
    .operands = "DIR|DUMP...",
    .text = "Writes one JSON object a line for each dump, in any order. Folders are searched for "
            "files that contain dumps.",
    OPTIONS(table),
    .end = "docs/TRIAGE.md lists the objects' members. A dump that can't be read also has a line, "
           "with a status.\n\nexit code: 0 = all dumps are whole; 1 = some dumps are damaged or "
           "can't be read; 2 = wrong usage, or no file was written",
    .least = 1,
    .most = MANY_OPERANDS,
    .missing = "dumps or --output are missing; usage: annot export DIR|DUMP... --output ndjson",
    .run = cmd_export,
};

struct exporter {
    FILE *file;
    uint64_t imperfect;
    struct filter filter;
};

static bool take(void *user, const struct dump_file *file, const struct dump_summary *summary)
{
    struct exporter *exporter = user;
    struct annot__json out = {cli_write, exporter->file, false};
    const struct filtered of = {summary->time, summary->app_version, summary->driver,
                                summary->application, summary->adapter};
    if (!filter_matches(&exporter->filter, &of))
        return true;
    exporter->imperfect += summary->status != DUMP_WHOLE;
    summary_write(&out, file->path, summary);
    fputc('\n', exporter->file);
    return !ferror(exporter->file);
}

static int export_files(const struct dump_files *files, struct exporter *exporter, const char *to,
                        unsigned jobs)
{
    exporter->file = to ? cli_create("export", to) : stdout;
    if (!exporter->file)
        return EXIT_UNUSABLE;
    const bool is_good = dump_files_read(files, "export", jobs, take, exporter);
    const int code = exporter->imperfect > 0 ? EXIT_DAMAGED : EXIT_FINE;
    if (to)
        return cli_close_created("export", to, exporter->file, is_good) ? code : EXIT_UNUSABLE;
    return cli_finish("export", is_good ? code : EXIT_UNUSABLE);
}

int cmd_export(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct exporter exporter = {0};
    struct dump_files files = {.files = NULL};
    int paths, code;
    if (!options_read(&command_export, argc, argv, &arguments, &paths, &code))
        return code;
    if (!filter_read_times(&arguments.filter, "export"))
        return EXIT_UNUSABLE;
    exporter.filter = arguments.filter;
    for (int i = 1; i <= paths && code == EXIT_FINE; i++)
        code = dump_files_add(&files, "export", argv[i]) ? EXIT_FINE : EXIT_UNUSABLE;
    if (code == EXIT_FINE)
        code = export_files(&files, &exporter, arguments.to, (unsigned)arguments.jobs);
    dump_files_free(&files);
    return code;
}
