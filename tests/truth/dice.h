/* Throws that are the same everywhere for one seed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline uint64_t roll(struct dice *dice)
{
    uint64_t z = dice->state += 0x9E3779B97F4A7C15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline unsigned below(struct dice *dice, unsigned count)
{
    return (unsigned)(roll(dice) % count);
}

static inline bool chance(struct dice *dice, unsigned percent)
{
    return below(dice, 100) < percent;
}
