/* Every output of `annot` for every worst case, against the same output for a plain dump of that
 * size [ANN-SEC-04].
 *
 * usage: fleet-worst ANNOT [--size BYTES] [--case NAME] [--table] [--keep FOLDER]
 *
 * A command may take three times as long, and three times as much memory; a report, whose size is
 * limited to 8 MiB and six times the dump's, four times as long. Time is the command's own
 * processor time, so that other work of the machine counts little; what is over the limit is run
 * twice more, and the shortest of the three counts. */
#include "worst_cases.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A command of `annot`; IN is the dump, OUT a file that doesn't exist. */
static const struct command {
    const char *name;
    const char *arguments[8];
    bool is_report;
} commands[] = {
    {"show", {"show", "IN", "--output", "text"}, true},
    {"show --all", {"show", "IN", "--output", "text", "--all"}, true},
    {"json", {"show", "IN", "--output", "json"}, true},
    {"json --all", {"show", "IN", "--output", "json", "--all"}, true},
    {"html", {"html", "IN", "-o", "OUT"}, false},
    {"diff", {"diff", "IN", "IN", "--output", "json"}, false},
    {"timeline", {"timeline", "IN", "--output", "text", "--all"}, false},
    {"timeline json", {"timeline", "IN", "--output", "json"}, false},
    {"redact", {"redact", "IN", "-o", "OUT"}, false},
    {"convert", {"convert", "IN", "-o", "OUT"}, false},
    {"signature", {"signature", "IN"}, false},
    {"triage", {"triage", "IN", "--output", "json"}, false},
    {"export", {"export", "IN", "--output", "ndjson"}, false},
};

enum { COMMANDS = sizeof commands / sizeof commands[0], TIMES = 3 };

struct cost {
    double seconds;
    long kilobytes;
    int status; /* as wait gives it */
};

struct options {
    const char *annot, *only, *keep;
    size_t size;
    bool is_table;
};

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void start(const struct options *options, const struct command *command, const char *in,
                  const char *out)
{
    const char *arguments[10] = {options->annot};
    const int null = open("/dev/null", O_RDWR);
    const struct rlimit processor = {60, 60};
    for (int i = 0; i < 8 && command->arguments[i]; i++) {
        const char *argument = command->arguments[i];
        arguments[i + 1] = strcmp(argument, "IN") == 0    ? in
                           : strcmp(argument, "OUT") == 0 ? out
                                                          : argument;
    }
    setrlimit(RLIMIT_CPU, &processor);
    for (int stream = 0; stream < 3; stream++)
        dup2(null, stream);
    execv(options->annot, (char **)arguments);
    _exit(126);
}

static struct cost run(const struct options *options, const struct command *command, const char *in,
                       const char *out)
{
    struct rusage usage;
    struct cost cost = {0, 0, 0};
    unlink(out);
    const pid_t child = fork();
    if (child == 0)
        start(options, command, in, out);
    if (child < 0 || wait4(child, &cost.status, 0, &usage) != child) {
        perror("fleet-worst");
        exit(2);
    }
    cost.seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    cost.kilobytes = usage.ru_maxrss;
    return cost;
}

/* An answer: a dump of these may well be damaged, or have no signature. */
static bool is_answer(const struct cost *cost)
{
    return WIFEXITED(cost->status) && WEXITSTATUS(cost->status) <= 1;
}

static bool write_case(const struct worst_case *of, size_t size, const char *path)
{
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    of->fill(&dump, size);
    dump_finish(&dump);
    FILE *file = fopen(path, "wb");
    const bool is_written = file && fwrite(dump.data, 1, dump.size, file) == dump.size;
    dump_free(&dump);
    return file && fclose(file) == 0 && is_written;
}

/* Reports write as much as there is in progress, and little is in the plain dump: the costliest one
 * of it stands for all. */
static void level_reports(struct cost *plain)
{
    struct cost most = plain[0];
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].is_report && plain[i].seconds > most.seconds)
            most = plain[i];
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].is_report)
            plain[i] = most;
}

static double limit_of(const struct command *command, const struct cost *plain)
{
    const double noise = 0.1; /* what starting a process and a busy machine cost */
    const int times = command->is_report ? 4 : 3;
    return times * (plain->seconds > noise ? plain->seconds : noise);
}

/* Whether all commands are within their limits; plain[] is filled by the plain case. */
static int measure(const struct options *options, const struct worst_case *of, const char *folder,
                   struct cost *plain)
{
    char in[4096], out[4096];
    int failed = 0;
    snprintf(in, sizeof in, "%s/%s.annotdmp", folder, of->name);
    snprintf(out, sizeof out, "%s/out", folder);
    if (!write_case(of, options->size, in)) {
        perror(in);
        exit(2);
    }
    const bool is_plain = of == worst_cases;
    for (int i = 0; i < COMMANDS; i++) {
        struct cost cost = run(options, &commands[i], in, out);
        const double limit = limit_of(&commands[i], is_plain ? &cost : &plain[i]);
        for (int again = 1; again < TIMES && is_answer(&cost) && cost.seconds > limit; again++) {
            const struct cost next = run(options, &commands[i], in, out);
            cost = next.seconds < cost.seconds ? next : cost;
        }
        if (is_plain)
            plain[i] = cost;
        const bool is_good = is_answer(&cost) && cost.seconds <= limit &&
                             cost.kilobytes <= 3 * plain[i].kilobytes + 16384;
        if (options->is_table)
            printf("| %s | %s | %.2f | %.2f | %ld |%s\n", of->name, commands[i].name, cost.seconds,
                   plain[i].seconds, cost.kilobytes / 1024, is_good ? "" : " OVER");
        else if (!is_good)
            printf("%s, annot %s: %.2f s, %ld MB, status %#x; a plain dump: %.2f s, limit %.2f s\n",
                   of->name, commands[i].name, cost.seconds, cost.kilobytes / 1024,
                   (unsigned)cost.status, plain[i].seconds, limit);
        fflush(stdout);
        failed += !is_good;
    }
    if (is_plain)
        level_reports(plain);
    unlink(out);
    if (!options->keep)
        unlink(in);
    return failed;
}

static bool parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){.annot = argc > 1 ? argv[1] : NULL, .size = 1000000};
    for (int i = 2; i < argc; i++) {
        const bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--table") == 0)
            options->is_table = true;
        else if (strcmp(argv[i], "--size") == 0 && has_value)
            options->size = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--case") == 0 && has_value)
            options->only = argv[++i];
        else if (strcmp(argv[i], "--keep") == 0 && has_value)
            options->keep = argv[++i];
        else
            return false;
    }
    return options->annot && options->size > 0;
}

int main(int argc, char **argv)
{
    struct options options;
    struct cost plain[COMMANDS];
    char made[] = "/tmp/fleet-worst-XXXXXX";
    if (!parse(argc, argv, &options)) {
        fputs("usage: fleet-worst ANNOT [--size BYTES] [--case NAME] [--table] [--keep FOLDER]\n",
              stderr);
        return 2;
    }
    const char *folder = options.keep ? options.keep : mkdtemp(made);
    int failed = 0, cases = 0;
    for (const struct worst_case *of = worst_cases; folder && of->fill; of++) {
        if (of != worst_cases && options.only && strcmp(options.only, of->name) != 0)
            continue;
        failed += measure(&options, of, folder, plain);
        cases++;
    }
    if (!options.keep)
        rmdir(made);
    printf("%d cases of %zu bytes, %d outputs each: %d over the limit\n", cases, options.size,
           COMMANDS, failed);
    return failed > 0 || cases == 0;
}
