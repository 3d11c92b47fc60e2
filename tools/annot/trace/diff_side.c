/* Each record is printed with numbers replaced: an object by a constant, an address or a descriptor
 * handle by its offset in the object that it lies in. The hash of that line is compared. With the
 * classes of the objects it is the call's token, by which calls are aligned; an object's class is a
 * hash of the call that made it. So an object that was made in another way is one difference, and
 * not a difference of each call that uses it. */
#include "diff_side.h"

#include "bases.h"
#include "cli.h"
#include "table.h"
#include "trace_marker.h"
#include "array.h"

#include <capture/trace/schema.h>

#include <inttypes.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define PAGE           4096u
#define UNIT           256u /* bytes that are compared together, as programs divide buffers */
#define UNITS          (PAGE / UNIT)
#define SETTINGS_LEAST 8          /* bytes: a shorter path could be part of anything */
#define PROGRESS       (1u << 17) /* calls between two lines on a terminal */
#define BASES_PASSED   16         /* most dead objects that are skipped before an address */

struct object {
    uint64_t number, class;
    uint32_t mapper; /* the thread that mapped the object first */
    uint32_t taker;  /* 1 + index of the thread that first took a place in the object; 0: none */
    bool is_mapped, is_gone;
    bool has_mappers; /* other threads mapped the object, too */
    bool has_takers;  /* other threads took places, too */
    bool is_visible;  /* shaders see the heap, so places in it count */
    UT_hash_handle hh;
};

struct page {
    struct {
        uint64_t object, offset;
    } key;
    uint64_t hashes[UNITS], told[UNITS]; /* hashes now, and at a call of the thread; 0: not yet */
    bool is_changed, is_shared;
    struct page *next_changed;
    UT_hash_handle hh;
};

struct lane {               /* a thread of the trace */
    uint32_t thread, index; /* the thread's number, and its place in side->threads */
    uint32_t call;          /* the call that the thread makes; DIFF_NONE: none */
    uint32_t reads;         /* reads in front of the thread's next call: their place and number */
    uint32_t read_count;
    UT_hash_handle hh;
};

struct reading {
    struct diff_side *side;
    struct trace_printer printer;
    struct object *objects;
    struct page *pages, *changed;
    struct lane *lanes;
    struct markers *markers; /* the scopes around calls */
    const struct lane *lane; /* the thread whose record is being printed */
    struct bases bases[BASES_KINDS];
    struct diff_call *call;    /* the call whose record is being printed */
    uint64_t classes;          /* hash of the classes of the objects of this record */
    uint64_t set, set_classes; /* the record's sets, and the classes in the sets */
    uint32_t set_from;         /* the set's references that have no piece yet */
    char settings[1024];       /* the settings file's path */
    bool is_failed;            /* memory ran out */
};

/* ---- arrays ---- */

/* Adds an element. False: out of memory. */
#define ADD(r, array, ...)                                                                         \
    (ARRAY_ROOM((array).at, (array).count, (array).capacity)                                       \
         ? ((array).at[(array).count++] = (__VA_ARGS__), true)                                     \
         : !((r)->is_failed = true))

/* ---- places ---- */

/* A number in a call that is a place in an object: a value of a fence, an offset in a buffer. If
 * several threads take places in one object in any order, places differ by chance. */
struct place {
    uint64_t object, place;
    size_t word, end; /* word of the record; end of the range that begins there, 0: no range */
    bool takes;       /* the call sets its meaning; others use an earlier meaning */
};

enum { PLACES = 2 };

/* The words of a record: first the call's object, then the parameters. */
struct row {
    int method;
    uint8_t object, word, end;
    bool takes;
};

static const struct row rows[] = {
    {METHOD_ID3D12CommandQueue_Signal, 1, 2, 0, true},
    {METHOD_ID3D12Fence_Signal, 0, 1, 0, true},
    {METHOD_ID3D12Device3_EnqueueMakeResident, 4, 5, 0, true},
    {METHOD_ID3D12CommandQueue_Wait, 1, 2, 0, false},
    {METHOD_ID3D12Fence_SetEventOnCompletion, 0, 1, 0, false},
    {METHOD_ID3D12GraphicsCommandList_CopyBufferRegion, 1, 2, 0, true},
    {METHOD_ID3D12GraphicsCommandList_CopyBufferRegion, 3, 4, 0, false},
    {METHOD_ID3D12GraphicsCommandList_ResolveQueryData, 5, 6, 0, true},
};

