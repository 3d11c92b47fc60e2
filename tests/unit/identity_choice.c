/* The choice of the queue that an identity names, and identities in redacted dumps, as
 * docs/FLEET.md has version 2. */
#include "asserts.h"
#include "guarded.h"
#include "hang_dump.h"

#include <annot/fleet.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

TestSuite(identity_choice, .fini = guarded_expect_nothing_left);

/* ---- which queue ---- */

/* The knowledge of a queue, the best first. */
enum known { WORK, SCOPE, LIST, UNKNOWN, WAITING, KNOWN };

static const char *const fruits[] = {"Kiwi", "Pear"};

static void put_queue(struct dump *dump, uint64_t number, enum known known, uint64_t scope)
{
    const uint64_t queue = QUEUE_OBJECT + number;
    const struct annot__dump_CRUMBS crumbs = {
        .queue = queue, .submission = 1, .log = 70 + number, .count = 3, .done = 1, .markers = 2};
    if (known != UNKNOWN)
        dump_row(dump, queue, 1, 0, 0, known == WAITING ? NOT_STARTED : STARTED,
                 known <= SCOPE ? scope : 0, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    if (known != WORK)
        return;
    dump_put_CRUMBS(dump, &crumbs, NULL, 0);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 70 + number}, (uint8_t[]){1, 6, 2}, 3);
}

/* Two queues, each with a list and a scope in it that have its fruit's name. `guilty`: its number
 * from 1; 0: none. `only`: nothing was submitted to the other one. */
static void identify_queues(const enum known *known, bool is_swapped, uint64_t guilty, int only,
                            annot_identity *identity)
{
    struct dump dump;
    uint64_t scopes[2];
    dump_start(&dump, ERROR_HUNG, 0);
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
        dump_put_TDR(&dump,
                     &(struct annot__dump_TDR){
                         .queue = QUEUE_OBJECT + guilty - 1, .type = 6, .reason = 0x141, .ddi = 2},
                     NULL, 0);
    dump_finish(&dump);
    hang_dump_identify(&dump, identity);
}

static uint64_t value_of(const annot_identity *identity)
{
    return strtoull(identity->id + 3, NULL, 16);
}

Test(identity_choice, are_of_the_guilty_queue_or_of_the_one_of_which_most_is_known_or_the_smaller)
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
                /* a stop that is seen comes before work of which nothing is */
                const bool is_seen[] = {first < UNKNOWN, second < UNKNOWN};
                unsigned best = first < second                              ? 0
                                : first > second                            ? 1
                                : value_of(&alone[0]) < value_of(&alone[1]) ? 0
                                                                            : 1;
                if (guilty && (is_seen[guilty - 1] || !is_seen[2 - guilty]))
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
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    strcpy(text, key);
    memcpy(text + strlen(key), value, size);
    dump_put_FACT(&dump, &(struct annot__dump_FACT){source, (uint32_t)strlen(key)}, text,
                  strlen(key) + size);
    dump_object(&dump, LIST_OBJECT, 0, "Sky");
    dump_recording(&dump, 1, LIST_OBJECT);
    dump_queue(&dump, QUEUE_OBJECT, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, STARTED, 0, 0);
    dump_finish(&dump);
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
Test(identity_choice, of_a_redacted_dump_are_none_where_what_is_stored_is_no_identity)
{
    static annot_identity identity;
    static const char wrong[] = "gG/:`@ \x01";
    for (size_t at = 0; at < strlen(stored); at++)
        for (const char *other = wrong; *other; other++) {
            char text[sizeof stored];
            strcpy(text, stored);
            if (text[at] == *other)
                continue;
            text[at] = *other;
            identify_stored(ANNOT_FACT_LIBRARY, IDENTITY_FACT, text, strlen(text), &identity);
            cr_expect_str_empty(identity.id, "%s", text);
            cr_expect(identity.is_redacted, "%s", text);
        }
    for (size_t size = 0; size <= sizeof stored; size++) {
        identify_stored(ANNOT_FACT_LIBRARY, IDENTITY_FACT, stored, size, &identity);
        cr_expect_eq(identity.id[0] != 0, size == sizeof stored - 1, "%zu bytes", size);
    }
}

/* A copy that an older version made has a signature alone: the identity is that of its words. */
Test(identity_choice, are_stored_only_in_the_librarys_own_fact)
{
    static const struct {
        uint32_t source;
        const char *key;
        bool is_redacted;
    } rows[] = {{ANNOT_FACT_LIBRARY, "annot.signature.v1", true},
                {ANNOT_FACT_DEVICE, "annot.signature.v1", false},
                {ANNOT_FACT_DEVICE, IDENTITY_FACT, false},
                {ANNOT_FACT_DUMP, IDENTITY_FACT, false},
                {ANNOT_FACT_LIBRARY, "annot.identity.v", false},
                {ANNOT_FACT_LIBRARY, "annot.identity.v22", false},
                {ANNOT_FACT_LIBRARY, "annot.identity.v3", false}};
    static annot_identity identity, plain;
    identify_stored(ANNOT_FACT_DEVICE, "x", "y", 1, &plain);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        identify_stored(rows[i].source, rows[i].key, stored, strlen(stored), &identity);
        cr_expect_eq(identity.is_redacted, rows[i].is_redacted, "%s of %u", rows[i].key,
                     rows[i].source);
        cr_expect_str_eq(identity.id, plain.id, "%s of %u", rows[i].key, rows[i].source);
    }
}
