/* annot export: dumps as lines of JSON, for databases and services. */
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "triage_store.h"

struct arguments {
    const char *output, *to, *db;
    uint64_t jobs;
    struct triage_view view;
};

static const struct option table[] = {
    OPTION_WANTED(
        "--output", "ndjson", output, OPTION_NEEDED,
        "one flat JSON object for each dump, for DuckDB, Spark, jq; all have the same members"),
    OPTION("--db", "FILE", db,
           "a database of annot triage, whose rules and edits decide about groups; new dumps are "
           "added. Without dumps, annot exports what the database has"),
    OPTION("-o", "FILE", to,
           "the file to write (default: standard output); the file must not exist yet"),
    OPTION_NUMBER("--jobs", "N", jobs, 256, "number of threads (default: as many as processors)"),
    FILTER_OPTIONS(view.filter),
};

const struct command command_export = {
    .name = "export",
    .about = "write dumps as lines of JSON",
    .operands = "DIR|DUMP...",
    .also = "--db FILE ...",
    .text = "Writes one JSON object a line for each dump, with the dump's group. Folders are "
            "searched for files that contain dumps.",
    OPTIONS(table),
    .end = "docs/TRIAGE.md lists the objects' members. A dump that can't be read also has a line, "
           "with a status.\n\nexit code: 0 = all dumps are whole; 1 = some dumps are damaged or "
           "can't be read; 2 = wrong usage, or no file was written",
    .most = MANY_OPERANDS,
    .missing = "dumps or --output are missing; usage: annot export DIR|DUMP... --output ndjson",
    .run = cmd_export,
};

int cmd_export(int argc, char **argv)
{
    struct arguments arguments = {0};
    int paths, code;
    if (!options_read(&command_export, argc, argv, &arguments, &paths, &code))
        return code;
#ifdef ANNOT_HAVE_SQLITE
    struct triage_totals totals;
    size_t read = 0;
    if (!filter_read(&arguments.view.filter, "export"))
        return EXIT_UNUSABLE;
    if (paths == 0 && !arguments.db)
        return fprintf(stderr, "annot export: %s\n", command_export.missing), EXIT_UNUSABLE;
    struct triage_store *store = triage_store_open("export", arguments.db, paths > 0);
    bool is_good = store &&
                   triage_store_read(store, argv + 1, paths, (unsigned)arguments.jobs, &read) &&
                   triage_store_regroup(store) && triage_store_settle(store, &arguments.view) &&
                   triage_store_totals(store, &totals);
    FILE *file = !is_good ? NULL : arguments.to ? cli_create("export", arguments.to) : stdout;
    is_good = file && triage_store_export(store, file);
    if (file && arguments.to)
        is_good = cli_close_created("export", arguments.to, file, is_good);
    if (store)
        is_good = triage_store_close(store) && is_good;
    code = !is_good                                  ? EXIT_UNUSABLE
           : totals.damaged + totals.unreadable == 0 ? EXIT_FINE
                                                     : EXIT_DAMAGED;
    return arguments.to ? code : cli_finish("export", code);
#else
    fputs("annot export: this build has no SQLite; install its development package "
          "(libsqlite3-dev) and build again\n",
          stderr);
    return EXIT_UNUSABLE;
#endif
}
