/* annot redact: makes a copy of a dump without names, which can be given to others. */
#include "cli.h"
#include "commands.h"
#include "options.h"

#include <annot/fleet.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 2 * ANNOT_REDACT_KEY_SIZE };

struct arguments {
    const char *to, *key, *new_key;
    annot_redact_options options;
};

static const struct option table[] = {
    OPTION_WANTED("-o", "OUT", to, OPTION_NEEDED_THERE,
                  "the dump to write, without names; the file must not exist yet"),
    OPTION("--key", "FILE", key,
           "the key's file, with 32 hexadecimal digits; keep the key as secret as the names"),
    OPTION("--make-key", "FILE", new_key, "writes a new key into FILE"),
    OPTION("--keep-signature", NULL, options.keep_signature,
           "keeps the public signature, which is the same for everybody. A reader who guesses all "
           "names on the hang's path can check the guess"),
    OPTION("--keep-system", NULL, options.keep_system,
           "keeps the versions of the operating system and its kernel"),
    OPTION("--no-adapter", NULL, options.drop_adapter, "replaces the adapter's name by a code"),
    OPTION("--no-driver", NULL, options.drop_driver,
           "replaces the driver's name and version by a code"),
};

const struct command command_redact = {
    .name = "redact",
    .about = "remove the names from a dump",
    .operands = "DUMP",
    .also = "--make-key FILE",
    .text = "Writes the dump without the names of markers and objects, the application's name and "
            "facts, the reason and blobs. Structure, states, EventIDs, addresses, times, adapter, "
            "driver and hashes of shaders remain. A reader who has a shader can compare the hash. "
            "Equal names and signatures stay equal in this dump; with the same key, they stay "
            "equal in all dumps. - as DUMP is standard input.",
    OPTIONS(table),
    .end = "exit code: 0 = written; 1 = written from a damaged or incomplete dump; 2 = not written",
    .most = 1,
    .unexpected = "only one dump can be given; unexpected argument",
    .missing = "a dump or -o is missing; usage: annot redact DUMP -o OUT",
    .run = cmd_redact,
};

/* ---- keys ---- */

static bool read_key(const char *path, unsigned char *key)
{
    static const char what[] = "a key must have 32 hexadecimal digits";
    char *text = cli_read_text("redact", path, DIGITS + 7, what);
    const size_t size = text ? strlen(text) : 0;
    const bool is_key = size >= DIGITS && cli_hex(text, DIGITS, key) &&
                        strspn(text + DIGITS, "\r\n") == size - DIGITS;
    if (text && !is_key)
        cli_format(stderr, "annot redact: %s: the file is not a key; %s\n", path, what);
    free(text);
    return is_key;
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

static int make_key(const char *path)
{
    unsigned char key[ANNOT_REDACT_KEY_SIZE];
    FILE *file = find_key(NULL, key) ? cli_create("redact", path) : NULL;
    if (!file)
        return EXIT_UNUSABLE;
    for (size_t i = 0; i < sizeof key; i++)
        fprintf(file, "%02x", key[i]);
    fputc('\n', file);
    return cli_close_created("redact", path, file, !ferror(file)) ? EXIT_FINE : EXIT_UNUSABLE;
}

/* ---- the command ---- */

static int redact(const annot_reader *reader, const unsigned char *key,
                  const annot_redact_options *options, const char *to)
{
    FILE *file = cli_create("redact", to);
    if (!file)
        return EXIT_UNUSABLE;
    const annot_report_sink sink = {file, cli_write};
    const annot_result result = annot_redact_write_as(reader, key, options, &sink);
    return cli_close_created("redact", to, file, result == ANNOT_OK) ? EXIT_FINE : EXIT_UNUSABLE;
}

int cmd_redact(int argc, char **argv)
{
    struct arguments arguments = {0};
    unsigned char key[ANNOT_REDACT_KEY_SIZE];
    struct cli_dump dump;
    int count, code;
    if (!options_read(&command_redact, argc, argv, &arguments, &count, &code))
        return code;
    if (arguments.new_key ? count || arguments.to || arguments.key : !count) {
        fprintf(stderr, "annot redact: %s\n", command_redact.missing);
        return EXIT_UNUSABLE;
    }
    if (arguments.new_key)
        return make_key(arguments.new_key);
    if (!find_key(arguments.key, key) || !cli_open("redact", argv[1], &dump))
        return EXIT_UNUSABLE;
    return cli_close(&dump, "redact", redact(dump.reader, key, &arguments.options, arguments.to));
}
