#include "kernel_log.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The log's clock is not adjusted as CLOCK_MONOTONIC is, and drifts from it. */
static const uint64_t slack = 2000000000u;

/* NVIDIA's words for Xid numbers, without the numbers that NVIDIA calls unused:
 * https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html */
static const struct {
    unsigned numbers[3];
    const char *meaning;
} xids[] = {
    {{8, 43, 46}, "GPU stopped processing"},
    {{11, 32}, "invalid or corrupted push buffer stream"},
    {{13}, "graphics engine exception"},
    {{25}, "invalid or illegal push buffer stream"},
    {{31}, "GPU memory page fault"},
    {{37, 38}, "driver firmware error"},
    {{39, 40, 41}, "copy engine exception"},
    {{44}, "graphics engine fault during context switch"},
    {{45}, "preemptive cleanup, due to previous errors"},
    {{48}, "double bit ECC error"},
    {{62}, "internal micro-controller halt"},
    {{63}, "GPU memory remapping event"},
    {{64}, "GPU memory remapping failure"},
    {{66, 67}, "illegal access by driver"},
    {{69}, "graphics engine class error"},
    {{79}, "GPU has fallen off the bus"},
    {{80}, "corrupted data sent to GPU"},
    {{94}, "contained memory error"},
    {{95}, "uncontained memory error"},
    {{109}, "context switch timeout error"},
    {{119}, "GSP RPC timeout"},
    {{120}, "GSP error"},
    {{140}, "ECC unrecovered error"},
    {{154}, "GPU recovery action changed"},
    {{158}, "GPU fatal timeout"},
};

/* Bits that say what a line of a form means. */
enum {
    RESET = 1,    /* all processes lose their GPU state */
    FAULT = 2,    /* begins the lines of a page fault; a later line may name the process */
    OF_FAULT = 4, /* has the address of the page fault in an earlier line */
    NAMES = 8,    /* has the process of the page fault in an earlier line */
};

static const char amdgpu_process[] = "rocess ";

/* The known forms of lines. The first form that fits is used. A process's name can have any words,
 * so forms with a name come first. */
