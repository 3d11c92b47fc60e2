/*
 * Two runs side by side. A row has changed when it moved by more than the noise of both runs: five
 * percent, or three times the sum of their spreads. Rows that were measured against LIMIT are
 * compared by their ratio, which a slower clock or a busy neighbour does not change; page tables,
 * disks and the like by their value.
 */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CHANGE 0.05
#define SPREADS      3.0

/* The number behind "name": in a row's line; 0 where it is null or missing. */
static double number_of(const char *line, const char *name)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(line, key);
    return at ? strtod(at + strlen(key), NULL) : 0;
}

static bool name_of(const char *line, char *name, size_t size)
{
    static const char key[] = "{\"name\": \"";
    if (strncmp(line, key, sizeof key - 1) != 0)
        return false;
    line += sizeof key - 1;
    snprintf(name, size, "%.*s", (int)strcspn(line, "\""), line);
    return true;
}

static const struct bench_row *counterpart(const char *line, const char *name)
{
    return bench_row_find(name, (uint32_t)number_of(line, "size"),
                          (uint32_t)number_of(line, "threads"), (uint64_t)number_of(line, "count"));
}

/* How far the row is from its old figure, beyond noise; 0: not at all. */
static double change(const struct bench_row *row, double old, double now, double noise)
{
    if (old <= 0)
        return now > 0 && strcmp(row->unit, "ns") != 0 ? INFINITY : 0;
    double part = now / old - 1;
    return fabs(part) > noise ? part : 0;
}

static bool compare_row(const char *line, const struct bench_row *row)
{
    bool by_ratio = row->limit > 0 && number_of(line, "ratio") > 0;
    double old = number_of(line, by_ratio ? "ratio" : "value");
    double now = by_ratio ? row->ratio : row->value;
    double spread = by_ratio ? number_of(line, "ratio_spread") + row->ratio_spread
                             : number_of(line, "spread") + row->spread;
    double noise = SPREADS * spread > LEAST_CHANGE ? SPREADS * spread : LEAST_CHANGE;
    double part = change(row, old, now, noise);
    printf("%-28s %5u %3u %9llu %12.3f -> %12.3f %-8s noise %5.1f%%  %s\n", row->name, row->size,
           row->threads, (unsigned long long)row->count, old, now, by_ratio ? "x" : row->unit,
           noise * 100,
           part > 0   ? "SLOWER"
           : part < 0 ? "faster"
                      : "same");
    return part > 0;
}

int bench_compare(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        bench_note("cannot read %s: %s", path, strerror(errno));
        return -1;
    }
    char line[1024], name[64];
    int slower = 0, compared = 0;
    while (fgets(line, sizeof line, file)) {
        const struct bench_row *row =
            name_of(line, name, sizeof name) ? counterpart(line, name) : NULL;
        if (!row)
            continue;
        compared++;
        slower += compare_row(line, row);
    }
    fclose(file);
    if (compared == 0) {
        bench_note("%s has no row of this run: give a file written with --output json", path);
        return -1;
    }
    printf("%d rows compared, %d slower beyond noise\n", compared, slower);
    return slower;
}
