/* annot vulkan: starts a program with the crash layer, and shows the dumps that appear. */
#include "commands.h"

#include <stdio.h>

enum { EXIT_UNUSABLE = 2 };

#ifdef _WIN32

int cmd_vulkan(int argc, char **argv)
{
    (void)argc, (void)argv;
    fputs("annot vulkan: the layer is for Linux\n", stderr);
    return EXIT_UNUSABLE;
}

#else

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAYER "VK_LAYER_ANNOT_crash"

static const char usage[] =
    "usage: annot vulkan [-o DUMP] [--level low|labels|exact] [--timeout SECONDS]\n"
    "                    [--evidence auto|checkpoints|markers|barrier|fill|timeline]\n"
    "                    -- PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs a Vulkan program under the layer " LAYER
    ", and shows the dumps that it leaves when its GPU\n"
    "hangs or is lost.\n"
    "\n"
    "  -o DUMP            the file; \"%p\" in it stands for the process id (default: "
    "annot-%p.annotdmp)\n"
    "  --level LEVEL      what the GPU marks: outermost labels, all labels, or every command that "
    "does work\n"
    "                     (default: low)\n"
    "  --timeout SECONDS  without progress until a dump is written; 0: never (default: 30)\n"
    "  --evidence KIND    at best this kind of evidence (default: the best that the device has)\n"
    "\n"
    "exit code: the program's; 2 when it can't be started\n";

static int complain(const char *what, const char *which)
{
    fprintf(stderr, "annot vulkan: %s '%.200s'; try: annot vulkan --help\n", what, which);
    return EXIT_UNUSABLE;
}

/* ---- the environment ---- */

/* The folder of the layer's manifest: of this build or this installation. */
static bool find_layer(char *path)
{
    static const char *const places[] = {"../lib/vulkan", ANNOT_DATADIR "/vulkan/explicit_layer.d",
                                         NULL};
    char self[PATH_MAX], candidate[2 * PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash)
        return false;
    *slash = '\0';
    for (const char *const *place = places; *place; place++) {
        snprintf(candidate, sizeof candidate, "%s/%s/VkLayer_annot_crash.json", self, *place);
        if (access(candidate, R_OK) != 0)
            continue;
        snprintf(candidate, sizeof candidate, "%s/%s", self, *place);
        return realpath(candidate, path) != NULL;
    }
    return false;
}

/* Puts `first` in front of a list of the environment's. */
static bool prepend(const char *name, const char *first)
{
    const char *old = getenv(name);
    const size_t size = strlen(first) + (old ? strlen(old) : 0) + 2;
    char *list = malloc(size);
    if (!list)
        return false;
    snprintf(list, size, "%s%s%s", first, old && *old ? ":" : "", old && *old ? old : "");
    const bool is_set = setenv(name, list, 1) == 0;
    free(list);
    return is_set;
}

/* VK_ADD_LAYER_PATH leaves the other layers where they are; loaders before 1.3.241 know
 * VK_LAYER_PATH only, which hides them, and so it is not taken where another has set it. */
static bool set_layer(const char *folder)
{
    const bool is_free = !getenv("VK_LAYER_PATH");
    return prepend("VK_ADD_LAYER_PATH", folder) &&
           (is_free ? setenv("VK_LAYER_PATH", folder, 1) == 0 : prepend("VK_LAYER_PATH", folder)) &&
           prepend("VK_INSTANCE_LAYERS", LAYER);
}

/* ---- the dumps ---- */

/* The pattern of the dumps' names: what "%p" stands for isn't known for the program's children. */
static void pattern_of(const char *dump, char *pattern, size_t size)
{
    size_t out = 0;
    const char *dot = strrchr(dump, '.');
    for (const char *at = dump; *at && out + 4 < size; at++) {
        if (at[0] == '%' && at[1] == 'p') {
            pattern[out++] = '*';
            at++;
        } else {
            if (at == dot)
                pattern[out++] = '*'; /* NAME-2.EXT is the second dump of a name */
            if (strchr("*?[\\", *at))
                pattern[out++] = '\\';
            pattern[out++] = *at;
        }
    }
    pattern[out] = '\0';
}

