/* The choice of the queue that an identity names, and identities in redacted dumps, as
 * docs/SIGNATURE.md has version 2. */
#include "hang_dump.h"
#include "unit_kit.h"
#include "hang/identity.h"

#include <annot/fleet.h>

#include <inttypes.h>

TestSuite(identity_choice, .fini = guarded_expect_nothing_left);

/* ---- which queue ---- */

/* The knowledge of a queue, the best first. */
enum known { WORK, SCOPE, LIST, BEGUN, UNKNOWN, WAITING, KNOWN };

static const char *const fruits[] = {"Kiwi", "Pear"};

static void put_queue(struct dump *dump, uint64_t number, enum known known, uint64_t scope)
{
    const uint64_t queue = QUEUE_OBJECT + number;
    if (known == BEGUN)
        dump_row(dump, queue, 1, (uint32_t)ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
    else if (known != UNKNOWN)
        dump_row(dump, queue, 1, 0, 0, known == WAITING ? NOT_STARTED : STARTED,
                 known <= SCOPE ? scope : 0, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    if (known != WORK)
        return;
    dump_add(dump, CRUMBS, .queue = queue, .submission = 1, .log = 70 + number, .count = 3,
             .done = 1, .markers = 2);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 70 + number}, (uint8_t[]){1, 6, 2}, 3);
}

/* Two queues, each with a list and a scope in it that have its fruit's name. `guilty`: its number
 * from 1; 0: none. `only`: nothing was submitted to the other one. */
static void identify_queues(const enum known *known, bool is_swapped, uint64_t guilty, int only,
                            annot_identity *identity)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    uint64_t scopes[2];
    for (uint64_t i = 0; i < 2; i++) {
        dump_object(&dump, QUEUE_OBJECT + i, 0, fruits[i ^ is_swapped]);
        dump_object(&dump, LIST_OBJECT + i, 0, fruits[i ^ is_swapped]);
    }
    for (uint64_t i = 0; i < 2; i++) {
        dump_recording(&dump, 1 + i, LIST_OBJECT + i);
        scopes[i] = dump_begin(&dump, fruits[i ^ is_swapped]);
    }
    for (uint64_t i = 0; i < 2; i++) {
        if (only >= 0 && (uint64_t)only != i)
            continue;
        dump_queue(&dump, QUEUE_OBJECT + i, 1, 0);
        dump_put_SUBMISSION(&dump, &(struct annot__dump_SUBMISSION){.serial = 1, .count = 1},
                            (uint64_t[]){1 + i, LIST_OBJECT + i}, 16);
    }
    for (uint64_t i = 0; i < 2; i++)
        if (only < 0 || (uint64_t)only == i)
            put_queue(&dump, i, known[i], scopes[i]);
    dump_section(&dump, ANNOT__DUMP_SECTION_TDR);
    if (guilty)
        dump_add(&dump, TDR, .queue = QUEUE_OBJECT + guilty - 1, .type = 6, .reason = 0x141,
                 .ddi = 2);
    hang_dump_identify(&dump, identity);
}

static uint64_t value_of(const annot_identity *identity)
{
    return strtoull(identity->id + 3, NULL, 16);
}

Test(identity_choice, takes_the_guilty_queue_else_the_best_known_else_the_smaller)
{
    static annot_identity both, alone[2];
    for (unsigned first = 0; first < KNOWN; first++)
        for (unsigned second = 0; second < KNOWN; second++)
            for (unsigned i = 0; i < 6; i++) {
                const bool is_swapped = i & 1;
                const uint64_t guilty = i / 2;
                const enum known known[] = {(enum known)first, (enum known)second};
                identify_queues(known, is_swapped, guilty, -1, &both);
                for (int k = 0; k < 2; k++)
                    identify_queues(known, is_swapped, 0, k, &alone[k]);
                unsigned best = first < second                              ? 0
                                : first > second                            ? 1
                                : value_of(&alone[0]) < value_of(&alone[1]) ? 0
                                                                            : 1;
                if (guilty) /* whatever is seen of it [ANN-TRUTH-06] */
                    best = (unsigned)guilty - 1;
                cr_expect_str_eq(both.id, alone[best].id, "%u and %u, guilty %d, %s: %s, not %s",
                                 first, second, (int)guilty, is_swapped ? "swapped" : "in order",
                                 both.title, alone[best].title);
                cr_expect_str_eq(both.names, alone[best].names);
            }
}

