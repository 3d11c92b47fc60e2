/*
 * Names: an object is renamed while its queue tells the name of each submission, and a dump reads the name. Whoever reads
 * a name reads one that is there; when all is done, the name that the queue told last is the object's name.
 *
 * Memory is sequentially consistent: names change under the device's lock of objects, and the counter of renames is one
 * atomic number. Only one queue tells names here; each has its own note of what it told.
 *
 * code: lib/record/object.c: object->name = text;
 * then: lib/record/object.c: atomic_fetch_add_explicit(&object->renamed, 1, memory_order_release);
 * then: lib/record/object.c: annot__mutex_unlock(&device->objects_lock);
 * then: lib/record/object.c: annot__release(device, old, old_size + 1);
 * code: lib/record/object.c: memcpy(buffer, object->name, fits);
 * then: lib/record/object.c: annot__mutex_unlock(&object->device->objects_lock);
 * code: lib/record/queue.c: const uint64_t told = 1 + annot__object_renamed(object);
 * then: lib/record/queue.c: queue->name_told = tell_name(queue, object, serial, ANNOT__QUEUE_ITSELF) ? told : 0;
 *
 * removal: NAME_IS_READ_AFTER_THE_UNLOCK   the reader keeps the pointer, and copies without the lock
 * removal: NAME_IS_FREED_TOO_EARLY         the old name is freed before the new one takes its place
 * removal: COUNTER_IS_READ_TOO_LATE        the counter is read behind the name
 * removal: COUNTER_GROWS_TOO_EARLY         renames are counted before the name changes, without the lock
 */
#define NAMES 3

bool lock_taken;
bool is_there[NAMES];
byte name, renamed, told, told_name;
bool is_done;

inline lock() { atomic { !lock_taken -> lock_taken = true } }
inline unlock() { lock_taken = false }

inline read_name(into)
{
    lock();
    into = name;
#ifdef NAME_IS_READ_AFTER_THE_UNLOCK
    unlock();
    assert(is_there[into])
#else
    assert(is_there[into]);
    unlock()
#endif
}

proctype application()
{
    byte next = 1, old;
    do
    :: next < NAMES ->
        is_there[next] = true;
#ifdef COUNTER_GROWS_TOO_EARLY
        renamed++;
#endif
        lock();
        old = name;
#ifdef NAME_IS_FREED_TOO_EARLY
        unlock();
        is_there[old] = false;
        lock();
#endif
        name = next;
#ifndef COUNTER_GROWS_TOO_EARLY
        renamed++;
#endif
        unlock();
        is_there[old] = false;
        next++
    :: else -> break
    od;
    is_done = true
}

/* Tells the name of a submission unless it has told it. */
inline submit()
{
#ifdef COUNTER_IS_READ_TOO_LATE
    if
    :: told != 1 + renamed ->
        read_name(told_name);
        told = 1 + renamed
    :: else -> skip
    fi
#else
    now = 1 + renamed;
    if
    :: told != now ->
        read_name(told_name);
        told = now
    :: else -> skip
    fi
#endif
}

proctype queue()
{
    byte now;
    submit();
    submit();
    is_done;
    submit();
    assert(told_name == name)
}

proctype dump()
{
    byte read;
    read_name(read)
}

init
{
    atomic {
        is_there[0] = true;
        run application();
        run queue();
        run dump()
    }
}
