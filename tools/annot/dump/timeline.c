/* annot timeline: the times of calls and work in a dump. */
#include "cli.h"
#include "commands.h"
#include "timeline_perfetto.h"
#include "config/environment.h"

#include <annot/timeline.h>

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: annot timeline DUMP [--output text|json|perfetto] [--all]\n"
    "\n"
    "Shows when the CPU submitted work, what the GPU did for each call and each marker, and what "
    "was "
    "unfinished when\n"
    "the device was removed. Dumps have times if the program ran with ANNOT_TIMELINE=1. -: "
    "standard "
    "input.\n"
    "\n"
    "  --output text|json   text for people (without it); json: Chrome trace events, which "
    "ui.perfetto.dev and\n"
    "                       chrome://tracing open\n"
    "  --output perfetto    a Perfetto trace (protobuf), which opens faster when it is large\n"
    "  --all                text: a line for each call, and all of them\n"
    "\n"
    "exit code: 0 shown, 1 shown but the dump is damaged or incomplete, 2 not shown\n";

static bool write_stdout(void *user, const void *data, size_t size)
{
    (void)user;
    return fwrite(data, 1, size, stdout) == size;
}

static annot_result write_timeline(const annot_reader *reader, const char *output, bool all)
{
    const char *no_color = emu_environment_borrow("NO_COLOR");
    const annot_report_options options = {
        .all = all, .color = cli_is_terminal(stdout) && !(no_color && *no_color)};
    const annot_report_sink sink = {.write = write_stdout};
    annot_timeline *timeline;
    annot_result result = annot_timeline_create(reader, &timeline);
    if (result != ANNOT_OK)
        return result;
    if (output && strcmp(output, "perfetto") == 0)
        result = timeline_write_perfetto(reader, timeline, &sink);
    else
        result = cli_wants_json(output) ? annot_timeline_json(timeline, &sink)
                                        : annot_timeline_text(timeline, &options, &sink);
    annot_timeline_destroy(timeline);
    return result;
}

static int show(const char *path, const char *output, bool all)
{
    struct cli_dump dump;
    if (!cli_open("timeline", path, &dump))
        return EXIT_UNUSABLE;
    const annot_result result = write_timeline(dump.reader, output, all);
    const int code = dump.is_damaged ? EXIT_DAMAGED : EXIT_FINE;
    cli_close(&dump);
    return result == ANNOT_OK || result == ANNOT_ERROR_IO ? cli_finish("timeline", code)
                                                          : cli_fail("timeline", path, result);
}

int cmd_timeline(int argc, char **argv)
{
    const char *output = NULL, *path = NULL, *value;
    bool all = false;
    for (int i = 1; i < argc; i++) {
        if (cli_is_help(argv[i]))
            return cli_print_usage(usage);
        if (strcmp(argv[i], "--all") == 0) {
            all = true;
        } else if ((value = cli_option_value("--output", argc, argv, &i))) {
            if (strcmp(value, "text") != 0 && strcmp(value, "json") != 0 &&
                strcmp(value, "perfetto") != 0)
                return cli_complain("timeline", "--output takes text, json or perfetto, not",
                                    value);
            output = value;
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return cli_refuse_option("timeline", usage, argv[i]);
        } else if (path) {
            return cli_complain("timeline", "one dump at a time; unexpected", argv[i]);
        } else {
            path = argv[i];
        }
    }
    if (!path) {
        fputs("annot timeline: which dump? annot timeline DUMP\n", stderr);
        return EXIT_UNUSABLE;
    }
    return show(path, output, all);
}
