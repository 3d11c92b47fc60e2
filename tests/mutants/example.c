/* mutants.py --self-test changes and runs this; `if (a < 1)` in a comment is no place for it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LIMIT      (1 + 2)
#define TWICE(sum) ((sum) + (sum))

static const int table[LIMIT + 1] = {1, 2};

struct thing {
    unsigned count : 4;
};

static int difference(int first, int second)
{
    return first - second;
}

static int smaller(int first, int second)
{
    return first < second ? first : (int)second;
}

static bool is_named(const char *name)
{
    if (!name)
        return false;
    return name[1] == 'y' || strcmp(name, "x == 1, \"y\"") == 0;
}

static const char *name_of(int number)
{
    return number > 1 ? "zy" : NULL;
}

static void add(struct thing *thing, int number)
{
    static int calls = 7;
    switch (number) {
    case 1 + 1:
        thing->count += 0x2u;
        break;
    default:
        thing->count++;
    }
    calls++; /* equivalent: nobody asks for it */
}

int main(int argc, char **argv)
{
    struct thing thing = {0};
    (void)argv;
    if (argc == LIMIT)
        puts("never");
    for (int i = 0; i < LIMIT && i >= 0; i++)
        add(&thing, table[i]);
    if (is_named(name_of(2)) && !is_named(name_of(1)))
        thing.count += (unsigned)difference(TWICE(2 + 1), difference(smaller(5, 9), 1));
    printf("%u\n", thing.count);
    return 0;
}
