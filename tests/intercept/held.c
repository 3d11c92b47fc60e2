/* The layer's mutexes at a fork. */
#include "fake.h"

#include <intercept/held.h>

#include "asserts.h"

enum { MANY = 20, KEPT = 16 };

static pthread_mutex_t mutexes[MANY];

static bool is_free(pthread_mutex_t *mutex)
{
    if (pthread_mutex_trylock(mutex) != 0)
        return false;
    pthread_mutex_unlock(mutex);
    return true;
}

/* The files of the program have some of their own: how many of these are held. */
static unsigned count_held(void)
{
    unsigned held = 0;
    for (unsigned i = 0; i < MANY; i++)
        held += !is_free(&mutexes[i]);
    return held;
}

static void add_all(void)
{
    for (unsigned i = 0; i < MANY; i++) {
        pthread_mutex_init(&mutexes[i], NULL);
        held_add(&mutexes[i]);
    }
}

TestSuite(held, .init = add_all);

Test(held, the_first_sixteen_are_held_from_take_to_give)
{
    for (int round = 0; round < 3; round++) {
        held_take();
        const unsigned held = count_held();
        cr_assert(held < KEPT && held > KEPT - 4, "%u", held);
        for (unsigned i = 0; i < held; i++)
            cr_assert(!is_free(&mutexes[i]));
        held_give();
        cr_assert_eqs(count_held(), 0, fake_slept, 0);
        object_known(NULL); /* has one of the files' */
    }
}

Test(held, in_the_child_none_is_locked)
{
    held_take();
    held_renew();
    cr_assert_eq(count_held(), 0);
    held_take(); /* once more */
    cr_assert(count_held() > KEPT - 4);
    held_give();
    cr_assert_eq(count_held(), 0);
}

/* Another thread has one all the time. */
Test(held, a_mutex_that_is_not_given_back_in_time_is_left)
{
    pthread_mutex_lock(&mutexes[2]);
    held_take();
    cr_assert_eqs(fake_slept, 100000000, count_held(), 1);
    held_give();
    cr_assert_eq(count_held(), 1);
    pthread_mutex_unlock(&mutexes[2]);
    held_take();
    cr_assert_eq(fake_slept, 100000000);
    cr_assert(count_held() > KEPT - 4);
    held_give();
}
