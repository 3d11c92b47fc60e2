/* From calls and a fault to the report [ANN-CRASH-01, -03, -04, -06, ANN-MARK-11]. Each scenario is
 * a script, where the GPU stops, and what the dump must then say, with the reason why that is the
 * right answer. */
#include "asserts.h"
#include "at_end.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dump_path[64];

static void name_dump(void)
{
    snprintf(dump_path, sizeof dump_path, "flow-%ld.annotdmp", (long)getpid());
}

static void remove_dump(void)
{
    unlink(dump_path);
}

TestSuite(flow, .init = name_dump, .fini = remove_dump, .timeout = 60);

static void check(const emu_config *config, const char *script, const char *expected)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        emu_config seeded = *config;
        seeded.seed = seed;
        stage_play(&seeded, script, dump_path);
        char *transcript = transcript_of_dump(dump_path);
        cr_assert_str_eq(transcript, expected, "seed %u tells:\n%s\nexpected:\n%s", (unsigned)seed,
                         transcript, expected);
        free(transcript);
        unlink(dump_path);
    }
}

/* SCENARIO(name, configuration, why the answer is right, script, transcript) */
#define SCENARIO(name, configuration, why, script, expected)                                       \
    Test(flow, name, .description = why)                                                           \
    {                                                                                              \
        emu_config config = EMU_CONFIG_INIT;                                                       \
        configuration;                                                                             \
        check(&config, script, expected);                                                          \
    }

#define NOTHING (void)0

SCENARIO(hang_inside_a_nested_scope, NOTHING,
         "The driver saw Cascade 2 started and Depth left: what lies between is in progress, what "
         "comes later was never reached.",
         "queue Q; list L;"
         "begin L Frame; begin L Depth; work L; end L;"
         "begin L Shadow pass; begin L Cascade 2; spin L; end L; end L;"
         "begin L Lighting; end L; end L; close L; exec Q L; run",
         "stop Q #1 L: Frame / Shadow pass / Cascade 2\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [>] L\n"
         "    [>] Frame\n"
         "      [X] Depth\n"
         "      [>] Shadow pass\n"
         "        [>] Cascade 2\n"
         "      [ ] Lighting\n")

SCENARIO(page_fault_inside_a_scope, NOTHING,
         "A page fault stops the queue as a hang does: the scope whose work touched the address is "
         "in progress.",
         "queue Q; list L; begin L Frame; begin L Scatter; touch L; end L; end L; close L;"
         "exec Q L; run",
         "stop Q #1 L: Frame / Scatter\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [>] L\n"
         "    [>] Frame\n"
         "      [>] Scatter\n")

SCENARIO(hang_in_a_scope_opened_by_an_earlier_list, NOTHING,
         "Frame is opened by A and closed by B: it surrounds everything in between, so it is in "
         "progress although the list that opened it has finished [ANN-CRASH-06].",
         "queue Q; list A; list B;"
         "begin A Frame; begin A Depth; work A; end A; close A;"
         "begin B Shadow; spin B; end B; end B; close B; exec Q A B; run",
         "stop Q #1 B: Frame / Shadow\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [X] A\n"
         "    [>] Frame\n"
         "      [X] Depth\n"
         "  [>] B\n"
         "    [>] Shadow\n"
         "    end\n")

SCENARIO(hang_in_a_queue_scope, NOTHING,
         "The queue's own scope was entered before the submission and never left: it is the "
         "outermost part of the path.",
         "queue Q; list L; begin L Pass; spin L; end L; close L;"
         "begin Q Frame 7; exec Q L; end Q; begin Q Frame 8; end Q; run",
         "stop Q #1 L: Frame 7 / Pass\n"
         "queue Q: stopped\n"
         "[>] Frame 7\n"
         "  [>] #1\n"
         "    [>] L\n"
         "      [>] Pass\n"
         "[ ] Frame 8\n")

SCENARIO(hang_in_the_second_execution_of_a_bundle,
         (config.hang = (emu_hang){.place = EMU_HANG_AT_DISPATCH, .count = 2}),
         "Both executions of the bundle have the same EventIDs; the driver's row names the second, "
         "so the first is finished as a whole [ANN-MARK-11].",
         "queue Q; list L; bundle B; begin B Tree; work B; end B; close B;"
         "begin L Forest; call L B; call L B; end L; close L; exec Q L; run",
         "stop Q #1 L: Forest / Tree\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [>] L\n"
         "    [>] Forest\n"
         "      [X] bundle B\n"
         "        [X] Tree\n"
         "      [>] bundle B\n"
         "        [>] Tree\n")

