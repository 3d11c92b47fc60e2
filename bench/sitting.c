/*
 * A result depends on more than noise: the random addresses of stacks, heaps and pages decide for
 * the life of a process which of them share cache lines. So each suite is run in several processes,
 * and each process gives one figure. The interval from the least to the greatest of n of them holds
 * the median of all that could be found with a probability of 1 - 2^(1-n), whatever its
 * distribution: 0.97 for six.
 */
#include "bench.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child's side ---- */

#define FIELDS 10

void bench_sitting_print(void)
{
    for (size_t i = 0; i < bench_row_count(); i++) {
        const struct bench_row *row = bench_row_at(i);
        printf("%s\t%u\t%u\t%llu\t%.17g\t%s\t%.17g\t%.17g\t%.17g\t%.17g\n", row->name, row->size,
               row->threads, (unsigned long long)row->count, row->value, row->unit, row->spread,
               row->limit, row->ratio, row->ratio_spread);
    }
}

/* ---- the parent's side ---- */

struct gathered {
    struct bench_row row;
    double values[BENCH_SITTINGS_MAX], ratios[BENCH_SITTINGS_MAX], limits[BENCH_SITTINGS_MAX];
    double spread_sum, ratio_spread_sum;
    uint32_t count;
};

static struct gathered *found;
static size_t found_count;

static struct gathered *gathered_of(const struct bench_row *row)
{
    for (size_t i = 0; i < found_count; i++)
        if (!strcmp(found[i].row.name, row->name) && found[i].row.size == row->size &&
            found[i].row.threads == row->threads && found[i].row.count == row->count)
            return &found[i];
    struct gathered *more = realloc(found, (found_count + 1) * sizeof *found);
    if (!more)
        abort();
    found = more;
    found[found_count] = (struct gathered){.row = *row};
    found[found_count].row.name = strdup(row->name); /* for the process's life */
    found[found_count].row.unit = strdup(row->unit);
    return &found[found_count++];
}

static void gather(char *line)
{
    char *field[FIELDS], *rest = line;
    for (size_t i = 0; i < FIELDS; i++)
        if (!(field[i] = strsep(&rest, "\t\n")))
            return;
    const struct bench_row row = {.name = field[0],
                                  .size = (uint32_t)strtoul(field[1], NULL, 10),
                                  .threads = (uint32_t)strtoul(field[2], NULL, 10),
                                  .count = strtoull(field[3], NULL, 10),
                                  .unit = field[5]};
    struct gathered *it = gathered_of(&row);
    if (it->count == BENCH_SITTINGS_MAX)
        return;
    it->values[it->count] = strtod(field[4], NULL);
    it->limits[it->count] = strtod(field[7], NULL);
    it->ratios[it->count] = strtod(field[8], NULL);
    it->spread_sum += strtod(field[6], NULL);
    it->ratio_spread_sum += strtod(field[9], NULL);
    it->count++;
}

/* The child's command: this one, with the suite and what makes it a sitting. */
static void exec_sitting(char **arguments, const char *suite, bool is_first, int output)
{
    static char filter[] = "--filter", sitting[] = "--sitting", silent[] = "--silent";
    char *command[64];
    size_t count = 0;
    while (arguments[count] && count < sizeof command / sizeof command[0] - 5) {
        command[count] = arguments[count];
        count++;
    }
    command[count++] = filter;
    command[count++] = strdup(suite);
    command[count++] = sitting;
    if (!is_first)
        command[count++] = silent;
    command[count] = NULL;
    dup2(output, STDOUT_FILENO);
    close(output);
    bench_unpin();
    execv("/proc/self/exe", command);
    _exit(127);
}

static bool sit(char **arguments, const char *suite, bool is_first)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        exec_sitting(arguments, suite, is_first, ends[1]);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    char line[512];
    while (child > 0 && output && fgets(line, sizeof line, output))
        gather(line);
    if (output)
        fclose(output);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    bench_note("suite %s: a sitting ended with status %d: its rows are left out", suite, status);
    return false;
}

/* ---- what they say together ---- */

/* Two states: the widest gap is a twentieth of the figure, and four times the wider of both
 * groups. */
static void find_states(struct bench_row *row, const double *sorted, uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < count; i++)
        if (at == 0 || sorted[i] - sorted[i - 1] > sorted[at] - sorted[at - 1])
            at = i;
    if (count < 5 || at < 2 || at > count - 2)
        return;
    double gap = sorted[at] - sorted[at - 1];
    double low = sorted[at - 1] - sorted[0], high = sorted[count - 1] - sorted[at];
    if (gap < sorted[0] / 20 || gap < 4 * (low > high ? low : high))
        return;
    row->states[0] = (sorted[0] + sorted[at - 1]) / 2;
    row->states[1] = (sorted[at] + sorted[count - 1]) / 2;
    row->in_first_state = at;
}

static void file_gathered(struct gathered *it)
{
    struct bench_row *row = &it->row;
    row->value = bench_median(it->values, it->count, NULL);
    row->limit = bench_median(it->limits, it->count, NULL);
    row->ratio = bench_median(it->ratios, it->count, NULL);
    row->values = (struct bench_interval){it->values[0], it->values[it->count - 1]};
    row->ratios = (struct bench_interval){it->ratios[0], it->ratios[it->count - 1]};
    row->spread = it->spread_sum / it->count;
    row->ratio_spread = it->ratio_spread_sum / it->count;
    find_states(row, it->values, it->count);
    bench_file(row);
}

bool bench_sittings_run(char **arguments, const struct bench_suite *suites, size_t count,
                        const char *filter, uint32_t sittings)
{
    bool any = false;
    bench_machine_now.sittings = sittings;
    fflush(stdout);
    for (uint32_t sitting = 0; sitting < sittings; sitting++)
        for (size_t i = 0; i < count; i++) {
            if (fnmatch(filter, suites[i].name, 0) != 0)
                continue;
            bench_machine_now.quiet = bench_machine_is_idle() && bench_machine_now.quiet;
            any = sit(arguments, suites[i].name, sitting == 0) || any;
        }
    for (size_t i = 0; i < found_count; i++)
        file_gathered(&found[i]);
    return any;
}
