/* A runtime of the suite's own: objects of every interface, whose methods answer with what a test
 * says. */
#pragma once

#include <capture/replay/call.h>
#include <intercept/object.h>

struct fake {
    const object_slot *table; /* first, where COM has it */
    uint16_t type;            /* enum schema_type: its newest interface */
    struct fake *unknown;     /* its IUnknown, another of the object's pointers or itself */
    struct fake *sibling;     /* a further interface pointer of the object */
    int32_t references;       /* of the object's, at its IUnknown */
    int32_t queried;          /* what QueryInterface returns; 0: S_OK, or E_NOINTERFACE */
    bool is_silent;           /* QueryInterface writes NULL whatever it returns */
    struct fake *next;        /* of all */
};

/* A new object with one reference, which stays until the process ends. */
struct fake *fake_create(uint16_t type);
/* Another interface pointer of the object. */
struct fake *fake_sibling(struct fake *of, uint16_t type);

/* Answers each call of the program that arrives, those of IUnknown's methods aside; a structure by
 * value that is larger than a word is behind a pointer. */
extern void (*fake_answer)(uint16_t method, struct fake *self, uint64_t *args,
                           struct call_result *result);

/* Whether the method returns a structure, and no word. */
bool fake_returns_structure(uint16_t method);
/* The bytes of a parameter's type, where the table has a word: more for a structure by value, fewer
 * for a window's handle. */
size_t fake_size(uint16_t method, uint32_t i);

/* The n-th allocation from here fails, and those behind it; 0: none. */
void fake_fail_allocations(unsigned from);
unsigned fake_allocations(void); /* since then */
/* Sleeps take no time, and are summed up. */
extern uint64_t fake_slept; /* ns */

/* Whether an interface is this one, or derives from it; and the first that does and has no further
 * ones. */
bool type_derives(uint16_t type, uint16_t base);
uint16_t type_newest(uint16_t base);
