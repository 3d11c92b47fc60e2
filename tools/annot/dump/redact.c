/* annot redact: a dump without its names, to be handed on. */
#include "cli.h"
#include "commands.h"

#include <annot/fleet.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "usage: annot redact DUMP -o OUT [--key FILE] [--keep-signature] [--keep-system] "
    "[--no-adapter] [--no-driver]\n"
    "       annot redact --make-key FILE\n"
    "\n"
    "Writes the dump without the names of markers and objects, the application's name and facts, "
    "the reason and blobs.\n"
    "Structure, states, EventIDs, addresses, times, adapter and driver remain. With one key equal "
    "names and signatures\n"
    "become equal ones in every dump; without a key they do in this one. DUMP -: standard input. "
    "Existing files are not\n"
    "replaced.\n"
    "\n"
    "  -o OUT            the dump without names\n"
    "  --key FILE        a file with 32 hexadecimal digits; keep it where you keep the names\n"
    "  --make-key FILE   makes one\n"
    "  --keep-signature  the signature stays the public one, which is the same for everybody: who "
    "guesses all names of\n"
    "                    the path to the hang can check the guess against it\n"
    "  --keep-system     the operating system's and its kernel's version stay\n"
    "  --no-adapter      the adapter's name becomes a word\n"
    "  --no-driver       the driver's name and version become a word\n"
    "\n"
    "exit code: 0 written, 1 written but the dump is damaged or incomplete, 2 not written\n";

enum { DIGITS = 2 * ANNOT_REDACT_KEY_SIZE };

struct arguments {
    const char *from, *to, *key, *new_key;
    annot_redact_options options;
};

/* False: it is no option without a value. */
static bool take_switch(const char *argument, annot_redact_options *options)
{
    const struct {
        const char *name;
        bool *value;
    } switches[] = {{"--keep-signature", &options->keep_signature},
                    {"--keep-system", &options->keep_system},
                    {"--no-adapter", &options->drop_adapter},
                    {"--no-driver", &options->drop_driver}};
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
        if (strcmp(argument, switches[i].name) == 0)
            return *switches[i].value = true;
    return false;
}

static int parse(int argc, char **argv, struct arguments *arguments)
{
    const char *value;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--out") == 0) {
            if (++i == argc)
                return cli_complain("redact", "a file's name is missing behind", argv[i - 1]);
            arguments->to = argv[i];
        } else if ((value = cli_option_value("--key", argc, argv, &i))) {
            arguments->key = value;
        } else if ((value = cli_option_value("--make-key", argc, argv, &i))) {
            arguments->new_key = value;
        } else if (take_switch(argv[i], &arguments->options)) {
            continue;
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return cli_refuse_option("redact", usage, argv[i]);
        } else if (arguments->from) {
            return cli_complain("redact", "one dump at a time; unexpected", argv[i]);
        } else {
            arguments->from = argv[i];
        }
    }
    if (arguments->new_key ? !arguments->from && !arguments->to && !arguments->key
                           : arguments->from && arguments->to)
        return EXIT_FINE;
    fputs("annot redact: which dump, and to where? annot redact DUMP -o OUT\n", stderr);
    return EXIT_UNUSABLE;
}

/* ---- keys ---- */

static int make_key(const char *path)
{
    unsigned char key[ANNOT_REDACT_KEY_SIZE];
    errno = 0;
    if (!cli_random(key, sizeof key))
        return cli_fail("redact", "/dev/urandom", ANNOT_ERROR_IO);
    FILE *file = cli_create("redact", path);
    if (!file)
        return EXIT_UNUSABLE;
    for (size_t i = 0; i < sizeof key; i++)
        fprintf(file, "%02x", key[i]);
    fputc('\n', file);
    return cli_close_created("redact", path, file, !ferror(file)) ? EXIT_FINE : EXIT_UNUSABLE;
}

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char lower = (char)(c >= 'A' && c <= 'F' ? c + 32 : c);
    const char *at = lower ? strchr(digits, lower) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool read_key(const char *path, unsigned char *key)
{
    char text[DIGITS + 8];
    struct stat status;
    errno = 0;
    FILE *file = cli_open_to_read(path);
    if (!file) {
        cli_fail("redact", path, ANNOT_ERROR_IO);
        return false;
    }
    /* nothing that one may have to wait for */
    const bool is_file = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    const size_t size = is_file ? fread(text, 1, sizeof text, file) : 0;
    fclose(file);
    size_t used = 0;
    while (used < size && used < DIGITS && digit(text[used]) >= 0)
        used++;
    while (used >= DIGITS && used < size && (text[used] == '\r' || text[used] == '\n'))
        used++;
    if (used < DIGITS || used < size) {
        cli_complain("redact", "a key has 32 hexadecimal digits, unlike", path);
        return false;
    }
    for (size_t i = 0; i < ANNOT_REDACT_KEY_SIZE; i++)
        key[i] = (unsigned char)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return true;
}

static bool find_key(const char *path, unsigned char *key)
{
    if (path)
        return read_key(path, key);
    errno = 0;
    if (cli_random(key, ANNOT_REDACT_KEY_SIZE))
        return true;
    cli_fail("redact", "/dev/urandom", ANNOT_ERROR_IO);
    return false;
}

/* ---- the command ---- */

static bool write_file(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) == size;
}

static int redact(const annot_reader *reader, const unsigned char *key,
                  const annot_redact_options *options, const char *to)
{
    FILE *file = cli_create("redact", to);
    if (!file)
        return EXIT_UNUSABLE;
    const annot_report_sink sink = {file, write_file};
    const annot_result result = annot_redact_write_as(reader, key, options, &sink);
    if (!cli_close_created("redact", to, file, result == ANNOT_OK))
        return EXIT_UNUSABLE;
    return EXIT_FINE;
}

int cmd_redact(int argc, char **argv)
{
    struct arguments arguments = {0};
    unsigned char key[ANNOT_REDACT_KEY_SIZE];
    struct cli_dump dump;
    if (argc > 1 && cli_is_help(argv[1]))
        return cli_print_usage(usage);
    int code = parse(argc, argv, &arguments);
    if (code != EXIT_FINE)
        return code;
    if (arguments.new_key)
        return make_key(arguments.new_key);
    if (!find_key(arguments.key, key) || !cli_open("redact", arguments.from, &dump))
        return EXIT_UNUSABLE;
    code = redact(dump.reader, key, &arguments.options, arguments.to);
    const bool is_damaged = dump.is_damaged;
    cli_close(&dump);
    return code == EXIT_FINE && is_damaged ? EXIT_DAMAGED : code;
}
