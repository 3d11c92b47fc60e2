#include "memory.h"

#include "failing_malloc.h"

#ifdef UNSUITED

static unsigned asked;

void memory_fail(unsigned nth, bool for_good)
{
    (void)for_good;
    asked = nth;
}

unsigned memory_work(void)
{
    return asked;
}

#else

void memory_fail(unsigned nth, bool for_good)
{
    atomic_store(&keep_failing, for_good);
    atomic_store(&countdown, (long)nth);
}

unsigned memory_work(void)
{
    return (unsigned)atomic_exchange(&countdown, 0);
}

#endif
