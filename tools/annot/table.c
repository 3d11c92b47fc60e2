#include "table.h"

#include "cli.h"

#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

unsigned table_hash(const void *key, size_t size)
{
    static XXH64_hash_t seed;
    while (seed == 0) {
        unsigned char bytes[sizeof seed];
        if (cli_random(bytes, sizeof bytes))
            memcpy(&seed, bytes, sizeof seed);
        else /* rather a poor seed than none */
            seed = (XXH64_hash_t)time(NULL) | 1;
    }
    return (unsigned)XXH64(key, size, seed);
}
