/* The user's own rules about scopes. A file has one rule in each line. Names are folded in the same
 * way as in signatures of version 2.
 *
 *     # comment
 *     application GLOB       the lines after it are for these applications
 *     fold A*B               from each A to the next B the name becomes "#"
 *     same GLOB = NAME       these names are NAME
 *     ignore scope GLOB      these scopes are ignored
 *     ignore PART            error, operation, shader, place or resource makes no difference
 *     split by PART          signatures that differ in it are never one group
 *     never merge [GLOB]     no place with such a name merges; without GLOB, none
 *     title GLOB = TEXT      the title of groups with such a scope */
#pragma once

#include <annot/fleet.h>

#include <stdbool.h>
#include <stdio.h>

struct annot__json;
struct rules;

/* Reads rules from `text`, the content of a file, which ends in NUL and may be "". `name` is the
 * file's name. NULL: standard error has the line and the reason. */
struct rules *rules_parse(const char *text, const char *name);
void rules_free(struct rules *rules);

enum { RULES_NAME_MAX = 256, RULES_TEXT_MAX = 60000 };

/* Applies the rules to the name of a scope, and writes the result into `out`, with a NUL. Returns
 * false if the rules ignore this scope. */
bool rules_name(const struct rules *rules, const char *application, const char *name,
                char out[RULES_NAME_MAX]);
/* Whether a rule ignores the part, or splits by the part. */
bool rules_part(const struct rules *rules, bool is_split, const char *application, annot_part part);
bool rules_may_merge(const struct rules *rules, const char *application, const char *name);
/* Returns the title for a group with these names, or NULL if no rule gives the group a title.
 * `names` has one name in each line. */
const char *rules_title(const struct rules *rules, const char *application, const char *names);
/* Copies the first of `names`, and returns the other names. */
const char *rules_next(const char *names, char name[RULES_NAME_MAX]);

/* Adds a signature's dumps to the numbers of matching rules. A rule matches a name of the
 * signature's place, or a known part. */
void rules_count(struct rules *rules, const char *application, const char *names,
                 const uint64_t parts[ANNOT_IDENTITY_PARTS], uint64_t dumps);

/* Prints the rules with these numbers, and warns of rules without a dump. `out`: an open array, or
 * NULL for standard output. */
void rules_print(const struct rules *rules, struct annot__json *out);
