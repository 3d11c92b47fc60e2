/* annot signature: the signature of the hang in each dump. */
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "json_identity.h"

#include <string.h>

struct arguments {
    const char *output;
};

static const struct option table[] = {
    OPTION("--output", "text|json", output,
           "text (default): signature, quality, what hung, file; json: one object a line, with the "
           "parts of the identity and their hashes"),
};

const struct command command_signature = {
    .name = "signature",
    .about = "print the signature of a dump's hang",
    .operands = "DUMP...",
    .text = "Prints the signature of each dump's hang. Dumps of the same hang have the same "
            "signature. Addresses, EventIDs, frame numbers, the order of threads and times make no "
            "difference. - is standard input.",
    OPTIONS(table),
    .end = "quality: full = the operation at which the GPU stopped is known; weak = the operation "
           "is not known, so different hangs may share the signature (JSON's weak_because says "
           "why); otherwise the dump has no signature, and the line says why\n\nexit code: 0 = "
           "every dump has a signature; 1 = some dumps have none; 2 = some could not be read",
    .least = 1,
    .most = MANY_OPERANDS,
    .missing = "a dump is missing; usage: annot signature DUMP...",
    .run = cmd_signature,
};

static void print_text(const char *path, const annot_identity *identity)
{
    printf("%-*s  %-8s  %s  ", ANNOT_SIGNATURE_ID_MAX - 5, identity->id[0] ? identity->id : "-",
           annot_signature_quality_word(identity->quality), identity->title);
    cli_print(stdout, path, strlen(path));
    putchar('\n');
}

static void print_json(const char *path, const annot_identity *identity)
{
    struct annot__json out = {cli_write, stdout, false};
    annot__json_format(&out, "{file:%s", path);
    annot__json_identity(&out, identity);
    annot__json_format(&out, "redacted:%d}\n", identity->is_redacted);
}

static int print_one(const char *path, bool is_json)
{
    annot_identity identity;
    struct cli_dump dump;
    if (!cli_open("signature", path, &dump))
        return EXIT_UNUSABLE;
    const annot_result result = annot_reader_identity(dump.reader, &identity);
    cli_close(&dump, NULL, EXIT_FINE);
    if (result != ANNOT_OK)
        return cli_fail("signature", path, result);
    if (is_json)
        print_json(path, &identity);
    else
        print_text(path, &identity);
    return identity.id[0] ? EXIT_FINE : EXIT_DAMAGED;
}

int cmd_signature(int argc, char **argv)
{
    struct arguments arguments = {0};
    int files, code, worst = EXIT_FINE;
    if (!options_read(&command_signature, argc, argv, &arguments, &files, &code))
        return code;
    for (int i = 1; i <= files; i++) {
        code = print_one(argv[i], cli_wants_json(arguments.output));
        worst = code > worst ? code : worst;
    }
    return cli_finish("signature", worst);
}