static const struct form {
    const char *driver;  /* the line begins with these words, or has them after "[drm:" */
    const char *words;   /* the line has these words */
    const char *process; /* how the line names a process. NULL: it doesn't; "pid=": the number
                            follows; amdgpu_process: amdgpu's form; other words come after
                            "[NUMBER]"; "": the line ends after "[NUMBER]" */
    const char *address; /* the words before a faulting address; NULL: it has no address */
    const char *meaning;
    unsigned kind;
} forms[] = {
    {"amdgpu", " page fault (src_id:", amdgpu_process, NULL, NULL, FAULT},
    {"amdgpu", " pid ", amdgpu_process, NULL, NULL, NAMES},
    {"amdgpu", " in page starting at address 0x", NULL, " at address 0x", NULL, OF_FAULT},
    {"amdgpu", "_PROTECTION_FAULT_STATUS:", NULL, NULL, NULL, 0},
    {"amdgpu", "Faulty UTCL2 client ID: ", NULL, NULL, "the part of the GPU", 0},
    {"amdgpu", "_FAULTS: 0x", NULL, NULL, NULL, 0}, /* MORE_, PERMISSION_ */
    {"amdgpu", "_ERROR: 0x", NULL, NULL, NULL, 0},  /* WALKER_, MAPPING_ */
    {"amdgpu", " RW: 0x0", NULL, NULL, "a read", 0},
    {"amdgpu", " RW: 0x1", NULL, NULL, "a write", 0},
    {"amdgpu", " timeout, ", NULL, NULL, NULL, 0},
    {"amdgpu", " reset failed", NULL, NULL, NULL, 0},
    {"amdgpu", " reset", NULL, NULL, NULL, RESET},
    {"amdgpu", "device wedged", NULL, NULL, NULL, RESET},
    {"amdgpu", "devcoredump/data", NULL, NULL, NULL, 0},
    {"radeon ", " stalled for more than ", NULL, NULL, NULL, 0},
    {"radeon ", "GPU lockup", NULL, NULL, NULL, 0},
    {"radeon ", "GPU reset", NULL, NULL, NULL, RESET},
    {"i915 ", " context reset due to GPU hang", " context reset due to GPU hang", NULL, NULL, 0},
    {"i915 ", ", reason: ", ", reason: ", NULL, NULL, 0},
    {"i915 ", "GPU HANG: ", "", NULL, NULL, 0},
    {"i915 ", " saved to /sys/class/drm/card", NULL, NULL, NULL, 0},
    {"i915 ", "Resetting chip for ", NULL, NULL, NULL, RESET},
    {"i915 ", "Resetting ", NULL, NULL, "one engine", 0},
    {"i915 ", "wedged", NULL, NULL, NULL, RESET},
    {"[drm] ", "GPU HANG: ", "", NULL, NULL, 0},
    {"[drm] ", " saved to /sys/class/drm/card", NULL, NULL, NULL, 0}, /* before 5.3 */
    {"GPU crash dump", " saved to /sys/class/drm/card", NULL, NULL, NULL, 0},
    {"xe ", "Timedout job: ", "", NULL, NULL, 0},
    {"xe ", "Faulted Address: 0x", NULL, "Faulted Address: 0x", NULL, 0},
    {"xe ", "Fault response: Unsuccessful", NULL, NULL, NULL, 0},
    {"xe ", "Engine reset: ", NULL, NULL, "one engine", 0},
    {"xe ", "coredump", NULL, NULL, NULL, 0},
    {"xe ", "wedged", NULL, NULL, NULL, RESET},
    {"nouveau ", "fifo: fault ", "]", "] at ", NULL, 0},
    {"nouveau ", ": job timeout, channel ", ": job timeout, channel ", NULL, NULL, 0},
    {"nouveau ", "SCHED_ERROR", NULL, NULL, NULL, 0},
    {"nouveau ", "gr: TRAP", NULL, NULL, NULL, 0},
    {"nouveau ", "killed", NULL, NULL, NULL, 0},
    {"*** gpu fault: ", "iova=", NULL, "iova=", NULL, 0},
    {"arm-smmu", "Unhandled context fault: ", NULL, "iova=0x", NULL, 0},
    {"msm", "hangcheck ", NULL, NULL, NULL, RESET},
    {"msm", "offending task: ", NULL, NULL, NULL, 0},
    {"msm", "gpu fault ring ", NULL, NULL, NULL, 0},
    {"adreno ", "gpu fault ring ", NULL, NULL, NULL, 0},
    {"panthor ", "job timeout: ", "pid=", NULL, NULL, 0},
    {"pan", "js fault, ", NULL, NULL, NULL, 0},
    {"pan", "Unhandled Page fault in AS", NULL, " at VA 0x", NULL, 0},
    {"pan", "CS_FATAL", NULL, NULL, NULL, 0},
    {"pan", " timeout", NULL, NULL, NULL, 0},
    {"v3d ", "MMU error from client ", NULL, " at 0x", NULL, 0},
    {"v3d ", "Resetting GPU for hang", NULL, NULL, NULL, RESET},
};

void kernel_log_init(struct kernel_log *kernel, uint64_t since, uint64_t now, long process)
{
    memset(kernel, 0, sizeof *kernel);
    kernel->since = since;
    kernel->now = now;
    kernel->process = process;
    kernel->card = -1;
}

static const char *behind(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    return at ? at + strlen(words) : NULL;
}

