#include "learn.h"

#include "array.h"

enum {
    FEW = 8,        /* fewer shapes teach nothing about a context */
    NAMES = 128,    /* most names of a context that are compared with each other */
    CHILDREN = 64,  /* most names inside a name that are compared */
    FREE_PLACE = 8, /* number of names that make a free place */
    CHANCE = 3,     /* times that two names would have met by chance */
    MANY_SENDERS = 16,
    CONTEXTS = 65536, /* bounds of tables: names beyond the bounds merge with nothing */
    ITEMS = 1 << 22
};

/* A node of a shape in the context. */
struct item {
    uint64_t name;
    uint32_t shape;
    uint16_t node;
    uint8_t flags;
};

struct place {
    uint32_t context;
    struct item *items;      /* nodes that are this context; the root context has no nodes */
    uint32_t count, several; /* `several`: nodes beside others with the same folded name */
    bool is_several;         /* what is inside is in several passes */
};

/* A name in the present context. */
struct name {
    uint64_t name;
    const struct item *first;
    uint32_t count, shapes;
    bool loops;
    uint32_t again;                             /* nodes with SHAPE_AGAIN */
    uint32_t marks, names[SHAPE_NAMES_MAX + 1]; /* nodes with SHAPE_MARKS, by number of names */
    uint32_t one[2]; /* union: another name of the same place, or itself; [1]: the same with what is
                        uncertain */
    uint64_t holds[CHILDREN]; /* names inside, the smallest ones ascending */
    uint32_t holds_count;
    uint64_t beside[CHILDREN]; /* names beside this name in most shapes, ascending */
    uint32_t beside_count;
    uint64_t literals; /* of the words that many names have */
    uint64_t senders;  /* each sender sets one of 64 bits */
};

/* A word of a name in the present context. */
struct word {
    uint64_t hash;
    uint32_t name;
};

struct learner {
    const struct learn_shape *shapes;
    uint32_t shape_count;
    learn_text *text;
    learn_may *may;
    void *user;
    struct learned *out;
    struct place *places; /* a queue */
    uint32_t next, place_count;
    struct item *items; /* the items of the present context */
    uint32_t item_count, item_capacity;
    struct name *names;
    uint32_t name_count, name_capacity;
    struct word *words;
    uint32_t word_count, word_capacity;
    uint32_t *unstable; /* numbers of names */
    uint16_t *order;    /* by unstable name and shape: 1 + its node; 0: the shape has none */
    bool is_root;
    bool has_memory;
    bool has_many_senders; /* then no rule merges what only one sender shows */
};

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    const int by_name = compare_u64(a->name, b->name), by_shape = compare_u64(a->shape, b->shape);
    return by_name ? by_name : by_shape ? by_shape : compare_u64(a->node, b->node);
}

/* ---- the contents of a context ---- */

static void add_item(struct learner *learner, uint32_t shape, uint32_t node)
{
    const struct shape_node *of = &learner->shapes[shape].nodes[node];
    if (learner->item_count >= ITEMS ||
        !ARRAY_ROOM(learner->items, learner->item_count, learner->item_capacity)) {
        learner->has_memory = learner->item_count >= ITEMS;
        return;
    }
    learner->items[learner->item_count++] =
        (struct item){of->name, shape, (uint16_t)node, of->flags};
}

static void add_children(struct learner *learner, uint32_t shape, uint16_t parent)
{
    const struct learn_shape *of = &learner->shapes[shape];
    for (uint32_t i = parent == SHAPE_ROOT ? 0 : parent + 1u; i < of->count; i++)
        if (of->nodes[i].parent == parent)
            add_item(learner, shape, i);
}

