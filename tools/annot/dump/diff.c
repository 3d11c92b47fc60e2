/* annot diff: the differences of two dumps. */
#include "cli.h"
#include "commands.h"
#include "diff_rows.h"
#include "json_out.h"

#include <string.h>

enum { SHOWN = 20 }; /* lines of one part */

static const char usage[] =
    "usage: annot diff A B [--all] [--output text|json]\n"
    "\n"
    "Compares two dumps: error, signature, where the GPU stopped, device and driver, queues, "
    "markers and their states,\n"
    "objects, recordings, facts, losses. Numbers in names make no difference. -: standard input, "
    "for one of "
    "them.\n"
    "\n"
    "  --all                every difference; without it 20 of each part\n"
    "  --output text|json   for people (without it), or for programs\n"
    "\n"
    "exit code: 0 nothing differs, 1 something does, 2 a dump could not be read\n";

struct arguments {
    const char *paths[DIFF_SIDES], *output;
    int count;
    bool all;
    bool is_cut; /* not everything was compared */
};

static int parse(int argc, char **argv, struct arguments *arguments)
{
    const char *value;
    for (int i = 1; i < argc; i++) {
        if ((value = cli_option_value("--output", argc, argv, &i))) {
            if (strcmp(value, "text") != 0 && strcmp(value, "json") != 0)
                return cli_complain("diff", "--output takes text or json, not", value);
            arguments->output = value;
        } else if (strcmp(argv[i], "--all") == 0) {
            arguments->all = true;
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return cli_refuse_option("diff", usage, argv[i]);
        } else if (arguments->count == DIFF_SIDES) {
            return cli_complain("diff", "two dumps; unexpected", argv[i]);
        } else {
            arguments->paths[arguments->count++] = argv[i];
        }
    }
    if (arguments->count == DIFF_SIDES)
        return EXIT_FINE;
    fputs("annot diff: which dumps? annot diff A B\n", stderr);
    return EXIT_UNUSABLE;
}

static const char *const titles[] = {
#define TITLE(name, title) title,
    DIFF_PARTS(TITLE)
#undef TITLE
};

/* ---- text ---- */

static void print_side(const struct diff_row *row, int side)
{
    char buffer[128];
    const char *value = diff_value(row, side, buffer, sizeof buffer);
    if (!row->is_present[side])
        return;
    printf("%c %s", side == 0 ? '-' : '+', titles[row->part]);
    if (row->key[1])
        printf(" %s", row->key + 1);
    printf(*value ? ": %s\n" : "\n", value);
}

/* The rows of one part, from its first one on; returns the first of the next. */
static const struct diff_row *print_part(const struct diff_row *row, bool all)
{
    const enum diff_part part = row->part;
    unsigned shown = 0, left = 0;
    for (; row && row->part == part; row = row->hh.next) {
        if (!all && shown == SHOWN) {
            left++;
            continue;
        }
        print_side(row, 0);
        print_side(row, 1);
        shown++;
    }
    if (left > 0)
        printf("  %u more of %s; --all shows them\n", left, titles[part]);
    return row;
}

/* ---- JSON ---- */

static void print_json(const struct diff_row *rows, const struct arguments *arguments, bool is_same)
{
    static const char *const sides[] = {"a", "b"};
    struct json_out out = json_out_to_file(stdout);
    char buffer[128];
    json_out_open(&out, NULL, '{');
    json_out_word(&out, "a", arguments->paths[0]);
    json_out_word(&out, "b", arguments->paths[1]);
    json_out_bool(&out, "same", is_same);
    json_out_bool(&out, "cut", arguments->is_cut);
    json_out_open(&out, "differences", '[');
    for (const struct diff_row *row = rows; row; row = row->hh.next) {
        json_out_line(&out);
        json_out_open(&out, NULL, '{');
        json_out_word(&out, "part", titles[row->part]);
        json_out_word(&out, "key", row->key + 1);
        for (int side = 0; side < DIFF_SIDES; side++)
            json_out_word(&out, sides[side],
                          row->is_present[side] ? diff_value(row, side, buffer, sizeof buffer)
                                                : NULL);
        json_out_close(&out, '}');
    }
    json_out_close(&out, ']');
    json_out_close(&out, '}');
    putchar('\n');
}

/* ---- the command ---- */

/* A key begins with its part. */
static int by_key(const struct diff_row *a, const struct diff_row *b)
{
    return strcmp(a->key, b->key);
}

static int compare(struct diff_row **rows, const struct arguments *arguments)
{
    diff_drop_same(rows);
    HASH_SORT(*rows, by_key);
    const bool is_same = !*rows;
    if (cli_wants_json(arguments->output))
        print_json(*rows, arguments, is_same);
    else
        for (const struct diff_row *row = *rows; row;)
            row = print_part(row, arguments->all);
    if (arguments->is_cut)
        fputs("annot diff: a dump has too many executions or places where the GPU stopped; the "
              "first of them were compared\n",
              stderr);
    return cli_finish("diff", is_same ? EXIT_FINE : EXIT_DAMAGED);
}

int cmd_diff(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct diff_row *rows = NULL;
    for (int i = 1; i < argc; i++)
        if (cli_is_help(argv[i]))
            return cli_print_usage(usage);
    int code = parse(argc, argv, &arguments);
    for (int side = 0; side < DIFF_SIDES && code == EXIT_FINE; side++) {
        struct cli_dump dump;
        if (!cli_open("diff", arguments.paths[side], &dump)) {
            code = EXIT_UNUSABLE;
            break;
        }
        if (!diff_gather(&rows, dump.reader, side, &arguments.is_cut))
            code = cli_fail("diff", arguments.paths[side], ANNOT_ERROR_OUT_OF_MEMORY);
        cli_close(&dump);
    }
    if (code == EXIT_FINE)
        code = compare(&rows, &arguments);
    diff_free(&rows);
    return code;
}
