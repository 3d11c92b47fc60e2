/*
 * Reset against dump and lookup: an allocator is reset and recorded into again while a dump walks it and somebody looks
 * an EventID of its first recording up. Whoever reads sees the recording that the EventID or the chunk's own base
 * belongs to, whole, or nothing.
 *
 * Memory is sequentially consistent here; publication.pml has the store buffer. What the guard orders needs none. Not
 * proven: that `use` may be read without the guard by anything but the lookup that reads it again under it.
 *
 * code: lib/record/arena.c: atomic_store_explicit(&arena->live_count, 0, memory_order_relaxed);
 * code: lib/record/arena.c: annot__mutex_lock(&arena->guard);
 * code: lib/record/arena.c: atomic_store_explicit(&slot->use, use, memory_order_release);
 * code: lib/record/lookup.c: if (use < current)
 * code: lib/record/lookup.c: atomic_load_explicit(&slot->use, memory_order_relaxed) == use)
 * code: lib/dump_write/write_streams.c: if (!annot__mutex_try_for(&arena->guard, &writer->wait_left)) {
 *
 * removal: RESET_TAKES_NO_GUARD      reset doesn't wait for readers
 * removal: RESET_LEAVES_THE_COUNT    chunks are overwritten while they count as live
 * removal: LOOKUP_LOOKS_ONCE         the use is not read again under the guard
 * removal: DUMP_TAKES_NO_GUARD       the dump reads beside a reset
 */
bool guard;
byte live, use, base, word, data;

inline lock() { atomic { !guard -> guard = true } }
inline unlock() { guard = false }

/* A chunk begins its next use; nobody may be reading it. */
inline start_chunk()
{
    base = use + 1;
    word = 0;
    use = use + 1;
    live = 1
}

inline record_one()
{
    data = base;
    word = 1
}

proctype owner()
{
    start_chunk();
    record_one();
#ifndef RESET_TAKES_NO_GUARD
    lock();
#endif
#ifndef RESET_LEAVES_THE_COUNT
    live = 0;
#endif
#ifndef RESET_TAKES_NO_GUARD
    unlock();
#endif
    start_chunk();
    record_one()
}

proctype dump()
{
    byte its_base;
#ifndef DUMP_TAKES_NO_GUARD
    lock();
#endif
    if
    :: live == 1 ->
        its_base = base;
        if
        :: word != 0 ->
            assert(data == its_base);
            assert(base == its_base) /* still the same use: the EventID that is written is this record's */
        :: else -> skip
        fi
    :: else -> skip
    fi;
#ifndef DUMP_TAKES_NO_GUARD
    unlock()
#endif
}

proctype lookup()
{
    if
    :: use != 1 -> goto done /* expired, or never issued */
    :: else -> skip
    fi;
    lock();
    if
#ifdef LOOKUP_LOOKS_ONCE
    :: live == 1 ->
#else
    :: live == 1 && use == 1 ->
#endif
        if
        :: word != 0 -> assert(data == 1)
        :: else -> skip
        fi
    :: else -> skip
    fi;
    unlock();
done:
    skip
}

init
{
    atomic {
        run owner();
        run dump();
        run lookup()
    }
}