static uint32_t add(const struct trace_item *item, struct place *places, uint32_t count,
                    const struct row *row)
{
    if (count < PLACES && item->size / 8 > row->word && item->size / 8 > row->end)
        places[count++] = (struct place){.object = word_at(item, row->object),
                                         .place = word_at(item, row->word),
                                         .word = row->word,
                                         .end = row->end,
                                         .takes = row->takes};
    return count;
}

/* Adds a range behind `words` words: the pointer, the number, the begin and the end. */
static uint32_t add_range(const struct trace_item *item, struct place *places, size_t words,
                          bool takes)
{
    const struct row row = {0, 0, (uint8_t)(words + 1), (uint8_t)(words + 2), takes};
    return word_at(item, 2) && word_at(item, words) == 1 ? add(item, places, 0, &row) : 0;
}

/* Adds two locations behind their numbers: resource, type, offset, three words of a footprint. */
static uint32_t add_locations(const struct trace_item *item, struct place *places)
{
    enum { FIRST = 7, SIZE = 7, PLACED_FOOTPRINT = 1 };
    uint32_t count = 0;
    if (!word_at(item, 1) || !word_at(item, 5))
        return 0;
    for (uint8_t i = 0; i < 2; i++) {
        const uint8_t at = (uint8_t)(FIRST + i * SIZE);
        const struct row row = {0, (uint8_t)(at + 1), (uint8_t)(at + 3), 0, i == 0};
        if (word_at(item, at) == 1 && (uint32_t)word_at(item, at + 2u) == PLACED_FOOTPRINT)
            count = add(item, places, count, &row);
    }
    return count;
}

static uint32_t places_of(const struct trace_item *item, struct place places[PLACES])
{
    uint32_t count = 0;
    switch (item->method) {
    case METHOD_ID3D12Resource_Map:
        return add_range(item, places, 4, true);
    case METHOD_ID3D12Resource_Unmap:
        return add_range(item, places, 3, false);
    case METHOD_ID3D12GraphicsCommandList_CopyTextureRegion:
        return add_locations(item, places);
    default:
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            if (rows[i].method == item->method)
                count = add(item, places, count, &rows[i]);
        return count;
    }
}

static bool creates_view(int method)
{
    return method == METHOD_ID3D12Device_CreateConstantBufferView ||
           method == METHOD_ID3D12Device_CreateShaderResourceView ||
           method == METHOD_ID3D12Device_CreateUnorderedAccessView ||
           method == METHOD_ID3D12Device_CreateRenderTargetView ||
           method == METHOD_ID3D12Device_CreateDepthStencilView ||
           method == METHOD_ID3D12Device_CreateSampler;
}

/* ---- objects ---- */

static struct object *object_of(struct reading *r, uint64_t number)
{
    struct object *o;
    HASH_FIND(hh, r->objects, &number, sizeof number, o);
    return o;
}

/* Adds an object that this call names for the first time. */
static struct object *add_object(struct reading *r, uint64_t number)
{
    struct object *o;
    TABLE_FIND_OR_ADD(r->objects, number, number, o);
    r->is_failed |= !o;
    if (!o)
        return NULL;
    o->class = r->printer.is_result && r->call
                   ? XXH3_64bits_withSeed(&r->call->token, sizeof r->call->token, 1)
                   : 1;
    return o;
}

/* ---- addresses ---- */

/* Finds the object of an address: the nearest object in front of the address that is not gone. */
static const struct base *base_of(struct reading *r, int kind, uint64_t value)
{
    const size_t at = bases_up_to(&r->bases[kind], value);
    for (size_t i = 0; i < at && i < BASES_PASSED; i++) {
        const struct base *b = &r->bases[kind].at[at - 1 - i];
        const struct object *o = object_of(r, b->object);
        if (o && !o->is_gone)
            return b;
    }
    return NULL;
}

/* ---- places that threads take ---- */

