/*
 * Eviction: a queue's oldest chunks make room when the budget is exhausted, for the queue itself and for lists that
 * record elsewhere, while the GPU completes submissions and a dump walks the queue. A chunk that is read is the queue's;
 * only completed ones go, never the current one; live bytes stay within the budget and are those of the chunks that
 * somebody has; the lost markers are those of the evicted chunk; nobody waits for ever.
 *
 * Memory is sequentially consistent: all of this is done under the queue's lock and the arena's guard, but for the
 * counter of live bytes, which is one atomic number, and `completed`, which only grows.
 *
 * code: lib/record/evict.c: if (slot == queue->cursor.slot ||
 * code: lib/record/evict.c: (slot->serial > completed && !(even_unsubmitted && is_idle(queue))))
 * code: lib/record/evict.c: if (!annot__mutex_try(&queue->lock))
 * code: lib/record/evict.c: if (!annot__mutex_try(&arena->guard))
 * code: lib/record/evict.c: atomic_fetch_sub_explicit(&arena->device->live_bytes, bytes, memory_order_relaxed);
 * code: lib/record/evict.c: const struct contents lost = contents_of(slot);
 * then: lib/record/evict.c: annot__chunk_release(arena->device, slot);
 * code: lib/record/arena.c: annot__chunk_release(device, slot);
 * code: lib/record/chunk.c: if (atomic_compare_exchange_weak_explicit(&device->live_bytes, &live, live + bytes,
 *
 * removal: EVICTION_TAKES_NO_GUARD       a chunk goes while the dump reads it
 * removal: EVICTION_TAKES_THE_CURRENT    the chunk that is recorded into may go
 * removal: EVICTION_IGNORES_COMPLETION   chunks of submissions in flight may go
 * removal: BYTES_ARE_NOT_GIVEN_BACK      live bytes keep what was evicted
 * removal: BUDGET_IS_NOT_ONE_STEP        live bytes are compared and added in two steps
 * removal: LOST_IS_COUNTED_TOO_LATE      the lost markers are counted when the chunk has another owner
 */
#define BUDGET 2
#define CHUNKS 4
#define POOL   0
#define QUEUE  1
#define LIST   2

byte owner[CHUNKS];
byte holds[CHUNKS]; /* markers: one in a chunk of the queue, two in one of a list */
byte chain[CHUNKS]; /* of the queue, oldest first */
byte first, count;
byte serial[CHUNKS];
byte live, submitted, completed, finished;
bool queue_lock, guard;

inline lock(mutex) { atomic { !mutex -> mutex = true } }

#ifdef EVICTION_TAKES_THE_CURRENT
#define KEPT 0
#else
#define KEPT 1
#endif
#ifdef EVICTION_TAKES_NO_GUARD
#define TAKES_GUARD false
#else
#define TAKES_GUARD true
#endif
#ifdef EVICTION_IGNORES_COMPLETION
#define IS_DONE(chunk) true
#else
#define IS_DONE(chunk) (serial[chunk] <= completed)
#endif

/* Under queue_lock. */
inline evict_oldest(evicted)
{
    evicted = false;
    if
    :: count > KEPT && IS_DONE(chain[first]) ->
        atomic {
            may_go = !guard;
            if
            :: may_go -> guard = TAKES_GUARD
            :: else -> may_go = !TAKES_GUARD
            fi
        };
        if
        :: may_go ->
            oldest = chain[first];
            assert(serial[oldest] <= completed);
            lost = holds[oldest];
            first++;
            count--;
            if
            :: TAKES_GUARD -> guard = false
            :: else -> skip
            fi;
#ifndef BYTES_ARE_NOT_GIVEN_BACK
            live--;
#endif
            owner[oldest] = POOL;
#ifdef LOST_IS_COUNTED_TOO_LATE
            lost = holds[oldest];
#endif
            assert(lost == QUEUE);
            evicted = true
        :: else -> skip
        fi
    :: else -> skip
    fi
}

inline budget_take(taken)
{
#ifdef BUDGET_IS_NOT_ONE_STEP
    taken = live < BUDGET;
    if
    :: taken -> live++
    :: else -> skip
    fi;
#else
    atomic {
        taken = live < BUDGET;
        if
        :: taken -> live++
        :: else -> skip
        fi
    };
#endif
    assert(live <= BUDGET)
}

inline pool_take(chunk, whose)
{
    atomic {
        chunk = 0;
        do
        :: owner[chunk] == POOL -> owner[chunk] = whose; holds[chunk] = whose; break
        :: else -> chunk++; assert(chunk < CHUNKS)
        od
    }
}

/* Three chunks of markers, a submission behind each: one more than the budget has room for. */
proctype queue_user()
{
    byte turn = 0, chunk, oldest, lost, current = CHUNKS; /* that is recorded into; CHUNKS: none yet */
    bool taken, evicted, may_go;
    do
    :: turn < 3 && first + count < CHUNKS ->
        lock(queue_lock);
        assert(current == CHUNKS || owner[current] == QUEUE); /* the last records of this chunk */
        budget_take(taken);
        if
        :: !taken ->
            evict_oldest(evicted);
            if
            :: evicted -> budget_take(taken)
            :: else -> skip
            fi
        :: else -> skip
        fi;
        if
        :: taken ->
            pool_take(chunk, QUEUE);
            serial[chunk] = submitted + 1;
            chain[first + count] = chunk;
            current = chunk;
            count++
        :: else -> skip /* dropped, and counted */
        fi;
        submitted++;
        queue_lock = false;
        turn++
    :: else -> break
    od;
    finished++
}

/* A list on another thread wants two chunks. */
proctype list_user()
{
    byte turn = 0, chunk, oldest, lost;
    bool taken, may_go, evicted;
    do
    :: turn < 2 ->
        evicted = false;
        budget_take(taken);
        if
        :: !taken ->
            if
            :: atomic { !queue_lock -> queue_lock = true };
                evict_oldest(evicted);
                queue_lock = false
            :: atomic { queue_lock -> skip }
            fi;
            if
            :: evicted -> budget_take(taken)
            :: else -> skip
            fi
        :: else -> skip
        fi;
        if
        :: taken -> pool_take(chunk, LIST)
        :: else -> skip
        fi;
        turn++
    :: else -> break
    od;
    finished++
}

proctype gpu()
{
    do
    :: atomic { completed < submitted -> completed++ }
    :: finished == 2 && completed == submitted -> break
    od
}

proctype dump()
{
    byte at = 0, all, start;
    lock(guard);
    start = first;
    all = count;
    do
    :: at < all ->
        assert(owner[chain[start + at]] == QUEUE);
        at++
    :: else -> break
    od;
    guard = false
}

init
{
    byte i = 0, owned = 0;
    atomic {
        run queue_user();
        run list_user();
        run gpu();
        run dump()
    }
    _nr_pr == 1;
    do
    :: i < CHUNKS ->
        owned = owned + (owner[i] != POOL);
        i++
    :: else -> break
    od;
    assert(live == owned)
}