/* Returns the number of shapes that have the context. */
static uint32_t gather(struct learner *learner, const struct place *place)
{
    uint32_t shapes = 0;
    learner->item_count = 0;
    for (uint32_t i = 0; place->context == LEARN_ROOT && i < learner->shape_count; i++)
        add_children(learner, i, SHAPE_ROOT);
    for (uint32_t i = 0; i < place->count; i++)
        add_children(learner, place->items[i].shape, place->items[i].node);
    learn_sort(learner->items, learner->item_count, sizeof *learner->items, compare_items);
    if (place->context == LEARN_ROOT)
        return learner->shape_count;
    for (uint32_t i = 0; i < LEARN_SHAPES / 64; i++)
        shapes += (uint32_t)__builtin_popcountll(learner->out->seen[place->context].bits[i]);
    return shapes;
}

static void count_names(struct learner *learner)
{
    struct name *name = NULL;
    learner->name_count = 0;
    for (uint32_t i = 0; i < learner->item_count; i++) {
        const struct item *item = &learner->items[i];
        if (!name || name->name != item->name) {
            if (!ARRAY_ROOM(learner->names, learner->name_count, learner->name_capacity)) {
                learner->has_memory = false;
                return;
            }
            const uint32_t number = learner->name_count++;
            name = &learner->names[number];
            *name = (struct name){.name = item->name, .first = item, .one = {number, number}};
        }
        name->shapes += name->count == 0 || item[-1].shape != item->shape;
        name->count++;
        name->senders |= UINT64_C(1) << learner->shapes[item->shape].sender % 64;
        name->loops |= item->flags & SHAPE_LOOPS;
        name->names[item->flags / SHAPE_NAMES % (SHAPE_NAMES_MAX + 1)]++;
        name->again += (item->flags & SHAPE_AGAIN) != 0;
        name->marks += (item->flags & SHAPE_MARKS) != 0;
    }
}

/* ---- names that are one place ---- */

static uint32_t find(struct name *names, uint32_t number, bool is_perhaps)
{
    while (names[number].one[is_perhaps] != number)
        number = names[number].one[is_perhaps];
    return number;
}

/* Joins two names. Numbers ascend with names, so the smallest number represents the others. */
static void join(struct name *names, uint32_t a, uint32_t b, bool is_certain)
{
    for (int perhaps = is_certain ? 0 : 1; perhaps < 2; perhaps++) {
        const uint32_t x = find(names, a, perhaps), y = find(names, b, perhaps);
        names[x < y ? y : x].one[perhaps] = x < y ? x : y;
    }
}

/* ---- pairs ---- */

struct meeting {
    uint32_t both, a_first, b_first;
    uint64_t a_senders, b_senders; /* of the shapes that have A first, or B */
};

static struct meeting meet(const struct learner *learner, uint32_t a, uint32_t b)
{
    const uint16_t *of_a = learner->order + (size_t)a * learner->shape_count;
    const uint16_t *of_b = learner->order + (size_t)b * learner->shape_count;
    struct meeting meeting = {0, 0, 0, 0, 0};
    for (uint32_t i = 0; i < learner->shape_count; i++) {
        if (!of_a[i] || !of_b[i])
            continue;
        const struct shape_node *nodes = learner->shapes[i].nodes;
        meeting.both++;
        if (nodes[of_a[i] - 1].instance != nodes[of_b[i] - 1].instance)
            continue;
        const uint64_t sender = UINT64_C(1) << learner->shapes[i].sender % 64;
        meeting.a_first += of_a[i] < of_b[i];
        meeting.b_first += of_b[i] < of_a[i];
        *(of_a[i] < of_b[i] ? &meeting.a_senders : &meeting.b_senders) |= sender;
    }
    return meeting;
}

