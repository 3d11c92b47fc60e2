/*
 * Every allocation of every command fails once: a command ends by itself, answers as if nothing had
 * failed or says why not, and leaves no half of a file.
 *
 * usage: fleet-sweep ANNOT FAILING_SO DUMPS TRACE [--seconds N] [--whole] [--only NAME]
 *
 * The first allocations one after the other, then some at random, as many as fit into the time;
 * --whole: each of the first 2,000 and then 500 at random, of every command.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A command; A and B are dumps, T a trace, I what is read from standard input, OUT a file that
 * doesn't exist, DIR a folder of dumps, DB a database that doesn't exist. */
static const struct command {
    const char *name;
    const char *arguments[9];
    const char *input; /* standard input; NULL: nothing */
    bool may_differ;   /* a file that is packed where there is memory for it */
} commands[] = {
    {"show", {"show", "A", "--output", "text"}, NULL, false},
    {"show-json", {"show", "B", "--output", "json", "--all"}, NULL, false},
    {"html", {"html", "B", "-o", "OUT"}, NULL, false},
    {"diff", {"diff", "A", "B", "--output", "text"}, NULL, false},
    {"timeline", {"timeline", "TIMES", "--output", "text"}, NULL, false},
    {"timeline-json", {"timeline", "TIMES", "--output", "json"}, NULL, false},
    {"perfetto", {"timeline", "TIMES", "--output", "perfetto"}, NULL, false},
    {"convert", {"convert", "B", "-o", "OUT"}, NULL, false},
    {"redact", {"redact", "B", "-o", "OUT", "--key", "KEY"}, NULL, false},
    {"triage", {"triage", "DIR", "--output", "json", "--jobs", "2"}, NULL, false},
    {"triage-db", {"triage", "A", "B", "--output", "html", "--db", "DB"}, NULL, false},
    {"export", {"export", "A", "B", "--output", "ndjson", "--jobs", "1"}, NULL, false},
    {"sentry", {"export", "A", "B", "--output", "sentry", "--jobs", "1"}, NULL, false},
    {"signature", {"signature", "A", "B"}, NULL, false},
    {"pix-decode",
     {"pix", "decode", "--jsonl"},
     "{\"metadata\":1,\"hex\":\"4672616d6500\"}\n",
     false},
    {"pix-encode",
     {"pix", "encode", "--jsonl"},
     "{\"version\":\"v2\",\"api\":\"BeginEvent\",\"context\":0,\"argb\":1,\"text\":\"utf8\","
     "\"format\":\"%d\",\"args\":[{\"type\":\"i32\",\"value\":1}]}\n",
     false},
    {"trace-show", {"trace", "show", "T", "--to", "60", "--output", "text"}, NULL, false},
    {"trace-info", {"trace", "info", "T", "--output", "json"}, NULL, false},
    {"trace-diff", {"trace", "diff", "T", "T", "--output", "text"}, NULL, false},
    {"trace-trim", {"trace", "trim", "T", "-o", "OUT", "--output", "text"}, NULL, true},
};

enum { COMMANDS = sizeof commands / sizeof commands[0], PATH_SIZE = 4096 };

struct options {
    const char *annot, *failing, *dumps, *trace, *only;
    double seconds;
    bool is_whole;
};

/* What stands for a word of a command. */
static struct {
    const char *word;
    char path[PATH_SIZE];
} files[] = {{"A", ""},   {"B", ""},  {"T", ""},   {"TIMES", ""}, {"KEY", ""},  {"OUT", ""},
             {"DIR", ""}, {"DB", ""}, {"out", ""}, {"err", ""},   {"count", ""}};
enum { FILES = sizeof files / sizeof files[0] };

