/* Every allocation of every command fails once: a command ends by itself, answers as if nothing had
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

/* A command; A and B are dumps, T a trace, W a trace and H a dump of the same hang, OUT a file that
 * doesn't exist, DIR a folder of dumps, DB a database that doesn't exist, PARTS a D3D12 program. */
static const struct command {
    const char *name;
    const char *arguments[9];
    const char *input; /* standard input; NULL: nothing */
    bool may_differ;   /* a file that is packed where there is memory for it, or has times */
    const char *check; /* `annot trace CHECK OUT` says the same as usual; NULL: that is not asked */
} commands[] = {
    {"show", {"show", "A", "--output", "text"}, NULL, false, NULL},
    {"show-json", {"show", "B", "--output", "json", "--all"}, NULL, false, NULL},
    {"html", {"html", "B", "-o", "OUT"}, NULL, false, NULL},
    {"diff", {"diff", "A", "B", "--output", "text"}, NULL, false, NULL},
    {"timeline", {"timeline", "TIMES", "--output", "text"}, NULL, false, NULL},
    {"timeline-json", {"timeline", "TIMES", "--output", "json"}, NULL, false, NULL},
    {"convert", {"convert", "B", "-o", "OUT"}, NULL, false, NULL},
    {"redact", {"redact", "B", "-o", "OUT", "--key", "KEY"}, NULL, false, NULL},
    {"triage", {"triage", "DIR", "--output", "json", "--jobs", "2"}, NULL, false, NULL},
    {"triage-db", {"triage", "A", "B", "--output", "html", "--db", "DB"}, NULL, false, NULL},
    {"export", {"export", "A", "B", "--output", "ndjson", "--jobs", "1"}, NULL, false, NULL},
    {"signature", {"signature", "A", "B"}, NULL, false, NULL},
    {"pix-decode",
     {"pix", "decode", "--jsonl"},
     "{\"metadata\":1,\"hex\":\"4672616d6500\"}\n",
     false,
     NULL},
    {"pix-encode",
     {"pix", "encode", "--jsonl"},
     "{\"version\":\"v2\",\"api\":\"BeginEvent\",\"context\":0,\"argb\":1,\"text\":\"utf8\","
     "\"format\":\"%d\",\"args\":[{\"type\":\"i32\",\"value\":1}]}\n",
     false,
     NULL},
    {"trace-show", {"trace", "show", "T", "--to", "60", "--output", "text"}, NULL, false, NULL},
    {"trace-info", {"trace", "info", "T", "--output", "json"}, NULL, false, NULL},
    {"trace-diff", {"trace", "diff", "T", "T", "--output", "text"}, NULL, false, NULL},
    {"trace-trim", {"trace", "trim", "T", "-o", "OUT", "--output", "text"}, NULL, true, NULL},
    {"trace-dump", {"trace", "dump", "T", "--to", "60", "--output", "json"}, NULL, false, NULL},
    {"trace-where", {"trace", "where", "W", "H", "--output", "json"}, NULL, false, NULL},
    {"replay", {"replay", "T", "--output", "json", "--call-limit", "1"}, NULL, false, NULL},
    {"capture", {"capture", "-o", "OUT", "--", "PARTS"}, NULL, true, "info"},
    {"d3d12", {"d3d12", "-o", "OUT", "--", "PARTS"}, NULL, false, NULL},
};

enum { COMMANDS = sizeof commands / sizeof commands[0], PATH_SIZE = 4096 };

struct options {
    const char *annot, *failing, *dumps, *trace, *only;
    double seconds;
    bool is_whole;
};

/* Values that stand for a word of a command. */
static struct {
    const char *word;
    char path[PATH_SIZE];
} files[] = {{"A", ""},     {"B", ""},   {"T", ""},  {"TIMES", ""}, {"KEY", ""},
             {"OUT", ""},   {"DIR", ""}, {"DB", ""}, {"out", ""},   {"err", ""},
             {"count", ""}, {"W", ""},   {"H", ""},  {"PARTS", ""}, {"HANG", ""}};
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
    char *out, *file, *checked;
    size_t out_size, file_size, err_size, checked_size;
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
    alarm(300); /* of a hang: nothing here takes a second on a machine that is idle */
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