static int compare_hashes(const void *left, const void *right)
{
    return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

static void find_holds(const struct learner *learner, struct name *name)
{
    uint64_t found[4 * CHILDREN];
    uint32_t count = 0;
    for (uint32_t i = 0; i < name->count && count < 3 * CHILDREN; i++) {
        const struct learn_shape *shape = &learner->shapes[name->first[i].shape];
        const uint16_t parent = name->first[i].node;
        for (uint32_t k = parent + 1u; k < shape->count && count < 4 * CHILDREN; k++)
            if (shape->nodes[k].parent == parent)
                found[count++] = shape->nodes[k].name;
    }
    learn_sort(found, count, sizeof *found, compare_hashes);
    name->holds_count = 0;
    for (uint32_t i = 0; i < count && name->holds_count < CHILDREN; i++)
        if (i == 0 || found[i] != found[i - 1])
            name->holds[name->holds_count++] = found[i];
}

/* Finds the names beside a name; `seen`: by shape, whether the name is there. */
static void find_beside(const struct learner *learner, const uint16_t *seen, struct name *name)
{
    name->beside_count = 0;
    for (uint32_t i = 0; i < learner->name_count && name->beside_count < CHILDREN; i++) {
        const struct name *other = &learner->names[i];
        uint32_t both = 0;
        for (uint32_t k = 0; other != name && k < other->count; k++)
            both += seen[other->first[k].shape] != 0 &&
                    (k == 0 || other->first[k].shape != other->first[k - 1].shape);
        if (both > 0 && 2 * both >= name->shapes)
            name->beside[name->beside_count++] = other->name;
    }
}

/* Returns how many names are in both lists, which ascend. */
static uint32_t common(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count)
{
    uint32_t same = 0;
    for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
        const int order = compare_u64(a[i], b[k]);
        same += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return same;
}

/* Whether the neighbours are alike: a third of either name's neighbours are both's, or there are
 * none. If programs share a name, their frames are side by side at the root: there one frame must
 * be like the other. */
static bool stand_alike(const struct name *a, const struct name *b, bool is_root)
{
    const uint32_t same = common(a->beside, a->beside_count, b->beside, b->beside_count);
    return 3 * same >= a->beside_count + b->beside_count - same ||
           (!is_root && (a->beside_count == 0 || b->beside_count == 0));
}

/* Whether both names have at least half of their inner names in common. */
static bool hold_the_same(const struct name *a, const struct name *b)
{
    const uint32_t same = common(a->holds, a->holds_count, b->holds, b->holds_count);
    return same > 0 && 2 * same >= a->holds_count + b->holds_count - same;
}

static const char word_ends[] = " _-:./#";

/* Whether the common beginning has at least three letters. */
static bool begin_the_same(const struct learner *learner, uint64_t a, uint64_t b)
{
    const char *first = learner->text(learner->user, a), *second = learner->text(learner->user, b);
    const size_t size = first ? strcspn(first, word_ends) : 0;
    return size >= 3 && second && strcspn(second, word_ends) == size &&
           memcmp(first, second, size) == 0;
}

/* Whether more than one sender has this. */
static bool are_several(uint64_t senders)
{
    return (senders & (senders - 1)) != 0;
}

/* Whether both orders come more than once, without exceptions. */
static bool come_in_either_order(const struct learner *learner, const struct meeting *meeting)
{
    if (learner->has_many_senders &&
        !(are_several(meeting->a_senders) && are_several(meeting->b_senders)))
        return false;
    const uint32_t fewer =
        meeting->a_first < meeting->b_first ? meeting->a_first : meeting->b_first;
    return fewer >= 2 && 5 * fewer >= meeting->a_first + meeting->b_first;
}

static void compare_pair(struct learner *learner, uint32_t a, uint32_t b, uint32_t shapes)
{
    struct name *names = learner->names;
    struct name *x = &names[learner->unstable[a]], *y = &names[learner->unstable[b]];
    const struct meeting meeting = meet(learner, a, b);
    const bool is_pair = 8 * meeting.both >= 7 * (x->shapes > y->shapes ? x->shapes : y->shapes);
    if (come_in_either_order(learner, &meeting) && !is_pair && (!x->literals || !y->literals))
        join(names, learner->unstable[a], learner->unstable[b], true);
    else if (meeting.both == 0 && (uint64_t)x->shapes * y->shapes >= (uint64_t)CHANCE * shapes &&
             stand_alike(x, y, learner->is_root))
        join(names, learner->unstable[a], learner->unstable[b],
             hold_the_same(x, y) || begin_the_same(learner, x->name, y->name));
}

/* ---- a context ---- */

static int compare_words(const void *left, const void *right)
{
    const struct word *a = left, *b = right;
    return a->hash != b->hash ? compare_u64(a->hash, b->hash) : compare_u64(a->name, b->name);
}

static void add_word(struct learner *learner, uint64_t hash, uint32_t name)
{
    if (ARRAY_ROOM(learner->words, learner->word_count, learner->word_capacity))
        learner->words[learner->word_count++] = (struct word){hash, name};
    else
        learner->has_memory = false;
}

/* Returns the end of the words that are equal to the first one. *names: how many names have it. Of
 * the names that only one of many senders has, one counts. */
static uint32_t next_word(const struct learner *learner, uint32_t first, uint32_t *names)
{
    const struct word *words = learner->words;
    uint32_t end = first;
    uint64_t counted = 0;
    for (*names = 0; end < learner->word_count && words[end].hash == words[first].hash; end++) {
        const uint64_t senders = learner->names[words[end].name].senders;
        if (end > first && words[end].name == words[end - 1].name)
            continue;
        *names += !learner->has_many_senders || are_several(senders) || !(counted & senders);
        counted |= are_several(senders) ? 0 : senders;
    }
    return end;
}

static void add_words(struct learner *learner, uint32_t number)
{
    const char *text = learner->text(learner->user, learner->names[number].name);
    for (size_t size; text && *text; text += size + (text[size] != 0)) {
        size = strcspn(text, word_ends);
        if (size >= 2)
            add_word(learner, shape_name_hash(text, size), number);
    }
}

/* Finds slots: a word's position with many values. A word that many rare names have is literal, and
 * rare names with the same literal words are one place. Names without a literal word are perhaps
 * one place. */
static void join_slots(struct learner *learner, uint32_t shapes)
{
    const uint32_t rare = shapes >= 20 ? shapes / 10 : 1;
    struct name *names = learner->names;
    for (int pass = 0; pass < 2; pass++) {
        learner->word_count = 0;
        for (uint32_t i = 0; i < learner->name_count; i++)
            if (names[i].shapes > rare || !learner->may(learner->user, names[i].name))
                continue;
            else if (pass == 0)
                add_words(learner, i);
            else
                add_word(learner, names[i].literals, i);
        learn_sort(learner->words, learner->word_count, sizeof *learner->words, compare_words);
        for (uint32_t first = 0, end, count; first < learner->word_count; first = end) {
            const struct word *word = &learner->words[first];
            end = next_word(learner, first, &count);
            for (uint32_t i = first; count >= FREE_PLACE && i < end; i++)
                if (pass == 0)
                    names[learner->words[i].name].literals += word->hash;
                else
                    join(names, word->name, learner->words[i].name, word->hash != 0);
        }
    }
}

/* Notes where a name is that is one place with the name `root`. */
static void add_order(const struct name *name, struct name *root, uint16_t *order)
{
    for (uint32_t i = 0; i < name->count; i++) {
        uint16_t *at = &order[name->first[i].shape];
        root->shapes += name != root && *at == 0;
        if (*at == 0 || *at > name->first[i].node + 1)
            *at = (uint16_t)(name->first[i].node + 1);
    }
}

/* Finds unstable names, and returns their number. */
static uint32_t find_unstable(struct learner *learner, uint32_t shapes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < learner->name_count && count < NAMES; i++) {
        struct name *name = &learner->names[i];
        const bool is_anchor = (uint64_t)name->shapes * 5 >= (uint64_t)shapes * 4 && !name->loops;
        if (is_anchor || name->one[0] != i || !learner->may(learner->user, name->name))
            continue;
        uint16_t *order = learner->order + (size_t)count * learner->shape_count;
        memset(order, 0, learner->shape_count * sizeof *order);
        for (uint32_t k = i; k < learner->name_count; k++)
            if (find(learner->names, k, false) == i)
                add_order(&learner->names[k], name, order);
        find_holds(learner, name);
        find_beside(learner, order, name);
        learner->unstable[count++] = i;
    }
    return count;
}

