/*
 * For fleets: finds the dumps that show the same hang, and copies dumps without their names.
 *
 *     annot_identity identity;
 *     annot_reader_identity(reader, &identity);
 *     printf("%s %s\n", identity.id, identity.title);
 *     // v2-5c1de3a07b9f2204 GPU HANG: Frame # / Shadow pass, Dispatch
 *
 * docs/SIGNATURE.md has the rules of the ID, which is the signature of the hang.
 */
#ifndef ANNOT_FLEET_H
#define ANNOT_FLEET_H

#include "reader.h"

ANNOT_BEGIN_DECLS

#define ANNOT_SIGNATURE_ID_MAX    24  /* bytes, with the NUL */
#define ANNOT_SIGNATURE_TITLE_MAX 512 /* bytes, with the NUL */

/* Calls QUALITY(name, number, word, sentence) for each quality of a signature. A quality says which
 * evidence the signature has, or why there is no signature. "full" means that evidence names an
 * operation, or the innermost scope around one. Different hangs may share a weak signature. */
#define ANNOT_SIGNATURE_QUALITIES(QUALITY)                                                         \
    QUALITY(NONE, 0, "none", "there is none")                                                      \
    QUALITY(FULL, 1, "full", "where the GPU stopped")                                              \
    QUALITY(WEAK, 2, "weak", "only what was unfinished: nothing says where the GPU stopped")       \
    QUALITY(WEAK_LIST, 3, "weak",                                                                  \
            "only the list at which the GPU stopped: nothing names an operation or a scope of it") \
    QUALITY(                                                                                       \
        WEAK_SCOPE, 4, "weak",                                                                     \
        "only a scope around the place where the GPU stopped: nothing names an operation, and "    \
        "the innermost scope is not certain")                                                      \
    QUALITY(WEAK_REASON, 5, "weak", "only the application's reason: no GPU work was unfinished")   \
    QUALITY(WEAK_OPERATION, 6, "weak",                                                             \
            "the scope in which the GPU stopped: nothing names the operation in it")               \
    QUALITY(DAMAGED, 16, "damaged", "none: the dump is damaged, and evidence may be missing")      \
    QUALITY(NO_ERROR, 17, "no error", "none: the device had not failed")                           \
    QUALITY(NO_WORK, 18, "no work", "none: nothing was unfinished")                                \
    QUALITY(UNTOLD, 19, "unknown", "none: the file does not tell what the queues did")

#define ANNOT_SIGNATURE_QUALITY_ENUM(name, number, word, sentence) ANNOT_SIGNATURE_##name = number,
typedef enum annot_signature_quality {
    ANNOT_SIGNATURE_QUALITIES(ANNOT_SIGNATURE_QUALITY_ENUM)
} annot_signature_quality;

#define ANNOT_IDENTITY_VERSION   2
#define ANNOT_IDENTITY_NAMES     64
#define ANNOT_IDENTITY_NAMES_MAX 2048 /* bytes, with the NUL */
#define ANNOT_IDENTITY_PATH_MAX  1024 /* bytes, with the NUL */

typedef enum annot_part {
    ANNOT_PART_ERROR = 0,
    ANNOT_PART_OPERATION = 1, /* "Dispatch" */
    ANNOT_PART_SHADER = 2,    /* the shader of the pipeline that the hanging operation uses */
    ANNOT_PART_PLACE = 3,     /* scopes as templates */
    ANNOT_PART_RESOURCE = 4   /* the resource at the address of a page fault */
} annot_part;
#define ANNOT_IDENTITY_PARTS 5

typedef struct annot_identity_part {
    uint64_t hash;                        /* hash of the part's text; 0: the dump lacks the part */
    char text[ANNOT_SIGNATURE_TITLE_MAX]; /* title for people; "": unknown or redacted */
} annot_identity_part;

typedef struct annot_identity {
    uint32_t version; /* ANNOT_IDENTITY_VERSION */
    annot_signature_quality quality;
    /* True if annot_redact_write made the dump. The dump then has `id` and the hashes. */
    bool is_redacted;
    /* "v2-" and 16 hexadecimal digits; in a redacted dump "k2-" and 16 digits. "" means that there
     * is no signature. */
    char id[ANNOT_SIGNATURE_ID_MAX];
    char title[ANNOT_SIGNATURE_TITLE_MAX];
    annot_identity_part parts[ANNOT_IDENTITY_PARTS];
    /* The folded names of the scopes at the place of the hang, one in each line, outermost first.
     * If the place is too long, only the innermost names are kept. A name that is not a scope's has
     * its type in front: "list B". */
    char names[ANNOT_IDENTITY_NAMES_MAX];
    char path[ANNOT_IDENTITY_PATH_MAX]; /* unfolded names, as from annot_reader_stop_path */
    uint32_t stop;                      /* index for annot_reader_stop_at, or ANNOT_READER_NONE */
} annot_identity;

