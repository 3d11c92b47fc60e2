/*
 * Waiting for a fence whose value goes up and back, and which is gone in the end: a thread, a notification (the same but
 * for who looks) and a queue, behind whose own store the wait stands. Each has what the fence had at any moment
 * since the call, and none waits for a fence that nobody has any more. Nobody begins to wait behind the last release.
 *
 * The lock is the kernel's; memory behind it is sequentially consistent.
 *
 * code: emu/kmd/wait.c: emu_lock(&kmd->lock);
 * code: emu/kmd/wait.c: if (emu__kmd_fence_is_reached(fence, goal->values[i])) {
 * code: emu/kmd/wait.c: DL_APPEND(fence->waiters, waiter);
 * code: emu/kmd/signal.c: if (!all && fence->value < waiter->value)
 * code: emu/kmd/signal.c: emu__kmd_fence_store(head->fence, head->value, &due);
 * code: emu/kmd/fifo.c: item->seen |= emu__kmd_fence_is_reached(fence, item->value);
 * code: emu/kmd/fifo.c: emu__kmd_queue_see(queue, item->fence);
 * code: emu/kmd/fifo.c: return head->kind != EMU_KMD_ITEM_WAIT || head->seen;
 *
 * removal: THREAD_LOOKS_WHEN_IT_RUNS    a woken thread compares the value instead of what it has missed
 * removal: QUEUE_LOOKS_WHEN_IT_RUNS     the queue compares it on its turn
 * removal: CALL_IS_NOT_LOOKED_AT        a wait that is queued waits for the next store
 * removal: ONLY_THE_HEAD_IS_LOOKED_AT   a store passes by a wait that stands behind others
 * removal: ENLIST_DROPS_THE_LOCK        between looking and waiting
 * removal: RELEASE_LEAVES_WAITERS       the last release only forgets them
 */
bool guard;
byte value = 0;
bool gone, thread_waits, thread_done, queue_waits, queue_seen, at_head;
bool thread_had_it, queue_had_it; /* the value was there since the wait began */
byte began; /* who waits, of two */

inline lock() { atomic { !guard -> guard = true } }
inline unlock() { guard = false }

inline look()
{
    if
#ifdef ONLY_THE_HEAD_IS_LOOKED_AT
    :: at_head && value >= 1 -> queue_seen = true
#else
    :: queue_waits && value >= 1 -> queue_seen = true
#endif
    :: else -> skip
    fi
}

/* With the lock. */
inline store(to)
{
    d_step {
        value = to;
        if
        :: thread_waits && value >= 1 -> thread_had_it = true
        :: else -> skip
        fi;
        if
        :: queue_waits && value >= 1 -> queue_had_it = true
        :: else -> skip
        fi
    };
#ifndef THREAD_LOOKS_WHEN_IT_RUNS
    if
    :: thread_waits && value >= 1 ->
        thread_waits = false;
        thread_done = true
    :: else -> skip
    fi;
#endif
#ifndef QUEUE_LOOKS_WHEN_IT_RUNS
    look()
#endif
}

proctype thread()
{
    lock();
    if
    :: value >= 1 -> thread_done = true
    :: else ->
#ifdef ENLIST_DROPS_THE_LOCK
        thread_had_it = false;
        unlock();
        lock();
        if
        :: value >= 1 -> thread_had_it = true
        :: else -> skip
        fi;
#endif
        thread_waits = true
    fi;
    began++;
    unlock();
#ifdef THREAD_LOOKS_WHEN_IT_RUNS
    (value >= 1 || gone)
#else
    (thread_done)
#endif
}

/* Its items: store 0, wait for 1. Both are queued at once. */
proctype queue()
{
    lock();
    d_step {
        queue_waits = true;
        queue_had_it = value >= 1
    };
#ifndef CALL_IS_NOT_LOOKED_AT
    look();
#endif
    began++;
    unlock();
    lock();
    store(0);
    at_head = true;
    unlock();
#ifdef QUEUE_LOOKS_WHEN_IT_RUNS
    (value >= 1 || gone)
#else
    (queue_seen)
#endif
}

proctype signaller()
{
    lock();
    store(1);
    unlock();
    lock();
    store(0);
    unlock()
}

proctype release()
{
    (began == 2);
    lock();
    assert(!thread_had_it || thread_done);
    assert(!queue_had_it || queue_seen);
    gone = true;
#ifndef RELEASE_LEAVES_WAITERS
    if
    :: thread_waits ->
        thread_waits = false;
        thread_done = true
    :: else -> skip
    fi;
    if
    :: queue_waits -> queue_seen = true
    :: else -> skip
    fi;
#endif
    unlock()
}

init
{
    atomic {
        run thread();
        run queue();
        run signaller();
        run release()
    }
}