static void compare_names(struct learner *learner, uint32_t shapes)
{
    if (shapes < FEW)
        return;
    join_slots(learner, shapes);
    const uint32_t count = find_unstable(learner, shapes);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++)
            compare_pair(learner, a, b, shapes);
}

/* Opens a context for each place in this context. */
static uint32_t open_place(struct learner *learner, uint32_t root, bool is_several)
{
    struct learned *out = learner->out;
    if (learner->place_count >= CONTEXTS)
        return UINT32_MAX;
    uint32_t count = 0;
    for (uint32_t i = 0; i < learner->name_count; i++)
        count += find(learner->names, i, false) == root ? learner->names[i].count : 0;
    struct item *items = ARRAY_ROOM(out->seen, out->contexts, out->seen_capacity)
                             ? malloc(count * sizeof *items)
                             : NULL;
    if (!items) {
        learner->has_memory = false;
        return UINT32_MAX;
    }
    const uint32_t context = out->contexts++;
    struct learn_seen *seen = &out->seen[context];
    *seen = (struct learn_seen){{0}};
    struct place *place = &learner->places[learner->place_count++];
    *place = (struct place){context, items, count, 0, is_several};
    count = 0;
    for (uint32_t i = 0; i < learner->name_count; i++) {
        const struct name *name = &learner->names[i];
        if (find(learner->names, i, false) != root)
            continue;
        memcpy(items + count, name->first, name->count * sizeof *items);
        count += name->count;
        place->several += name->count - name->names[0] - name->names[SHAPE_NAMES_MAX];
    }
    for (uint32_t i = 0; i < count; i++)
        if (items[i].shape < LEARN_SHAPES)
            seen->bits[items[i].shape / 64] |= UINT64_C(1) << (items[i].shape % 64);
    return context;
}