/* Reads a decimal number, if there is one and it fits; *end is behind the number. */
static bool number_at(const char *text, const char **end, uint64_t *out)
{
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (value > (UINT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    *end = at;
    *out = value;
    return at != text;
}

static long pid_at(const char *text)
{
    uint64_t pid;
    const char *end;
    return number_at(text, &end, &pid) && pid <= INT32_MAX ? (long)pid : 0;
}

static unsigned count_of(const char *text, const char *words)
{
    unsigned count = 0;
    for (const char *at = behind(text, words); at; at = behind(at, words))
        count++;
    return count;
}

/* Reads "process NAME pid N thread NAME pid N". A process chooses its name. If the name looks like
 * a part of the line, the number is unknown. */
static long amdgpu_pid(const char *text)
{
    const char *process = behind(text, "rocess ");
    if (!process || count_of(process, " pid ") != 2 || count_of(process, " thread ") != 1)
        return 0;
    return pid_at(behind(process, " pid "));
}

/* Reads the number in brackets before the last `words`, because a process's name can't come
 * later. */
static long bracketed(const char *text, const char *words)
{
    const char *end = text + strlen(text), *at = text;
    for (; *words && (at = strstr(at, words)); at++)
        end = at;
    if (end == text || *--end != ']')
        return 0;
    while (end > text && end[-1] >= '0' && end[-1] <= '9')
        end--;
    return end > text && end[-1] == '[' ? pid_at(end) : 0;
}

static long process_in(const char *text, const char *where)
{
    static const char named[] = "pid=";
    if (!where)
        return 0;
    if (where == amdgpu_process)
        return amdgpu_pid(text);
    const char *number = behind(text, named);
    return strcmp(where, named) != 0 ? bracketed(text, where) : number ? pid_at(number) : 0;
}

/* Reads the hexadecimal number behind `words`, with '_' between groups; 0: none, or too large. */
static uint64_t address_in(const char *text, const char *words)
{
    uint64_t address = 0;
    const char *at = words ? behind(text, words) : NULL;
    for (; at && (isxdigit((unsigned char)*at) || *at == '_'); at++) {
        if (*at == '_')
            continue;
        if (address >> 60)
            return 0;
        const char digit[2] = {*at, 0};
        address = address << 4 | strtoul(digit, NULL, 16);
    }
    return address;
}

static bool begins(const char *text, const char *words)
{
    return strncmp(text, words, strlen(words)) == 0;
}

static bool is_of(const char *text, const char *driver)
{
    return begins(text, driver) || (begins(text, "[drm:") && begins(text + 5, driver));
}

static const struct form *form_of(const char *text)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is_of(text, forms[i].driver) && strstr(text, forms[i].words))
            return &forms[i];
    return NULL;
}

/* Returns true if an unknown line may be a GPU driver's. */
static bool may_be_gpu(const char *text)
{
    bool is_drivers = begins(text, "NVRM:");
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !is_drivers; i++)
        is_drivers = is_of(text, forms[i].driver);
    return is_drivers || strstr(text, "[drm") || strstr(text, "gpu") || strstr(text, "GPU");
}

/* Reads "NVRM: Xid (PCI:0000:01:00): 109, pid=1, name=..."; older drivers omit "PCI:" or "pid=". */
static bool read_xid(const char *text, uint64_t *xid, long *pid)
{
    if (strncmp(text, "NVRM: Xid (", 11) != 0)
        return false;
    const char *at = behind(text, "): ");
    if (!at || !number_at(at, &at, xid) || strncmp(at, ", ", 2) != 0)
        return false;
    *pid = strncmp(at + 2, "pid=", 4) == 0 ? pid_at(at + 6) : 0;
    return true;
}

/* What a line says. */
struct said {
    unsigned kind;
    long pid;
    uint64_t address;
    const char *meaning;
    bool is_victim; /* NVIDIA's driver cleans up `pid` after an error of another process */
};

static bool read_line(const char *text, struct said *said)
{
    const uint64_t cleanup = 45;
    uint64_t xid;
    if (read_xid(text, &xid, &said->pid)) {
        said->address = address_in(text, " faulted @ 0x");
        said->is_victim = xid == cleanup;
        for (size_t i = 0; xid && i < sizeof xids / sizeof *xids; i++)
            for (size_t k = 0; k < 3; k++)
                if (xids[i].numbers[k] == xid)
                    said->meaning = xids[i].meaning;
        return true;
    }
    const struct form *form = form_of(text);
    if (!form)
        return false;
    *said = (struct said){.kind = form->kind,
                          .pid = process_in(text, form->process),
                          .address = address_in(text, form->address),
                          .meaning = form->meaning};
    return true;
}

/* Reads lines that follow a page fault: amdgpu has process and address in later lines. */
static void follow(struct kernel_log *kernel, const struct said *said, const char *text)
{
    const char *saved = behind(text, " saved to /sys/class/drm/card"); /* i915's form */
    const char *card = saved ? saved : behind(text, "Check your /sys/class/drm/card");
    uint64_t number;
    if (card && number_at(card, &card, &number) && number < 1000 && *card == '/') {
        kernel->card = (int)number;
        kernel->is_error_state = saved != NULL;
    }
    const bool is_behind = said->kind & OF_FAULT;
    const long owner = !is_behind ? said->pid : kernel->is_in_fault ? kernel->owner : 0;
    if (said->kind & (FAULT | NAMES))
        kernel->owner = said->pid;
    kernel->is_in_fault = said->kind & FAULT || (kernel->is_in_fault && !is_behind);
    if (said->address && owner && owner == kernel->process && !kernel->has_fault) {
        kernel->fault = said->address;
        kernel->has_fault = true;
    }
}

