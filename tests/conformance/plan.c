#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const driver_names[] = {"reference", "warp", "legacy", "reorder", "hostile"};
enum { DRIVER_COUNT = sizeof driver_names / sizeof driver_names[0] };

bool plan_knows_driver(const char *name)
{
    for (size_t i = 0; i < DRIVER_COUNT; i++)
        if (strcmp(driver_names[i], name) == 0)
            return true;
    return false;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

bool plan_is_driver_file(const char *driver)
{
    return strpbrk(driver, "/\\") || ends_with(driver, ".so") || ends_with(driver, ".dll");
}

bool glob_match(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

/* ---- from cases to instances ---- */

typedef bool visit(void *user, const struct planned *planned);

static unsigned drivers_of(const struct test_case *test)
{
    return test->drivers ? test->drivers : REFERENCE;
}

static bool each_driver(const char *area, const struct test_case *test, size_t row,
                        const struct plan_options *o, visit *then, void *user)
{
    const unsigned set = drivers_of(test);
    const bool drivers = o->drivers, is_file = o->driver && plan_is_driver_file(o->driver);
    const bool many = (set & (set - 1)) != 0 && drivers;
    const char *const row_name = test->rows ? test->rows[row] : NULL;
    struct planned planned = {.area = area, .test = test, .row = row};
    for (size_t i = 0; i < DRIVER_COUNT; i++) {
        if (drivers ? !(set & 1u << i) : i != 0)
            continue;
        const bool is_given = is_file && 1u << i == REFERENCE;
        planned.driver = !drivers ? NULL : is_given ? o->driver : driver_names[i];
        snprintf(planned.name, sizeof planned.name, "%s/%s%s%s%s%s%s", area, test->name,
                 row_name ? "[" : "", row_name ? row_name : "", row_name ? "]" : "",
                 many ? "@" : "",
                 !many      ? ""
                 : is_given ? "driver"
                            : driver_names[i]);
        if (!then(user, &planned))
            return false;
    }
    return true;
}

static bool each(const struct plan_options *o, visit *then, void *user)
{
    for (size_t t = 0; t < case_table_count; t++)
        for (const struct test_case *test = case_tables[t]->first; test; test = test->next) {
            const char *const area = test->area ? test->area : case_tables[t]->area;
            size_t row = 0;
            do {
                if (!each_driver(area, test, row, o, then, user))
                    return false;
            } while (test->rows && test->rows[++row]);
        }
    return true;
}

/* ---- plans ---- */

struct making {
    const struct plan_options *options;
    struct plan *plan;
    size_t seen;
    struct planned left_out; /* the last one */
};

static bool add(struct plan *plan, const struct planned *planned)
{
    if ((plan->count & (plan->count - 1)) == 0) {
        const size_t capacity = plan->count ? plan->count * 2 : 1;
        struct planned *bigger = realloc(plan->cases, capacity * sizeof *bigger);
        if (!bigger)
            return false;
        plan->cases = bigger;
    }
    plan->cases[plan->count++] = *planned;
    return true;
}

static unsigned driver_bit(const char *driver)
{
    for (unsigned i = 0; i < DRIVER_COUNT; i++)
        if (strcmp(driver_names[i], driver) == 0)
            return 1u << i;
    return REFERENCE;
}

/* Once for all drivers that it is run with. */
static void leave_out(struct making *making, const struct planned *planned)
{
    const struct planned *last = &making->left_out;
    const bool is_same = last->test == planned->test && last->row == planned->row;
    if (!is_same && !(drivers_of(planned->test) & driver_bit(making->options->driver)))
        making->plan->left_out++;
    making->left_out = *planned;
}

static bool take(void *user, const struct planned *planned)
{
    struct making *making = user;
    const struct plan_options *o = making->options;
    if (o->filter && !glob_match(o->filter, planned->name))
        return true;
    if (o->driver && planned->driver && strcmp(o->driver, planned->driver) != 0) {
        leave_out(making, planned);
        return true;
    }
    const size_t share = making->seen++ % o->fractions + 1;
    return share != o->fraction || add(making->plan, planned);
}

bool plan_make(const struct plan_options *options, struct plan *plan)
{
    struct making making = {.options = options, .plan = plan};
    *plan = (struct plan){0};
    if (each(options, take, &making))
        return true;
    plan_done(plan);
    return false;
}

void plan_done(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->cases[i].reason);
        free(plan->cases[i].output);
    }
    free(plan->cases);
    *plan = (struct plan){0};
}

struct finding {
    const char *name;
    struct planned *out;
};

static bool is_not(void *user, const struct planned *planned)
{
    struct finding *finding = user;
    if (strcmp(finding->name, planned->name) != 0)
        return true;
    *finding->out = *planned;
    return false;
}

bool plan_find(const char *name, const struct plan_options *options, struct planned *out)
{
    struct finding finding = {name, out};
    return !each(options, is_not, &finding);
}

bool plan_may_share(const struct planned *planned)
{
    return planned->test && !planned->is_alone &&
           !(plan_needs(planned) & (EMULATOR | DUMP | HANG | KERNELS | DRED | PREVIEW | UNCOPIED));
}

/* As kit.h and kit_object.h name their rows. */
unsigned plan_needs(const struct planned *planned)
{
    static const struct {
        const char *prefix;
        unsigned need;
    } rows[] = {{"video-", VIDEO},
                {"decode-list", VIDEO},
                {"process-list", VIDEO},
                {"encode-list", VIDEO},
                {"published", PUBLISHED},
                {"v0.06", SPECIFIED},
                {"kernel", EMULATOR | KERNELS | DUMP}};
    const struct test_case *test = planned->test;
    const unsigned needs = test->needs | (test->needs & LOOKUP ? LIBRARY : 0u);
    for (size_t i = 0; test->rows && i < sizeof rows / sizeof rows[0]; i++)
        if (strncmp(test->rows[planned->row], rows[i].prefix, strlen(rows[i].prefix)) == 0)
            return needs | rows[i].need;
    return needs;
}

static bool has_area(const struct plan *plan, const char *area)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->cases[i].area, area) == 0)
            return true;
    return false;
}

bool plan_fail_areas(struct plan *plan, const char *reason)
{
    struct plan areas = {0};
    for (size_t i = 0; i < plan->count; i++) {
        if (has_area(&areas, plan->cases[i].area))
            continue;
        struct planned failure = {.area = plan->cases[i].area, .verdict = FAILED};
        const size_t size = strlen(reason) + 1;
        snprintf(failure.name, sizeof failure.name, "%s/can_be_tested_at_all", failure.area);
        failure.reason = malloc(size);
        if (!failure.reason || !add(&areas, &failure)) {
            free(failure.reason);
            plan_done(&areas);
            return false;
        }
        memcpy(failure.reason, reason, size);
    }
    plan_done(plan);
    *plan = areas;
    return true;
}
