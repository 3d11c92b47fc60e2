/* annot diff: the differences of two dumps. */
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "diff_rows.h"
#include "json_writer.h"

enum { SHOWN = 20 }; /* most lines of one part */

struct arguments {
    char **paths;
    const char *output;
    bool all;
    bool is_cut; /* some rows were not compared */
};

static const struct option table[] = {
    OPTION("--all", NULL, all, "shows every difference (default: 20 of each part)"),
    OPTION_OUTPUT,
};

const struct command command_diff = {
    .name = "diff",
    .about = "compare two dumps",
    .operands = "A B",
    .text = "Compares two dumps: error, signature, where the GPU stopped, device and driver, "
            "queues, markers and their states, objects, recordings, facts, losses. Numbers in "
            "names make no difference. One dump may be - for standard input.",
    OPTIONS(table),
    .end = "exit code: 0 = the dumps are equal; 1 = the dumps differ; 2 = a dump could not be read",
    .least = DIFF_SIDES,
    .most = DIFF_SIDES,
    .missing = "two dumps are needed; usage: annot diff A B",
    .unexpected = "only two dumps can be given; unexpected argument",
    .run = cmd_diff,
};

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

/* Prints the rows of one part, from the part's first row on. Returns the next part's first row. */
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
        printf("  ... %u more of %s; --all shows them\n", left, titles[part]);
    return row;
}

/* ---- JSON ---- */

static void print_json(const struct diff_row *rows, const struct arguments *arguments, bool is_same)
{
    static const char *const sides[] = {"a", "b"};
    struct annot__json out = {cli_write, stdout, false};
    char buffer[128];
    annot__json_format(&out, "{a:%s b:%s same:%d cut:%d differences:[", arguments->paths[0],
                       arguments->paths[1], is_same, arguments->is_cut);
    for (const struct diff_row *row = rows; row; row = row->hh.next) {
        annot__json_format(&out, "\n{part:%s key:%s", titles[row->part], row->key + 1);
        for (int side = 0; side < DIFF_SIDES; side++)
            annot__json_string(&out, sides[side],
                               row->is_present[side] ? diff_value(row, side, buffer, sizeof buffer)
                                                     : NULL);
        annot__json_close(&out, "}");
    }
    annot__json_close(&out, "]}\n");
}

/* ---- the command ---- */

/* Sorts by key; a row's key begins with the row's part. */
static int by_key(const struct diff_row *a, const struct diff_row *b)
{
    return strcmp(a->key, b->key);
}

static int compare(struct diff_row **rows, const struct arguments *arguments)
{
    diff_drop(rows, true);
    HASH_SORT(*rows, by_key);
    const bool is_same = !*rows;
    if (cli_wants_json(arguments->output))
        print_json(*rows, arguments, is_same);
    else
        for (const struct diff_row *row = *rows; row;)
            row = print_part(row, arguments->all);
    if (arguments->is_cut)
        fputs("annot diff: a dump has too many executions or places where the GPU stopped; only "
              "the first were compared\n",
              stderr);
    return cli_finish("diff", is_same ? EXIT_FINE : EXIT_DAMAGED);
}

int cmd_diff(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct diff_row *rows = NULL;
    int count, code;
    if (!options_read(&command_diff, argc, argv, &arguments, &count, &code))
        return code;
    arguments.paths = argv + 1;
    for (int side = 0; side < DIFF_SIDES && code == EXIT_FINE; side++) {
        struct cli_dump dump;
        if (!cli_open("diff", arguments.paths[side], &dump)) {
            code = EXIT_UNUSABLE;
            break;
        }
        if (!diff_gather(&rows, dump.reader, side, &arguments.is_cut))
            code = cli_fail("diff", arguments.paths[side], ANNOT_ERROR_OUT_OF_MEMORY);
        cli_close(&dump, NULL, code);
    }
    if (code == EXIT_FINE)
        code = compare(&rows, &arguments);
    diff_drop(&rows, false);
    return code;
}