static bool is_among(const glob_t *found, const char *path)
{
    for (size_t i = 0; i < found->gl_pathc; i++)
        if (strcmp(found->gl_pathv[i], path) == 0)
            return true;
    return false;
}

static void show_new(const char *pattern, const glob_t *before)
{
    glob_t after = {0};
    if (glob(pattern, 0, NULL, &after) != 0)
        return;
    for (size_t i = 0; i < after.gl_pathc; i++) {
        char show[] = "show", *arguments[] = {show, after.gl_pathv[i], NULL};
        if (is_among(before, after.gl_pathv[i]))
            continue;
        fprintf(stderr, "annot vulkan: %s\n", after.gl_pathv[i]);
        cmd_show(2, arguments);
    }
    globfree(&after);
}

/* ---- the program ---- */

static int wait_for(pid_t child)
{
    int status;
    /* Ctrl-C is for the program; what it leaves is shown then. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_UNUSABLE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run(char **program, const char *dump)
{
    char pattern[2 * PATH_MAX];
    glob_t before = {0};
    pattern_of(dump, pattern, sizeof pattern);
    glob(pattern, 0, NULL, &before);
    const pid_t child = fork();
    if (child < 0)
        return complain("no process can be made for", program[0]);
    if (child == 0) {
        execvp(program[0], program);
        fprintf(stderr, "annot vulkan: %.200s: %s\n", program[0], strerror(errno));
        _exit(EXIT_UNUSABLE);
    }
    const int code = wait_for(child);
    show_new(pattern, &before);
    globfree(&before);
    return code;
}

static bool set_timeout(const char *seconds)
{
    char text[32], *end;
    const double value = strtod(seconds, &end);
    if (!*seconds || *end || !(value >= 0) || value > 86400)
        return false;
    snprintf(text, sizeof text, "%.0f", value * 1000);
    return setenv("ANNOT_VK_TIMEOUT", text, 1) == 0;
}

static bool is_word(const char *value, const char *words)
{
    const size_t size = strlen(value);
    for (const char *at = words; size && (at = strstr(at, value)); at++)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return true;
    return false;
}

/* False: no such option, or no such value of it. */
static bool set_option(const char *option, const char *value)
{
    if (strcmp(option, "--level") == 0)
        return is_word(value, "low labels exact") && setenv("ANNOT_VK_LEVEL", value, 1) == 0;
    if (strcmp(option, "--evidence") == 0)
        return is_word(value, "auto checkpoints markers barrier fill timeline") &&
               setenv("ANNOT_VK_EVIDENCE", value, 1) == 0;
    return strcmp(option, "--timeout") == 0 && set_timeout(value);
}

int cmd_vulkan(int argc, char **argv)
{
    const char *dump = getenv("ANNOT_VK_DUMP");
    char folder[PATH_MAX];
    int i = 1;
    if (!dump || !*dump)
        dump = "annot-%p.annotdmp";
    while (i < argc && argv[i][0] == '-') {
        const char *option = argv[i++];
        if (strcmp(option, "--") == 0)
            break;
        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0)
            return fputs(usage, stdout) < 0 || fflush(stdout) ? EXIT_UNUSABLE : 0;
        const char *value = i < argc ? argv[i++] : "";
        if (strcmp(option, "-o") == 0 && *value)
            dump = value;
        else if (!set_option(option, value))
            return complain("unknown option, or its value is wrong:", option);
    }
    if (i >= argc)
        return complain("a program is missing", "");
    if (!find_layer(folder))
        return complain("the layer is not installed beside this program:",
                        "VkLayer_annot_crash.json");
    if (!set_layer(folder) || setenv("ANNOT_VK_DUMP", dump, 1) != 0)
        return complain("out of memory for", argv[i]);
    return run(argv + i, dump);
}

#endif