/* Finds who caused a reset, which hits all processes; NVIDIA's driver then cleans up the others. */
static void blame(struct kernel_log *kernel, const struct said *said)
{
    const bool is_ours = said->pid == kernel->process;
    if (kernel->process == 0)
        return;
    kernel->is_reset |= said->is_victim ? is_ours : (said->kind & RESET) != 0;
    if (said->pid && !said->is_victim) {
        kernel->is_ours |= is_ours;
        if (kernel->culprit == 0 && !is_ours)
            kernel->culprit = said->pid;
    }
    char other[48] = "";
    if (kernel->culprit)
        snprintf(other, sizeof other, "another process, pid %ld", kernel->culprit);
    snprintf(kernel->named, sizeof kernel->named, "%s%s%s", kernel->is_ours ? "this process" : "",
             kernel->is_ours && *other ? "; " : "", other);
    *kernel->victim = 0;
    if (kernel->culprit && kernel->is_reset && !kernel->is_ours)
        memcpy(kernel->victim, other, sizeof other);
}

static void keep(struct kernel_log *kernel, uint64_t time, const char *text,
                 const struct said *said)
{
    const bool is_later = time > kernel->now + slack;
    const uint64_t age = is_later             ? time - kernel->now
                         : kernel->now > time ? kernel->now - time
                                              : 0;
    const bool is_ours = said->pid && said->pid == kernel->process;
    snprintf(kernel->lines[kernel->kept++], KERNEL_LOG_LINE_MAX,
             "%" PRIu64 ".%" PRIu64 " s %s%s: %.200s%s%s%s", age / 1000000000u,
             age / 100000000u % 10, is_later ? "after" : "before", is_ours ? ", this process" : "",
             text, said->meaning ? " (" : "", said->meaning ? said->meaning : "",
             said->meaning ? ")" : "");
}

void kernel_log_line(struct kernel_log *kernel, uint64_t time, const char *text)
{
    struct said said = {0};
    const bool is_known = read_line(text, &said);
    if (time > UINT64_MAX / 2 || time + slack < kernel->since || (!is_known && !may_be_gpu(text)))
        return;
    if (is_known) {
        follow(kernel, &said, text);
        blame(kernel, &said);
        kernel->count++;
    } else {
        said.meaning = "may be from a GPU driver";
        if (kernel->others++ >= KERNEL_LOG_OTHERS)
            return;
    }
    if (kernel->kept < KERNEL_LOG_LINES)
        keep(kernel, time, text, &said);
}

/* Takes "PRIORITY,SEQUENCE,MICROSECONDS,FLAGS[,...];TEXT\n KEY=VALUE\n". Programs can write
 * records, too, but not with the kernel's facility, which is 0. */
void kernel_log_take(struct kernel_log *kernel, const char *record, size_t size)
{
    enum { NOTICE = 5 }; /* lines of starting drivers have higher numbers */
    char line[1024];
    uint64_t priority, sequence, microseconds;
    const char *at = line;
    if (size >= sizeof line)
        size = sizeof line - 1;
    memcpy(line, record, size);
    line[size] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (!number_at(at, &at, &priority) || priority > 7 || *at++ != ',' ||
        !number_at(at, &at, &sequence) || *at++ != ',' || !number_at(at, &at, &microseconds) ||
        microseconds > UINT64_MAX / 1000 - slack || (at = strchr(at, ';')) == NULL)
        return;
    if (priority <= NOTICE || form_of(at + 1))
        kernel_log_line(kernel, microseconds * 1000, at + 1);
}

int kernel_log_count(const struct kernel_log *kernel, char *to, size_t capacity)
{
    char known[48] = "", others[64] = "";
    if (kernel->count || !kernel->others)
        snprintf(known, sizeof known, "%" PRIu32 " line%s of GPU drivers", kernel->count,
                 kernel->count == 1 ? "" : "s");
    if (kernel->others)
        snprintf(others, sizeof others, "%s%" PRIu32 " line%s that may be from a GPU driver",
                 *known ? ", " : "", kernel->others, kernel->others == 1 ? "" : "s");
    return snprintf(to, capacity, "%s%s", known, others);
}