SCENARIO(hang_in_the_second_submission_of_the_same_list,
         (config.hang = (emu_hang){.place = EMU_HANG_AT_DISPATCH, .count = 2}),
         "A resubmitted list is executed anew: the fence says that submission 1 is done, the "
         "driver's row that submission 2 is not [ANN-MARK-11].",
         "queue Q; list L; fence F; begin L Frame; begin L Draw; work L; end L; end L; close L;"
         "exec Q L; signal Q F 1; exec Q L; signal Q F 2; run",
         "stop Q #2 L: Frame / Draw\n"
         "queue Q: stopped\n"
         "[X] #1\n"
         "  [X] L\n"
         "    [X] Frame\n"
         "      [X] Draw\n"
         "[>] #2\n"
         "  [>] L\n"
         "    [>] Frame\n"
         "      [>] Draw\n")

SCENARIO(hang_between_two_lists_of_one_submission,
         (config.hang = (emu_hang){.place = EMU_HANG_BEFORE_LIST, .count = 2}),
         "A was left and B never reached: no scope is to blame, and the report says between which "
         "lists the queue stopped.",
         "queue Q; list A; list B; begin A One; work A; end A; close A;"
         "begin B Two; work B; end B; close B; exec Q A B; run",
         "stop Q #1 before B: (no marker)\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [X] A\n"
         "    [X] One\n"
         "  [ ] B\n"
         "    [ ] Two\n")

SCENARIO(hang_on_a_queue_that_another_queue_waits_for, NOTHING,
         "The waiting queue has not started its work: it is not guilty, and only the other queue "
         "has a stop.",
         "queue Main; queue Async compute; fence F; list L; list C compute;"
         "begin L Shadows; spin L; end L; close L; begin C Blur; work C; end C; close C;"
         "exec Main L; signal Main F 1; wait Async F 1; exec Async C; run",
         "stop Main #1 L: Shadows\n"
         "queue Main: stopped\n"
         "[>] #1\n"
         "  [>] L\n"
         "    [>] Shadows\n"
         "queue Async: waiting\n"
         "[ ] #1\n"
         "  [ ] C\n"
         "    [ ] Blur\n")

SCENARIO(hang_without_any_marker, NOTHING,
         "Even without markers the dump says which list of which submission hung.",
         "queue Q; list A; list B; work A; close A; spin B; close B; exec Q A B; run",
         "stop Q #1 B: (no marker)\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [X] A\n"
         "  [>] B\n")

SCENARIO(
    scopes_left_open_stay_out_of_the_next_recording, NOTHING,
    "A label left open in one recording must not leak into the next of the same list "
    "[ANN-MARK-07]: the second path starts anew.",
    "queue Q; list L; fence F; begin L Forgotten; work L; close L; exec Q L; signal Q F 1; run;"
    "reset L; reopen L; begin L Fresh; spin L; end L; close L; exec Q L; run",
    "stop Q #2 L: Fresh\n"
    "queue Q: stopped\n"
    "[X] #1\n"
    "  [X] L\n"
    "[>] #2\n"
    "  [>] L\n"
    "    [>] Fresh\n")

SCENARIO(surplus_ends_are_shown, NOTHING,
         "An End without a Begin is the application's mistake and must be seen, not swallowed "
         "[ANN-CRASH-04].",
         "queue Q; list L; end L; begin L Pass; spin L; end L; end L; close L; exec Q L; run",
         "stop Q #1 L: Pass\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [>] L\n"
         "    end\n"
         "    [>] Pass\n"
         "    end\n")

SCENARIO(allocator_reset_while_the_gpu_runs, config.reset_in_flight = true,
         "The markers died with the allocator [ANN-LIFE-01]: the execution is still known to be in "
         "progress, but nothing may be guessed about scopes that expired.",
         "queue Q; list L; begin L Pass; spin L; end L; close L; exec Q L; steps 20; reset L; run",
         "stop Q #1 L: (no marker)\n"
         "queue Q: stopped\n"
         "[>] #1\n"
         "  [>] L\n")

/* Past the budget the driver still gets valid EventIDs, but what they name is gone [ANN-LIFE-06].
 * The list that hung is still known, since submissions outlive the budget; which of its scopes,
 * nobody can say, and nothing is guessed. */
