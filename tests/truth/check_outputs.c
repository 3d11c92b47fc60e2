/* The other forms of a dump say the same: JSON, text, a redacted copy, a DirectX dump file. */
#include "check.h"
#include "states.h"

#include <annot/dxdmp.h>
#include <annot/fleet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON and text ---- */

/* States are strings behind this key, of queues' entries and all that is inside of them. */
#define STATE "\"state\":\""

/* Scopes of earlier lists around a list are told there once more. */
#define ENCLOSING "\"enclosing\":["

/* The next state behind `at`, outside of those; NULL: there is none. */
static char *next_state(char *at, const char *end)
{
    char *state = strstr(at, STATE), *enclosing = strstr(at, ENCLOSING);
    while (state && enclosing && enclosing < state) {
        at = strchr(enclosing, ']'); /* no name of ours has one */
        state = strstr(at, STATE);
        enclosing = strstr(at, ENCLOSING);
    }
    return state && state < end ? state + strlen(STATE) : NULL;
}

static void check_json(const struct scene *scene, const struct states *states)
{
    const annot_report_options options = {.all = true};
    char *json = NULL, *at, *end;
    size_t i = 0;
    if (annot_report_memory(scene->reader, ANNOT_REPORT_JSON, &options, &json, NULL) != ANNOT_OK) {
        complain(scene->verdict, "json: none", "it can't be written");
        return;
    }
    at = strstr(json, "\"queues\":[");
    end = at ? strstr(at, "],\"recordings\":[") : NULL;
    while (at && end && (at = next_state(at, end)) != NULL) {
        const char *state =
            i < states->count ? annot_state_text((annot_state)states->all[i]) : "(nothing)";
        if (strncmp(at, state, strlen(state)) != 0) {
            complain(scene->verdict, "json: a state", "state %u is %.16s, not %s", (unsigned)i, at,
                     state);
            i = states->count;
            break;
        }
        i++;
    }
    if (i != states->count)
        complain(scene->verdict, "json: states", "%u of %u", (unsigned)i, (unsigned)states->count);
    annot_report_free(json);
}

static void check_text(const struct scene *scene)
{
    char *text = NULL, path[4096];
    if (annot_report_memory(scene->reader, ANNOT_REPORT_TEXT, NULL, &text, NULL) != ANNOT_OK) {
        complain(scene->verdict, "text: none", "it can't be written");
        return;
    }
    for (size_t i = 0; i < annot_reader_stop_count(scene->reader); i++) {
        annot_reader_stop_path(scene->reader, i, path, sizeof path);
        if (strstr(text, path) == NULL)
            complain(scene->verdict, "text: the path to a stop", "\"%s\" is not in it", path);
    }
    annot_report_free(text);
}

/* ---- copies ---- */

struct bytes {
    unsigned char *data;
    size_t size, capacity;
};

