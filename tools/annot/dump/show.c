/* annot show: a dump as a report. */
#include "blob.h"
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "environment.h"
#include "os_path.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

struct arguments {
    const char *path, *output, *out, *color, *blob, *to, *branches;
    uint64_t width; /* UINT64_MAX: not given */
    uint64_t limit, max_lines;
    bool all, full, ids, operations, quiet;
};

static const struct option table[] = {
    OPTION("--output", "text|json|markdown", output,
           "text for people (default), JSON for programs, or Markdown"),
    OPTION("--out", "FILE", out, "the report to write; the file must not exist yet"),
    OPTION_NUMBER("--limit", "N", limit, UINT32_MAX, "shows at most N markers; 0: the usual limit"),
    OPTION_NUMBER("--max-lines", "N", max_lines, UINT32_MAX,
                  "cuts text and Markdown after N lines; 0: shows all lines"),
    OPTION("--quiet", NULL, quiet, "writes only errors to standard error, no hints"),
    OPTION("--full", NULL, full, "the same as the option --all"),
    OPTION("--all", NULL, all, "shows everything (JSON: markers of finished executions, too)"),
    OPTION("--operations", NULL, operations,
           "shows draws, dispatches and copies in their scopes, if the dump has them"),
    OPTION("--ids", NULL, ids, "shows the EventIDs of all markers, on a terminal too"),
    OPTION_NUMBER("--width", "COLUMNS", width, 99999,
                  "the width at which lines break (default: the terminal's); 0: lines don't break"),
    OPTION("--branches", "auto|always|never", branches,
           "draws lines for the tree's levels; auto means only on a terminal that shows UTF-8"),
    OPTION("--color", "auto|always|never", color,
           "uses colours; auto means only on a terminal, unless NO_COLOR is set or TERM is dumb"),
    OPTION("--blob", "N", blob, "writes the blob with this index, as JSON's \"blobs\" lists them"),
    OPTION("-o", "FILE", to, "the file for the blob; the file must not exist yet"),
};

const struct command command_show = {
    .name = "show",
    .about = "show what the GPU was doing when a dump was written",
    .operands = "DUMP",
    .text = "DUMP is an annotation dump (.annotdmp) or a DirectX dump file (.dxdmp); - is standard "
            "input.\nShows what the GPU was doing when the dump was written: what hung, where, and "
            "the tree of markers around this place.",
    OPTIONS(table),
    .end = "exit code: 0 = shown; 1 = shown from a damaged or incomplete dump; 2 = not shown",
    ONE_OPERAND("dump can be given", "a dump is missing; usage: annot show DUMP"),
    .run = cmd_show,
};

/* Whether the locale that setlocale would choose has UTF-8, without setlocale's effects. */
static bool shows_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = os_environment_borrow(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
    }
    return false;
}

/* Returns the terminal's columns; 0: not known. */
static uint32_t terminal_width(void)
{
#ifdef _WIN32
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info))
        return (uint32_t)(info.srWindow.Right - info.srWindow.Left + 1);
    return 0;
#else
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
#endif
}

/* Whether an option is "always", or "auto" and the output is a terminal that is fit for it. */
static bool wants(const struct arguments *arguments, const char *option, bool is_fit)
{
    const char *term = os_environment_borrow("TERM");
    const bool is_dumb = term && strcmp(term, "dumb") == 0;
    if (option && strcmp(option, "auto") != 0)
        return strcmp(option, "always") == 0;
    return !arguments->out && cli_is_terminal(stdout) && !is_dumb && is_fit;
}

static uint32_t width_of(const struct arguments *arguments)
{
    const char *columns = os_environment_borrow("COLUMNS");
    if (arguments->width != UINT64_MAX)
        return (uint32_t)arguments->width;
    if (arguments->out || !cli_is_terminal(stdout))
        return 0;
    uint32_t width = terminal_width();
    return width > 0 ? width : columns ? (uint32_t)strtoul(columns, NULL, 10) : 0;
}

/* Whether `name` is like "crash.annotdmp.1a2b3c4d.part" for "crash.annotdmp". */
static bool is_leftover(const char *name, const char *of, size_t length)
{
    enum { DIGITS = 8 };
    return strncmp(name, of, length) == 0 && name[length] == '.' &&
           strspn(name + length + 1, "0123456789abcdef") == DIGITS &&
           strcmp(name + length + 1 + DIGITS, ".part") == 0;
}

/* Mentions a dump whose writer was stopped: the dump still has its temporary name. */
static void mention_leftover(const char *path)
{
    const char *name = os_file_name(path);
    char *folder = strdup(name > path ? path : ".");
    if (!folder)
        return;
    if (name > path)
        folder[name - path] = 0;
    DIR *directory = opendir(folder);
    free(folder);
    if (!directory)
        return;
    for (const struct dirent *file; (file = readdir(directory));) {
        if (!is_leftover(file->d_name, name, strlen(name)))
            continue;
        cli_format(stderr,
                   "annot show: the writer was stopped, and left %s in the same folder; annot show "
                   "can read this file\n",
                   file->d_name);
        break;
    }
    closedir(directory);
}

