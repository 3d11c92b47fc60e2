/* The cases that are run: every case of every area, once per row and driver, as far as the options
 * let them through. */
#pragma once

#include "case.h"
#include "verdict.h"

enum { CASE_NAME_MAX = 160 };

/* One case as it is run, and what became of it. */
struct planned {
    char name[CASE_NAME_MAX]; /* area/name[row]@driver */
    const char *area;
    const struct test_case *test; /* NULL: a whole area that can't be run */
    size_t row;
    const char *driver; /* a name or a file; NULL: the runtime's own */

    bool is_started; /* a process has it */
    bool is_alone;   /* it failed beside others: its verdict is that of a process of its own */
    enum verdict verdict;
    char *reason;       /* why it was skipped, or failed at once; NULL: none */
    char *output;       /* what its process wrote, if it failed; NULL: nothing */
    const char *waiver; /* the reason for which a failure is no failure; NULL: none */
    double seconds;
};

struct plan {
    struct planned *cases;
    size_t count;
    size_t left_out; /* cases that say nothing about plan_options.driver, however they are run */
};

struct plan_options {
    const char *filter;         /* a glob over names; NULL: all */
    const char *driver;         /* only the cases that say something about this driver; NULL: all */
    bool drivers;               /* the runtime has the emulator's drivers, and loads others */
    size_t fraction, fractions; /* of the cases the fraction-th of `fractions` shares, from 1 */
};

/* Whether a driver of that name is one of enum case_driver's. */
bool plan_knows_driver(const char *name);

/* Whether it is a driver's file. What the reference driver is asked such a driver is asked in its
 * place, as NAME@driver where a case is for several. */
bool plan_is_driver_file(const char *driver);

/* false: out of memory. */
bool plan_make(const struct plan_options *options, struct plan *plan);
void plan_done(struct plan *plan);

/* The case of that name, of the options only with `drivers` and `driver`; false when there is none.
 */
bool plan_find(const char *name, const struct plan_options *options, struct planned *out);

/* Whether it may have its process together with others: it sets nothing that outlives its device.
 */
bool plan_may_share(const struct planned *planned);

/* enum case_need: the test's, and those of its row. `test` is not NULL. */
unsigned plan_needs(const struct planned *planned);

/* Replaces all cases of each area by one failure of the area, for that reason. */
bool plan_fail_areas(struct plan *plan, const char *reason);

/* * and ? and [row] taken literally: names are full of brackets. */
bool glob_match(const char *pattern, const char *text);
