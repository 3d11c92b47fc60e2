/* What a program counts of its own checks, and says at its end. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

static unsigned passed, failed;

static inline void check(bool ok, const char *what)
{
    passed += ok;
    failed += !ok;
    if (!ok)
        printf("failed: %s\n", what);
}

/* What main returns. */
static inline int checks_ended(void)
{
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
