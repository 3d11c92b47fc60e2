/* annot html: a dump as one self-contained page. */
#include "commands.h"
#include "options.h"
#include "page.h"
#include "html.h"

#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *to;
};

static const struct option table[] = {
    OPTION_WANTED("-o", "FILE", to, OPTION_NEEDED,
                  "the page to write; the file must not exist yet"),
};

const struct command command_html = {
    .name = "html",
    .about = "write a dump as a page for a browser",
    .operands = "DUMP",
    .text =
        "Writes the dump as one page. The page shows what hung and why, the tree with search, "
        "filters and links to EventIDs, queues over time, resources around a page fault, losses "
        "and facts. The page needs no network and shows up to millions of markers. - as DUMP is "
        "standard input.\nREPORT.html#0x20001c012 opens at the marker with this EventID.",
    OPTIONS(table),
    .end = "exit code: 0 = written; 1 = written from a damaged or incomplete dump; 2 = not written",
    ONE_OPERAND("dump can be given",
                "a dump or -o is missing; usage: annot html DUMP -o REPORT.html"),
    .run = cmd_html,
};

const char *page_write_up_to(const char *template, const char *mark, FILE *file)
{
    const char *at = strstr(template, mark);
    fwrite(template, 1, (size_t)(at - template), file);
    return at + strlen(mark);
}

/* Writes text as HTML, with typographic quotes. A quote opens at the start, and after a space or a
 * bracket. */
static void write_words(const char *words, FILE *file)
{
    for (const char *at = words; *at; at++)
        if (*at == '\\' && at[1] == '"')
            fputc(*++at, file);
        else if (*at == '"')
            fputs(at == words || strchr(" ([", at[-1]) ? "\xe2\x80\x9c" : "\xe2\x80\x9d", file);
        else if (strchr("<>&", *at))
            fprintf(file, "&#%d;", *at);
        else
            fputc(*at, file);
}

/* Writes the parts that a browser without scripts, a search or a preview needs: the first line of
 * the report, and paragraphs with the next steps. */
static const char *write_answer(const char *rest, const annot_reader *reader, FILE *file)
{
    static const char *const marks[] = {"@TITLE@", "@HEADLINE@"};
    char words[4096];
    annot_reader_answer(reader, words, sizeof words);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        rest = page_write_up_to(rest, marks[i], file);
        write_words(words, file);
    }
    rest = page_write_up_to(rest, "@ADVICE@", file);
    for (size_t i = 0; annot_reader_advice(reader, i, words, sizeof words) > 0; i++) {
        fputs("<p>", file);
        write_words(words, file);
        fputs("</p>", file);
    }
    return rest;
}

static bool write_page(const annot_reader *reader, const struct cli_bytes *data, FILE *file)
{
    const char *rest = write_answer(page_template, reader, file);
    rest = page_write_up_to(rest, "@ENCODING@", file);
    fputs(page_encoding(), file);
    rest = page_write_up_to(rest, "@DATA@", file);
    const bool is_packed = page_pack(data, file);
    fputs(rest, file);
    return is_packed && !ferror(file);
}

static int convert(const char *command, const annot_reader *reader, const char *dump,
                   const char *to)
{
    struct cli_bytes data = {NULL, 0, 0, false};
    const bool is_made = page_data(reader, dump, &data);
    FILE *file = is_made ? cli_create(command, to) : NULL;
    const bool is_written =
        file && cli_close_created(command, to, file, write_page(reader, &data, file));
    if (!is_made)
        cli_fail(command, to, ANNOT_ERROR_OUT_OF_MEMORY);
    cli_bytes_free(&data);
    return is_written ? EXIT_FINE : EXIT_UNUSABLE;
}

int html_write_report(const char *command, const char *dump, const char *path)
{
    annot_reader *reader;
    char *bytes;
    FILE *there = cli_open_to_read(path);
    if (there) {
        fclose(there);
        return EXIT_FINE;
    }
    cli_open_file(dump, &reader, &bytes);
    const int code = reader ? convert(command, reader, dump, path) : EXIT_DAMAGED;
    if (reader)
        annot_reader_close(reader);
    free(bytes);
    return code;
}

int cmd_html(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct cli_dump dump;
    int count, code;
    if (!options_read(&command_html, argc, argv, &arguments, &count, &code))
        return code;
    if (!cli_open("html", argv[1], &dump))
        return EXIT_UNUSABLE;
    return cli_close(&dump, "html",
                     convert("html", dump.reader, strcmp(argv[1], "-") != 0 ? argv[1] : NULL,
                             arguments.to));
}
