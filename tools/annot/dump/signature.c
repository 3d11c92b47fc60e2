/* annot signature: the signature of the hang in each dump. */
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "json_writer.h"

#include <annot/fleet.h>

#include <string.h>

struct arguments {
    const char *output, *version;
};

static const struct option table[] = {
    OPTION("--output", "text|json", output,
           "text (without it): signature, quality, what hung, file; json: an object a line, with "
           "the parts of the identity, each with a hash of its own"),
    OPTION("--version", "1|2", version,
           "the rules: 2 (without it), or those that older databases were made with"),
};

const struct command command_signature = {
    .name = "signature",
    .about = "the name of the hang that a dump shows",
    .operands = "DUMP...",
    .text = "Prints for each dump the signature of its hang: dumps of one hang have the same, "
            "whatever the addresses, EventIDs, frame numbers, thread order and times in them. -: "
            "standard input.",
    OPTIONS(table),
    .end = "quality: full: the operation at which the GPU stopped is known; weak: it is not, and "
           "different hangs may share it (JSON's weak_because says why); otherwise there is no "
           "signature, and the line says why\n\n"
           "exit code: 0 every dump has a signature, 1 some have none, 2 some could not be read",
    .least = 1,
    .most = MANY_OPERANDS,
    .missing = "which dump? annot signature DUMP...",
    .run = cmd_signature,
};

static void print_text(const char *path, const annot_signature *signature)
{
    printf("%-*s  %-8s  %s  ", ANNOT_SIGNATURE_ID_MAX - 5, signature->id[0] ? signature->id : "-",
           annot_signature_quality_word(signature->quality), signature->title);
    cli_print(stdout, path, strlen(path));
    putchar('\n');
}

static void print_part(struct annot__json *out, const annot_identity *identity, annot_part part)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)identity->parts[part].hash);
    annot__json_open(out, annot_part_word(part), "{");
    annot__json_string(out, "hash", identity->parts[part].hash ? digits : NULL);
    annot__json_string(out, "text", identity->parts[part].text);
    annot__json_close(out, "}");
}

/* Prints version 1 where `identity` is NULL. */
static void print_json(const char *path, const annot_signature *signature,
                       const annot_identity *identity)
{
    struct annot__json out = {cli_write, stdout, false};
    annot__json_open(&out, NULL, "{");
    annot__json_string(&out, "file", path);
    annot__json_number(&out, "version", signature->version);
    annot__json_string(&out, "id", signature->id[0] ? signature->id : NULL);
    annot__json_string(&out, "quality", annot_signature_quality_word(signature->quality));
    if (annot_signature_is_weak(signature->quality))
        annot__json_string(&out, "weak_because", annot_signature_quality_text(signature->quality));
    annot__json_string(&out, "title", signature->title);
    annot__json_bool(&out, "redacted", signature->is_redacted);
    if (identity) {
        annot__json_string(&out, "path", identity->path);
        annot__json_open(&out, "parts", "{");
        for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
            print_part(&out, identity, (annot_part)i);
        annot__json_close(&out, "}");
    }
    annot__json_close(&out, "}");
    putchar('\n');
}

/* The same members. */
static annot_result identify(const annot_reader *reader, annot_identity *identity,
                             annot_signature *signature)
{
    const annot_result result = annot_reader_identity(reader, identity);
    *signature =
        (annot_signature){identity->version, identity->quality, identity->is_redacted, "", ""};
    memcpy(signature->id, identity->id, sizeof signature->id);
    memcpy(signature->title, identity->title, sizeof signature->title);
    return result;
}

static int print_one(const char *path, bool is_json, bool is_first)
{
    annot_signature signature;
    annot_identity identity;
    struct cli_dump dump;
    annot_result result = ANNOT_OK;
    if (!cli_open("signature", path, &dump))
        return EXIT_UNUSABLE;
    if (is_first)
        annot_reader_signature(dump.reader, &signature);
    else
        result = identify(dump.reader, &identity, &signature);
    cli_close(&dump);
    if (result != ANNOT_OK) {
        cli_fail("signature", path, result);
        return EXIT_UNUSABLE;
    }
    if (is_json)
        print_json(path, &signature, is_first ? NULL : &identity);
    else
        print_text(path, &signature);
    return signature.id[0] ? EXIT_FINE : EXIT_DAMAGED;
}

int cmd_signature(int argc, char **argv)
{
    struct arguments arguments = {.version = "2"};
    int files, code, worst = EXIT_FINE;
    if (!options_read(&command_signature, argc, argv, &arguments, &files, &code))
        return code;
    for (int i = 1; i <= files; i++) {
        code = print_one(argv[i], cli_wants_json(arguments.output), arguments.version[0] == '1');
        worst = code > worst ? code : worst;
    }
    return cli_finish("signature", worst);
}
