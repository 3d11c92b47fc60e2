/* Programs with waits whose truth is known, for D3D12 and Vulkan. */
#pragma once

#include <stddef.h>

/*
 * Calls, in order: "0wa2" queue 0 waits for fence a = 2, "0sa2" signals it, "0x" executes a list;
 * "csa2" the CPU signals, "cwa2" lets an event be set. Queues 0 to 3 and fences a to d are of the
 * first device, 4, 5, x and y of the second. An upper case letter is a fence that is shared.
 *
 * Truth: each queue that waits, or c for the CPU, and a letter. It is in a circle (o), or waits for
 * one, so for ever (e). A queue will signal that waits or works itself (q). The highest value told
 * is less (h), or nothing was told (n). The CPU signals the fence (p), or it is shared (s). The
 * value was there and was set back (r). It will itself signal a higher value, so the CPU is to
 * signal this one (w).
 */
struct program {
    const char *calls, *truth, *line; /* line: a part of the first line */
};

static const struct program programs[] = {
    /* circles */
    {"0wa1 0x 0sb1 1wb1 1x 1sa1", "0o1o",
     "\"Q0\" waits for \"Q1\"'s fence \"a\" = 1, \"Q1\" for \"Q0\"'s fence \"b\" = 1"},
    {"0x 1x 0wa7 0x 0sb12 1wb12 1x 1sa7", "0o1o",
     "\"Q0\" waits for \"Q1\"'s fence \"a\" = 7, \"Q1\" for \"Q0\"'s fence \"b\" = 12"},
    {"0wa1 0sb1 1wb1 1sa1", "0o1o", "\"Q0\" waits for \"Q1\""},
    {"0wa1 0x 0sb1 1wb1 1x 1sc1 2wc1 2x 2sa1", "0o1o2o",
     "\"Q0\" waits for \"Q2\"'s fence \"a\" = 1, \"Q2\" for \"Q1\"'s fence \"c\" = 1, \"Q1\" for "
     "\"Q0\"'s fence \"b\" = 1"},
    {"0wa1 0sb1 1wb1 1sc1 2wc1 2sd1 3wd1 3x 3sa1", "0o1o2o3o", "\"Q0\" waits for \"Q3\""},
    {"0wa5 0x 0sa4 1wa4 1x 1sa5", "0o1o",
     "\"Q0\" waits for \"Q1\"'s fence \"a\" = 5, \"Q1\" for \"Q0\"'s fence \"a\" = 4"},
    {"0wa1 0x 0sa1", "0o", "\"Q0\" waits for \"Q0\"'s fence \"a\" = 1"},
    {"0wa1 0sb1 1wb1 1sa1 2wc1 2sd1 3wd1 3sc1", "0o1o2o3o", "\"Q0\" waits for \"Q1\""},
    {"0wa1 0sb1 1wb1 1sa1 2wa1 2x", "0o1o2e", "\"Q0\" waits for \"Q1\""},
    {"0wa1 0sb1 1wb1 1sa1 2wb9 2x", "0o1o2h", "\"Q0\" waits for \"Q1\""},
    {"0wa1 0sb1 1wb1 1sa1 2sa1 2x", "", NULL},
    {"0wa2 0sb1 1wb1 1sa2 2wb1 2sa2", "0o1o2e", "\"Q0\" waits for \"Q1\""},
    {"0wa1 0sb1 1wb1 1sa1 cwb1", "0o1oce", "\"Q0\" waits for \"Q1\""},
    {"4wx1 4sy1 5wy1 5sx1", "4o5o", "\"Q4\" waits for \"Q5\"'s fence \"x\" = 1"},
    {"0wa1 0sb1 1wb1 1sa1 4wx2 4x 5sx1", "0o1o4h", "\"Q0\" waits for \"Q1\""},
    /* a way out */
    {"0wa1 0sb1 1wb1 1sa1 csa0", "0q1q", "queue \"Q0\" is waiting for \"Q1\"'s fence \"a\" = 1"},
    {"0wa1 0sb1 1wb1 1sa1 2wc1 2sa1", "0q1q2n", "queue \"Q2\" is waiting for fence \"c\" = 1"},
    {"0wa1 0sb1 1wb1 1sa1 2wc1 2sa5", "0q1q2n", "queue \"Q2\" is waiting for fence \"c\" = 1"},
    {"0wA1 0sb1 1wb1 1sA1", "0q1q", "queue \"Q0\" is waiting for \"Q1\"'s fence \"A\" = 1"},
    {"0wa1 0sB1 1wB1 1x 1sa1", "0q1q", "queue \"Q0\" is waiting for \"Q1\"'s fence \"a\" = 1"},
    {"0wa1 0sb1 1wb1 1sa1 csa1", "", NULL},
    {"0wa1 0sb1 1wb1 1sa1 csb5", "", NULL},
    {"0wa1 0x 0sa2", "0w",
     "queue \"Q0\" is waiting for fence \"a\" = 1, reached 0; the fence's only"},
    {"0wa1 0sa2 1wa1 1sa3", "0q1q", "queue \"Q0\" is waiting for \"Q1\"'s fence \"a\" = 1"},
    {"0wa1 0sb1 1wb1 1sa2", "0q1q", "queue \"Q0\" is waiting for \"Q1\"'s fence \"a\" = 1"},
    {"0wa1 0sa2 cwa2", "0wcq",
     "queue \"Q0\" is waiting for fence \"a\" = 1, reached 0; the fence's only"},
    {"0sa1 0wa1 0x", "", NULL},
    /* off by one */
    {"1x 1sa1 0wa2 0x", "0h",
     "queue \"Q0\" is waiting for fence \"a\" = 2, reached 1; the highest value that a queue was "
     "ever told to signal is 1, by \"Q1\""},
    {"0wa2 0x 1x 1sa1", "0h", "reached 1; the highest value"},
    {"0wa2 0x 0sb1 1sa1 1wb1 1x", "0h1q", "is 1, by \"Q1\""},
    {"0sa1 0sa2 0sa3 1wa4", "1h", "is 3, by \"Q0\""},
    {"1wa1 1x", "1n", "reached 0; no queue was ever told to signal the fence"},
    {"0wa1 0x 0sb1 1wb1 1x 1sc1 2wc1 2x", "0n1q2q", "queue \"Q0\" is waiting for fence \"a\" = 1"},
    {"0wa1 1sb1", "0n", "no queue was ever told"},
    {"0sa1 0wb1 0x cwa2", "0nch", "queue \"Q0\" is waiting for fence \"b\" = 1"},
    {"0x 0sa1 cwa2", "ch", "the program's CPU is waiting for fence \"a\" = 2, reached 1"},
    {"cwa1", "cn", "the program's CPU is waiting for fence \"a\" = 1, reached 0"},
    {"4x 4sx1 5wx2 5x", "5h", "is 1, by \"Q4\""},
    /* the CPU's signals */
    {"csa1 0wa2 0x", "0p", "reached 1; the program's CPU signals this fence"},
    {"csa1 0wa1 0x", "", NULL},
    {"0wa2 csa2 0x", "", NULL},
    {"csa1 1sa2 0wa3 0x", "0p", "reached 2; the program's CPU signals this fence"},
    /* shared */
    {"0wA1 0x", "0s", "the fence is shared: another device or process may signal it"},
    {"1sA1 0wA2 0x", "0s", "the fence is shared"},
    /* set back */
    {"0sa5 0sa3 =1wa4 1x", "1r", "reached 3; the fence had this value, but was lowered later"},
    {"0sa5 =csa3 1wa4 1x", "1p", "reached 3; the program's CPU signals this fence"},
    {"0wa5 0x 1sa5 1sa3", "", NULL},
};
