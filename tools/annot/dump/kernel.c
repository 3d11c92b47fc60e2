/* annot kernel: the lines of the kernel's log about GPUs, added to a copy of a dump. */
#include "cli.h"
#include "commands.h"
#include "kernel_log.h"
#include "options.h"

#include <annot/fleet.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t second = 1000000000u, before = 60, after = 120; /* around the dump, in s */

enum { INPUT_MAX = 16 << 20 };

struct arguments {
    const char *to;
};

static const struct option table[] = {
    OPTION_WANTED("-o", "OUT", to, OPTION_NEEDED_THERE,
                  "the copy to write; the file must not exist yet"),
};

const struct command command_kernel = {
    .name = "kernel",
    .about = "add the kernel's lines about the GPU to a dump",
    .operands = "DUMP [FILE]",
    .text =
        "Reads the kernel's log from FILE or standard input: the text of journalctl or dmesg, or "
        "the head of a device coredump. Copies the dump, and adds the log's lines about GPUs from "
        "a minute before the dump's time to two minutes after. Times without a zone are read in "
        "this machine's zone. Times since the machine's start need a dump of a crash layer.",
    OPTIONS(table),
    .end = "exit code: 0 = the dump was written; 2 = no dump was written",
    .least = 1,
    .most = 2,
    .missing = "a dump is missing; usage: annot kernel DUMP [FILE] -o OUT",
    .unexpected = "only one dump and one log can be given; unexpected argument",
    .run = cmd_kernel,
};

struct merge {
    struct kernel_log log;
    uint64_t time;   /* the dump's time, ns since 1970 */
    uint64_t uptime; /* the kernel's clock at that time; 0: not known */
    char text[1024]; /* the last line, and its time; 0: it can't be compared */
    uint64_t text_time;
    char header[1024]; /* the head of a device coredump */
    bool is_in_header, has_untimed;
};

/* ---- times ---- */

/* Reads "123.456789" as ns. */
static bool seconds_at(const char **at, uint64_t *time)
{
    const char *from = *at + strspn(*at, " ");
    const size_t digits = strspn(from, "0123456789");
    if (digits == 0 || digits > 9 + 1 || from[digits] != '.')
        return false;
    *time = (uint64_t)(strtod(from, NULL) * (double)second);
    *at = from + digits + 1 + strspn(from + digits + 1, "0123456789");
    return true;
}

/* Reads "+02:00", "-0730" or "Z" as seconds. */
static int zone_at(const char **at)
{
    int hours = 0, minutes = 0;
    char sign = '+';
    if (sscanf(*at, "%c%2d:%2d", &sign, &hours, &minutes) < 3)
        sscanf(*at, "%c%2d%2d", &sign, &hours, &minutes);
    *at += strspn(*at, "+-Z:0123456789");
    return (hours * 60 + minutes) * (sign == '-' ? -60 : 60);
}

/* Returns the seconds since 1970 of a date. Year 0 means the year that is nearest to `near`. */
static time_t moment_of(const struct tm *parts, int year, time_t near)
{
    const int year_size = 31556952;
    time_t moment = -1;
    for (int step = -1; step <= 1 && moment < near - year_size / 2; step++) {
        struct tm tried = *parts;
        tried.tm_year = (year ? year : 1970 + (int)(near / year_size) + step) - 1900;
        moment = mktime(&tried);
    }
    return moment;
}

