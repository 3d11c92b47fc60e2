/* annot redact: a dump without its names, to be handed on. */
#ifdef _WIN32
#define _CRT_RAND_S /* rand_s */
#endif
#include "cli.h"
#include "commands.h"

#include <annot/fleet.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: annot redact DUMP -o OUT [--key FILE]\n"
    "       annot redact --make-key FILE\n"
    "\n"
    "Writes the dump without the names of markers and objects, the application's name and facts, "
    "the reason and blobs.\n"
    "Structure, states, EventIDs, addresses, adapter, driver and signature remain. With one key "
    "equal names become equal\n"
    "words in every dump; without a key they do in this one. DUMP -: standard input. Existing "
    "files are not replaced.\n"
    "\n"
    "  -o OUT            the dump without names\n"
    "  --key FILE        a file with 32 hexadecimal digits; keep it where you keep the names\n"
    "  --make-key FILE   makes one\n"
    "\n"
    "exit code: 0 written, 1 written but the dump is damaged or incomplete, 2 not written\n";

enum { DIGITS = 2 * ANNOT_REDACT_KEY_SIZE };

struct arguments {
    const char *from, *to, *key, *new_key;
};

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
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return cli_complain("redact", "unknown option", argv[i]);
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

/* From the system's source. False: there is none. */
static bool make_random(unsigned char *bytes, size_t size)
{
#ifdef _WIN32
    for (size_t i = 0; i < size; i++) {
        unsigned value;
        if (rand_s(&value) != 0)
            return false;
        bytes[i] = (unsigned char)value;
    }
    return true;
#else
    FILE *file = fopen("/dev/urandom", "rb");
    const bool is_read = file && fread(bytes, 1, size, file) == size;
    if (file)
        fclose(file);
    return is_read;
#endif
}

static int make_key(const char *path)
{
    unsigned char key[ANNOT_REDACT_KEY_SIZE];
    errno = 0;
    if (!make_random(key, sizeof key))
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
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file) {
        cli_fail("redact", path, ANNOT_ERROR_IO);
        return false;
    }
    const size_t size = fread(text, 1, sizeof text, file);
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
    if (make_random(key, ANNOT_REDACT_KEY_SIZE))
        return true;
    cli_fail("redact", "/dev/urandom", ANNOT_ERROR_IO);
    return false;
}

/* ---- the command ---- */

static bool write_file(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) == size;
}

static int redact(const annot_reader *reader, const unsigned char *key, const char *to)
{
    FILE *file = cli_create("redact", to);
    if (!file)
        return EXIT_UNUSABLE;
    const annot_report_sink sink = {file, write_file};
    const annot_result result = annot_redact_write(reader, key, &sink);
    if (!cli_close_created("redact", to, file, result == ANNOT_OK))
        return EXIT_UNUSABLE;
    return EXIT_FINE;
}

int cmd_redact(int argc, char **argv)
{
    struct arguments arguments = {NULL, NULL, NULL, NULL};
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
    code = redact(dump.reader, key, arguments.to);
    const bool is_damaged = dump.is_damaged;
    cli_close(&dump);
    return code == EXIT_FINE && is_damaged ? EXIT_DAMAGED : code;
}