Test(flow, hang_with_the_budget_exceeded)
{
    emu_config config = EMU_CONFIG_INIT;
    config.memory_budget = 3 * 65536;
    stage_play(&config,
               "queue Q; list L; list Full; begin L Frame; begin L Pass;"
               "fill Full 4000 filler that takes the memory of the device; close Full;"
               "fill L 4000 more filler; begin L Lost; spin L; end L; end L; end L; close L;"
               "exec Q L; run",
               dump_path);
    AT_END(at_end_free) char *transcript = transcript_of_dump(dump_path);
    static const char head[] = "stop Q #1 L: (no marker)\n"
                               "queue Q: stopped\n"
                               "[>] #1\n"
                               "  [>] L\n"
                               "    [?] Frame\n"
                               "      [?] Pass\n"
                               "        [?] more filler\n";
    cr_expect(strncmp(transcript, head, strlen(head)) == 0, "%.400s", transcript);
    cr_expect(!strstr(transcript, "Lost"));
    cr_expect(!strstr(transcript, "[X]"));
    cr_expect(dropped_markers(dump_path) > 3000);
}

/* A driver that moves markers within a window [ANN-CRASH-05]: what it says near the hang may be off
 * by that much. What really was finished is never reported as not started, what wasn't never as
 * finished, and the doubt is labelled. */
Test(flow, reordering_never_makes_a_marker_finished_that_is_not)
{
    static const char *const unfinished[] = {"Frame", "B", "after", "C", "c"};
    static const char *const finished[] = {"A", "a", "b"};
    for (uint64_t seed = 1; seed <= 50; seed++) {
        emu_config config = EMU_CONFIG_INIT;
        config.driver = "reorder";
        config.seed = seed;
        stage_play(&config,
                   "queue Q; list L; begin L Frame; begin L A; set L a; set L a; work L; end L;"
                   "begin L B; fill L 6 b; spin L; fill L 3 after; end L;"
                   "begin L C; fill L 7 c; end L; end L; close L; exec Q L; run",
                   dump_path);
        AT_END(at_end_free) char *transcript = transcript_of_dump(dump_path);
        cr_expect(strstr(transcript, "[?]"), "nothing is in doubt:\n%s", transcript);
        for (size_t i = 0; i < sizeof unfinished / sizeof unfinished[0]; i++) {
            char claim[32];
            snprintf(claim, sizeof claim, "[X] %s\n", unfinished[i]);
            cr_expect(!strstr(transcript, claim), "seed %u:\n%s", (unsigned)seed, transcript);
        }
        for (size_t i = 0; i < sizeof finished / sizeof finished[0]; i++) {
            char claim[32];
            snprintf(claim, sizeof claim, "[ ] %s\n", finished[i]);
            cr_expect(!strstr(transcript, claim), "seed %u:\n%s", (unsigned)seed, transcript);
        }
    }
}

/* Two dumps of one fault are told apart and matched by GUID and the virtual clock: a seeded run
 * repeats both, another seed has another GUID. The kernel's own report is there [ANN-CRASH-01]. */
Test(flow, a_seed_repeats_a_removals_guid_and_time)
{
    enum { RUNS = 3 };
    static const uint64_t seeds[RUNS] = {3, 3, 4};
    struct removal_id ids[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        emu_config config = EMU_CONFIG_INIT;
        config.seed = seeds[i];
        stage_play(&config, "queue Q; list L; begin L A; spin L; end L; close L; exec Q L; run",
                   dump_path);
        ids[i] = removal_of_dump(dump_path);
        unlink(dump_path);
        cr_expect_eqs(ids[i].guid[7] >> 4, 4, ids[i].guid[8] >> 6, 2, "a version 4 GUID");
        cr_expect(ids[i].time > 0);
        cr_expect_mem_eq(ids[i].kernel, "EMUKMD1", 8);
    }
    cr_expect_mem_eq(ids[0].guid, ids[1].guid, sizeof ids[0].guid);
    cr_expect_eq(ids[0].time, ids[1].time);
    cr_expect(memcmp(ids[0].guid, ids[2].guid, sizeof ids[0].guid) != 0);
}

/* 100,000 nested scopes [ANN-MARK-10]: too much for a transcript by hand, so only its head is
 * compared. */
Test(flow, hang_below_100000_nested_scopes)
{
    emu_config config = EMU_CONFIG_INIT;
    stage_play(&config,
               "queue Q; list L; nest L 100000; spin L; unnest L 100000; close L; exec Q L; run",
               dump_path);
    AT_END(at_end_free) char *transcript = transcript_of_dump(dump_path);
    static const char head[] = "stop Q #1 L: depth 1 / depth 2 / ";
    cr_expect(strncmp(transcript, head, strlen(head)) == 0, "%.200s", transcript);
    char *line_end = strchr(transcript, '\n');
    *line_end = 0;
    cr_expect(strstr(transcript, "depth 100000"), "%.200s", transcript);
    size_t in_progress = 0;
    for (char *save, *line = strtok_r(line_end + 1, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        line += strspn(line, " ");
        in_progress += strncmp(line, "[>] depth ", 10) == 0;
    }
    cr_expect_eq(in_progress, 100000);
}
