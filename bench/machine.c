/* The machine of the measurement, and whether it was idle otherwise. */
#include "bench.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

struct bench_machine bench_machine_now;

#define LOOP_SLICES 2000u
#define LOOP_STEPS  200000u

/* More than this, and another program is in the figures. */
#define QUIET_JITTER 0.05

static cpu_set_t allowed;

bool bench_pin(uint32_t index)
{
    uint32_t wanted = index % bench_machine_now.cpus;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed) || wanted-- != 0)
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        return sched_setaffinity(0, sizeof one, &one) == 0;
    }
    return false;
}

void bench_unpin(void)
{
    sched_setaffinity(0, sizeof allowed, &allowed);
}

static void read_cpu_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(name, size, "unknown CPU");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        break;
    }
    if (file)
        fclose(file);
}

static void look_at_compiler(char *text, size_t size)
{
#if defined(__clang__)
    snprintf(text, size, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    snprintf(text, size, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

static double measure_timer(void)
{
    double samples[1000];
    for (size_t i = 0; i < 1000; i++) {
        uint64_t begin = bench_now();
        samples[i] = (double)(bench_now() - begin);
    }
    return bench_median(samples, 1000, NULL);
}

void bench_machine_look(void)
{
    struct bench_machine *machine = &bench_machine_now;
    struct utsname system;
    machine->cpus = 1;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        machine->cpus = (uint32_t)CPU_COUNT(&allowed);
    read_cpu_name(machine->cpu, sizeof machine->cpu);
    look_at_compiler(machine->compiler, sizeof machine->compiler);
    if (uname(&system) == 0)
        snprintf(machine->system, sizeof machine->system, "%.20s %.40s %.20s", system.sysname,
                 system.release, system.machine);
    if (getloadavg(&machine->load, 1) != 1)
        machine->load = -1;
    machine->pinned = bench_pin(0);
    machine->timer_ns = measure_timer();
}

/* One slice of a loop that does nothing but count: it always takes the same number of cycles. */
static double empty_slice(void)
{
    uint64_t begin = bench_now();
    for (uint32_t i = 0; i < LOOP_STEPS; i++)
        __asm__ volatile("" : "+r"(i));
    return (double)(bench_now() - begin);
}

static double empty_loop_jitter(void)
{
    static double slices[LOOP_SLICES];
    for (size_t i = 0; i < LOOP_SLICES; i++)
        slices[i] = empty_slice();
    double median = bench_median(slices, LOOP_SLICES, NULL);
    return slices[LOOP_SLICES * 95 / 100] / median - 1;
}

/* Threads that want a CPU now, this one among them: the loop sees only its own CPU. */
static unsigned runnable(void)
{
    unsigned count = 1;
    FILE *file = fopen("/proc/loadavg", "r");
    if (!file)
        return count;
    if (fscanf(file, "%*s %*s %*s %u", &count) != 1)
        count = 1;
    fclose(file);
    return count;
}

bool bench_machine_is_idle(void)
{
    return runnable() <= 1;
}

void bench_machine_wait_quiet(double seconds)
{
    uint64_t begin = bench_now();
    struct bench_machine *machine = &bench_machine_now;
    do {
        unsigned others = runnable() - 1;
        machine->jitter = empty_loop_jitter();
        machine->quiet = machine->jitter <= QUIET_JITTER && others + runnable() - 1 == 0;
    } while (!machine->quiet && (double)(bench_now() - begin) < seconds * 1e9 &&
             usleep(200000) == 0);
}