static void note_taker(struct reading *r, struct object *o)
{
    const uint32_t taker = r->lane ? r->lane->index + 1 : 0;
    if (!o || !taker)
        return;
    o->has_takers |= o->taker && o->taker != taker;
    o->taker = o->taker ? o->taker : taker;
}

/* ---- values that replace numbers in a line ---- */

/* Takes an element of a set: sums don't depend on the order of elements. */
static void take_element(void *user, const char *text, size_t size)
{
    struct reading *r = user;
    const uint64_t hash = text ? XXH3_64bits(text, size) | 1 : 0;
    r->set += text ? diff_mix(hash, 0) : 0;
    r->set_classes += diff_mix(hash, r->classes);
    r->classes = 0;
    for (; text && r->set_from < r->side->refs.count; r->set_from++)
        r->side->refs.at[r->set_from].piece = (uint32_t)hash;
    r->set_from = r->side->refs.count;
}

static void add_ref(struct reading *r, struct diff_ref ref)
{
    ref.is_new |= r->printer.is_result && ref.kind == KIND_K;
    if (r->call && ADD(r, r->side->refs, ref))
        r->call->ref_count++;
}

static uint64_t show_object(struct reading *r, uint64_t number)
{
    struct object *o = object_of(r, number);
    const bool is_new = !o;
    if (!o && !(o = add_object(r, number)))
        return 0;
    add_ref(r, (struct diff_ref){.value = number, .kind = KIND_O, .is_new = is_new});
    r->classes = diff_mix(r->classes, o->class);
    return number >> 63 ? 2 : 1;
}

/* Adds a place in an object. */
static void add_place(struct reading *r, uint64_t object, uint64_t place)
{
    add_ref(r, (struct diff_ref){.value = object, .kind = KIND_O});
    add_ref(r, (struct diff_ref){.value = place, .kind = KIND_U, .is_place = true});
}

static uint64_t show_address(struct reading *r, uint8_t kind, uint64_t value)
{
    const struct base *b = base_of(r, bases_kind(kind), value);
    struct object *o = b ? object_of(r, b->object) : NULL;
    if (!o) {
        add_ref(r, (struct diff_ref){.value = value, .kind = kind});
        return 1;
    }
    r->classes = diff_mix(r->classes, o->class);
    if (kind == KIND_C) {
        if (!r->printer.is_result && r->call && creates_view(r->call->method))
            note_taker(r, o);
        add_place(r, b->object, value - b->value);
        return 2;
    }
    add_ref(r, (struct diff_ref){.value = b->object, .kind = KIND_O});
    return value - b->value + 2;
}

static uint64_t show(void *user, uint8_t kind, uint64_t value)
{
    struct reading *r = user;
    const bool is_new = kind & TRACE_RENAME_NEW;
    kind &= (uint8_t)~TRACE_RENAME_NEW;
    if (kind == KIND_U) { /* a root constant */
        add_ref(r, (struct diff_ref){.value = value, .kind = KIND_U});
        r->classes = diff_mix(r->classes, value);
        return 0;
    }
    if (!value)
        return 0;
    if (kind == KIND_O)
        return show_object(r, value);
    if (bases_kind(kind) >= 0)
        return show_address(r, kind, value);
    add_ref(r, (struct diff_ref){.value = value, .kind = kind, .is_new = is_new});
    return 1;
}

/* ---- lines ---- */

/* Returns the hash of the line that the record makes; never 0. *token is the hash with the classes
 * of objects. */
static uint64_t hash_of(struct reading *r, const struct trace_item *item, uint64_t *token)
{
    r->classes = r->set = r->set_classes = 0;
    r->side->is_odd |= !trace_print(&r->printer, item);
    r->is_failed |= r->printer.text.has_failed;
    if (!r->printer.text.data)
        return 1;
    char *text = r->printer.text.data;
    const size_t path = strlen(r->settings);
    size_t size = 0;
    for (size_t i = 0; i < r->printer.text.size;)
        if (path && r->printer.text.size - i >= path && !memcmp(text + i, r->settings, path))
            i += path;
        else
            text[size++] = text[i++];
    const uint64_t plain =
        diff_mix(XXH3_64bits_withSeed(text, size, item->record.method), r->set) | 1;
    *token = diff_mix(plain, r->set_classes + r->classes) | 1;
    return plain;
}