static char *path_of(const char *word)
{
    for (int i = 0; i < FILES; i++)
        if (strcmp(files[i].word, word) == 0)
            return files[i].path;
    return NULL;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- one run ---- */

struct result {
    int status; /* as wait gives it */
    char *out, *file;
    size_t out_size, file_size, err_size;
    bool has_file;
};

static char *content_of(const char *path, size_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    *size = 0;
    if (!file)
        return NULL;
    if (fstat(fileno(file), &status) == 0 && (bytes = malloc((size_t)status.st_size + 1)))
        *size = fread(bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    return bytes;
}

static void open_as(int stream, const char *path, int flags)
{
    const int file = open(path, flags, 0600);
    if (file < 0 || dup2(file, stream) < 0)
        _exit(98);
    close(file);
}

static void set_number(const char *name, long value)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    setenv(name, text, 1);
}

static void become(const struct options *options, const struct command *command, long fail,
                   bool is_on)
{
    const char *arguments[11] = {options->annot};
    const struct rlimit processor = {20, 20};
    int pipes[2];
    for (int i = 0; i < 9 && command->arguments[i]; i++) {
        const char *path = path_of(command->arguments[i]);
        arguments[i + 1] = path ? path : command->arguments[i];
    }
    setrlimit(RLIMIT_CPU, &processor);
    alarm(60); /* of a hang: nothing here takes a second */
    if (command->input && pipe(pipes) == 0) {
        const size_t size = strlen(command->input);
        if (write(pipes[1], command->input, size) != (ssize_t)size)
            _exit(97);
        dup2(pipes[0], 0);
        close(pipes[0]);
        close(pipes[1]);
    } else {
        open_as(0, "/dev/null", O_RDONLY);
    }
    open_as(1, path_of("out"), O_WRONLY | O_CREAT | O_TRUNC);
    open_as(2, path_of("err"), O_WRONLY | O_CREAT | O_TRUNC);
    setenv("LD_PRELOAD", options->failing, 1);
    if (fail > 0)
        set_number("SWEEP_FAIL", fail);
    else
        setenv("SWEEP_COUNT", path_of("count"), 1);
    if (is_on)
        setenv("SWEEP_ON", "1", 1);
    execv(options->annot, (char **)arguments);
    _exit(96);
}

static void remove_database(void)
{
    static const char *const parts[] = {"", "-wal", "-shm", "-journal"};
    char path[PATH_SIZE + 16];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(path, sizeof path, "%s%s", path_of("DB"), parts[i]);
        unlink(path);
    }
}

static struct result run(const struct options *options, const struct command *command, long fail,
                         bool is_on)
{
    struct result result = {0};
    unlink(path_of("OUT"));
    remove_database();
    const pid_t child = fork();
    if (child == 0)
        become(options, command, fail, is_on);
    if (child < 0 || waitpid(child, &result.status, 0) != child) {
        perror("fleet-sweep");
        exit(2);
    }
    free(content_of(path_of("err"), &result.err_size));
    result.out = content_of(path_of("out"), &result.out_size);
    result.has_file = access(path_of("OUT"), F_OK) == 0;
    result.file = content_of(path_of("OUT"), &result.file_size);
    return result;
}

static void forget(struct result *result)
{
    free(result->out);
    free(result->file);
}

/* ---- what a run may be ---- */

