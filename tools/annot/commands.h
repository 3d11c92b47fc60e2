/* The subcommands of `annot`. Each gets the arguments from its name on and returns the exit code: 0
 * success, 1 the dump is damaged but was shown, 2 the dump is unusable, or wrong usage. */
#pragma once

#include "options.h"

int cmd_show(int argc, char **argv);
int cmd_timeline(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_pix(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_capture(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_vulkan(int argc, char **argv);
int cmd_d3d12(int argc, char **argv);
int cmd_signature(int argc, char **argv);
int cmd_html(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_redact(int argc, char **argv);
int cmd_kernel(int argc, char **argv);
int cmd_ask(int argc, char **argv);
int cmd_triage(int argc, char **argv);
int cmd_export(int argc, char **argv);

/* Defines a command for a build that lacks a part which the command needs; `why` is the message. */
#define ABSENT_COMMAND(word, about_text, operand_text, why)                                        \
    int cmd_##word(int argc, char **argv)                                                          \
    {                                                                                              \
        (void)argc, (void)argv;                                                                    \
        fputs("annot " #word ": " why "\n", stderr);                                               \
        return 2;                                                                                  \
    }                                                                                              \
    const struct command command_##word = {                                                        \
        .name = #word, .about = (about_text), .operands = (operand_text), .run = cmd_##word};

extern const struct command command_show, command_timeline, command_convert, command_html,
    command_diff, command_redact, command_kernel, command_triage, command_export, command_signature,
    command_pix, command_trace, command_capture, command_replay, command_vulkan, command_d3d12,
    command_ask;