static void note_settings(struct reading *r, const struct trace_item *item)
{
    static const char name[] = "ANNOT_CONFIG=";
    const size_t skip = sizeof name - 1;
    uint64_t length = 0;
    if (item->size < sizeof length)
        return;
    memcpy(&length, item->data, sizeof length);
    if (length > item->size - sizeof length || length < skip + SETTINGS_LEAST ||
        length - skip >= sizeof r->settings || memcmp(item->data + sizeof length, name, skip) != 0)
        return;
    const size_t path = (size_t)length - skip;
    memcpy(r->settings, item->data + sizeof length + skip, path);
    r->settings[path] = '\0';
}

/* ---- memory ---- */

static struct page *page_of(struct reading *r, uint64_t object, uint64_t offset)
{
    struct page *p, key = {.key = {object, offset}};
    TABLE_FIND_OR_ADD(r->pages, key, key.key, p);
    r->is_failed |= !p;
    return p;
}

static void note_written(struct reading *r, const struct trace_memory *m, const uint8_t *bytes,
                         uint64_t size)
{
    for (uint64_t at = 0; at < size; at += PAGE) {
        const uint64_t left = size - at;
        struct page *p = page_of(r, m->object, m->offset + at);
        if (!p)
            return;
        for (uint64_t unit = 0; unit < UNITS && unit * UNIT < left; unit++) {
            const uint64_t rest = left - unit * UNIT;
            p->hashes[unit] = XXH3_64bits(bytes + at + unit * UNIT, rest < UNIT ? rest : UNIT) | 1;
        }
        p->is_shared = m->flags & TRACE_MEMORY_SHARED;
        if (!p->is_changed) {
            p->next_changed = r->changed;
            r->changed = p;
        }
        p->is_changed = true;
    }
}

/* Whether a page counts as written by this call of this thread: other threads' writes are noted
 * when this thread may see them. */
static bool is_own(struct reading *r, const struct page *p, uint32_t thread)
{
    const struct object *o = object_of(r, p->key.object);
    return !o || !o->is_mapped || o->mapper == thread;
}

static void tell_page(struct reading *r, struct page *p)
{
    for (uint32_t i = 0; i < UNITS; i++) {
        if (p->hashes[i] == p->told[i])
            continue;
        p->told[i] = p->hashes[i];
        const struct diff_page page = {.object = p->key.object,
                                       .offset = p->key.offset + i * UNIT,
                                       .hash = p->hashes[i],
                                       .size = UNIT,
                                       .is_shared = p->is_shared};
        if (ADD(r, r->side->pages, page))
            r->call->page_count++;
    }
}

static void tell_written(struct reading *r, uint32_t thread)
{
    struct page **link = &r->changed;
    r->call->pages = r->side->pages.count;
    while (*link) {
        struct page *p = *link;
        if (is_own(r, p, thread)) {
            tell_page(r, p);
            *link = p->next_changed;
            p->is_changed = false;
        } else {
            link = &p->next_changed;
        }
    }
}

/* Notes what chance decides: contents of memory that several threads map, because nobody knows
 * which thread's write a read returned, and places that several threads take. Shaders read heaps,
 * so places in heaps count. Other places belong to the call's token. */
static void note_shared(struct reading *r)
{
    for (uint32_t i = 0; i < r->side->pages.count; i++) {
        const struct object *o = object_of(r, r->side->pages.at[i].object);
        r->side->pages.at[i].is_shared |= o && o->has_mappers;
    }
    for (uint32_t i = 0; i < r->side->calls.count; i++) {
        struct diff_call *call = &r->side->calls.at[i];
        for (uint32_t k = 0; k < call->ref_count; k++) {
            struct diff_ref *ref = &r->side->refs.at[call->refs + k];
            if (!ref->is_place)
                continue;
            const struct object *o = object_of(r, ref[-1].value);
            ref->is_chance = o && o->has_takers && !o->is_visible;
            if (!ref->is_chance && k < call->argument_refs)
                call->token = diff_mix(call->token, ref->value);
        }
    }
}