/* Whether hangs in the scope may be in different places of the program: a tenth of its
 * nodes have different markers, or nearly all shapes have the same number of scopes with this
 * folded name. */
static bool is_several(const struct name *name)
{
    bool is_fixed = false;
    for (unsigned i = 1; i < SHAPE_NAMES_MAX; i++)
        is_fixed |= 5 * name->names[i] >= 4 * name->count;
    return is_fixed || 10 * name->marks >= name->count;
}

static void add_steps(struct learner *learner, const struct place *place)
{
    struct learned *out = learner->out;
    bool are_passes = false;
    for (uint32_t i = 0; i < learner->name_count && 2 * place->several >= place->count; i++)
        are_passes |= place->count >= FEW && 2 * learner->names[i].count >= place->count &&
                      20 * learner->names[i].again < learner->names[i].count;
    const uint32_t begin = out->count;
    for (uint32_t i = 0; i < learner->name_count && learner->has_memory; i++) {
        const struct name *name = &learner->names[i];
        const uint32_t root = find(learner->names, i, false);
        const uint64_t token = learner->names[root].name;
        const uint64_t perhaps = learner->names[find(learner->names, i, true)].name;
        learner->has_memory = ARRAY_ROOM(out->steps, out->count, out->capacity);
        if (!learner->has_memory)
            return;
        const bool is_in = place->is_several || (are_passes && 10 * name->again >= name->count);
        const uint32_t inside =
            root == i ? open_place(learner, i, is_in) : out->steps[begin + root].inside;
        out->steps[out->count++] = (struct learn_step){
            place->context, inside, name->name, token, perhaps, is_in || is_several(name)};
    }
}

static void look_at(struct learner *learner, struct place *place)
{
    const uint32_t shapes = gather(learner, place);
    learner->is_root = place->context == LEARN_ROOT;
    count_names(learner);
    if (!learner->has_memory)
        return;
    compare_names(learner, shapes);
    add_steps(learner, place);
}

