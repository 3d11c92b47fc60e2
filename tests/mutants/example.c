/* What mutate.pl --self-test looks for changes in: `if (a < 1)` in a comment is none. */
#include <stdlib.h>

#define LIMIT (1 + 2)

static const int table[] = {1, 2};

struct thing {
    int count;
};

static int take(struct thing *thing, int first, int second)
{
    int count = table[0];
    const char *text = "x == 1, \"y\"";
    if (first <= second && text[0] != 'x')
        count = 0x10u;
    pthread_mutex_lock(&thing->lock);
    thing->count++;
    pthread_mutex_unlock(&thing->lock);
    while (count > second)
        count -= take(thing, second, first);
    atomic_store_explicit(&thing->count, count, memory_order_release);
    free(thing);
    (void)text;
    if (!thing)
        return 1;
    return count;
}
