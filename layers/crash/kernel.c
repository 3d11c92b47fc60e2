#include "kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The log's clock is not adjusted as CLOCK_MONOTONIC is, and drifts from it. */
static const uint64_t slack = 2000000000u;

/* NVIDIA's words for a number, without those that it calls unused:
 * https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html */
static const struct {
    unsigned number;
    const char *meaning;
} xids[] = {
    {8, "GPU stopped processing"},
    {11, "invalid or corrupted push buffer stream"},
    {13, "graphics engine exception"},
    {25, "invalid or illegal push buffer stream"},
    {31, "GPU memory page fault"},
    {32, "invalid or corrupted push buffer stream"},
    {37, "driver firmware error"},
    {38, "driver firmware error"},
    {39, "copy engine exception"},
    {40, "copy engine exception"},
    {41, "copy engine exception"},
    {43, "GPU stopped processing"},
    {44, "graphics engine fault during context switch"},
    {45, "preemptive cleanup, due to previous errors"},
    {46, "GPU stopped processing"},
    {48, "double bit ECC error"},
    {62, "internal micro-controller halt"},
    {63, "GPU memory remapping event"},
    {64, "GPU memory remapping failure"},
    {66, "illegal access by driver"},
    {67, "illegal access by driver"},
    {69, "graphics engine class error"},
    {79, "GPU has fallen off the bus"},
    {80, "corrupted data sent to GPU"},
    {94, "contained memory error"},
    {95, "uncontained memory error"},
    {109, "context switch timeout error"},
    {119, "GSP RPC timeout"},
    {120, "GSP error"},
    {140, "ECC unrecovered error"},
    {154, "GPU recovery action changed"},
    {158, "GPU fatal timeout"},
};

/* Parts of amdgpu's lines that say what happened; registers and firmware are left out. */
static const char *const amdgpu_forms[] = {
    " timeout, ",
    "rocess information: process ",
    " Process ",
    " for process ",
    " in process ",
    " page fault (src_id:",
    " in page starting at address ",
    "GPU reset begin",
    "GPU reset succeeded",
    "GPU reset failed",
    "VRAM is lost",
    " ring reset",
    " reset succeeded",
    " reset failed",
    "device wedged",
    "devcoredump/data",
};

void crash_kernel_init(struct crash_kernel *kernel, uint64_t since, uint64_t now, long process)
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

/* A decimal number that is there and fits; *end behind it. */
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

/* "process NAME pid N thread NAME pid N". A process chooses its own name; if the name looks like a
 * part of the line, the number is unknown. */
static long amdgpu_pid(const char *text)
{
    const char *process = behind(text, "rocess ");
    if (!process || count_of(process, " pid ") != 2 || count_of(process, " thread ") != 1)
        return 0;
    return pid_at(behind(process, " pid "));
}

static bool is_amdgpu(const char *text)
{
    if (strncmp(text, "amdgpu ", 7) != 0 && strncmp(text, "[drm:amdgpu_", 12) != 0)
        return false;
    for (size_t i = 0; i < sizeof amdgpu_forms / sizeof *amdgpu_forms; i++)
        if (strstr(text, amdgpu_forms[i]))
            return true;
    return false;
}

/* The process and the address stand in the same line as the fault, or in lines behind it. */
static long read_amdgpu(struct crash_kernel *kernel, const char *text)
{
    const char *card = behind(text, "Check your /sys/class/drm/card");
    const char *address = behind(text, " in page starting at address 0x");
    const long pid = amdgpu_pid(text);
    uint64_t number;
    const char *end;
    if (card && number_at(card, &end, &number) && number < 1000 && *end == '/')
        kernel->card = (int)number;
    if (strstr(text, " page fault (src_id:")) {
        kernel->is_in_fault = true;
        kernel->owner = pid;
    } else if (address && kernel->is_in_fault) {
        kernel->is_in_fault = false;
        if (kernel->process && kernel->owner == kernel->process && !kernel->has_fault) {
            kernel->fault = strtoull(address, NULL, 16);
            kernel->has_fault = kernel->fault != 0;
        }
    } else if (pid) {
        kernel->owner = pid;
    }
    return pid;
}

/* "NVRM: Xid (PCI:0000:01:00): 109, pid=1, name=..."; older drivers leave "PCI:" or "pid=" out. */
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

static const char *xid_meaning(uint64_t xid)
{
    for (size_t i = 0; i < sizeof xids / sizeof *xids; i++)
        if (xids[i].number == xid)
            return xids[i].meaning;
    return NULL;
}

/* A reset takes the GPU from all processes; NVIDIA's driver then cleans up the others. */
static void blame(struct crash_kernel *kernel, const char *text, uint64_t xid, long pid)
{
    const uint64_t cleanup = 45;
    const bool is_victim = xid == cleanup;
    if (kernel->process == 0)
        return;
    if (is_victim ? pid == kernel->process
                  : strstr(text, "GPU reset") || strstr(text, " reset succeeded") ||
                        strstr(text, "device wedged") || strstr(text, "VRAM is lost"))
        kernel->is_reset = true;
    if (pid == 0 || is_victim)
        return;
    kernel->is_ours |= pid == kernel->process;
    if (kernel->culprit == 0 && pid != kernel->process)
        kernel->culprit = pid;
}

static void judge(struct crash_kernel *kernel)
{
    const bool is_anothers = kernel->culprit != 0 && kernel->is_reset && !kernel->is_ours;
    kernel->victim[0] = '\0';
    if (is_anothers)
        snprintf(kernel->victim, sizeof kernel->victim, "another process, pid %ld",
                 kernel->culprit);
}

static void take_text(struct crash_kernel *kernel, uint64_t time, const char *text)
{
    uint64_t xid = 0;
    long pid = 0;
    const bool is_xid = read_xid(text, &xid, &pid);
    if (!is_xid && !is_amdgpu(text))
        return;
    if (!is_xid)
        pid = read_amdgpu(kernel, text);
    blame(kernel, text, xid, pid);
    judge(kernel);
    if (kernel->count++ >= CRASH_KERNEL_LINES)
        return;
    const char *meaning = xid_meaning(xid);
    const uint64_t age = kernel->now > time ? kernel->now - time : 0;
    snprintf(kernel->lines[kernel->count - 1], CRASH_KERNEL_LINE_MAX,
             "%" PRIu64 ".%" PRIu64 " s before%s: %.200s%s%s%s", age / 1000000000u,
             age / 100000000u % 10, pid && pid == kernel->process ? ", this process" : "", text,
             meaning ? " (" : "", meaning ? meaning : "", meaning ? ")" : "");
}

/* "PRIORITY,SEQUENCE,MICROSECONDS,FLAGS[,...];TEXT\n KEY=VALUE\n". Programs can write records too,
 * but not with the facility of the kernel, which is 0. */
void crash_kernel_take(struct crash_kernel *kernel, const char *record, size_t size)
{
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
    if (microseconds * 1000 + slack >= kernel->since)
        take_text(kernel, microseconds * 1000, at + 1);
}
