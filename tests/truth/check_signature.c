/* Equal stops have equal signatures [ANN-RPT-01]. */
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

static void compare(const struct scene *scene, const annot_reader *other)
{
    annot_signature signature, of_other;
    if (!is_equal(scene->reader, other)) /* it stopped elsewhere */
        return;
    annot_reader_signature(scene->reader, &signature);
    annot_reader_signature(other, &of_other);
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
    other.witnesses.has_times = !other.witnesses.has_times;
    other.first_name = 1000;
    run_program(&other, folder, outcome);
    if (outcome->dump[0] && annot_reader_open_file(NULL, outcome->dump, &reader) == ANNOT_OK)
        compare(scene, reader);
    annot_reader_close(reader);
    run_finish(outcome);
    free(outcome);
}