/* Finds the identity of the hang in a dump. An identity has five parts: the kind of error, the
 * operation, the shader, the place, and the resource of a page fault. Equal parts have equal hashes
 * in all dumps. `id` is made from all parts: dumps with the same ID show the same hang. A hang may
 * have several IDs; `annot triage` groups them. The quality is "full" only if the dump names an
 * operation. After ANNOT_ERROR_OUT_OF_MEMORY *out has no signature. Any thread. Time is linear in
 * the number of queues, submissions and breadcrumbs [ANN-RPT-01]. */
ANNOT_INLINE annot_result annot_reader_identity(const annot_reader *reader, annot_identity *out);

/* Returns the static word of a part: "error", "operation", "shader", "place" or "resource". */
ANNOT_READER_API const char *annot_part_word(annot_part part);

/* Returns true if a signature of this quality is weak, so that its word is "weak". */
ANNOT_READER_API bool annot_signature_is_weak(annot_signature_quality quality);

/* The two functions return a quality's word ("full", "weak", ...) and sentence, as static texts. */
ANNOT_READER_API const char *annot_signature_quality_word(annot_signature_quality quality);
ANNOT_READER_API const char *annot_signature_quality_text(annot_signature_quality quality);

/* Folds the name of a marker or an object: replaces the parts of the name that differ from run to
 * run, so that identities can compare names. Numbers, addresses, units, settings, hashes, counting
 * letters and words, text in quotes and brackets, and folders of files become "#" or are removed.
 * White space becomes one space. Input and output are UTF-8. The output ends with a NUL; a long
 * output is cut at a character's border. Returns the number of bytes in `buffer`. */
ANNOT_READER_API size_t annot_fold_name(const char *name, size_t size, char *buffer,
                                        size_t capacity);

/* ---- a dump without its names ---- */

#define ANNOT_REDACT_KEY_SIZE 16

/* Options of annot_redact_write_as. By default (all zero, or NULL) the copy keeps the adapter and
 * the driver, the signature depends on the key, and a word replaces the system. */
typedef struct annot_redact_options {
    /* True: the redacted copy keeps the public signature. With it, readers can check a guess of all
     * names. */
    bool keep_signature;
    /* True: the copy keeps the fact "system": operating system, kernel and their versions. */
    bool keep_system;
    bool drop_adapter;
    bool drop_driver;
} annot_redact_options;

/* Writes a copy of the dump without its names. Words made with `key` replace the names of markers
 * and objects, the application, its facts and the reason; equal names get equal words. Blobs become
 * empty. The tree, states, EventIDs, addresses and times stay [ANN-RPT-02]; docs/SIGNATURE.md lists
 * each record. If two dumps with equal signatures are copied with the same key, the copies have
 * equal signatures. A damaged dump stays damaged.
 *
 * `options` may be NULL. The sink gets the copy from its first byte to its last. Errors:
 * ANNOT_ERROR_IO if the sink refuses, ANNOT_ERROR_OUT_OF_MEMORY. */
ANNOT_INLINE annot_result annot_redact_write_as(const annot_reader *reader,
                                                const unsigned char key[ANNOT_REDACT_KEY_SIZE],
                                                const annot_redact_options *options,
                                                const annot_report_sink *sink);

/* Does the same as annot_redact_write_as with `options` NULL. */
ANNOT_READER_API annot_result annot_redact_write(const annot_reader *reader,
                                                 const unsigned char key[ANNOT_REDACT_KEY_SIZE],
                                                 const annot_report_sink *sink);

/* ---- a dump with more facts ---- */

/* Writes a copy of a whole dump, with up to ANNOT_FACTS_MAX more facts. Facts are cut to the
 * lengths that annot_fact gives. If the kernel reports a page fault at an address other than 0, the
 * call adds this address. The sink gets the copy from its first byte to its last. Errors:
 * ANNOT_ERROR_INCOMPLETE if the dump is damaged or its end is missing, ANNOT_ERROR_IO if the sink
 * refuses, ANNOT_ERROR_OUT_OF_MEMORY. */
ANNOT_READER_API annot_result annot_dump_write_with(const annot_reader *reader,
                                                    const annot_fact *facts, size_t fact_count,
                                                    uint64_t fault, const annot_report_sink *sink);

/* ---- exported functions; each takes the sizes of its structs, so structs can grow ---- */

ANNOT_READER_API annot_result annot_reader_identity_sized(const annot_reader *reader,
                                                          annot_identity *out, size_t out_size);
ANNOT_INLINE annot_result annot_reader_identity(const annot_reader *reader, annot_identity *out)
{
    return annot_reader_identity_sized(reader, out, sizeof *out);
}

ANNOT_READER_API annot_result annot_redact_write_as_sized(
    const annot_reader *reader, const unsigned char key[ANNOT_REDACT_KEY_SIZE],
    const annot_redact_options *options, size_t options_size, const annot_report_sink *sink);
ANNOT_INLINE annot_result annot_redact_write_as(const annot_reader *reader,
                                                const unsigned char key[ANNOT_REDACT_KEY_SIZE],
                                                const annot_redact_options *options,
                                                const annot_report_sink *sink)
{
    return annot_redact_write_as_sized(reader, key, options, sizeof *options, sink);
}

ANNOT_END_DECLS

#endif