/* Reads "2026-11-29T00:10:53,123456+00:00", "Sun Nov 29 00:10:53 2026" or "Nov 29 00:10:53". */
static bool date_at(const char **at, uint64_t near, uint64_t *time)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct tm parts = {.tm_isdst = -1};
    int year = 0, month = 0, size = 0;
    char word[4] = "";
    const bool is_iso = sscanf(*at, "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &parts.tm_mday,
                               &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &size) == 6;
    if (!is_iso &&
        (year = 0, sscanf(*at, "%*3s %3s %2d %2d:%2d:%2d %4d%n", word, &parts.tm_mday,
                          &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &year, &size) != 6) &&
        sscanf(*at, "%3s %2d %2d:%2d:%2d%n", word, &parts.tm_mday, &parts.tm_hour, &parts.tm_min,
               &parts.tm_sec, &size) != 5)
        return false;
    const char *found = strlen(word) == 3 ? strstr(months, word) : NULL;
    if (!is_iso && (!found || (found - months) % 3))
        return false;
    parts.tm_mon = is_iso ? month - 1 : (int)(found - months) / 3;
    *at += size;
    *at += strspn(*at, ".,0123456789");
    if (!is_iso && sscanf(*at, " %4d]%n", &year, &size) == 1)
        *at += strcspn(*at, "]");
    time_t moment = moment_of(&parts, year, (time_t)(near / second));
    const struct tm *here = is_iso ? gmtime(&moment) : NULL;
    if (here) {
        parts = *here;
        parts.tm_isdst = -1;
        moment += moment - mktime(&parts) - zone_at(at);
    }
    *time = moment > 0 ? (uint64_t)moment * second : 0;
    return true;
}

/* Reads a line's time by the dump's clock; 0: no comparable time. *at moves behind the time. */
static bool time_at(const struct merge *merge, const char **at, uint64_t *time)
{
    const bool is_bracketed = **at == '[';
    const char *from = *at + is_bracketed;
    const bool is_seconds = seconds_at(&from, time);
    if ((!is_seconds && !date_at(&from, merge->time, time)) || (is_bracketed && *from++ != ']'))
        return false;
    if (is_seconds && is_bracketed) /* seconds since the start */
        *time = merge->uptime && merge->time + *time > merge->uptime
                    ? merge->time + *time - merge->uptime
                    : 0;
    *at = from;
    return true;
}

/* ---- lines ---- */

static void take_text(struct merge *merge)
{
    if (merge->text_time == 0)
        merge->has_untimed |= *merge->text != 0;
    else if (merge->text_time <= merge->time + after * second)
        kernel_log_line(&merge->log, merge->text_time, merge->text);
    *merge->text = 0;
}

static void append(char *to, const char *between, const char *words)
{
    const size_t size = strlen(to), capacity = sizeof((struct merge *)0)->text;
    snprintf(to + size, capacity - size, "%s%s", size ? between : "", words);
}

/* Takes a line. A line without a time continues the line before it. */
static void take_line(struct merge *merge, const char *line)
{
    static const char word[] = " kernel: ";
    const char *at = line;
    uint64_t time;
    merge->is_in_header |= !*merge->header && strstr(line, "Device Coredump ****");
    merge->is_in_header &= *line != 0;
    if (merge->is_in_header) {
        append(merge->header, "; ", line);
    } else if (!time_at(merge, &at, &time)) {
        if (*line)
            append(merge->text, " ", line + strspn(line, " "));
    } else {
        take_text(merge);
        at += strspn(at, " ");
        const char *text = at + strcspn(at, " "); /* behind the host that journalctl writes */
        const bool has_host = strncmp(text, word, sizeof word - 1) == 0;
        const bool is_iso = strcspn(line, "-") == 4;
        const bool is_programs = !has_host && *line != '[' && !is_iso; /* journalctl's form */
        append(merge->text, "", has_host ? text + sizeof word - 1 : is_programs ? "" : at);
        merge->text_time = time;
    }
}

static bool read_log(struct merge *merge, FILE *file)
{
    char line[1024];
    size_t used = 0, size = 0;
    int c;
    do {
        c = getc(file);
        if (c != '\n' && c != EOF) {
            if (used + 1 < sizeof line)
                line[used++] = (char)(c < ' ' ? ' ' : c > '~' ? '?' : c);
            continue;
        }
        line[used] = 0;
        used = 0;
        take_line(merge, line);
    } while (c != EOF && ++size < INPUT_MAX);
    take_text(merge);
    return c == EOF && !ferror(file);
}

/* ---- the copy ---- */

