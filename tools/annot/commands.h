/* The commands of `annot`. Each gets the arguments from its name on and returns the exit code: 0
 * success; 1 the dump is damaged, but was shown; 2 the dump or the arguments can't be used. */
#pragma once

#include "options.h"

typedef int command_function(int argc, char **argv);
command_function cmd_show, cmd_timeline, cmd_convert, cmd_pix, cmd_trace, cmd_capture, cmd_replay,
    cmd_vulkan, cmd_d3d12, cmd_signature, cmd_html, cmd_diff, cmd_redact, cmd_kernel, cmd_ask,
    cmd_recover, cmd_triage, cmd_export;

/* Defines a command for a build that lacks a part of it; `why` is the message. */
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
    command_ask, command_recover;
