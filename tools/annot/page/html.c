/* annot html: a dump as one self-contained page. */
#include "cli.h"
#include "commands.h"
#include "page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: annot html DUMP -o REPORT.html\n"
    "\n"
    "Writes the dump as one page: what hung and why, the tree with search, filters and links to "
    "EventIDs, queues over time,\n"
    "resources around a page fault, losses, facts. It needs no network and shows up to millions of "
    "markers.\n"
    "An existing file is not replaced. DUMP -: standard input.\n"
    "\n"
    "  -o FILE   the page\n"
    "\n"
    "REPORT.html#0x20001c012 opens at the marker with this EventID.\n"
    "\n"
    "exit code: 0 written, 1 written but the dump is damaged or incomplete, 2 not written\n";

static int parse(int argc, char **argv, const char **from, const char **to)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--out") == 0) {
            if (++i == argc)
                return cli_complain("html", "a file's name is missing behind", argv[i - 1]);
            *to = argv[i];
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return cli_refuse_option("html", usage, argv[i]);
        } else if (*from) {
            return cli_complain("html", "one dump at a time; unexpected", argv[i]);
        } else {
            *from = argv[i];
        }
    }
    if (*from && *to)
        return EXIT_FINE;
    fputs("annot html: which dump, and to where? annot html DUMP -o REPORT.html\n", stderr);
    return EXIT_UNUSABLE;
}

/* The template up to `mark`; behind it is the rest. */
static const char *write_up_to(const char *template, const char *mark, FILE *file)
{
    const char *at = strstr(template, mark);
    fwrite(template, 1, (size_t)(at - template), file);
    return at + strlen(mark);
}

static bool write_page(const struct page_bytes *data, FILE *file)
{
    const char *rest = write_up_to(page_template, "@ENCODING@", file);
    fputs(page_encoding(), file);
    rest = write_up_to(rest, "@DATA@", file);
    const bool is_packed = page_pack(data, file);
    fputs(rest, file);
    return is_packed && !ferror(file);
}

static int convert(const annot_reader *reader, const char *to)
{
    struct page_bytes data = {NULL, 0, 0, false};
    const bool is_made = page_data(reader, &data);
    FILE *file = is_made ? cli_create("html", to) : NULL;
    const bool is_written = file && cli_close_created("html", to, file, write_page(&data, file));
    if (!is_made)
        cli_fail("html", to, ANNOT_ERROR_OUT_OF_MEMORY);
    page_bytes_free(&data);
    return is_written ? EXIT_FINE : EXIT_UNUSABLE;
}

int cmd_html(int argc, char **argv)
{
    const char *from = NULL, *to = NULL;
    struct cli_dump dump;
    if (argc > 1 && cli_is_help(argv[1]))
        return cli_print_usage(usage);
    int code = parse(argc, argv, &from, &to);
    if (code != EXIT_FINE)
        return code;
    if (!cli_open("html", from, &dump))
        return EXIT_UNUSABLE;
    code = convert(dump.reader, to);
    const bool is_damaged = dump.is_damaged;
    cli_close(&dump);
    return code == EXIT_FINE && is_damaged ? EXIT_DAMAGED : code;
}
