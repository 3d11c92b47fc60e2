/*
 * Publication of records: a reader walks a chunk while its owner records into it. A record that is seen is whole, and
 * behind the last one the reader finds a zero word, never what the chunk's last use left there.
 *
 * The chunk was used before: every word and payload holds something stale. The owner has a store buffer from which
 * stores reach memory in any order, but for those to one place, and a release store, which goes behind all stores before
 * it: what C11 promises, and less than any processor does. Loads are made in program order, as acquire loads are.
 *
 * code: lib/record/arena.c: record_terminate(cursor->at);
 * code: lib/record/arena.c: record_terminate(next);
 * code: lib/record/arena.c: atomic_store_explicit(&arena->live_count, count + 1, memory_order_release);
 * code: lib/record/append.h: atomic_store_explicit(&record->word, ANNOT__WORD(kind, size), memory_order_release);
 * code: lib/dump_write/write_streams.c: uint64_t count = atomic_load_explicit(&arena->live_count, memory_order_acquire);
 * code: lib/dump_write/write_streams.c: uint32_t word = atomic_load_explicit(&record->word, memory_order_acquire);
 *
 * removal: WORD_IS_NOT_RELEASED      a record's word is stored relaxed
 * removal: COUNT_IS_NOT_RELEASED     the count of live chunks is stored relaxed
 * removal: NEXT_IS_NOT_TERMINATED    no zero word behind a record
 */
#define RECORDS 2
#define STALE 9
#define FRESH 5

/* places: word 0..RECORDS, then payloads, then the count of live chunks */
#define WORD(i) (i)
#define DATA(i) (RECORDS + 1 + (i))
#define LIVE    (2 * RECORDS + 1)
#define PLACES  (2 * RECORDS + 2)
#define BUFFER  8

byte memory[PLACES];
byte place[BUFFER], value[BUFFER];
bool used[BUFFER], released[BUFFER];
byte newest; /* stores made so far */

inline store(where, what, is_release)
{
    atomic {
        place[newest] = where;
        value[newest] = what;
        released[newest] = is_release;
        used[newest] = true;
        newest++
    }
}

#ifdef WORD_IS_NOT_RELEASED
#define WORD_RELEASE false
#else
#define WORD_RELEASE true
#endif
#ifdef COUNT_IS_NOT_RELEASED
#define COUNT_RELEASE false
#else
#define COUNT_RELEASE true
#endif

proctype owner()
{
    byte i = 0;
    store(WORD(0), 0, false);
    store(LIVE, 1, COUNT_RELEASE);
    do
    :: i < RECORDS ->
#ifndef NEXT_IS_NOT_TERMINATED
        store(WORD(i + 1), 0, false);
#endif
        store(DATA(i), FRESH, false);
        store(WORD(i), FRESH, WORD_RELEASE);
        i++
    :: else -> break
    od
}

#define WAITS_FOR(a, b) (used[a] && a < b && (released[b] || place[a] == place[b]))
#define MAY_GO(i) \
    (used[i] && !WAITS_FOR(0, i) && !WAITS_FOR(1, i) && !WAITS_FOR(2, i) && !WAITS_FOR(3, i) && \
     !WAITS_FOR(4, i) && !WAITS_FOR(5, i) && !WAITS_FOR(6, i))
#define COMMIT(i) atomic { MAY_GO(i) -> memory[place[i]] = value[i]; used[i] = false }

/* Commits any store that may go. */
proctype buffer()
{
end:
    do
    :: COMMIT(0)
    :: COMMIT(1)
    :: COMMIT(2)
    :: COMMIT(3)
    :: COMMIT(4)
    :: COMMIT(5)
    :: COMMIT(6)
    :: COMMIT(7)
    od
}

proctype reader()
{
    byte at = 0, word;
    if
    :: memory[LIVE] == 0 -> goto done
    :: else -> skip
    fi;
    do
    :: at <= RECORDS ->
        word = memory[WORD(at)];
        if
        :: word == 0 -> break
        :: else -> skip
        fi;
        assert(word == FRESH); /* not what an earlier use left */
        assert(at < RECORDS);
        assert(memory[DATA(at)] == FRESH); /* whole */
        at++
    :: else -> break
    od;
done:
    skip
}

init
{
    atomic {
        byte i = 0;
        do
        :: i < LIVE -> memory[i] = STALE; i++
        :: else -> break
        od;
        run owner();
        run buffer();
        run reader()
    }
}