static void read_memory(struct reading *r, struct lane *lane, const struct trace_item *item)
{
    struct trace_memory m;
    if (item->size < sizeof m) {
        r->side->is_odd = true;
        return;
    }
    memcpy(&m, item->data, sizeof m);
    if (item->record.kind == RECORD_MEMORY) {
        const uint64_t there = item->size - sizeof m;
        note_written(r, &m, item->data + sizeof m, m.size < there ? m.size : there);
        return;
    }
    const struct diff_page read = {.object = m.object,
                                   .offset = m.offset,
                                   .size = m.size < UINT32_MAX ? (uint32_t)m.size : UINT32_MAX,
                                   .hash = m.hash};
    if (!lane->read_count)
        lane->reads = r->side->reads.count;
    if (ADD(r, r->side->reads, read))
        lane->read_count++;
}

/* ---- calls ---- */

static struct lane *lane_of(struct reading *r, uint32_t thread)
{
    struct lane *l;
    HASH_FIND(hh, r->lanes, &thread, sizeof thread, l);
    if (l)
        return l;
    TABLE_FIND_OR_ADD(r->lanes, thread, thread, l);
    r->is_failed |= !l;
    if (!l)
        return NULL;
    l->call = DIFF_NONE;
    l->index = r->side->threads.count;
    (void)ADD(r, r->side->threads, (struct diff_thread){DIFF_NONE, DIFF_NONE, 0});
    return l;
}

/* Replaces the begin of a range by 0 in the copy of the record. */
static void hide_place(uint8_t *copy, const struct place *place)
{
    uint64_t size = 0;
    if (place->end)
        memcpy(&size, copy + place->end * 8, sizeof size);
    size -= size < place->place ? size : place->place;
    if (place->end)
        memcpy(copy + place->end * 8, &size, sizeof size);
    memset(copy + place->word * 8, 0, 8);
}

static void hash_enter(struct reading *r, const struct trace_item *item)
{
    struct place places[PLACES];
    struct trace_item shown = *item;
    uint8_t *copy = NULL;
    const uint32_t count = item->method >= 0 ? places_of(item, places) : 0;
    if (count > 0) {
        copy = malloc(item->size);
        r->is_failed |= !copy;
        if (!copy)
            return;
        memcpy(copy, item->data, item->size);
        shown.data = copy;
    }
    for (uint32_t i = 0; i < count; i++)
        hide_place(copy, &places[i]);
    r->call->plain = hash_of(r, &shown, &r->call->token);
    for (uint32_t i = 0; i < count; i++) {
        add_place(r, places[i].object, places[i].place);
        if (places[i].takes)
            note_taker(r, object_of(r, places[i].object));
    }
    free(copy);
}

static void link_call(struct reading *r, struct lane *lane, uint32_t call)
{
    struct diff_thread *t = &r->side->threads.at[lane->index];
    *(t->last == DIFF_NONE ? &t->first : &r->side->calls.at[t->last].next) = call;
    t->last = call;
    t->count++;
    lane->call = call;
}

static void read_enter(struct reading *r, struct lane *lane, const struct trace_item *item)
{
    const struct diff_call call = {.number = item->record.call,
                                   .method = item->method,
                                   .scope = markers_scope(r->markers, item),
                                   .refs = r->side->refs.count,
                                   .reads = lane->reads,
                                   .read_count = lane->read_count,
                                   .next = DIFF_NONE};
    lane->read_count = 0;
    if (!ADD(r, r->side->calls, call))
        return;
    link_call(r, lane, r->side->calls.count - 1);
    r->call = &r->side->calls.at[lane->call];
    if (item->method == METHOD_ID3D12CommandQueue_ExecuteCommandLists ||
        item->method == METHOD_ID3D12Resource_Unmap)
        tell_written(r, lane->index);
    r->printer.is_result = false;
    r->lane = lane;
    hash_enter(r, item);
    r->call->argument_refs = r->call->ref_count;
    struct object *self = object_of(r, word_at(item, 0));
    if (self && item->method == METHOD_ID3D12Resource_Map) {
        self->has_mappers |= self->is_mapped && self->mapper != lane->index;
        self->mapper = self->is_mapped ? self->mapper : lane->index;
        self->is_mapped = true;
    }
}

