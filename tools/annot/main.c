/* annot: what is in a dump, and what is in a PIX event blob. */
#include "cli.h"
#include "commands.h"

#include "../program.h"

#include <annot/annot.h>

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: annot [show] DUMP [--output text|json] [--all] [--color auto|always|never]\n"
    "       annot show DUMP --blob N -o FILE\n"
    "       annot timeline DUMP [--output text|json] [--all]\n"
    "       annot convert DUMP -o FILE.dxdmp\n"
    "       annot html DUMP -o REPORT.html\n"
    "       annot diff A B\n"
    "       annot redact DUMP -o OUT [--key FILE]\n"
    "       annot signature DUMP...\n"
    "       annot triage DIR|DUMP... [--db FILE]\n"
    "       annot export DIR|DUMP... --output ndjson|sentry|backtrace\n"
    "       annot pix decode|encode --jsonl\n"
    "       annot vulkan [-o DUMP] [--level low|labels|exact] -- PROGRAM [ARGUMENT...]\n"
    "       annot d3d12 [-o DUMP] [--level low|labels|exact] -- PROGRAM [ARGUMENT...]\n"
    "       annot capture [-o TRACE] -- PROGRAM [ARGUMENT...]\n"
    "       annot replay TRACE [--until CALL] [--runtime PATH] [--dump DUMP]\n"
    "       annot trace show|dump|info TRACE, annot trace diff TRACE TRACE\n"
    "       annot --version | --help\n"
    "\n"
    "annot COMMAND --help describes a command.\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"show", cmd_show},     {"timeline", cmd_timeline}, {"convert", cmd_convert},
    {"html", cmd_html},     {"diff", cmd_diff},         {"redact", cmd_redact},
    {"triage", cmd_triage}, {"export", cmd_export},     {"signature", cmd_signature},
    {"pix", cmd_pix},       {"trace", cmd_trace},       {"capture", cmd_capture},
    {"replay", cmd_replay}, {"vulkan", cmd_vulkan},     {"d3d12", cmd_d3d12},
};

/* What names a file is to be shown: one that is there, or that can't be a command's name. */
static bool is_file(const char *word)
{
    if (strcmp(word, "-") == 0 || (*word != '-' && strpbrk(word, "./\\")))
        return true;
    FILE *file = cli_open_to_read(word);
    if (file)
        fclose(file);
    return file != NULL;
}

static void complain(const char *command)
{
    char names[256] = "--version --help";
    size_t size, at = strlen(names);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, " %s", commands[i].name);
    const char *nearest = names + cli_nearest(names, 0, command, &size);
    fputs("annot: unknown command '", stderr);
    cli_print(stderr, command, strlen(command) < 40 ? strlen(command) : 40);
    fputs(size ? "'; the nearest is " : "'", stderr);
    fprintf(stderr, "%.*s; try: annot --help\n", (int)size, nearest);
}

int main(int argc, char **argv)
{
    argv = program_set_up(argc, argv);
    const char *command = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(command, commands[i].name) == 0)
            return cli_finish(command, commands[i].run(argc - 1, argv + 1));
    if (strcmp(command, "--version") == 0)
        return cli_finish(command, printf("annot %s\n", annot_version()) < 0 ? 2 : 0);
    if (cli_is_help(command))
        return cli_finish(command, cli_print_usage(usage));
    if (is_file(command))
        return cli_finish("show", cmd_show(argc, argv));
    if (*command)
        complain(command);
    else
        fputs("annot: a command is missing; try: annot show DUMP\n", stderr);
    return 2;
}
