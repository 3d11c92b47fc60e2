#include "device/tdr_limit.h"

#include "os_process.h"
#include "gate.h"

#define KEPT (TDR_LIMIT_COUNT + 1)

/* The last times of resets; the n-th is at n % KEPT. */
struct times {
    uint64_t at[KEPT];
    unsigned count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct times adapters, engines;

void tdr_limit_note(bool is_adapter)
{
    emu_lock(&lock);
    struct times *times = is_adapter ? &adapters : &engines;
    times->at[times->count++ % KEPT] = os_monotonic_ns();
    emu_unlock(&lock);
}

/* Whether the last `limit` + 1 resets all happened within the time. */
static bool is_past(const struct times *times, unsigned limit)
{
    const uint64_t window = (uint64_t)TDR_LIMIT_SECONDS * 1000000000u;
    return times->count > limit &&
           os_monotonic_ns() - times->at[(times->count - 1 - limit) % KEPT] < window;
}

bool tdr_limit_is_reached(void)
{
    emu_lock(&lock);
    const bool is_reached =
        is_past(&adapters, TDR_LIMIT_COUNT) || is_past(&engines, TDR_LIMIT_COUNT - 1);
    emu_unlock(&lock);
    return is_reached;
}