static bool is_markdown(const struct arguments *arguments)
{
    return arguments->output && strcmp(arguments->output, "markdown") == 0;
}

/* Prints the report's first lines. In Markdown the report's headings are headings. All other lines
 * may have a stranger's names, so they are indented code, which nothing in a line can end. */
static void print_lines(const struct cli_bytes *report, const struct arguments *arguments,
                        FILE *file)
{
    const char *at = report->data, *end = at + report->size;
    bool is_behind_empty = false;
    for (uint64_t count = 0; at < end; count++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t size = stop ? (size_t)(stop - at) + 1 : (size_t)(end - at);
        if (arguments->max_lines > 0 && count == arguments->max_lines) {
            fputs("... more lines are cut\n", file);
            return;
        }
        if (is_markdown(arguments) && *at != '\n')
            fputs(is_behind_empty && *at != ' ' ? "## " : "    ", file);
        fwrite(at, 1, size, file);
        is_behind_empty = *at == '\n';
        at += size;
    }
}

static annot_result write_text(const annot_reader *reader, annot_report_options *options,
                               const struct arguments *arguments, FILE *file)
{
    const bool is_cut = arguments->max_lines > 0 || is_markdown(arguments);
    struct cli_bytes bytes = {0};
    const annot_report_sink whole = {.write = cli_write, .user = file};
    const annot_report_sink kept = {.write = cli_bytes_write, .user = &bytes};
    const char *no_color = os_environment_borrow("NO_COLOR");
    const char *colors = os_environment_borrow("COLORTERM");
    options->color =
        !is_markdown(arguments) && wants(arguments, arguments->color, !(no_color && *no_color));
    options->truecolor = options->color && colors &&
                         (strcmp(colors, "truecolor") == 0 || strcmp(colors, "24bit") == 0);
    options->width = is_markdown(arguments) ? 0 : width_of(arguments);
    options->branches =
        !is_markdown(arguments) && wants(arguments, arguments->branches, shows_utf8());
    options->dump = strcmp(arguments->path, "-") != 0 ? arguments->path : NULL;
    options->no_ids = cli_is_terminal(stdout) && !arguments->ids && !options->all;
    const annot_result result = annot_report_text(reader, options, is_cut ? &kept : &whole);
    if (is_cut)
        print_lines(&bytes, arguments, file);
    const bool has_memory = !bytes.is_failed;
    cli_bytes_free(&bytes);
    return has_memory ? result : ANNOT_ERROR_OUT_OF_MEMORY;
}

static int show(const struct cli_dump *dump, const struct arguments *arguments)
{
    annot_report_options options = {.all = arguments->all || arguments->full,
                                    .operations = arguments->operations,
                                    .node_limit = arguments->limit};
    errno = 0;
    if (arguments->blob)
        return blob_extract(dump->reader, arguments->blob, arguments->to);
    FILE *file = arguments->out ? cli_create("show", arguments->out) : stdout;
    if (!file)
        return EXIT_UNUSABLE;
    const annot_report_sink sink = {.write = cli_write, .user = file};
    const annot_result result = cli_wants_json(arguments->output)
                                    ? annot_report_json(dump->reader, &options, &sink)
                                    : write_text(dump->reader, &options, arguments, file);
    if (arguments->out && !cli_close_created("show", arguments->out, file, result == ANNOT_OK))
        return EXIT_UNUSABLE;
    if (result != ANNOT_OK && result != ANNOT_ERROR_IO) /* cli_finish reports a failed write */
        return cli_fail("show", arguments->path, result);
    return EXIT_FINE;
}

int cmd_show(int argc, char **argv)
{
    struct arguments arguments = {.width = UINT64_MAX};
    struct cli_dump dump;
    int count, code;
    if (!options_read(&command_show, argc, argv, &arguments, &count, &code))
        return code;
    arguments.path = argv[1];
    if (!arguments.blob != !arguments.to) {
        fputs("annot show: --blob N and -o FILE must be given together\n", stderr);
        return EXIT_UNUSABLE;
    }
    if (arguments.max_lines > 0 && cli_wants_json(arguments.output)) {
        fputs("annot show: --max-lines cuts text and Markdown, but not JSON\n", stderr);
        return EXIT_UNUSABLE;
    }
    if (!cli_open("show", arguments.path, &dump)) {
        if (errno == ENOENT && !arguments.quiet)
            mention_leftover(arguments.path);
        return EXIT_UNUSABLE;
    }
    return cli_close(&dump, NULL, show(&dump, &arguments));
}
