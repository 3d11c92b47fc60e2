/* annot: shows dumps and PIX event blobs. */
#include "cli.h"
#include "commands.h"

#include "../program.h"

#include <annot/annot.h>

#include <string.h>

static const struct command *const commands[] = {
    &command_show,   &command_timeline, &command_convert, &command_html,      &command_diff,
    &command_redact, &command_triage,   &command_export,  &command_signature, &command_pix,
    &command_kernel, &command_trace,    &command_capture, &command_replay,    &command_vulkan,
    &command_d3d12,  &command_ask,      &command_recover};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_help(void)
{
    puts("usage: annot COMMAND [ARGUMENT...]\n"
         "       annot DUMP                      as annot show DUMP\n"
         "       annot help [COMMAND]            as annot COMMAND --help\n"
         "       annot --version | --help\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  annot %-9s %-37s %s\n", commands[i]->name, commands[i]->operands,
               commands[i]->about);
    return puts("\nannot COMMAND --help describes a command.") < 0 ? EXIT_UNUSABLE : EXIT_FINE;
}

/* Whether the word names a file to show: the file exists, or no command could have this name. */
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
    fputs("annot: unknown command '", stderr);
    cli_print(stderr, command, strlen(command) < 40 ? strlen(command) : 40);
    fputs("'; try: annot --help\n", stderr);
}

int main(int argc, char **argv)
{
    argv = program_set_up(argc, argv);
    const char *command = argc > 1 ? argv[1] : "";
    char *help[] = {argv[0], argc == 3 ? argv[2] : NULL, "--help", NULL};
    if (strcmp(command, "help") == 0 && argc == 3) {
        argv = help;
        command = argv[1];
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(command, commands[i]->name) == 0)
            return cli_finish(command, commands[i]->run(argc - 1, argv + 1));
    if (strcmp(command, "--version") == 0)
        return cli_finish(command, printf("annot %s\n", annot_version()) < 0 ? 2 : 0);
    if (strcmp(command, "--complete") == 0 && argc > 2) {
        options_complete(commands, COMMANDS, argc - 2, argv + 2);
        return cli_finish(command, EXIT_FINE);
    }
    if (cli_is_help(command) || strcmp(command, "help") == 0)
        return cli_finish(command, print_help());
    if (is_file(command))
        return cli_finish("show", cmd_show(argc, argv));
    if (*command)
        complain(command);
    else
        fputs("annot: a command is missing; try: annot show DUMP\n", stderr);
    return 2;
}
