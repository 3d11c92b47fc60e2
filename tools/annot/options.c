#include "options.h"

#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100 };

/* ---- reading ---- */

/* Whether a value is a choice of words, which are in lower case; FILE, N and the like are not. */
static bool is_words(const char *value)
{
    return *value >= 'a' && *value <= 'z';
}

static bool has_word(const char *words, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = words; size && (at = strstr(at, word)); at++)
        if ((at == words || at[-1] == '|') && (at[size] == '|' || !at[size]))
            return true;
    return false;
}

/* Prints words as "text, json or html". */
static void print_words(const char *words)
{
    for (const char *at = words; *at;) {
        const size_t size = strcspn(at, "|");
        const char *next = at + size + (at[size] == '|');
        fprintf(stderr, "%.*s%s", (int)size, at, !*next ? "" : strchr(next, '|') ? ", " : " or ");
        at = next;
    }
}

static int refuse_value(const struct command *command, const struct option *option,
                        const char *value)
{
    const size_t shown = strlen(value) < 60 ? strlen(value) : 60;
    if (!*value && !option->most && !is_words(option->value))
        return cli_complain(command->name, "a value is missing after the option", option->name);
    fprintf(stderr, "annot %s: %s takes ", command->name, option->name);
    if (!option->most)
        print_words(option->value);
    else if (option->most < UINT32_MAX)
        fprintf(stderr, "a number up to %" PRIu64, option->most);
    else
        fputs("a number", stderr);
    fputs(", not '", stderr);
    cli_print(stderr, value, shown);
    fprintf(stderr, "'; try: annot %s --help\n", command->name);
    return EXIT_UNUSABLE;
}

static bool take_value(const struct option *option, const char *value, char *arguments)
{
    char *end;
    if (!option->most) {
        memcpy(arguments + option->at, &value, sizeof value);
        return *value && (!is_words(option->value) || has_word(option->value, value));
    }
    errno = 0;
    const uint64_t number = strtoull(value, &end, 10);
    memcpy(arguments + option->at, &number, sizeof number);
    return *value >= '0' && *value <= '9' && !*end && !errno && number <= option->most;
}

/* Takes the option at argv[*at]. */
static int take(const struct command *command, int argc, char **argv, int *at, char *arguments)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        const bool is_yes = true;
        if (!option->value && strcmp(argv[*at], option->name) == 0) {
            memcpy(arguments + option->at, &is_yes, sizeof is_yes);
            return EXIT_FINE;
        }
        const char *value = option->value ? cli_option_value(option->name, argc, argv, at) : NULL;
        if (value)
            return take_value(option, value, arguments) ? EXIT_FINE
                                                        : refuse_value(command, option, value);
    }
    return cli_complain(command->name, "unknown option", argv[*at]);
}

static bool is_given(const struct option *option, const char *arguments)
{
    const char *text;
    memcpy(&text, arguments + option->at, sizeof text);
    return text != NULL;
}

/* Prints what a command needs, if it got too few arguments. */
static int ask(const struct command *command, const char *arguments, int count)
{
    if (count < command->least) {
        fprintf(stderr, "annot %s: %s\n", command->name, command->missing);
        return EXIT_UNUSABLE;
    }
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if ((option->need == OPTION_NEEDED || (option->need == OPTION_NEEDED_THERE && count > 0)) &&
            !is_given(option, arguments)) {
            fprintf(stderr, "annot %s: %s is missing%s\n", command->name, option->name,
                    strchr(command->missing, ';'));
            return EXIT_UNUSABLE;
        }
    }
    return EXIT_FINE;
}

bool options_read(const struct command *command, int argc, char **argv, void *arguments,
                  int *operands, int *code)
{
    bool is_over = false; /* behind "--" */
    int count = 0;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (!is_over && cli_is_help(word)) {
            *code = options_print_help(command);
            return false;
        }
        if (!is_over && strcmp(word, "--") == 0) {
            is_over = true;
        } else if (!is_over && word[0] == '-' && word[1]) {
            if ((*code = take(command, argc, argv, &i, arguments)) != EXIT_FINE)
                return false;
        } else if (count == command->most) {
            *code = cli_complain(command->name, command->unexpected, word);
            return false;
        } else {
            argv[++count] = word;
            is_over |= command->runs_program;
        }
    }
    *operands = count;
    if (count + 1 < argc)
        argv[count + 1] = NULL;
    *code = ask(command, arguments, count);
    return *code == EXIT_FINE;
}

/* ---- help ---- */

/* Prints words from `indent` on, broken before COLUMNS; "\n" ends a line, two a paragraph. */
static void print_wrapped(FILE *file, const char *text, size_t indent)
{
    size_t column = indent;
    bool is_first = true;
    for (;; text++) {
        const size_t size = strcspn(text, " \n");
        if (!is_first && column + 1 + size > COLUMNS) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
            is_first = true;
        }
        column += (size_t)fprintf(file, is_first ? "%.*s" : " %.*s", (int)size, text);
        is_first = false;
        text += size;
        if (!*text)
            return;
        if (*text == '\n') {
            fprintf(file, "\n%*s", text[1] == '\n' ? 0 : (int)indent, "");
            column = indent;
            is_first = true;
        }
    }
}

