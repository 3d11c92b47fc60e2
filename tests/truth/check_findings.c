/* A dump reports nothing wrong where no witness lies. */
#include "check.h"

#include <stdio.h>

static bool is_allowed(const struct scene *scene, annot_finding_kind kind)
{
    switch (kind) {
    case ANNOT_FINDING_HISTORY_UNTRUSTED: /* nobody can read them, or there was no memory */
        return scene->program->witnesses.kernel == KERNEL_BARE || scene->has_failed;
    case ANNOT_FINDING_RECORDING_MISSING: /* a list that retains no markers */
    case ANNOT_FINDING_CRUMBS_UNJOINED:
        return true;
    default:
        return false;
    }
}

void check_findings(const struct scene *scene)
{
    const size_t count = annot_reader_finding_count(scene->reader);
    for (size_t i = 0; i < count; i++) {
        annot_finding finding;
        char kind[64];
        if (!annot_reader_finding(scene->reader, i, &finding) || is_allowed(scene, finding.kind))
            continue;
        snprintf(kind, sizeof kind, "finding %s", finding.name);
        complain(scene->verdict, kind, "%s (%llu, first about %llu)", finding.text,
                 (unsigned long long)finding.count, (unsigned long long)finding.value);
    }
}