/* Moves references: an answer's references must be behind the arguments'. Calls of other threads
 * may have come in between. */
static void move_refs(struct reading *r, struct diff_call *call)
{
    const uint32_t from = call->refs;
    if (call->refs + call->ref_count == r->side->refs.count)
        return;
    call->refs = r->side->refs.count;
    for (uint32_t i = 0; i < call->ref_count; i++)
        if (!ADD(r, r->side->refs, r->side->refs.at[from + i]))
            return;
}

static void note_base(struct reading *r, const struct trace_item *item, uint64_t self)
{
    const struct schema_method_row *m = &schema_methods[item->method];
    const int kind = m->has_result ? bases_kind(m->result.kind) : -1;
    struct object *o = object_of(r, self);
    if (kind >= 0 && word_at(item, 1))
        r->is_failed |= !bases_add(&r->bases[kind], word_at(item, 1), self);
    if (o && kind == bases_kind(KIND_H) && word_at(item, 1))
        o->is_visible = true;
}

static void read_leave(struct reading *r, struct lane *lane, const struct trace_item *item)
{
    if (lane->call == DIFF_NONE || r->side->calls.at[lane->call].number != item->record.call ||
        item->method < 0)
        return;
    r->call = &r->side->calls.at[lane->call];
    move_refs(r, r->call);
    const struct diff_ref *refs = r->side->refs.at;
    const uint64_t self = r->call->ref_count ? refs[r->call->refs].value : 0;
    note_base(r, item, self);
    r->printer.is_result = true;
    uint64_t token = 0;
    r->call->answer = hash_of(r, item, &token);
    struct object *o = object_of(r, self);
    if (o && item->method == METHOD_IUnknown_Release && word_at(item, 1) == 0)
        o->is_gone = true;
}

static void read_item(struct reading *r, const struct trace_item *item)
{
    const uint32_t kind = item->record.kind;
    r->is_failed |= !markers_follow(r->markers, item);
    if (kind == RECORD_VARIABLE)
        note_settings(r, item);
    if (kind != RECORD_ENTER && kind != RECORD_LEAVE && kind != RECORD_MEMORY &&
        kind != RECORD_CHECK)
        return;
    struct lane *lane = lane_of(r, item->thread);
    if (!lane || r->is_failed)
        return;
    r->call = NULL;
    if (kind == RECORD_ENTER)
        read_enter(r, lane, item);
    else if (kind == RECORD_LEAVE)
        read_leave(r, lane, item);
    else
        read_memory(r, lane, item);
}

/* The next output overwrites the line. */
static void show_progress(const struct trace_item *item)
{
    if (item->record.kind == RECORD_ENTER && item->record.call % PROGRESS == 0 &&
        cli_is_terminal(stderr))
        fprintf(stderr, "\rcall %" PRIu64 "\r", item->record.call);
}

static void finish(struct reading *r)
{
    markers_close(r->markers);
    TABLE_FREE(struct object, r->objects)
    TABLE_FREE(struct page, r->pages)
    TABLE_FREE(struct lane, r->lanes)
    for (int i = 0; i < BASES_KINDS; i++)
        free(r->bases[i].at);
    if (r->printer.arena)
        trace_printer_finish(&r->printer);
}

bool diff_side_read(struct diff_side *side, struct trace *trace)
{
    struct reading r = {.side = side};
    struct trace_item item;
    *side = (struct diff_side){.is_odd = false};
    bool ok = trace_printer_init(&r.printer, NULL, false) && (r.markers = markers_open(NULL, NULL));
    r.printer.rename = show;
    r.printer.element = take_element;
    r.printer.user = &r;
    trace_rewind(trace);
    while (ok && trace_next(trace, &item)) {
        show_progress(&item);
        read_item(&r, &item);
        ok = !r.is_failed;
    }
    if (ok)
        note_shared(&r);
    finish(&r);
    return ok;
}

void diff_side_free(struct diff_side *side)
{
    free(side->calls.at);
    free(side->refs.at);
    free(side->pages.at);
    free(side->reads.at);
    free(side->threads.at);
}
