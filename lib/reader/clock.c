/* Converts the GPU's time on the straight line between the two clock pairs around the time, or
 * through the nearest two pairs. Pairs are at most 30 ms apart while work is submitted, so a drift
 * of the clock doesn't accumulate. */
#include "reader/ask.h"

#include "base/search.h"

/* Returns the time of `ticks` on the line through both pairs, or by the frequency if the pairs are
 * equal. */
static uint64_t on_line(const struct annot__dump_CLOCK *a, const struct annot__dump_CLOCK *b,
                        uint64_t ticks)
{
    const double span = (double)(b->gpu - a->gpu), time = (double)(b->cpu - a->cpu);
    const double rate = span > 0           ? time / span
                        : a->frequency > 0 ? 1e9 / (double)a->frequency
                                           : 1.0;
    const bool is_behind = ticks >= a->gpu;
    const double offset = (double)(is_behind ? ticks - a->gpu : a->gpu - ticks) * rate;
    const uint64_t whole = offset < 9e18 ? (uint64_t)(offset + 0.5) : (uint64_t)9e18;
    if (is_behind)
        return whole < UINT64_MAX - a->cpu ? a->cpu + whole : UINT64_MAX;
    return whole < a->cpu ? a->cpu - whole : 0;
}

uint64_t annot__clock_convert(const annot_reader *reader, uint64_t ticks)
{
    const struct annot__dump_CLOCK *clocks = reader->clocks;
    uint32_t low = 0, high = reader->clock_count;
    ANNOT__LOWER_BOUND(low, high, i, clocks[i].gpu <= ticks);
    const uint32_t count = reader->clock_count;
    uint32_t left = low > 0 ? low - 1 : 0;
    if (left + 1 == count && count > 1)
        left--;
    return on_line(&clocks[left], &clocks[left + 1 < count ? left + 1 : left], ticks);
}
