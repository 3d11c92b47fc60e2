/* A driver that says what is true, but not all of it, in an order of its own: the reference driver,
 * with rows left out, states and EventIDs that it has forgotten, and fewer promises. What it leaves
 * out follows from the seed. It also has submissions not executed, as a tool's NullRendering does.
 */
#include <emu/driver.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* For the program that plays with it: the next submission is not executed. False again when it was
 * so. */
EMU_DRIVER_EXPORT bool truth_next_is_null;

enum { ROWS = 4096 };

static const emu_driver_host *host;
static emu_driver driver;
static annot_progress rows[ROWS]; /* one device at a time */
static D3DDDICB_SUBMITCOMMAND log_of_null;
static uint64_t state;

static uint64_t roll(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static void *device_create(emu_gpu *gpu, uint64_t seed)
{
    state = seed;
    return host->reference->device_create(gpu, seed);
}

static bool queue_submit(void *queue, const emu_submission *submission, emu_command_buffer *out)
{
    if (!host->reference->queue_submit(queue, submission, out))
        return false;
    if (truth_next_is_null && out->submit) {
        truth_next_is_null = false;
        log_of_null = *out->submit;
        log_of_null.Flags.NullRendering = 1;
        out->submit = &log_of_null;
    }
    return true;
}

/* As real drivers do with some. */
static void leave_out_barrier(void *list)
{
    (void)list;
}

enum { WAYS = 5, ONLY_LEFT = 8, ONLY_BEGUN = 10 };

/* In this way, or from WAYS on in any; false: all of the row. Rows of a list's bundles may say more
 * than the list's own. ONLY_LEFT: it knows nothing of what is finished; ONLY_BEGUN: of what has not
 * started. */
static bool forget(annot_progress *row, unsigned percent, unsigned way)
{
    if (way >= ONLY_LEFT)
        return row->state !=
               (way < ONLY_BEGUN ? ANNOT_PROGRESS_FINISHED : ANNOT_PROGRESS_NOT_STARTED);
    if (roll() % 100 >= percent)
        return true;
    switch (way < WAYS ? way : roll() % WAYS) {
    case 0:
        return false;
    case 1: /* only which EventIDs */
        row->state = ANNOT_PROGRESS_UNKNOWN;
        break;
    case 2:
        row->inside &= ~(uint32_t)ANNOT_INSIDE_STARTED;
        row->started = 0;
        break;
    case 3:
        row->inside &= ~(uint32_t)ANNOT_INSIDE_COMPLETED;
        row->completed = 0;
        break;
    default: /* only how far */
        row->inside = ANNOT_INSIDE_NOT_TRACKED;
        row->started = row->completed = 0;
    }
    return true;
}

static void crash_report(void *device, annot_crash_report *report)
{
    const unsigned percent = (unsigned)(roll() % 101), way = (unsigned)(roll() % 12);
    size_t count = 0;
    host->reference->crash_report(device, report);
    for (size_t i = 0; i < report->progress_count && count < ROWS; i++) {
        rows[count] = report->progress[i];
        count += forget(&rows[count], percent, way);
    }
    for (size_t i = count; i > 1; i--) { /* in any order */
        const size_t other = (size_t)(roll() % i);
        const annot_progress row = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = row;
    }
    report->progress = rows;
    report->progress_count = count;
    static const uint32_t kept[] = {UINT32_MAX, ANNOT_PROMISE_STARTS_IN_ORDER,
                                    ANNOT_PROMISE_RETIRES_IN_ORDER, 0};
    report->promises &= kept[roll() % 4];
}

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *the_host)
{
    if (the_host->version != EMU_DRIVER_VERSION || the_host->size != sizeof *the_host)
        return NULL;
    host = the_host;
    driver = *host->reference;
    driver.annot.name = "less";
    driver.device_create = device_create;
    driver.queue_submit = queue_submit;
    driver.crash_report = crash_report;
    driver.cmd_barrier = leave_out_barrier;
    return &driver;
}
