/*
 * Submission against removal: lists are submitted while the kernel finds a hang, stops the engines and has the dump
 * written. When the dump is written the evidence stands still; what was refused is in no queue and not in flight, and
 * what was accepted has ended or been dropped; an application that sees its fence jump finds the dump.
 *
 * Memory is sequentially consistent: the kernel's lock orders everything but the engine's stop flag, which is only a
 * request, and the fence's value, which is stored under the lock.
 *
 * code: emu/kmd/tdr.c: kmd->failing = true;
 * code: emu/kmd/tdr.c: while (kmd->active)
 * code: emu/kmd/tdr.c: tell_runtime(kmd, culprit, error);
 * code: emu/kmd/tdr.c: release_fences(kmd);
 * code: emu/kmd/fifo.c: bool ok = !kmd->failing && (queue->count < queue->capacity || grow(queue));
 * code: emu/d3d12/queue/command_queue.c: in_flight_cancel(&device->in_flight, entry);
 * code: lib/record/queue.c: withdraw(queue, serial);
 *
 * removal: REMOVAL_DOES_NOT_WAIT       for engines that are in the middle of something
 * removal: FENCES_JUMP_FIRST           before the runtime was told
 * removal: REMOVED_QUEUE_TAKES_WORK    the kernel doesn't look whether it is failing
 * removal: REFUSED_STAYS_IN_FLIGHT     what the kernel refused is not cancelled
 * removal: REFUSED_STAYS_SUBMITTED     ... and not withdrawn from the library's stream
 */
#define LISTS 3

bool kernel_lock, failing, removed, dumped, stop;
bool evidence;
byte running, queued, submitted, accepted, in_flight, completed;
bool fence_jumped;

inline lock() { atomic { !kernel_lock -> kernel_lock = true } }
inline unlock() { kernel_lock = false }

/* The queue's own lock orders submissions: one process submits. */
proctype application()
{
    byte turn = 0;
    bool ok;
    do
    :: turn < LISTS ->
        submitted++;
        in_flight++;
        lock();
#ifdef REMOVED_QUEUE_TAKES_WORK
        ok = true;
#else
        ok = !failing;
#endif
        if
        :: ok -> queued++; accepted++; assert(!dumped) /* the dump would not know it */
        :: else -> skip
        fi;
        unlock();
        if
        :: !ok ->
#ifndef REFUSED_STAYS_SUBMITTED
            submitted--;
#endif
#ifndef REFUSED_STAYS_IN_FLIGHT
            in_flight--;
#endif
            skip
        :: else -> skip
        fi;
        turn++
    :: else -> break
    od
}

proctype engine()
{
    do
    :: removed -> break
    :: atomic { !kernel_lock && !failing && queued > 0 -> kernel_lock = true };
        if
        :: failing -> unlock()
        :: else ->
            queued--;
            running++;
            unlock();
            evidence = 1 - evidence; /* a marker is written */
            lock();
            running--;
            if
            :: completed++; in_flight-- /* done */
            :: queued++                 /* not done: it is put back, stopped or hung */
            fi;
            unlock()
        fi
    od
}

proctype watchdog()
{
    bool seen;
    lock();
    failing = true;
    stop = true;
#ifndef REMOVAL_DOES_NOT_WAIT
    do
    :: running > 0 -> unlock(); lock() /* pthread_cond_wait */
    :: else -> break
    od;
#endif
#ifdef FENCES_JUMP_FIRST
    fence_jumped = true;
#endif
    unlock();
    seen = evidence;
    dumped = true; /* written in one step: what it says is what was seen ... */
    assert(running == 0);
    lock();
    assert(seen == evidence); /* ... and still is */
    removed = true;
    in_flight = in_flight - queued; /* drop_work */
    queued = 0;
    fence_jumped = true;
    unlock()
}

proctype waiter()
{
    fence_jumped -> assert(dumped)
}

init
{
    atomic {
        run application();
        run engine();
        run watchdog();
        run waiter()
    }
    _nr_pr == 1;
    assert(queued == 0 && in_flight == 0);
    assert(completed <= accepted);
    assert(submitted == accepted) /* what stands in the stream was taken by the kernel */
}