/* Prints one word of a synopsis, which is never broken. */
static size_t put_word(FILE *file, const char *word, size_t column, const char *next)
{
    const size_t size = strlen(word);
    if (column + 1 + size > COLUMNS && next) {
        fprintf(file, "\n%s%s", next, word);
        return strlen(next) + size;
    }
    fprintf(file, " %s", word);
    return column + 1 + size;
}

static size_t put_options(FILE *file, const struct command *command, size_t column,
                          const char *next)
{
    char word[160];
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        snprintf(word, sizeof word, option->need ? "%s%s%s" : "[%s%s%s]", option->name,
                 option->value ? " " : "", option->value ? option->value : "");
        column = put_word(file, word, column, next);
    }
    return column;
}

void options_print_synopsis(FILE *file, const struct command *command, const char *first,
                            const char *next)
{
    char indent[32];
    snprintf(indent, sizeof indent, "%*s", (int)(strlen(first) + strlen(command->name) + 7), "");
    const char *broken = next ? indent : NULL;
    size_t column = (size_t)fprintf(file, "%sannot %s", first, command->name);
    if (command->runs_program)
        column = put_options(file, command, column, broken);
    if (command->operands[0])
        column = put_word(file, command->operands, column, broken);
    if (!command->runs_program)
        put_options(file, command, column, broken);
    fputc('\n', file);
    for (const char *also = command->also; also && *also;) {
        const size_t size = strcspn(also, "\n");
        fprintf(file, "%sannot %s %.*s\n", next ? next : first, command->name, (int)size, also);
        also += size + (also[size] == '\n');
    }
}

int options_print_help(const struct command *command)
{
    size_t width = 0;
    options_print_synopsis(stdout, command, "usage: ", "       ");
    fputc('\n', stdout);
    print_wrapped(stdout, command->text, 0);
    fputs("\n\n", stdout);
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        const size_t size = strlen(option->name) + (option->value ? strlen(option->value) + 1 : 0);
        width = size > width && size <= 24 ? size : width;
    }
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        const int size = printf("  %s%s%s", option->name, option->value ? " " : "",
                                option->value ? option->value : "");
        printf((size_t)size > width + 2 ? "\n%*s" : "%*s",
               (int)((size_t)size > width + 2 ? width + 4 : width + 4 - (size_t)size), "");
        print_wrapped(stdout, option->about, width + 4);
        fputc('\n', stdout);
    }
    if (command->end) {
        fputs(command->option_count ? "\n" : "", stdout);
        print_wrapped(stdout, command->end, 0);
        fputc('\n', stdout);
    }
    return fflush(stdout) == EOF ? EXIT_UNUSABLE : EXIT_FINE;
}

/* ---- completion ---- */

static void offer(const char *word, size_t size, const char *about, const char *typed)
{
    if (strlen(typed) <= size && strncmp(word, typed, strlen(typed)) == 0)
        printf("%.*s\t%s\n", (int)size, word, about);
}

static void offer_words(const char *words, const char *typed)
{
    for (const char *at = words; *at;) {
        const size_t size = strcspn(at, "| ");
        offer(at, size, "", typed);
        at += size + (at[size] == '|');
        if (*at == ' ')
            return;
    }
}

/* Completes the option's value. */
static void complete_value(const struct option *option, const char *typed)
{
    if (is_words(option->value))
        offer_words(option->value, typed);
    else if (has_word("FILE|PATH|DUMP|OUT|TRACE", option->value))
        puts(":file");
}

static void complete_argument(const struct command *command, int argc, char **argv)
{
    const char *typed = argv[argc - 1], *before = argv[argc - 2];
    int operands = 0;
    for (int i = 1; i < argc - 1; i++)
        operands += argv[i][0] != '-' || strcmp(argv[i], "--") == 0;
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].value && strcmp(command->options[i].name, before) == 0) {
            complete_value(&command->options[i], typed);
            return;
        }
    if (command->runs_program && operands > 0)
        puts(":program");
    else if (*typed == '-') {
        for (size_t i = 0; i < command->option_count; i++)
            offer(command->options[i].name, strlen(command->options[i].name),
                  command->options[i].about, typed);
        offer("--help", 6, "what there is", typed);
    } else if (operands == 0 && *command->operands >= 'a' && *command->operands <= 'z')
        offer_words(command->operands, typed);
    else
        puts(command->runs_program ? ":program" : ":file");
}

void options_complete(const struct command *const *commands, size_t count, int argc, char **argv)
{
    if (argc == 1) {
        for (size_t i = 0; i < count; i++)
            offer(commands[i]->name, strlen(commands[i]->name), commands[i]->about, argv[0]);
        offer("--version", 9, "the version", argv[0]);
        offer("--help", 6, "what there is", argv[0]);
        if (*argv[0] != '-')
            puts(":file");
    }
    for (size_t i = 0; i < count && argc > 1; i++)
        if (strcmp(commands[i]->name, argv[0]) == 0)
            complete_argument(commands[i], argc, argv);
}