/* Reads the dump's own times. */
static bool read_dump(struct merge *merge, const annot_reader *reader)
{
    annot_reader_device device;
    annot_reader_fact fact;
    char words[64];
    long process = 0;
    annot_reader_get_device(reader, &device);
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        const char *at = words;
        cli_printable(fact.key, words, sizeof words);
        if (strcmp(words, "kernel clock") != 0)
            continue;
        cli_printable(fact.value, words, sizeof words);
        if (seconds_at(&at, &merge->uptime))
            sscanf(at, " s, process %9ld", &process);
    }
    merge->time = device.time;
    kernel_log_init(&merge->log, merge->time - before * second, merge->time, process);
    return merge->time > before * second && merge->time < UINT64_MAX / 4;
}

static int write_copy(struct merge *merge, const annot_reader *reader, const char *path,
                      const char *to)
{
    const struct kernel_log *log = &merge->log;
    char count[160], keys[KERNEL_LOG_LINES][24];
    annot_fact facts[KERNEL_LOG_LINES + 4] = {{"kernel added", count}};
    size_t used = 1;
    const int size = kernel_log_count(log, count, sizeof count);
    if (!log->process)
        snprintf(count + size, sizeof count - (size_t)size,
                 "; the log's process ids can't be compared");
    for (uint32_t i = 0; i < log->kept; i++) {
        snprintf(keys[i], sizeof keys[i], "added %" PRIu32, i + 1);
        facts[used++] = (annot_fact){keys[i], log->lines[i]};
    }
    if (*merge->header)
        facts[used++] = (annot_fact){"coredump", merge->header};
    if (*log->named)
        facts[used++] = (annot_fact){ANNOT_FACT_NAMED, log->named};
    if (*log->victim)
        facts[used++] = (annot_fact){ANNOT_FACT_RESET_OF, log->victim};
    FILE *file = cli_create("kernel", to);
    if (!file)
        return EXIT_UNUSABLE;
    const annot_report_sink sink = {file, cli_write};
    const annot_result result = annot_dump_write_with(reader, facts, used, log->fault, &sink);
    if (!cli_close_created("kernel", to, file, result == ANNOT_OK))
        return result == ANNOT_ERROR_IO ? EXIT_UNUSABLE : cli_fail("kernel", path, result);
    return EXIT_FINE;
}

static int merge_file(struct merge *merge, const annot_reader *reader, const char *path,
                      const char *from, const char *to)
{
    if (!read_dump(merge, reader)) {
        cli_format(stderr, "annot kernel: %s: the dump does not say when it was written\n", path);
        return EXIT_UNUSABLE;
    }
    FILE *file = strcmp(from, "-") == 0 ? stdin : cli_open_to_read(from);
    const bool is_read = file && read_log(merge, file), is_long = file && !ferror(file);
    if (file && file != stdin)
        fclose(file);
    if (!is_read && is_long)
        return cli_complain(
            "kernel", "the log has more than 16 MiB; give only lines near the dump's time:", from);
    if (!is_read)
        return cli_fail("kernel", from, ANNOT_ERROR_IO);
    if (merge->log.kept || *merge->header)
        return write_copy(merge, reader, path, to);
    cli_format(stderr, "annot kernel: %s has no line of a GPU driver near the dump's time%s\n",
               from,
               merge->has_untimed ? ", and has times that can't be compared; journalctl -k -o "
                                    "short-unix prints comparable times"
                                  : "");
    return EXIT_UNUSABLE;
}

int cmd_kernel(int argc, char **argv)
{
    static struct merge merge;
    struct arguments arguments = {0};
    struct cli_dump dump;
    int count, code;
    if (!options_read(&command_kernel, argc, argv, &arguments, &count, &code))
        return code;
    const char *from = count > 1 ? argv[2] : "-";
    if (strcmp(argv[1], "-") == 0 && strcmp(from, "-") == 0)
        return cli_complain("kernel", "dump and log can't both be standard input:", from);
    if (!cli_open("kernel", argv[1], &dump))
        return EXIT_UNUSABLE;
    return cli_close(&dump, "kernel", merge_file(&merge, dump.reader, argv[1], from, arguments.to));
}
