/* Equal stops have equal signatures [ANN-RPT-01], others have not; whose titles hold only scopes
 * that are open there [ANN-TRUTH-01]. */
#include "check.h"
#include "states.h"

#include <annot/fleet.h>
#include <stdlib.h>
#include <string.h>

/* The breadcrumbs stand still at the same operations. */
static bool is_equal_in_lists(const annot_reader *a, const annot_reader *b)
{
    annot_reader_crumbs one, other;
    if (annot_reader_crumbs_count(a) != annot_reader_crumbs_count(b))
        return false;
    for (size_t i = 0; annot_reader_crumbs_at(a, i, &one); i++)
        if (!annot_reader_crumbs_at(b, i, &other) || one.count != other.count ||
            one.done != other.done)
            return false;
    return true;
}

static bool is_equal(const annot_reader *a, const annot_reader *b)
{
    struct states one = states_of(a), other = states_of(b);
    annot_reader_device device, of_other;
    annot_reader_get_device(a, &device);
    annot_reader_get_device(b, &of_other);
    const bool is_equal = device.error == of_other.error && one.count == other.count &&
                          (one.count == 0 || memcmp(one.all, other.all, one.count) == 0) &&
                          annot_reader_stop_count(a) == annot_reader_stop_count(b) &&
                          is_equal_in_lists(a, b);
    free(one.all);
    free(other.all);
    return is_equal;
}

/* ---- the title ---- */

static bool is_open(const struct queue_truth *queue, uint32_t name)
{
    for (uint32_t i = 0; i < queue->mark_count; i++) {
        const struct mark *mark = &queue->marks[i];
        if (mark->name == name && mark->kind == MARK_BEGIN &&
            truth_allows(queue, ANNOT_STATE_IN_PROGRESS, mark->begin, mark->end, mark->last_end))
            return true;
    }
    return false;
}

static bool stands_behind(const char *at, const char *words)
{
    return strncmp(at - strlen(words), words, strlen(words)) == 0;
}

/* Whether all markers of a title, "GPU HANG: m# qgh / m# qgk, Draw", are scopes that may be open.
 * One that the stop is behind is none, nor is one that it is in front of. */
static bool is_open_in(const struct queue_truth *queue, const char *title)
{
    static const char folded[] = "m# ";
    for (const char *at = title; (at = strstr(at, folded)) != NULL; at++)
        if (!stands_behind(at, " behind ") && !stands_behind(at, " BeginEvent ") &&
            !is_open(queue, program_letters(at + strlen(folded))))
            return false;
    return true;
}

static void check_identity(const struct scene *scene)
{
    static annot_identity identity;
    annot_reader_identity(scene->reader, &identity);
    for (unsigned i = 0; i < QUEUES; i++)
        if (is_open_in(&scene->truth->queues[i], identity.title))
            return;
    complain(scene->verdict, "identity: a scope that is not open", "\"%s\"", identity.title);
}

/* ---- two runs ---- */

/* `is_apart`: its markers have other names. */
static void compare(const struct scene *scene, const annot_reader *other, bool is_apart)
{
    static annot_identity signature, of_other;
    if (!is_equal(scene->reader, other)) /* it stopped elsewhere */
        return;
    annot_reader_identity(scene->reader, &signature);
    annot_reader_identity(other, &of_other);
    if (is_apart) {
        if (strstr(signature.title, "m# ") && strcmp(signature.id, of_other.id) == 0)
            complain(scene->verdict, "signature: one of two stops", "%s, \"%s\" and \"%s\"",
                     signature.id, signature.title, of_other.title);
        return;
    }
    if (signature.quality != of_other.quality || strcmp(signature.id, of_other.id) != 0)
        complain(scene->verdict, "signature: two of one stop", "%s, \"%s\" and %s, \"%s\"",
                 signature.id, signature.title, of_other.id, of_other.title);
}

void check_signature(const struct scene *scene, const char *folder)
{
    struct outcome *outcome = calloc(1, sizeof *outcome);
    struct program other = *scene->program;
    annot_reader *reader = NULL;
    if (!outcome)
        abort();
    check_identity(scene);
    other.witnesses.has_times = !other.witnesses.has_times;
    other.first_name = scene->program->seed / 4 % 4 == 0 ? NAMES_APART : NAMES_OTHER;
    run_program(&other, folder, outcome);
    if (outcome->dump[0] && annot_reader_open_file(NULL, outcome->dump, &reader) == ANNOT_OK)
        compare(scene, reader, other.first_name == NAMES_APART);
    annot_reader_close(reader);
    run_finish(outcome);
    free(outcome);
}