/* ---- of redacted dumps ---- */

static const char stored[] = "k2-0123456789abcdef fedcba9876543210 0000000000000001 "
                             "1000000000000000 a0b1c2d3e4f50617 0000000000000000";

static void identify_stored(uint32_t source, const char *key, const char *value, size_t size,
                            annot_identity *identity)
{
    char text[256];
    struct dump dump = dump_started(ERROR_HUNG, 0);
    strcpy(text, key);
    memcpy(text + strlen(key), value, size);
    dump_add_with(&dump, FACT, text, strlen(key) + size, source, (uint32_t)strlen(key));
    dump_object(&dump, LIST_OBJECT, 0, "Sky");
    dump_recording(&dump, 1, LIST_OBJECT);
    dump_submitted(&dump);
    dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, STARTED, 0, 0);
    hang_dump_identify(&dump, identity);
}

#define IDENTITY_FACT "annot.identity.v2"

Test(identity_choice, of_a_redacted_dump_are_the_stored_hashes)
{
    static const uint64_t hashes[] = {0xfedcba9876543210, 1, 0x1000000000000000, 0xa0b1c2d3e4f50617,
                                      0};
    static annot_identity identity;
    for (int is_public = 0; is_public < 2; is_public++) {
        char text[sizeof stored];
        strcpy(text, stored);
        text[0] = is_public ? 'v' : 'k';
        identify_stored(ANNOT_FACT_LIBRARY, IDENTITY_FACT, text, strlen(text), &identity);
        cr_expect(identity.is_redacted);
        cr_expect_eq(strncmp(identity.id, text, 19), 0, "%s", identity.id);
        cr_expect_eq(strlen(identity.id), 19);
        for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
            cr_expect_eq(identity.parts[i].hash, hashes[i], "%s: %016" PRIx64,
                         annot_part_word((annot_part)i), identity.parts[i].hash);
    }
}

/* Each byte of it, changed; a byte less and more. Then the dump's names are gone all the same. */
Test(identity_choice, a_redacted_dump_whose_stored_identity_is_wrong_has_none)
{
    static annot_identity identity;
    static const char wrong[] = "gG/:`@ \x01"; /* and the NUL */
    for (size_t at = 0; at < 2 * strlen(stored); at++)
        for (size_t other = 0; other < sizeof wrong; other++) {
            char text[sizeof stored];
            strcpy(text, stored);
            text[0] = at % 2 ? 'v' : 'k';
            if (text[at / 2] == wrong[other])
                continue;
            text[at / 2] = wrong[other];
            identify_stored(ANNOT_FACT_LIBRARY, IDENTITY_FACT, text, strlen(stored), &identity);
            cr_expect_str_empty(identity.id, "%s", text);
            cr_expect(identity.is_redacted, "%s", text);
        }
    for (size_t size = 0; size <= sizeof stored; size++) {
        identify_stored(ANNOT_FACT_LIBRARY, IDENTITY_FACT, stored, size, &identity);
        cr_expect_eq(identity.id[0] != 0, size == sizeof stored - 1, "%zu bytes", size);
    }
}

