/*
 * The last Release: two threads release a wrapped object while the table of objects that are gone overflows. The wrapper's
 * entry is there as long as a Release runs, and the clients are told once that the object is gone.
 *
 * Memory is sequentially consistent: entries change under the table's lock, but for `releases`, which is atomic, and the
 * runtime's own counter.
 *
 * code: layers/intercept/call.c: object_release_reference(call->self);
 * then: layers/intercept/call.c: object_released(call->self, *result == 0);
 * code: layers/intercept/object.c: entry->releases++;
 * then: layers/intercept/object.c: entry->identity->references--;
 * code: layers/intercept/object.c: if (gone_count <= OBJECTS_KEPT || entry->releases > 0)
 * code: layers/intercept/object.c: if (entry && entry->identity && entry->identity->references <= 0)
 *
 * removal: RELEASE_IS_NOT_COUNTED       the entry may be forgotten during a Release
 * removal: REFERENCE_GOES_TOO_LATE      the reference is taken off behind the runtime's call
 * removal: EVERYBODY_RETIRES            a Release that isn't the last retires the object, too
 */
#define THREADS 2

bool lock_taken, is_gone, is_forgotten;
byte releases, references = THREADS, real = THREADS, told;

inline lock() { atomic { !lock_taken -> lock_taken = true } }
inline unlock() { lock_taken = false }

inline take_reference()
{
    lock();
    assert(!is_forgotten);
    references--;
    unlock()
}

proctype user()
{
    bool is_last, may_retire;
    lock();
    assert(!is_forgotten);
#ifndef RELEASE_IS_NOT_COUNTED
    releases++;
#endif
#ifndef REFERENCE_GOES_TOO_LATE
    references--;
#endif
    unlock();
    atomic {
        real--;
        is_last = real == 0
    };
#ifdef EVERYBODY_RETIRES
    may_retire = true;
#else
    may_retire = is_last;
#endif
    if
    :: may_retire ->
        lock();
        assert(!is_forgotten);
#ifndef RELEASE_IS_NOT_COUNTED
        releases--;
#endif
        if
        :: references == 0 ->
            is_gone = true;
            told++
        :: else -> skip
        fi;
        unlock()
    :: else ->
        assert(!is_forgotten);
#ifndef RELEASE_IS_NOT_COUNTED
        atomic { releases-- }
#endif
    fi
#ifdef REFERENCE_GOES_TOO_LATE
    ;
    take_reference()
#endif
}

/* Another object goes, and makes the table forget the oldest one. */
proctype other()
{
    lock();
    if
    :: is_gone && releases == 0 -> is_forgotten = true
    :: else -> skip
    fi;
    unlock()
}

init
{
    atomic {
        run user();
        run user();
        run other()
    }
    _nr_pr == 1;
    assert(told == 1)
}
