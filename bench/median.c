/* The time, and the middle of what was measured. */
#include "bench.h"

#include <stdlib.h>
#include <time.h>

uint64_t bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double bench_median(double *values, size_t count, double *spread)
{
    qsort(values, count, sizeof *values, by_value);
    double median = count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
    if (spread)
        *spread = median > 0 ? (values[count * 3 / 4] - values[count / 4]) / (2 * median) : 0;
    return median;
}