Test(identity_choice, are_stored_only_in_the_librarys_own_fact)
{
    static const struct {
        uint32_t source;
        const char *key;
    } rows[] = {
        {ANNOT_FACT_DEVICE, IDENTITY_FACT},        {ANNOT_FACT_DUMP, IDENTITY_FACT},
        {ANNOT_FACT_LIBRARY, "annot.identity.v"},  {ANNOT_FACT_LIBRARY, "annot.identity.v22"},
        {ANNOT_FACT_LIBRARY, "annot.Identity.v2"}, {ANNOT_FACT_LIBRARY, "annot.identity.v3"}};
    static annot_identity identity, plain;
    identify_stored(ANNOT_FACT_DEVICE, "x", "y", 1, &plain);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        identify_stored(rows[i].source, rows[i].key, stored, strlen(stored), &identity);
        cr_expect_not(identity.is_redacted, "%s of %u", rows[i].key, rows[i].source);
        cr_expect_str_eq(identity.id, plain.id, "%s of %u", rows[i].key, rows[i].source);
    }
}

/* The first one counts, and a device that did not fail has none. */
Test(identity_choice, stored_identity_is_the_first)
{
    for (uint32_t is_hung = 0; is_hung < 2; is_hung++) {
        static annot_identity identity;
        char other[sizeof stored];
        struct dump dump = dump_started(is_hung ? ERROR_HUNG : ERROR_NONE, 0);
        strcpy(other, stored);
        other[3] = 'f';
        dump_fact(&dump, ANNOT_FACT_LIBRARY, IDENTITY_FACT, stored);
        dump_fact(&dump, ANNOT_FACT_LIBRARY, IDENTITY_FACT, other);
        dump_recording(&dump, 1, LIST_OBJECT);
        dump_submitted(&dump);
        dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, STARTED, 0, 0);
        hang_dump_identify(&dump, &identity);
        cr_expect_eq(strncmp(identity.id, stored, is_hung ? 19 : 0), 0, "%s", identity.id);
        cr_expect_eq(identity.id[0] != 0, is_hung, "%s", identity.id);
    }
}

/* ---- what is no candidate ---- */

/* Submissions that execute nothing can't hang. */
Test(identity_choice, submissions_without_work_are_no_candidates)
{
    for (int kind = 0; kind < 2; kind++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        static annot_identity identity;
        dump_recording(&dump, 1, LIST_OBJECT);
        dump_queue(&dump, QUEUE_OBJECT, 1, 0);
        dump_submit(&dump, 1, kind == 1 ? 0 : 1, (uint64_t[]){1});
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
        cr_expect_eq(identity.quality, kind ? ANNOT_SIGNATURE_NO_WORK : ANNOT_SIGNATURE_WEAK);
    }
}

/* The application failed, and its queue waits: that is where it was. */
Test(identity_choice, of_an_application_crash_are_those_of_its_work)
{
    struct dump dump = dump_started((uint32_t)ANNOT_DEVICE_ERROR_APPLICATION, 0);
    static annot_identity identity;
    dump_object(&dump, QUEUE_OBJECT, 0, "Graphics");
    dump_recording(&dump, 1, LIST_OBJECT);
    dump_submitted(&dump);
    dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, NOT_STARTED, 0, 0);
    hang_dump_identify(&dump, &identity);
    cr_expect_eq(identity.quality, ANNOT_SIGNATURE_WEAK);
    cr_expect_str_eq(identity.parts[ANNOT_PART_PLACE].text, "Graphics / waiting ?");
}

/* ---- which scope ---- */

/* The front end is in a scope, and one before it is not known to be done: that is the place. */
Test(identity_choice, are_of_the_oldest_scope_that_is_not_done)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    static annot_identity identity;
    char answer[256];
    dump_recording(&dump, 1, LIST_OBJECT);
    dump_begin(&dump, "Shadows");
    dump_set(&dump, "mark");
    dump_end(&dump);
    const uint64_t front = dump_begin(&dump, "Lights");
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, STARTED, front, 0);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_answer(reader, answer, sizeof answer);
    cr_expect_str_eq(answer, "GPU HANG in Shadows, or in later work up to Lights");
    annot_reader_close(reader);
    hang_dump_identify(&dump, &identity);
    cr_expect_str_eq(identity.parts[ANNOT_PART_PLACE].text, "Shadows");
    cr_expect_str_eq(identity.path, "Shadows");
    cr_expect_str_eq(identity.title, "GPU HANG: Shadows");
}