static bool append(void *user, const void *data, size_t size)
{
    struct bytes *to = user;
    if (to->size + size > to->capacity) {
        to->capacity = (to->size + size) * 2;
        to->data = realloc(to->data, to->capacity);
        if (!to->data)
            abort();
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

static bool has_findings_of(const annot_reader *a, const annot_reader *b)
{
    annot_finding one, other;
    const size_t count = annot_reader_finding_count(a);
    if (annot_reader_finding_count(b) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!annot_reader_finding(a, i, &one) || !annot_reader_finding(b, i, &other) ||
            one.kind != other.kind || one.count != other.count)
            return false;
    return true;
}

static void compare_copy(const struct scene *scene, const struct states *states,
                         const annot_reader *copy)
{
    static annot_identity signature, of_copy;
    struct states others = states_of(copy);
    if (others.count != states->count ||
        (others.count > 0 && memcmp(others.all, states->all, others.count) != 0))
        complain(scene->verdict, "redacted: states", "they differ from the dump's");
    if (annot_reader_stop_count(copy) != annot_reader_stop_count(scene->reader))
        complain(scene->verdict, "redacted: stops", "there are others");
    if (!has_findings_of(scene->reader, copy))
        complain(scene->verdict, "redacted: findings", "they differ from the dump's");
    annot_reader_identity(scene->reader, &signature);
    annot_reader_identity(copy, &of_copy);
    if (signature.quality != of_copy.quality)
        complain(scene->verdict, "redacted: signature", "%s, not %s",
                 annot_signature_quality_word(of_copy.quality),
                 annot_signature_quality_word(signature.quality));
    free(others.all);
}

static void check_redacted(const struct scene *scene, const struct states *states)
{
    static const unsigned char key[ANNOT_REDACT_KEY_SIZE] = "truth";
    struct bytes bytes = {NULL, 0, 0};
    const annot_report_sink sink = {&bytes, append};
    annot_reader *copy = NULL;
    if (annot_redact_write(scene->reader, key, &sink) == ANNOT_OK &&
        annot_reader_open_memory(NULL, bytes.data, bytes.size, &copy) == ANNOT_OK)
        compare_copy(scene, states, copy);
    else
        complain(scene->verdict, "redacted: none", "the copy can't be made or opened");
    annot_reader_close(copy);
    free(bytes.data);
}

/* The next node of DRED in a DirectX dump file, by Microsoft's DXDumpFileFormat.h; *at begins as
 * its header's size. False: there are no more. */
static bool next_node(const struct bytes *file, size_t *at, struct dred_node *node)
{
    enum { HEADER = 16, COUNT = 48, DONE = 64 };
    uint64_t size;
    while (*at + HEADER <= file->size) {
        const unsigned char *section = file->data + *at;
        memcpy(&size, section + 8, sizeof size);
        *at += HEADER + (size_t)size;
        if (memcmp(section, "DRBN", 4) != 0)
            continue;
        memcpy(&node->count, section + HEADER + COUNT, 4);
        memcpy(&node->done, section + HEADER + DONE, 4);
        return true;
    }
    return false;
}

/* A DirectX dump file has DRED's nodes, and perhaps one for each queue that stands between the last
 * breadcrumb of a list and its end. */
static void compare_nodes(const struct scene *scene, const struct outcome *outcome,
                          const struct bytes *file)
{
    struct dred_node node;
    uint32_t count = 0;
    size_t end = 256;
    while (next_node(file, &end, &node))
        count++;
    if (count < outcome->node_count || count > outcome->node_count + QUEUES || end != file->size) {
        complain(scene->verdict, "dxdmp: nodes", "%u, not DRED's %u", count, outcome->node_count);
        return;
    }
    for (uint32_t i = 0; i < outcome->node_count; i++) {
        bool is_there = false;
        for (size_t at = 256; !is_there && next_node(file, &at, &node);) /* in any order */
            is_there = node.count == outcome->nodes[i].count && node.done == outcome->nodes[i].done;
        if (!is_there)
            complain(scene->verdict, "dxdmp: a node", "DRED's node %u, %u of %u done, is not there",
                     i, outcome->nodes[i].done, outcome->nodes[i].count);
    }
}

static void check_dxdmp(const struct scene *scene, const struct outcome *outcome)
{
    struct bytes file = {NULL, 0, 0}, inside = {NULL, 0, 0};
    const annot_report_sink sink = {&file, append}, to_inside = {&inside, append};
    if (annot_dxdmp_write(scene->reader, &sink) != ANNOT_OK ||
        annot_dxdmp_as_dump(NULL, file.data, file.size, &to_inside) != ANNOT_OK)
        complain(scene->verdict, "dxdmp: none", "it can't be made or read");
    else if (outcome && outcome->has_dred)
        compare_nodes(scene, outcome, &file);
    free(file.data);
    free(inside.data);
}

void check_outputs(const struct scene *scene, const struct outcome *outcome)
{
    struct states states = states_of(scene->reader);
    check_json(scene, &states);
    check_text(scene);
    check_redacted(scene, &states);
    check_dxdmp(scene, outcome);
    free(states.all);
}