/* A command's words about OUT, from its first list on: before that are numbers of the process. */
static char *check(const struct options *options, const char *how, size_t *size)
{
    const struct command command = {
        "check", {"trace", how, "OUT", "--output", "json"}, NULL, false, NULL};
    int status;
    const pid_t child = fork();
    if (child == 0)
        become(options, &command, 0, false);
    waitpid(child, &status, 0);
    char *said = content_of(path_of("out"), size);
    const char *begin = said && *size > 0 ? memchr(said, '{', *size) : NULL;
    begin = begin ? memchr(begin + 1, '{', *size - (size_t)(begin + 1 - said)) : NULL;
    *size = begin ? *size - (size_t)(begin - said) : 0;
    if (begin)
        memmove(said, begin, *size);
    return said;
}

static struct result run(const struct options *options, const struct command *command, long fail,
                         bool is_on)
{
    struct result result = {0};
    unlink(path_of("OUT"));
    unlink(path_of("count"));
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
    if (command->check && result.has_file)
        result.checked = check(options, command->check, &result.checked_size);
    return result;
}

static void forget(struct result *result)
{
    free(result->out);
    free(result->file);
    free(result->checked);
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
             !is_equal(result->file, result->file_size, usual->file, usual->file_size)) ||
            !is_equal(result->checked, result->checked_size, usual->checked, usual->checked_size))
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

/* The largest of the numbers of all processes. */
static long largest(char *text, size_t size)
{
    long most = 0;
    text[size] = '\0';
    for (char *at = text, *end; *at; at = end + (*end != '\0')) {
        const long one = strtol(at, &end, 10);
        most = one > most ? one : most;
    }
    return most;
}

static long total_of(const struct options *options, const struct command *command,
                     struct result *usual)
{
    size_t size;
    *usual = run(options, command, 0, false);
    char *text = content_of(path_of("count"), &size);
    const long total = text ? largest(text, size) : 0;
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
    *options = (struct options){argv[1], argv[2], argv[3], argv[4], NULL, 30, false};
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
    static const char *const made[] = {"OUT", "DB", "out", "err", "count", "KEY", "W", "H"};
    const char *slash = strrchr(options->annot, '/');
    const int beside = slash ? (int)(slash - options->annot) + 1 : 0;
    snprintf(path_of("A"), PATH_SIZE, "%s/hang_inside_a_nested_scope.annotdmp", options->dumps);
    snprintf(path_of("B"), PATH_SIZE, "%s/page_fault_with_everything.annotdmp", options->dumps);
    snprintf(path_of("TIMES"), PATH_SIZE, "%s/../fleet/timeline.annotdmp", options->dumps);
    snprintf(path_of("T"), PATH_SIZE, "%s", options->trace);
    snprintf(path_of("DIR"), PATH_SIZE, "%s", options->dumps);
    snprintf(path_of("PARTS"), PATH_SIZE, "%.*scapture-parts", beside, options->annot);
    snprintf(path_of("HANG"), PATH_SIZE, "%.*shang", beside, options->annot);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        snprintf(path_of(made[i]), PATH_SIZE, "%s/%s", folder, made[i]);
    FILE *key = fopen(path_of("KEY"), "w");
    if (!key || fputs("000102030405060708090a0b0c0d0e0f\n", key) < 0 || fclose(key) != 0) {
        perror(path_of("KEY"));
        exit(2);
    }
}

/* Some programs are not built everywhere. */
static bool can_run(const struct command *command)
{
    for (int i = 0; i < 9 && command->arguments[i]; i++) {
        const char *word = command->arguments[i], *path = path_of(word);
        const bool is_program = strcmp(word, "PARTS") == 0 || strcmp(word, "W") == 0;
        if (is_program && access(path, R_OK) != 0)
            return false;
    }
    return strcmp(command->name, "replay") != 0 || access(path_of("PARTS"), X_OK) == 0;
}

/* W and H. */
static void record_hang(const struct options *options)
{
    const struct command command = {
        "record", {"capture", "-o", "W", "--", "HANG", "--out", "H"}, NULL, false, NULL};
    struct result result = {0};
    if (access(path_of("HANG"), X_OK) == 0)
        result = run(options, &command, 0, false);
    forget(&result);
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
    record_hang(&options);
    const double begin = now();
    int count = 0;
    for (int i = 0; i < COMMANDS; i++) {
        if ((options.only && strcmp(options.only, commands[i].name) != 0) || !can_run(&commands[i]))
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
