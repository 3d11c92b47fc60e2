#include "state.h"

#include "../trace/print.h"
#include "os_process.h"

#include <inttypes.h>
#include <stdlib.h>

void *replay_export(const struct replay *r, const char *name)
{
    if (r->options->exports)
        return r->options->exports(name);
    return r->runtime ? os_library_function(r->runtime, name) : NULL;
}

void replay_pause(const struct replay *r, bool on)
{
    if (r->pause)
        r->pause(on);
}

void replay_imitate(const struct replay *r, const struct pending *p)
{
    struct overtaken *found;
    if (!r->imitate || r->options->loop_last)
        return;
    HASH_FIND(hh, r->overtaken, &p->call, sizeof p->call, found);
    r->imitate(p->thread, p->call, found ? found->behind : p->call);
}

void replay_say(struct replay *r, uint64_t call, int method, const char *what)
{
    char name[160] = "";
    if (method >= 0)
        trace_method_name(method, name, sizeof name);
    if (r->options->log && r->again->pass == FIRST_REPLAY)
        fprintf(r->options->log, "call %" PRIu64 ": %s%s%s\n", call, name, *name ? ", " : "", what);
}

void replay_refuse(struct replay *r, uint64_t call, int method, const char *what)
{
    char line[256];
    snprintf(line, sizeof line, "refused: %s", what);
    replay_say(r, call, method, line);
    r->outcome->refused++;
}

struct codec_arena *replay_arena_create(const struct replay *r)
{
    struct codec_arena *arena = codec_arena_create();
    if (arena && r->options->call_memory)
        codec_arena_limit(arena, (size_t)r->options->call_memory);
    return arena;
}

void replay_keep_arena(struct replay *r, struct pending *p)
{
    struct kept_arena *kept = calloc(1, sizeof *kept);
    r->lacks_memory |= !kept;
    if (!kept)
        return;
    kept->arena = p->arena;
    kept->next = r->kept;
    r->kept = kept;
    p->arena = replay_arena_create(r);
}