static bool is_equal(const char *a, size_t a_size, const char *b, size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

/* NULL: as it should be. */
static const char *wrong_with(const struct command *command, const struct result *result,
                              const struct result *usual)
{
    if (!WIFEXITED(result->status))
        return WTERMSIG(result->status) == SIGALRM || WTERMSIG(result->status) == SIGXCPU
                   ? "it hung"
                   : "it crashed";
    const int code = WEXITSTATUS(result->status);
    if (code == WEXITSTATUS(usual->status) && result->err_size == usual->err_size) {
        if (!is_equal(result->out, result->out_size, usual->out, usual->out_size) ||
            (!command->may_differ &&
             !is_equal(result->file, result->file_size, usual->file, usual->file_size)))
            return "it answered something else and said nothing";
        return NULL;
    }
    if (code > 2)
        return "it ended with an exit code that is none";
    if (result->err_size == 0)
        return "it ended silently";
    if (code == 2 && result->has_file)
        return "it left a file";
    return NULL;
}

static long total_of(const struct options *options, const struct command *command,
                     struct result *usual)
{
    size_t size;
    *usual = run(options, command, 0, false);
    char *text = content_of(path_of("count"), &size);
    const long total = text && size > 0 ? strtol(text, NULL, 10) : 0;
    free(text);
    if (!WIFEXITED(usual->status) || WEXITSTATUS(usual->status) > 1 || total <= 0) {
        fprintf(stderr, "fleet-sweep: %s does not run: status %#x, %ld allocations\n",
                command->name, (unsigned)usual->status, total);
        exit(2);
    }
    return total;
}

struct tally {
    unsigned runs, wrong;
    unsigned shown; /* of the command */
    uint64_t random;
};

static long next_random(struct tally *tally, long limit)
{
    tally->random = tally->random * 6364136223846793005u + 1442695040888963407u;
    return (long)((tally->random >> 33) % (uint64_t)limit) + 1;
}

static void try_one(const struct options *options, const struct command *command,
                    const struct result *usual, long fail, bool is_on, struct tally *tally)
{
    enum { SHOWN = 5 };
    struct result result = run(options, command, fail, is_on);
    const char *wrong = wrong_with(command, &result, usual);
    tally->runs++;
    tally->wrong += wrong != NULL;
    if (wrong && tally->shown++ < SHOWN)
        printf("%s, allocation %ld%s: %s (status %#x)\n", command->name, fail,
               is_on ? " and all behind it" : "", wrong, (unsigned)result.status);
    forget(&result);
}

/* Until `end`, unless everything was asked for. */
static void sweep(const struct options *options, const struct command *command, double end,
                  struct tally *tally)
{
    struct result usual;
    const long total = total_of(options, command, &usual);
    const long each = options->is_whole ? 2000 : total;
    const double begin = now();
    tally->shown = 0;
    for (long i = 1; i <= total && i <= each; i++) {
        if (!options->is_whole && now() > begin + (end - begin) * 2 / 3)
            break;
        try_one(options, command, &usual, i, false, tally);
    }
    for (int i = 0; options->is_whole ? i < 500 : now() < end; i++)
        try_one(options, command, &usual, next_random(tally, total), i % 2, tally);
    forget(&usual);
}

/* ---- the command ---- */

static bool parse(int argc, char **argv, struct options *options)
{
    if (argc < 5)
        return false;
    *options = (struct options){argv[1], argv[2], argv[3], argv[4], NULL, 20, false};
    for (int i = 5; i < argc; i++)
        if (strcmp(argv[i], "--whole") == 0)
            options->is_whole = true;
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            options->seconds = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            options->only = argv[++i];
        else
            return false;
    return true;
}

static void name_files(const struct options *options, const char *folder)
{
    static const char *const made[] = {"OUT", "DB", "out", "err", "count", "KEY"};
    snprintf(path_of("A"), PATH_SIZE, "%s/hang_inside_a_nested_scope.annotdmp", options->dumps);
    snprintf(path_of("B"), PATH_SIZE, "%s/page_fault_with_everything.annotdmp", options->dumps);
    snprintf(path_of("TIMES"), PATH_SIZE, "%s/../fleet/timeline.annotdmp", options->dumps);
    snprintf(path_of("T"), PATH_SIZE, "%s", options->trace);
    snprintf(path_of("DIR"), PATH_SIZE, "%s", options->dumps);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        snprintf(path_of(made[i]), PATH_SIZE, "%s/%s", folder, made[i]);
    FILE *key = fopen(path_of("KEY"), "w");
    if (!key || fputs("000102030405060708090a0b0c0d0e0f\n", key) < 0 || fclose(key) != 0) {
        perror(path_of("KEY"));
        exit(2);
    }
}

int main(int argc, char **argv)
{
    struct options options;
    char folder[] = "/tmp/fleet-sweep-XXXXXX";
    struct tally tally = {.random = 1};
    if (!parse(argc, argv, &options) || !mkdtemp(folder)) {
        fputs("usage: fleet-sweep ANNOT FAILING_SO DUMPS TRACE [--seconds N] [--whole] "
              "[--only NAME]\n",
              stderr);
        return 2;
    }
    name_files(&options, folder);
    const double begin = now();
    int count = 0;
    for (int i = 0; i < COMMANDS; i++) {
        if (options.only && strcmp(options.only, commands[i].name) != 0)
            continue;
        count++;
        sweep(&options, &commands[i],
              options.only ? begin + options.seconds : begin + options.seconds * (i + 1) / COMMANDS,
              &tally);
    }
    remove_database();
    for (int i = 0; i < FILES; i++)
        if (strncmp(files[i].path, folder, strlen(folder)) == 0)
            unlink(files[i].path);
    rmdir(folder);
    printf("%d commands, %u runs with a failing allocation: %u wrong\n", count, tally.runs,
           tally.wrong);
    return tally.wrong > 0 || tally.runs == 0;
}
