/* annot timeline: the times of calls and work in a dump. */
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "environment.h"

#include <annot/timeline.h>

struct arguments {
    const char *output;
    bool all;
};

static const struct option table[] = {
    OPTION("--output", "text|json", output,
           "text for people (default); json: Chrome trace events, for ui.perfetto.dev and "
           "chrome://tracing"),
    OPTION("--all", NULL, all, "adds a line for every call to the text"),
};

const struct command command_timeline = {
    .name = "timeline",
    .about = "show when the CPU and the GPU worked",
    .operands = "DUMP",
    .text = "Shows when the CPU submitted work, what the GPU did for each call and each marker, "
            "and what was unfinished when the device was removed. Dumps have times if the program "
            "ran with ANNOT_TIMELINE=1. - is standard input.",
    OPTIONS(table),
    .end = "exit code: 0 = shown; 1 = shown from a damaged or incomplete dump; 2 = not shown",
    ONE_OPERAND("dump can be given", "a dump is missing; usage: annot timeline DUMP"),
    .run = cmd_timeline,
};

static annot_result write_timeline(const annot_reader *reader, const struct arguments *arguments)
{
    const char *no_color = os_environment_borrow("NO_COLOR");
    const annot_report_options options = {
        .all = arguments->all, .color = cli_is_terminal(stdout) && !(no_color && *no_color)};
    const annot_report_sink sink = {.write = cli_write, .user = stdout};
    annot_timeline *timeline;
    annot_result result = annot_timeline_create(reader, &timeline);
    if (result != ANNOT_OK)
        return result;
    result = cli_wants_json(arguments->output) ? annot_timeline_json(timeline, &sink)
                                               : annot_timeline_text(timeline, &options, &sink);
    annot_timeline_destroy(timeline);
    return result;
}

int cmd_timeline(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct cli_dump dump;
    int count, code;
    if (!options_read(&command_timeline, argc, argv, &arguments, &count, &code))
        return code;
    if (!cli_open("timeline", argv[1], &dump))
        return EXIT_UNUSABLE;
    const annot_result result = write_timeline(dump.reader, &arguments);
    code = cli_close(&dump, NULL, EXIT_FINE);
    return result == ANNOT_OK || result == ANNOT_ERROR_IO ? cli_finish("timeline", code)
                                                          : cli_fail("timeline", argv[1], result);
}
