/* The kernel's log as a witness. Every line below was recorded by somebody and published where the
 * row says; numbers of the record (priority, sequence, microseconds) are this test's, in the form
 * of Documentation/ABI/testing/dev-kmsg. */
#include "asserts.h"
#include "kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t second = 1000000000u;

/* A dump at 100 s of work since 90 s; `text` at `seconds`. */
static void take_at(struct kernel_log *kernel, unsigned seconds, const char *text)
{
    char record[512];
    const int size =
        snprintf(record, sizeof record,
                 "3,339,%u000000,-;%s\n SUBSYSTEM=pci\n DEVICE=+pci:0000:0c:00.0\n", seconds, text);
    kernel_log_take(kernel, record, (size_t)size);
}

static struct kernel_log kernel_of(long process)
{
    struct kernel_log kernel;
    kernel_log_init(&kernel, 90 * second, 100 * second, process);
    return kernel;
}

static const struct line {
    const char *source, *text;
    long process;        /* that it names; 0: none */
    const char *meaning; /* that the answer adds */
} lines[] = {
    {"https://github.com/keybase/client/issues/25070",
     "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx_0.0.0 timeout, signaled seq=40735, "
     "emitted seq=40738",
     0, NULL},
    {"https://github.com/keybase/client/issues/25070",
     "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* Process information: process Keybase pid 2980 "
     "thread Keybase:cs0 pid 2994",
     2980, NULL},
    {"https://github.com/keybase/client/issues/25070",
     "amdgpu 0000:0c:00.0: amdgpu: GPU reset begin!", 0, NULL},
    {"https://github.com/QubesOS/qubes-issues/issues/7648",
     "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, but soft recovered", 0, NULL},
    {"https://github.com/ROCm/legacy-rocm-build/issues/5997",
     "amdgpu 0000:03:00.0: amdgpu: ring comp_1.1.0 timeout, signaled seq=125, emitted seq=129", 0,
     NULL},
    {"https://github.com/ROCm/legacy-rocm-build/issues/5997",
     "amdgpu 0000:03:00.0: amdgpu:  Process firefox-bin pid 7401 thread firefox:cs0 pid 7453", 7401,
     NULL},
    {"https://github.com/ROCm/legacy-rocm-build/issues/5997",
     "amdgpu 0000:03:00.0: amdgpu: Ring comp_1.1.0 reset succeeded", 0, NULL},
    {"https://github.com/ROCm/legacy-rocm-build/issues/5997",
     "amdgpu 0000:03:00.0: [drm] device wedged, but recovered through reset", 0, NULL},
    {"https://github.com/pop-os/cosmic-epoch/issues/3764",
     "amdgpu 0000:28:00.0: ring gfx_0.0.0 timeout, signaled seq=57638, emitted seq=57641", 0, NULL},
    {"https://github.com/pop-os/cosmic-epoch/issues/3764",
     "amdgpu 0000:28:00.0:  Process cosmic-comp pid 2288 thread cosmic-com:cs0 pid 2316", 2288,
     NULL},
    {"https://github.com/pop-os/cosmic-epoch/issues/3764",
     "amdgpu 0000:28:00.0: VRAM is lost due to GPU reset!", 0, NULL},
    {"https://github.com/ValveSoftware/csgo-osx-linux/issues/3298",
     "amdgpu 0000:06:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:56 vmid:6 "
     "pasid:32784, for process cs2 pid 20579 thread VKRenderThread pid 20606)",
     20579, NULL},
    {"https://github.com/ROCm/amdgpu/issues/172",
     "amdgpu 0000:c6:00.0: amdgpu:  for process pt_main_thread pid 12924 thread pt_main_thread pid "
     "12924)",
     12924, NULL},
    {"https://github.com/pop-os/cosmic-greeter/issues/344",
     "amdgpu 0000:0d:00.0: amdgpu:  in process cosmic-comp pid 4732 thread cosmic-com:cs0 pid "
     "4753)",
     4732, NULL},
    {"https://github.com/NVIDIA/open-gpu-kernel-modules/issues/502",
     "NVRM: Xid (PCI:0000:26:00): 109, pid=55914, name=re8.exe, Ch 00000046, errorString CTX "
     "SWITCH "
     "TIMEOUT, Info 0x2c02c",
     55914, "(context switch timeout error)"},
    {"https://github.com/leptonai/gpud/pull/46",
     "NVRM: Xid (PCI:0000:cb:00): 13, pid='<unknown>', name=<unknown>, Graphics SM Warp Exception "
     "on "
     "(GPC 7, TPC 7, SM 0): Illegal Instruction Parameter",
     0, "(graphics engine exception)"},
    {"https://pastebin.com/fTNHmgzB",
     "NVRM: Xid (PCI:0000:08:00): 31, Ch 0000003b, intr 10000000. MMU Fault: ENGINE GRAPHICS "
     "HUBCLIENT_SCC faulted @ 0x0_04687000. Fault is of type FAULT_PDE ACCESS_TYPE_READ",
     0, "(GPU memory page fault)"},
    {"https://pastebin.com/NGng33SB",
     "NVRM: Xid (0000:01:00): 31, Ch 0000000b, engmask 00000120, intr 10000000", 0,
     "(GPU memory page fault)"},
};