/* ---- ambiguous tokens ---- */

static bool find_ambiguous(struct learned *out)
{
    uint64_t *tokens = malloc((out->count + 1) * sizeof *tokens);
    if (!tokens)
        return false;
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < out->count; i++) /* once for each context */
        if (out->steps[i].token == out->steps[i].name)
            tokens[count++] = out->steps[i].token;
    learn_sort(tokens, count, sizeof *tokens, compare_hashes);
    for (uint32_t i = 1; i < count; i++)
        if (tokens[i] == tokens[i - 1] && (kept == 0 || tokens[kept - 1] != tokens[i]))
            tokens[kept++] = tokens[i];
    out->ambiguous = tokens;
    out->ambiguous_count = kept;
    return true;
}

/* ---- all steps ---- */

static void finish(struct learner *learner)
{
    for (uint32_t i = learner->next; i < learner->place_count; i++)
        free(learner->places[i].items);
    free(learner->places);
    free(learner->items);
    free(learner->names);
    free(learner->words);
    free(learner->unstable);
    free(learner->order);
}

bool learn(const struct learn_shape *shapes, uint32_t count, learn_text *text, learn_may *may,
           void *user, struct learned *out)
{
    struct learner learner = {shapes, count, text, may, user, out, .has_memory = true};
    *out = (struct learned){.contexts = 1};
    uint64_t senders = 0;
    for (uint32_t i = 0; i < count; i++) {
        senders |= UINT64_C(1) << shapes[i].sender % 64;
        if (i < LEARN_SHAPES)
            out->senders[i] = shapes[i].sender;
    }
    learner.has_many_senders = __builtin_popcountll(senders) >= MANY_SENDERS;
    learner.places = malloc(CONTEXTS * sizeof *learner.places);
    learner.unstable = malloc(NAMES * sizeof *learner.unstable);
    learner.order = malloc((size_t)NAMES * (count + 1) * sizeof *learner.order);
    learner.has_memory = learner.places && learner.unstable && learner.order;
    if (learner.has_memory)
        learner.places[learner.place_count++] = (struct place){.context = LEARN_ROOT};
    while (learner.has_memory && learner.next < learner.place_count) {
        struct place place = learner.places[learner.next++];
        look_at(&learner, &place);
        free(place.items);
    }
    const bool is_good = learner.has_memory && find_ambiguous(out);
    finish(&learner);
    if (!is_good)
        learned_free(out);
    return is_good;
}

void learned_free(struct learned *learned)
{
    free(learned->steps);
    free(learned->ambiguous);
    free(learned->seen);
    *learned = (struct learned){.contexts = 1};
}

static int compare_steps(const void *left, const void *right)
{
    const struct learn_step *a = left, *b = right;
    return a->context != b->context ? compare_u64(a->context, b->context)
                                    : compare_u64(a->name, b->name);
}

const struct learn_step *learned_step(const struct learned *learned, uint32_t context,
                                      uint64_t name)
{
    const struct learn_step wanted = {.context = context, .name = name};
    return learned->count > 0 ? bsearch(&wanted, learned->steps, learned->count,
                                        sizeof *learned->steps, compare_steps)
                              : NULL;
}

bool learned_is_ambiguous(const struct learned *learned, uint64_t token)
{
    return learned->ambiguous_count > 0 &&
           bsearch(&token, learned->ambiguous, learned->ambiguous_count, sizeof *learned->ambiguous,
                   compare_hashes) != NULL;
}

uint64_t learned_apart(const struct learned *learned, uint32_t a, uint32_t b)
{
    uint64_t senders = 0;
    for (uint32_t i = 0; i < LEARN_SHAPES / 64; i++)
        for (uint64_t both = learned->seen[a].bits[i] & learned->seen[b].bits[i]; both;
             both &= both - 1)
            senders |= UINT64_C(1)
                       << (learned->senders[64 * i + (uint32_t)__builtin_ctzll(both)] % 64);
    return senders;
}