/* Of names that are equal one counts, not of those where one begins with the other; a title is cut
 * where its room ends. */
Test(identity_choice, titles_have_the_names_that_differ)
{
    static const char *const names[] = {"Shadows pass", "Shadows", "Shadows", "Lights",
                                        "Lights pass"};
    char long_name[190];
    for (int is_long = 0; is_long < 2; is_long++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        static annot_identity identity;
        uint64_t scope = 0;
        dump_recording(&dump, 1, LIST_OBJECT);
        for (int i = 0; i < 5 + 40 * is_long; i++) {
            memset(long_name, 'g' + i % 2, sizeof long_name);
            long_name[sizeof long_name - 1] = 0;
            scope = dump_begin(&dump, is_long ? long_name : names[i]);
        }
        dump_submitted(&dump);
        dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, STARTED, scope, 0);
        hang_dump_identify(&dump, &identity);
        if (is_long)
            cr_expect(strlen(identity.title) < sizeof identity.title &&
                      strlen(identity.title) + 190 + 4 > sizeof identity.title);
        else
            cr_expect_str_eq(identity.title,
                             "GPU HANG: Shadows pass / Shadows / Lights / Lights pass");
    }
}

/* ---- how many queues ---- */

enum { QUEUES = 64 };

/* So many queues, of which one is told of better: by its stop's operation, or by its name alone. */
static void identify_many(uint32_t count, uint32_t best, bool has_stops, const char *name,
                          annot_identity *identity)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    for (uint32_t i = 0; i < count; i++)
        dump_object(&dump, QUEUE_OBJECT + i, 0, i == best ? name : "others");
    dump_recording(&dump, 1, LIST_OBJECT);
    for (uint32_t i = 0; i < count; i++) {
        dump_queue(&dump, QUEUE_OBJECT + i, 1, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
    }
    for (uint32_t i = 0; i < count && has_stops; i++)
        dump_row(&dump, QUEUE_OBJECT + i, 1, 0, 0, STARTED, 0, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    if (has_stops && best < count) {
        dump_add(&dump, CRUMBS, .queue = QUEUE_OBJECT + best, .submission = 1, .log = 70,
                 .count = 1);
        dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 70}, (uint8_t[]){6}, 1);
    }
    hang_dump_identify(&dump, identity);
}

/* docs/SIGNATURE.md: of more than 64 queues the first 64 are candidates. */
Test(identity_choice, sixty_four_queues_are_candidates)
{
    static annot_identity identity, plain, alone;
    identify_many(2, 0, true, "x", &identity);
    cr_expect_eq(identity.quality, ANNOT_SIGNATURE_FULL);
    for (uint32_t best = QUEUES - 1; best <= QUEUES; best++) {
        identify_many(QUEUES + 2, best, true, "best", &identity);
        cr_expect_eq(identity.quality == ANNOT_SIGNATURE_FULL, best < QUEUES, "%u", best);
    }
    identify_many(1, 1, false, "", &plain);
    for (uint32_t best = QUEUES - 1; best <= QUEUES; best++) {
        uint32_t smaller = 0;
        for (char name[] = "aame"; name[0] < 'i'; name[0]++) { /* some have smaller values */
            identify_many(1, 0, false, name, &alone);
            identify_many(QUEUES + 1, best, false, name, &identity);
            const bool is_smaller = strcmp(alone.id, plain.id) < 0;
            cr_expect_str_eq(identity.id, is_smaller && best < QUEUES ? alone.id : plain.id);
            smaller += is_smaller;
        }
        cr_expect_gt(smaller, 0);
    }
}
