/* Waits for a mutex for a limited time. */
#include "base/os.h"

bool annot__mutex_try_for(struct annot__mutex *mutex, uint64_t *left)
{
    if (annot__mutex_try(mutex))
        return true;
    uint64_t start = annot__clock_ns(), waited = 0;
    bool is_locked = false;
    while (!is_locked && waited < *left) {
        annot__pause();
        is_locked = annot__mutex_try(mutex);
        waited = annot__clock_ns() - start;
    }
    *left -= waited < *left ? waited : *left;
    return is_locked;
}