Test(kernel_log, every_recorded_form_is_told_with_its_age_process_and_meaning)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct line *line = &lines[i];
        struct kernel_log kernel = kernel_of(line->process ? line->process : 77);
        take_at(&kernel, 98, line->text);
        cr_assert_eq(kernel.count, 1, "%s", line->source);
        const char *said = kernel.lines[0];
        char start[64];
        snprintf(start, sizeof start, "2.0 s before%s: ", line->process ? ", this process" : "");
        cr_expect_eq(strncmp(said, start, strlen(start)), 0, "%s: %s", line->source, said);
        cr_expect_eq(strncmp(said + strlen(start), line->text, 60), 0, "%s", said);
        if (line->meaning)
            cr_expect_not_null(strstr(said, line->meaning), "%s", said);
    }
}

Test(kernel_log, another_process_is_not_called_this_one)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (long process = 0; process < 2; process++) {
            struct kernel_log kernel = kernel_of(process);
            take_at(&kernel, 98, lines[i].text);
            cr_expect_null(strstr(kernel.lines[0], "this process"), "%s", kernel.lines[0]);
        }
}

/* Whose work a GPU was reset for: lines of the table above, by their places. */
Test(kernel_log, a_reset_for_another_process_is_told_with_its_number)
{
    enum { TIMEOUT = 0, PROCESS = 1 /* 2980 */, RESET = 2, XID = 14 /* 55914 */, NONE = -1 };
    static const char cleanup[] = "NVRM: Xid (PCI:0000:26:00): 45, pid=77, name=game, Ch 00000008";
    static const struct {
        long process;
        int lines[4];
        bool has_cleanup; /* of process 77 */
        const char *victim;
    } rows[] = {
        {77, {TIMEOUT, PROCESS, RESET, NONE}, false, "another process, pid 2980"},
        {2980, {TIMEOUT, PROCESS, RESET, NONE}, false, ""},
        {0, {TIMEOUT, PROCESS, RESET, NONE}, false, ""}, /* numbers can't be compared */
        {77, {TIMEOUT, PROCESS, NONE}, false, ""},       /* it was not reset */
        {77, {TIMEOUT, RESET, NONE}, false, ""},         /* nobody is named */
        {55914, {PROCESS, RESET, XID, NONE}, false, ""}, /* both are */
        {77, {XID, NONE}, false, ""},                    /* its channel alone ends */
        {77, {XID, NONE}, true, "another process, pid 55914"},
        {77, {NONE}, true, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel_log kernel = kernel_of(rows[i].process);
        for (unsigned k = 0; rows[i].lines[k] != NONE; k++)
            take_at(&kernel, 98, lines[rows[i].lines[k]].text);
        if (rows[i].has_cleanup)
            take_at(&kernel, 99, cleanup);
        cr_expect_str_eq(kernel.victim, rows[i].victim, "row %zu", i);
    }
}

/* The log's clock drifts from the monotonic one by less than two seconds. */
Test(kernel_log, what_was_said_before_the_submission_is_left_out)
{
    struct kernel_log kernel = kernel_of(1);
    take_at(&kernel, 87, lines[0].text);
    cr_expect_eq(kernel.count, 0);
    take_at(&kernel, 88, lines[0].text);
    take_at(&kernel, 101, lines[0].text);
    cr_expect_eq(kernel.count, 2);
    cr_expect_eq(strncmp(kernel.lines[1], "0.0 s before: ", 14), 0, "%s", kernel.lines[1]);
}

Test(kernel_log, lines_of_others_are_left_out)
{
    static const char *const others[] = {
        "Linux version 3.4.0-rc1+ (kay@mop) (gcc version 4.7.0 20120315 ...",
        "NET: Registered protocol family 10",
        /* https://github.com/keybase/client/issues/25070: what no one can use */
        ("amdgpu 0000:0c:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0012 "
         "address=0xeebcf82b200 flags=0x0010]"),
        "NVRM: GPU at PCI:0000:26:00: GPU-b50e4ccf-b785-06da-31c0-1f77c0c46f4c",
        "usb 1-1: NVRM: Xid (PCI:0000:26:00): 109, pid=1, name=a",
    };
    struct kernel_log kernel = kernel_of(1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        take_at(&kernel, 98, others[i]);
    cr_expect_eqs(kernel.count, 0, kernel.others, 2, "those that may be a driver's");
}

/* https://github.com/pop-os/cosmic-greeter/issues/344: the process stands behind the fault, the
 * address behind the process. */
static void take_fault(struct kernel_log *kernel)
{
    take_at(kernel, 97,
            "amdgpu 0000:0d:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:3 "
            "pasid:32770)");
    take_at(kernel, 97,
            "amdgpu 0000:0d:00.0: amdgpu:  in process cosmic-comp pid 4732 thread cosmic-com:cs0 "
            "pid 4753)");
    take_at(kernel, 97,
            "amdgpu 0000:0d:00.0: amdgpu:   in page starting at address 0x00008001089f0000 from "
            "client 10");
}

Test(kernel_log, a_page_fault_is_this_process_s_only_when_the_kernel_says_so)
{
    struct kernel_log ours = kernel_of(4732), other = kernel_of(4753), unknown = kernel_of(0);
    take_fault(&ours);
    take_fault(&other);
    take_fault(&unknown);
    cr_expect(ours.has_fault);
    cr_expect_eq(ours.fault, 0x8001089f0000u);
    cr_expect(!other.has_fault && !unknown.has_fault);
    cr_expect_eq(unknown.count, 3);
}

/* https://github.com/ValveSoftware/csgo-osx-linux/issues/3298: the line of the fault names it. */
Test(kernel_log, a_page_fault_is_of_the_process_in_its_line_or_behind_it)
{
    static const char at[] = "amdgpu 0000:06:00.0: amdgpu:   in page starting at address "
                             "0x0000800118895000 from IH client 0x1b (UTCL2)";
    struct kernel_log kernel = kernel_of(20579);
    take_at(&kernel, 98, at); /* of no fault */
    cr_expect(!kernel.has_fault);
    take_at(&kernel, 98, lines[11].text);
    take_at(&kernel, 98, at);
    cr_expect(kernel.has_fault && kernel.fault == 0x800118895000u);
    kernel = kernel_of(20579);
    take_at(&kernel, 98, lines[11].text);
    take_at(&kernel, 98,
            "amdgpu 0000:0d:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:3 "
            "pasid:32770)");
    take_at(&kernel, 98, at); /* of a fault that names nobody */
    cr_expect(!kernel.has_fault);
}

/* Forms of the kernel's drivers, in lines of this test's own; 4242 is this process. */
Test(kernel_log, lines_of_every_driver_are_told_with_process_address_and_meaning)
{
    static const struct {
        const char *text;
        bool is_ours;
        uint64_t fault; /* of this process */
        const char *meaning;
    } rows[] = {
        {"i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:84dfffff, in game [4242]", true, 0, NULL},
        {"i915 0000:00:02.0: [drm] GPU HANG: ecode 9:0:0, in a [4242]b [17]", false, 0, NULL},
        {"i915 0000:00:02.0: GPU HANG: ecode 9:0:0, in game [4242], reason: hang on rcs0", true, 0,
         NULL},
        {"[drm] GPU HANG: ecode 7:0:0x87c3ffff, reason: Ring hung, action: reset", false, 0, NULL},
        {"i915 0000:00:02.0: [drm] game[4242] context reset due to GPU hang", true, 0, NULL},
        {"i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out", false, 0,
         "(one engine)"},
        {"i915 0000:00:02.0: [drm] Resetting chip for stopped heartbeat on rcs0", false, 0, NULL},
        {"xe 0000:03:00.0: [drm] GT0: Timedout job: seqno=9, lrc_seqno=9, guc_id=2, flags=0x0 in "
         "game [4242]",
         true, 0, NULL},
        {"xe 0000:03:00.0: [drm] \\x0a\\x09ASID: 7\\x0a\\x09Faulted Address: 0x0000000097800000",
         false, 0, NULL},
        {"xe 0000:03:00.0: [drm] Xe device coredump has been created", false, 0, NULL},
        {"nouveau 0000:01:00.0: game[4242]: job timeout, channel 8 killed!", true, 0, NULL},
        {"nouveau 0000:01:00.0: [4242]: job tim[17]: job timeout, channel 8 killed!", false, 0,
         NULL},
        {"nouveau 0000:01:00.0: fifo: fault 00 [VIRT_READ] at 0000000097800000 engine 40 [gr] "
         "client 13 [GPC0/TEX] reason 02 [PTE] on channel 8 [00ff5e2000 game[4242]]",
         true, 0x97800000, NULL},
        {"nouveau 0000:01:00.0: fifo: fault 00 [VIRT_READ] at 0000000097800000 engine 40 [gr] "
         "client 13 [GPC0/TEX] reason 02 [PTE] on channel 8 [00ff5e2000 other[17]]",
         false, 0, NULL},
        {"msm_dpu ae01000.display-controller: [drm:hangcheck_handler [msm]] *ERROR* 6.1.8.1: "
         "hangcheck detected gpu lockup rb 0!",
         false, 0, NULL},
        {"msm 5100000.mdp: [drm:recover_worker] *ERROR* A320: offending task: game (/game)", false,
         0, NULL},
        {"*** gpu fault: ttbr0=000000089a912000 iova=0000000097800000 dir=READ "
         "type=TRANSLATION source=UCHE (0,0,0,1)",
         false, 0, NULL},
        {"panfrost fde60000.gpu: gpu sched timeout, js=0, config=0x7b00, status=0x8, head=0x9b80, "
         "tail=0x9b80, sched_job=00000000c821ea39",
         false, 0, NULL},
        {"panfrost fde60000.gpu: Unhandled Page fault in AS1 at VA 0x0000000013B4B880", false, 0,
         NULL},
        {"panthor fb000000.gpu: [drm] *ERROR* job timeout: pid=4242, comm=game, seqno=77", true, 0,
         NULL},
        {"panthor fb000000.gpu: [drm] CSG slot 0 progress timeout", false, 0, NULL},
        {"v3d fec00000.v3d: MMU error from client CLE (4) at 0x2d61000, pte invalid", false, 0,
         NULL},
        {"v3d fec00000.v3d: [drm] Resetting GPU for hang.", false, 0, NULL},
        {"NVRM: Xid (PCI:0000:08:00): 31, pid=4242, name=game, Ch 000000b9, intr 00000000. MMU "
         "Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x1_97800000. Fault is of type "
         "FAULT_PDE ACCESS_TYPE_VIRT_READ",
         true, 0x197800000, "(GPU memory page fault)"},
        {"NVRM: Xid (PCI:0000:08:00): 31, pid=4242, name=game, faulted @ 0x11112222333344445", true,
         0, NULL}, /* no address has 17 digits */
        {"radeon 0000:01:00.0: ring 0 stalled for more than 10240msec", false, 0, NULL},
        {"amdgpu 0000:03:00.0: amdgpu: GCVM_L2_PROTECTION_FAULT_STATUS:0x00501430", false, 0, NULL},
        {"amdgpu 0000:03:00.0: amdgpu: \\x09 Faulty UTCL2 client ID: SQC (data) (0xa)", false, 0,
         "(the part of the GPU)"},
        {"amdgpu 0000:03:00.0: amdgpu: \\x09 MORE_FAULTS: 0x1", false, 0, NULL},
        {"amdgpu 0000:03:00.0: amdgpu: \\x09 MAPPING_ERROR: 0x0", false, 0, NULL},
        {"amdgpu 0000:03:00.0: amdgpu: \\x09 RW: 0x0", false, 0, "(a read)"},
        {"amdgpu 0000:03:00.0: amdgpu: \\x09 RW: 0x1", false, 0, "(a write)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel_log kernel = kernel_of(4242);
        take_at(&kernel, 98, rows[i].text);
        cr_assert_eq(kernel.count, 1, "%s", rows[i].text);
        cr_expect_eq(strstr(kernel.lines[0], ", this process: ") != NULL, rows[i].is_ours, "%s",
                     kernel.lines[0]);
        cr_expect_eqs(kernel.has_fault, rows[i].fault != 0, kernel.fault, rows[i].fault, "%s",
                      rows[i].text);
        if (rows[i].meaning)
            cr_expect_not_null(strstr(kernel.lines[0], rows[i].meaning), "%s", kernel.lines[0]);
    }
}

/* What isn't known is counted as what it may be, and never as nothing. */
Test(kernel_log, unknown_lines_of_gpu_drivers_are_counted_and_some_are_kept)
{
    static const struct {
        unsigned known, others;
        const char *words;
    } rows[] = {
        {0, 0, "0 lines of GPU drivers"},
        {1, 0, "1 line of GPU drivers"},
        {0, 1, "1 line that may be from a GPU driver"},
        {0, 9, "9 lines that may be from a GPU driver"},
        {2, 1, "2 lines of GPU drivers, 1 line that may be from a GPU driver"},
    };
    char words[96];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel_log kernel = kernel_of(1);
        for (unsigned k = 0; k < rows[i].others; k++)
            take_at(&kernel, 98, "powervr fd00000.gpu: [drm] *ERROR* firmware died");
        for (unsigned k = 0; k < rows[i].known; k++)
            take_at(&kernel, 98, lines[0].text);
        kernel_log_take(&kernel, "6,1,98000000,-;[drm] Initialized xe", 35); /* it only started */
        kernel_log_count(&kernel, words, sizeof words);
        cr_expect_str_eq(words, rows[i].words);
        cr_expect_eq(kernel.kept, rows[i].known + (rows[i].others < 4 ? rows[i].others : 4));
        cr_expect_eq(strstr(kernel.lines[0], "(may be from a GPU driver)") != NULL,
                     rows[i].others > 0, "%s", kernel.lines[0]);
    }
}

/* A reset that takes the GPU from all is another process's, when the log names that one alone. */
Test(kernel_log, resets_by_another_process_are_told_for_every_driver_that_names_it)
{
    static const char *const rows[][2] = {
        {"i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:84dfffff, in other [17]",
         "i915 0000:00:02.0: [drm] Resetting chip for stopped heartbeat on rcs0"},
        {"panthor fb000000.gpu: [drm] job timeout: pid=17, comm=other, seqno=77",
         "v3d fec00000.v3d: [drm] Resetting GPU for hang."},
        {"xe 0000:03:00.0: [drm] GT0: Timedout job: seqno=9, guc_id=2, flags=0x0 in other [17]",
         "xe 0000:03:00.0: [drm] device declared wedged"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (long process = 17; process <= 18; process++) {
            struct kernel_log kernel = kernel_of(process);
            take_at(&kernel, 97, rows[i][0]);
            cr_expect_str_eq(kernel.victim, "");
            take_at(&kernel, 98, rows[i][1]);
            cr_expect_str_eq(kernel.victim, process == 17 ? "" : "another process, pid 17");
        }
}

/* A process has any name of 15 bytes; it doesn't make another's fault this process's. */
Test(kernel_log, a_name_does_not_forge_a_process)
{
    static const char *const names[] = {
        "process a pid 42 thread b pid 7 thread c pid 9",
        "process x thread  pid 42 thread b pid 9",
        "process a pid 9 thread  pid 42 pid 7",
        "process  pid 42 pid 9 thread t pid 9",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[256];
        struct kernel_log kernel = kernel_of(42);
        snprintf(text, sizeof text,
                 "amdgpu 0000:06:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:56 "
                 "vmid:6 pasid:32784, for %s)",
                 names[i]);
        take_at(&kernel, 98, text);
        take_at(&kernel, 98,
                "amdgpu 0000:06:00.0: amdgpu:   in page starting at address 0x0000800118895000 "
                "from IH client 0x1b (UTCL2)");
        cr_expect(!kernel.has_fault, "%s", names[i]);
        cr_expect_null(strstr(kernel.lines[0], "this process"), "%s", kernel.lines[0]);
    }
    struct kernel_log kernel = kernel_of(42);
    take_at(&kernel, 98, "NVRM: Xid (PCI:0000:26:00): 109, pid=9, name=pid=42, Ch 00000046");
    cr_expect_null(strstr(kernel.lines[0], "this process"), "%s", kernel.lines[0]);
}

/* "It is not possible to inject messages from userspace with the facility number LOG_KERN (0)". */
Test(kernel_log, records_that_programs_wrote_are_left_out)
{
    struct kernel_log kernel = kernel_of(55914);
    char record[256];
    for (unsigned priority = 8; priority < 24 * 8; priority++) {
        const int size = snprintf(record, sizeof record, "%u,1,98000000,-;%s\n", priority,
                                  "NVRM: Xid (PCI:0000:26:00): 109, pid=55914, name=re8.exe");
        kernel_log_take(&kernel, record, (size_t)size);
    }
    cr_expect_eq(kernel.count, 0);
}

Test(kernel_log, damaged_records_are_left_out)
{
    static const char *const damaged[] = {
        "",
        ";",
        ",,,;",
        "3",
        "3,1",
        "3,1,98000000",
        "3,1,98000000,-",
        "-3,1,98000000,-;",
        "3,1,99999999999999999999999999,-;NVRM: Xid (PCI:0000:26:00): 109, pid=1, name=a",
        "3,1,18446744073709551615,-;NVRM: Xid (PCI:0000:26:00): 109, pid=1, name=a",
        "3,1,98000000,-;NVRM: Xid (",
        "3,1,98000000,-;NVRM: Xid (a): ",
        "3,1,98000000,-;NVRM: Xid (a): 99999999999999999999999, pid=1",
        "3,1,98000000,-;NVRM: Xid (a): 31",
        "\n3,1,98000000,-;NVRM: Xid (PCI:0000:26:00): 109, pid=1, name=a",
    };
    struct kernel_log kernel = kernel_of(1);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
        kernel_log_take(&kernel, damaged[i], strlen(damaged[i]));
    cr_expect_eq(kernel.count, 0);
    char huge[20000];
    memset(huge, 'x', sizeof huge);
    memcpy(huge, "3,1,98000000,-;amdgpu GPU reset begin", 37);
    kernel_log_take(&kernel, huge, sizeof huge);
    cr_expect_eq(kernel.count, 1);
    cr_expect_lt(strlen(kernel.lines[0]), (size_t)KERNEL_LOG_LINE_MAX);
}

/* Causes come first; what is left out is counted. */
Test(kernel_log, the_oldest_lines_are_kept)
{
    struct kernel_log kernel = kernel_of(1);
    char text[64];
    for (unsigned i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "NVRM: Xid (PCI:0000:26:00): %u, pid=9", i);
        take_at(&kernel, 98, text);
    }
    cr_expect_eq(kernel.count, 40);
    cr_expect_not_null(strstr(kernel.lines[KERNEL_LOG_LINES - 1], ": 23, pid=9"), "%s",
                       kernel.lines[KERNEL_LOG_LINES - 1]);
}

/* A pipe of packets gives one record for each read, as the log does, and blocks at its end unless
 * it is opened as one that does not. */
Test(kernel_log, a_read_gives_one_record_and_does_not_wait_at_the_end)
{
    int ends[2];
    char path[64];
    cr_assert_eq(pipe2(ends, O_DIRECT), 0);
    for (unsigned i = 0; i < 3; i++) {
        char record[256];
        const int size = snprintf(record, sizeof record, "3,%u,98000000,-;%s\n DEVICE=+pci:0\n", i,
                                  lines[i].text);
        cr_assert_eq(write(ends[1], record, (size_t)size), size);
    }
    struct kernel_log kernel = kernel_of(2980);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    kernel_log_read(&kernel, path);
    cr_expect_eq(kernel.count, 3);
    cr_expect(!kernel.is_absent);
    cr_expect_not_null(strstr(kernel.lines[1], "this process"), "%s", kernel.lines[1]);
    close(ends[0]);
    close(ends[1]);
}

/* https://github.com/pop-os/cosmic-greeter/issues/344, whose kernel also made a coredump. The path
 * is this library's; the line only gives the card's number. */
Test(kernel_log, a_device_coredump_is_named)
{
    struct kernel_log kernel = kernel_of(1);
    take_at(&kernel, 98,
            "amdgpu 0000:0d:00.0: amdgpu: [drm] Check your "
            "/sys/class/drm/card999/device/devcoredump/data");
    cr_expect_eq(kernel.card, 999);
    kernel_log_read(&kernel, "/dev/null");
    cr_expect_str_eq(kernel.coredump, "/sys/class/drm/card999/device/devcoredump/data (gone)");
    kernel = kernel_of(1);
    take_at(&kernel, 98,
            "amdgpu 0000:0d:00.0: amdgpu: [drm] Check your "
            "/sys/class/drm/card0/device/devcoredump/data");
    kernel_log_read(&kernel, "/dev/null");
    cr_expect_eq(strncmp(kernel.coredump, "/sys/class/drm/card0/device/devcoredump/data (", 46), 0);
    kernel = kernel_of(1);
    take_at(&kernel, 98,
            "amdgpu 0000:0d:00.0: amdgpu: [drm] Check your "
            "/sys/class/drm/card1000/device/devcoredump/data");
    cr_expect_eq(kernel.card, -1);
    kernel = kernel_of(1);
    take_at(&kernel, 98,
            "amdgpu 0000:0d:00.0: amdgpu: [drm] Check your "
            "/sys/class/drm/card1../../../etc/device/devcoredump/data");
    cr_expect_eq(kernel.card, -1);
    kernel = kernel_of(1);
    static const char state[] = /* of i915_gpu_error.c; the kernel gives it priority 6 */
        "6,1,98000000,-;GPU crash dump saved to /sys/class/drm/card998/error";
    kernel_log_take(&kernel, state, sizeof state - 1);
    kernel_log_read(&kernel, "/dev/null");
    cr_expect_str_eq(kernel.coredump, "/sys/class/drm/card998/error (gone)");
    kernel = kernel_of(1); /* of kernels before 5.3 */
    take_at(&kernel, 98, "[drm] GPU crash dump saved to /sys/class/drm/card997/error");
    cr_expect_eq(kernel.card, 997);
}

static int read_errors[4];
static unsigned read_count;

ssize_t __real_read(int file, void *data, size_t size);
ssize_t __wrap_read(int file, void *data, size_t size);
ssize_t __wrap_read(int file, void *data, size_t size)
{
    const int error = read_count < 4 ? read_errors[read_count++] : 0;
    errno = error;
    return error ? -1 : __real_read(file, data, size);
}

/* EPIPE: the next record was overwritten, and the one behind it is there. */
Test(kernel_log, errors_of_a_read_are_told_apart)
{
    static const struct {
        int errors[4];
        bool is_cut, is_absent;
        unsigned reads;
    } rows[] = {
        {{0}, false, false, 1},
        {{EPIPE}, true, false, 2},
        {{EINTR, EPIPE, EPIPE}, true, false, 4},
        {{EINTR, EINTR}, false, false, 3},
        {{EAGAIN}, false, false, 1},
        {{EIO}, false, true, 1},
        {{EPIPE, EIO}, true, false, 2},
        {{EPERM}, false, true, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel_log kernel = kernel_of(1);
        memcpy(read_errors, rows[i].errors, sizeof read_errors);
        read_count = 0;
        kernel_log_read(&kernel, "/dev/null");
        cr_assert_eqs(kernel.is_cut, rows[i].is_cut, kernel.is_absent, rows[i].is_absent, "row %zu",
                      i);
        cr_assert_eq(read_count, rows[i].reads, "row %zu", i);
        cr_assert_eq(kernel.count, 0);
    }
    struct kernel_log kernel = kernel_of(1);
    read_errors[0] = EPERM;
    read_count = 0;
    kernel_log_read(&kernel, "/dev/null");
    cr_assert_str_eq(kernel.why, "/dev/null: no permission to read this file");
}

Test(kernel_log, its_descriptor_may_be_any_and_is_closed)
{
    const int kept = dup(0);
    for (int i = 0; i < 3; i++) {
        struct kernel_log kernel = kernel_of(1);
        close(0);
        kernel_log_read(&kernel, "/dev/null");
        cr_assert(!kernel.is_absent && fcntl(0, F_GETFD) < 0);
    }
    dup2(kept, 0);
    close(kept);
}

Test(kernel_log, absence_says_why)
{
    struct kernel_log kernel = kernel_of(1);
    kernel_log_read(&kernel, "/no-such-log");
    cr_expect(kernel.is_absent);
    cr_expect_str_eq(kernel.why, "/no-such-log is not there");
    kernel = kernel_of(1);
    kernel_log_read(&kernel, "/"); /* opens, and can't be read */
    cr_expect(kernel.is_absent);
    cr_expect_not_null(strstr(kernel.why, "/: error "), "%s", kernel.why);
}
