/* Cases of a program that prints TAP: there is no test framework for mingw-w64. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* In a case, and in what it calls that returns bool. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("# line %d: %s\n", __LINE__, #condition);                                       \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

struct named_case {
    const char *name;
    bool (*run)(void);
};

/* The exit code. `options`: --tap FILE, which gets the verdicts, too, or nothing. */
static inline int run_cases(const struct named_case *cases, int count, char **options)
{
    int failed = 0;
    FILE *tap = options[0] && options[1] && strcmp(options[0], "--tap") == 0
                    ? fopen(options[1], "w")
                    : NULL;
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        const char *verdict = cases[i].run() ? "ok" : "not ok";
        failed += verdict[0] == 'n';
        printf("%s %d - %s\n", verdict, i + 1, cases[i].name);
        if (tap)
            fprintf(tap, "%s %d - %s\n", verdict, i + 1, cases[i].name);
    }
    if (tap)
        fclose(tap);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
