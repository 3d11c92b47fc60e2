#include "grouping.h"

#include "array.h"
#include "table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A name in its stored form, and under the rules of an application. */
struct known_name {
    uint64_t hash;
    char *text;
    UT_hash_handle hh;
};

struct ruled_name {
    uint64_t hash;
    bool is_there;
    char text[RULES_NAME_MAX];
    UT_hash_handle hh, by_hash;
    char key[]; /* the stored name */
};

struct stored_shape {
    uint8_t *bytes;
    size_t size;
    uint64_t sender;
};

struct application {
    struct stored_shape *shapes;
    uint32_t count, capacity;
    struct ruled_name *ruled;   /* all names, by their stored names */
    struct ruled_name *by_hash; /* a name of each hash */
    struct learned learned;
    uint64_t dumps;
    UT_hash_handle hh;
    char key[]; /* the name */
};

struct edit {
    char *a, *b;
};

/* The values by which classes are compared. */
struct place {
    uint64_t bucket, error_bucket; /* all parts; no shader, no operation */
    uint64_t key, perhaps, plain;  /* `plain`: without learned names */
    uint64_t shader;               /* of an application */
    uint64_t innermost;
    uint32_t number, context; /* of the scopes inside the place; LEARN_ROOT: unknown */
    bool has_shader, has_operation, has_scopes, is_alone, is_never;
    bool is_several; /* the last name stands for several places of the program */
    bool is_common;  /* many places have the shader */
};

/* A class in the union. Each group has a list of classes: one for each different context. */
struct member {
    const struct application *application;
    uint32_t parent, next, context; /* `next` is a class; UINT32_MAX: the list's end */
    uint64_t senders;               /* of the group's dumps with this context */
    uint32_t split;                 /* how many edits the last split by hand ends; 0: none */
    bool is_never;
};

struct grouping_full {
    struct grouping is;
    const struct rules *rules;
    struct known_name *names;
    struct application *applications;
    struct edit *edits;
    uint32_t edit_count, edit_capacity, capacity, edge_capacity;
    struct member *members; /* by class */
    struct place *places;
    uint64_t *sizes; /* number of the group's dumps, by its class */
};

static struct grouping_full *full(struct grouping *grouping)
{
    return (struct grouping_full *)(void *)grouping;
}

/* ---- input ---- */

struct grouping *grouping_create(const struct rules *rules)
{
    struct grouping_full *grouping = calloc(1, sizeof *grouping);
    if (grouping)
        grouping->rules = rules;
    return grouping ? &grouping->is : NULL;
}

bool grouping_add_name(struct grouping *of, uint64_t hash, const char *text)
{
    struct grouping_full *grouping = full(of);
    struct known_name *name;
    TABLE_FIND_OR_ADD(grouping->names, hash, hash, name);
    if (name && !name->text)
        name->text = strdup(text);
    return name && name->text;
}

static struct application *application_of(struct grouping_full *grouping, const char *name)
{
    struct application *application;
    TABLE_FIND_OR_ADD_BYTES(grouping->applications, name, strlen(name), application);
    return application;
}

bool grouping_add_shape(struct grouping *of, const char *name, uint64_t sender,
                        const uint8_t *bytes, size_t size)
{
    struct grouping_full *grouping = full(of);
    struct application *application = application_of(grouping, name);
    if (!application || !ARRAY_ROOM(application->shapes, application->count, application->capacity))
        return false;
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return false;
    if (size > 0) /* a stranger's database may lack the bytes */
        memcpy(copy, bytes, size);
    application->shapes[application->count++] = (struct stored_shape){copy, size, sender};
    return true;
}

bool grouping_add_class(struct grouping *of, const struct group_class *class)
{
    struct grouping_full *grouping = full(of);
    if (!ARRAY_ROOM(of->classes, of->count, grouping->capacity))
        return false;
    struct group_class *added = &of->classes[of->count++];
    *added = *class;
    added->signature = strdup(class->signature);
    added->application = strdup(class->application);
    added->names = strdup(class->names);
    return added->signature && added->application && added->names &&
           application_of(grouping, class->application);
}

bool grouping_add_edit(struct grouping *of, const char *a, const char *b)
{
    struct grouping_full *grouping = full(of);
    if (!ARRAY_ROOM(grouping->edits, grouping->edit_count, grouping->edit_capacity))
        return false;
    struct edit *edit = &grouping->edits[grouping->edit_count++];
    *edit = (struct edit){strdup(a), b ? strdup(b) : NULL};
    return edit->a && (!b || edit->b);
}

static void free_application(struct application *application)
{
    HASH_CLEAR(by_hash, application->by_hash);
    TABLE_FREE(struct ruled_name, application->ruled)
    for (uint32_t i = 0; i < application->count; i++)
        free(application->shapes[i].bytes);
    learned_free(&application->learned);
    free(application->shapes);
    free(application);
}

void grouping_free(struct grouping *of)
{
    struct grouping_full *grouping = full(of);
    struct known_name *name, *next_name;
    struct application *application, *next;
    if (!of)
        return;
    HASH_ITER(hh, grouping->names, name, next_name)
    free(name->text);
    TABLE_FREE(struct known_name, grouping->names)
    HASH_ITER(hh, grouping->applications, application, next)
    {
        HASH_DEL(grouping->applications, application);
        free_application(application);
    }
    for (uint32_t i = 0; i < of->count; i++) {
        free(of->classes[i].signature);
        free(of->classes[i].application);
        free(of->classes[i].names);
    }
    for (uint32_t i = 0; i < grouping->edit_count; i++) {
        free(grouping->edits[i].a);
        free(grouping->edits[i].b);
    }
    free(of->classes);
    free(of->edges);
    free(grouping->edits);
    free(grouping->members);
    free(grouping->places);
    free(grouping->sizes);
    free(grouping);
}

/* ---- names under the rules ---- */

/* Returns the name under the rules; NULL: out of memory. */
static const struct ruled_name *ruled(struct grouping_full *grouping,
                                      struct application *application, const char *name)
{
    struct ruled_name *found, *other;
    TABLE_FIND_OR_ADD_BYTES(application->ruled, name, strlen(name), found);
    if (!found || found->hash != 0)
        return found;
    found->is_there = rules_name(grouping->rules, application->key, name, found->text);
    found->hash = shape_name_hash(found->text, strlen(found->text));
    HASH_FIND(by_hash, application->by_hash, &found->hash, sizeof found->hash, other);
    if (other)
        return found;
    HASH_ADD(by_hash, application->by_hash, hash, sizeof found->hash, found);
    return found->by_hash.tbl ? found : NULL;
}

/* ---- learning ---- */

struct asking {
    const struct grouping_full *grouping;
    const struct application *application;
};

static const char *say_text(void *user, uint64_t name)
{
    const struct asking *asking = user;
    const struct ruled_name *found;
    HASH_FIND(by_hash, asking->application->by_hash, &name, sizeof name, found);
    return found ? found->text : NULL;
}

static bool may_merge(void *user, uint64_t name)
{
    const struct asking *asking = user;
    const char *text = say_text(user, name);
    return rules_may_merge(asking->grouping->rules, asking->application->key, text ? text : "");
}

/* Replaces names by the names under the rules; the parent gets the contents of an ignored scope.
 * False: out of memory. */
static bool rule_shape(struct grouping_full *grouping, struct application *application,
                       struct shape_node *nodes, uint32_t *count)
{
    uint16_t moved[SHAPE_NODES];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        struct shape_node node = nodes[i];
        struct known_name *known;
        HASH_FIND(hh, grouping->names, &node.name, sizeof node.name, known);
        const struct ruled_name *name = known ? ruled(grouping, application, known->text) : NULL;
        if (known && !name)
            return false;
        if (node.parent != SHAPE_ROOT)
            node.parent = moved[node.parent];
        if (name && !name->is_there) {
            moved[i] = node.parent;
            continue;
        }
        if (name)
            node.name = name->hash;
        moved[i] = (uint16_t)kept;
        nodes[kept++] = node;
    }
    *count = kept;
    return true;
}

static int compare_shapes(const void *left, const void *right)
{
    const struct stored_shape *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    const int order = memcmp(a->bytes, b->bytes, a->size);
    return order ? order : compare_u64(a->sender, b->sender);
}

static bool learn_application(struct grouping_full *grouping, struct application *application)
{
    struct asking asking = {grouping, application};
    const size_t room = (size_t)application->count + 1;
    struct learn_shape *shapes = malloc(room * sizeof *shapes);
    struct shape_node *nodes = malloc(room * SHAPE_NODES * sizeof *nodes);
    bool is_good = shapes && nodes;
    uint32_t count = 0;
    learn_sort(application->shapes, application->count, sizeof *application->shapes,
               compare_shapes);
    for (uint32_t i = 0; is_good && i < application->count; i++) {
        struct shape_node *own = nodes + (size_t)count * SHAPE_NODES;
        struct learn_shape *shape = &shapes[count];
        if (!shape_unpack(application->shapes[i].bytes, application->shapes[i].size, own,
                          &shape->count))
            continue;
        shape->nodes = own;
        shape->sender = (uint8_t)(application->shapes[i].sender % 64);
        count++;
        is_good = rule_shape(grouping, application, own, &shape->count);
    }
    is_good = is_good && learn(shapes, count, say_text, may_merge, &asking, &application->learned);
    free(shapes);
    free(nodes);
    return is_good;
}

/* ---- the place of a class ---- */

/* With fewer dumps, the other places of a name are not known. */
enum { NAMES = ANNOT_IDENTITY_NAMES, SHAPES_KNOWN = 16, DUMPS_KNOWN = 8 };

struct tokens {
    uint64_t plain[NAMES], token[NAMES], perhaps[NAMES];
    bool is_known[NAMES], is_never, is_several;
    uint32_t count;
};

static bool add_token(struct grouping_full *grouping, struct application *application,
                      const char *text, uint32_t *context, struct tokens *tokens)
{
    const struct ruled_name *name = ruled(grouping, application, text);
    const struct learn_step *step = NULL;
    if (!name || !name->is_there || tokens->count == NAMES)
        return name != NULL;
    if (*context != UINT32_MAX)
        step = learned_step(&application->learned, *context, name->hash);
    if (!step) /* scopes that an earlier list opened are around this list's scopes */
        step = learned_step(&application->learned, LEARN_ROOT, name->hash);
    const uint32_t at = tokens->count++;
    tokens->plain[at] = name->hash;
    tokens->token[at] = step ? step->token : name->hash;
    tokens->perhaps[at] = step ? step->perhaps : name->hash;
    tokens->is_known[at] = step != NULL;
    tokens->is_several = step && step->is_several;
    tokens->is_never |= !rules_may_merge(grouping->rules, application->key, name->text);
    *context = step ? step->inside : UINT32_MAX;
    return true;
}

static uint64_t hash_of(const uint64_t *values, uint32_t count)
{
    return XXH3_64bits(values, count * sizeof *values);
}

/* Returns the shortest end that begins at a name with a single place. */
static uint32_t suffix_of(const struct application *application, const struct tokens *tokens)
{
    uint32_t at = tokens->count;
    if (application->count < SHAPES_KNOWN)
        return 0;
    while (at > 0 && (!tokens->is_known[at - 1] ||
                      learned_is_ambiguous(&application->learned, tokens->token[at - 1])))
        at--;
    return at > 0 ? at - 1 : 0;
}

static bool find_place(struct grouping_full *grouping, uint32_t number)
{
    struct group_class *class = &grouping->is.classes[number];
    struct place *place = &grouping->places[number];
    struct tokens tokens = {.count = 0};
    struct application *application = application_of(grouping, class->application);
    uint32_t context = LEARN_ROOT;
    uint64_t parts[ANNOT_IDENTITY_PARTS + 1];
    char name[RULES_NAME_MAX];
    if (!application)
        return false;
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        parts[i] = rules_part(grouping->rules, false, class->application, (annot_part)i)
                       ? 0
                       : class->parts[i];
    const bool is_split = rules_part(grouping->rules, true, class->application, ANNOT_PART_PLACE);
    parts[ANNOT_IDENTITY_PARTS] = shape_name_hash(class->application, strlen(class->application));
    *place = (struct place){.number = number,
                            .has_shader = parts[ANNOT_PART_SHADER] != 0,
                            .has_operation = parts[ANNOT_PART_OPERATION] != 0};
    for (const char *at = class->names; *at && !is_split && parts[ANNOT_PART_PLACE];) {
        at = rules_next(at, name);
        if (!add_token(grouping, application, name, &context, &tokens))
            return false;
    }
    place->has_scopes = tokens.count > 0;
    place->is_never = tokens.is_never;
    place->is_several = tokens.is_several;
    place->context = context == UINT32_MAX ? LEARN_ROOT : context;
    place->key = place->perhaps = place->plain = place->innermost = parts[ANNOT_PART_PLACE];
    if (place->has_scopes) {
        const uint32_t at = suffix_of(application, &tokens);
        place->key = hash_of(tokens.token + at, tokens.count - at);
        place->perhaps = hash_of(tokens.perhaps + at, tokens.count - at);
        place->plain = hash_of(tokens.plain + at, tokens.count - at);
        place->innermost = tokens.token[tokens.count - 1];
    }
    parts[ANNOT_PART_PLACE] = 0;
    place->shader = parts[ANNOT_PART_SHADER] ^ parts[ANNOT_IDENTITY_PARTS];
    place->bucket = hash_of(parts, ANNOT_IDENTITY_PARTS + 1);
    class->place = place->plain ^ place->bucket;
    parts[ANNOT_PART_SHADER] = parts[ANNOT_PART_OPERATION] = 0;
    place->error_bucket = hash_of(parts, ANNOT_IDENTITY_PARTS + 1);
    return true;
}

/* ---- merging ---- */

static uint32_t find(const struct grouping_full *grouping, uint32_t number)
{
    struct member *members = grouping->members;
    while (members[number].parent != number) {
        members[number].parent = members[members[number].parent].parent;
        number = members[number].parent;
    }
    return number;
}

/* A group with more different contexts merges with no other group. */
enum { CONTEXTS_COMPARED = 32 };

static bool is_one_context(const struct member *a, const struct member *b)
{
    return a->application == b->application && a->context == b->context;
}

/* Whether dumps have both contexts. As many senders must say this as sent the dumps of either
 * context. So the dumps of one sender don't separate what the dumps of many senders join. */
static bool are_contexts_apart(const struct member *a, const struct member *b)
{
    if (a->application != b->application || a->context == b->context || !a->context || !b->context)
        return false;
    const int of_a = __builtin_popcountll(a->senders), of_b = __builtin_popcountll(b->senders);
    const uint64_t senders = learned_apart(&a->application->learned, a->context, b->context);
    return senders && __builtin_popcountll(senders) >= (of_a < of_b ? of_a : of_b);
}

/* Whether dumps show that the places of two groups are different. */
static bool are_apart(const struct grouping_full *grouping, uint32_t x, uint32_t y)
{
    const struct member *members = grouping->members;
    uint32_t compared = 0;
    for (uint32_t i = x; i != UINT32_MAX; i = members[i].next)
        for (uint32_t k = y; k != UINT32_MAX; k = members[k].next)
            if (are_contexts_apart(&members[i], &members[k]) ||
                ++compared > CONTEXTS_COMPARED * CONTEXTS_COMPARED)
                return true;
    return false;
}

/* Adds the second group's list of contexts to the first one's. */
static void join_contexts(struct grouping_full *grouping, uint32_t x, uint32_t y)
{
    struct member *members = grouping->members;
    for (uint32_t i = y, next; i != UINT32_MAX; i = next) {
        uint32_t k = x;
        next = members[i].next;
        while (!is_one_context(&members[k], &members[i]) && members[k].next != UINT32_MAX)
            k = members[k].next;
        if (is_one_context(&members[k], &members[i])) {
            members[k].senders |= members[i].senders;
            continue;
        }
        members[k].next = i;
        members[i].next = UINT32_MAX;
    }
}

static bool merge(struct grouping_full *grouping, uint32_t a, uint32_t b, enum group_reason reason,
                  unsigned confidence)
{
    const uint32_t x = find(grouping, a), y = find(grouping, b);
    const uint32_t first = x < y ? x : y, second = x < y ? y : x; /* sorted by signature */
    if (x == y ||
        (reason == GROUP_BY_HAND ? grouping->members[a].is_never || grouping->members[b].is_never
                                 : are_apart(grouping, x, y)))
        return true;
    if (!ARRAY_ROOM(grouping->is.edges, grouping->is.edge_count, grouping->edge_capacity))
        return false;
    grouping->is.edges[grouping->is.edge_count++] = (struct group_edge){a, b, reason, confidence};
    grouping->members[second].parent = first;
    join_contexts(grouping, first, second);
    return true;
}

/* BY(name, field): order by bucket, that field, context, and signature. */
#define BY(name, group, field)                                                                     \
    static int by_##name(const void *left, const void *right)                                      \
    {                                                                                              \
        const struct place *a = left, *b = right;                                                  \
        int order = compare_u64(a->group, b->group);                                               \
        order = order ? order : compare_u64(a->field, b->field);                                   \
        order = order ? order : compare_u64(a->context, b->context);                               \
        return order ? order : compare_u64(a->number, b->number);                                  \
    }

BY(plain, bucket, plain)
BY(key, bucket, key)
BY(perhaps, bucket, perhaps)
BY(innermost, bucket, innermost)
BY(error_key, error_bucket, key)
BY(shader, shader, plain)
BY(number, number, number)

typedef int compare_places(const void *left, const void *right);

/* Whether both places are equal in this order, except for their numbers. */
static bool is_like(const struct place *a, const struct place *b, compare_places *order)
{
    struct place twin = *b;
    twin.number = a->number;
    twin.context = a->context;
    return order(a, &twin) == 0;
}

/* Merges each of these places with the first place that dumps don't show as different. */
static bool merge_run(struct grouping_full *grouping, uint32_t first, uint32_t end,
                      enum group_reason reason, unsigned confidence)
{
    uint32_t heads[CONTEXTS_COMPARED], count = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct place *place = &grouping->places[i];
        bool is_merged = place->is_alone || (place->is_never && reason != GROUP_SAME_PLACE);
        for (uint32_t k = 0; k < count && !is_merged; k++) {
            if (!merge(grouping, heads[k], place->number, reason, confidence))
                return false;
            is_merged = find(grouping, heads[k]) == find(grouping, place->number);
        }
        if (!is_merged && count < CONTEXTS_COMPARED)
            heads[count++] = place->number;
    }
    return true;
}

/* Merges places that are equal in this order. */
static bool merge_alike(struct grouping_full *grouping, compare_places *order, bool wants_shader,
                        enum group_reason reason, unsigned confidence)
{
    const struct place *places = grouping->places;
    const uint32_t count = grouping->is.count;
    learn_sort(grouping->places, count, sizeof *places, order);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && is_like(&places[first], &places[end], order); end++)
            continue;
        if (!(wants_shader && !(places[first].has_shader && places[first].has_scopes &&
                                !places[first].is_common)) &&
            !merge_run(grouping, first, end, reason, confidence))
            return false;
    }
    return true;
}

/* Finds shaders of many places. If one dump has two places, these are different. */
static void find_common(struct grouping_full *grouping)
{
    enum { MANY = 4 };
    struct place *places = grouping->places;
    const uint32_t count = grouping->is.count;
    learn_sort(places, count, sizeof *places, by_shader);
    for (uint32_t first = 0, end; first < count; first = end) {
        uint32_t apart[MANY], found = 0;
        for (end = first; end < count && places[end].shader == places[first].shader; end++) {
            const struct member *member = &grouping->members[places[end].number];
            uint32_t i = 0;
            while (i < found && are_contexts_apart(&grouping->members[apart[i]], member))
                i++;
            if (i == found && found < MANY)
                apart[found++] = places[end].number;
        }
        for (uint32_t i = first; i < end; i++)
            places[i].is_common = found == MANY;
    }
}

static bool merge_learned(struct grouping_full *grouping)
{
    return merge_alike(grouping, by_plain, false, GROUP_SAME_PLACE, 95) &&
           merge_alike(grouping, by_key, false, GROUP_LEARNED, 90) &&
           merge_alike(grouping, by_innermost, true, GROUP_SHADER, 90) &&
           merge_alike(grouping, by_perhaps, true, GROUP_SHADER_NAMES, 80);
}

static bool merge_by_hand(struct grouping_full *grouping)
{
    const struct group_class *classes = grouping->is.classes;
    for (uint32_t i = 0; i < grouping->edit_count; i++) {
        const struct edit *edit = &grouping->edits[i];
        const struct group_class *a = grouping_find(&grouping->is, edit->a);
        const struct group_class *b = edit->b ? grouping_find(&grouping->is, edit->b) : NULL;
        if (a && b && i >= grouping->members[a - classes].split &&
            i >= grouping->members[b - classes].split &&
            !merge(grouping, (uint32_t)(a - classes), (uint32_t)(b - classes), GROUP_BY_HAND, 100))
            return false;
    }
    return true;
}

/* Splits by the edits, in the order of their numbers. A split also ends earlier merges. */
static void split_by_hand(struct grouping_full *grouping)
{
    for (uint32_t i = 0; i < grouping->edit_count; i++) {
        const struct group_class *a = grouping_find(&grouping->is, grouping->edits[i].a);
        if (a && !grouping->edits[i].b) {
            grouping->places[a - grouping->is.classes].is_alone = true;
            grouping->members[a - grouping->is.classes].split = i + 1;
        }
    }
}

/* ---- probable groups ---- */

static void settle_groups(struct grouping_full *grouping)
{
    for (uint32_t i = 0; i < grouping->is.count; i++) {
        struct group_class *class = &grouping->is.classes[i];
        class->group = find(grouping, i);
        grouping->sizes[class->group] += class->dumps;
        class->likely = class->group;
        class->reason = class->likely_reason = GROUP_ALONE;
        class->confidence = 100;
    }
    for (uint32_t i = 0; i < grouping->is.edge_count; i++) {
        const struct group_edge *edge = &grouping->is.edges[i];
        struct group_class *const ends[] = {&grouping->is.classes[edge->a],
                                            &grouping->is.classes[edge->b]};
        for (int k = 0; k < 2; k++)
            if (ends[k]->reason == GROUP_ALONE || edge->reason == GROUP_BY_HAND) {
                ends[k]->reason = edge->reason;
                ends[k]->confidence = edge->confidence;
            }
    }
}

static void set_likely(struct grouping_full *grouping, uint32_t group, uint32_t likely,
                       enum group_reason reason)
{
    struct group_class *class = &grouping->is.classes[group];
    const struct member *members = grouping->members;
    if (class->likely != group || likely == group || members[group].is_never ||
        members[likely].is_never || are_apart(grouping, group, likely))
        return;
    class->likely = likely;
    class->likely_reason = reason;
}

/* Returns the largest group of these places. `is_only`: the only group that knows its operation.
 * UINT32_MAX: there is none. */
static uint32_t likely_of(const struct grouping_full *grouping, uint32_t first, uint32_t end,
                          bool is_only)
{
    const uint64_t *sizes = grouping->sizes;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = first; i < end; i++) {
        const struct place *place = &grouping->places[i];
        const uint32_t group = find(grouping, place->number);
        if (place->is_alone || (is_only && !place->has_operation) || group == best)
            continue;
        if (is_only && best != UINT32_MAX)
            return UINT32_MAX;
        if (best == UINT32_MAX || sizes[group] > sizes[best] ||
            (sizes[group] == sizes[best] && group < best))
            best = group;
    }
    return best;
}

static void find_likely(struct grouping_full *grouping, compare_places *order,
                        enum group_reason reason)
{
    const uint32_t count = grouping->is.count;
    learn_sort(grouping->places, count, sizeof *grouping->places, order);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1;
             end < count && is_like(&grouping->places[first], &grouping->places[end], order); end++)
            continue;
        if (!grouping->places[first].has_scopes)
            continue;
        const uint32_t likely = likely_of(grouping, first, end, reason == GROUP_NO_OPERATION);
        for (uint32_t i = first; likely != UINT32_MAX && i < end; i++)
            if (!grouping->places[i].is_alone &&
                !(reason == GROUP_NO_OPERATION && grouping->places[i].has_operation))
                set_likely(grouping, find(grouping, grouping->places[i].number), likely, reason);
    }
}

/* If the hangs in a scope have several shaders, each shader tells its place. */
static void find_told(struct grouping_full *grouping)
{
    struct place *places = grouping->places;
    const uint32_t count = grouping->is.count;
    learn_sort(places, count, sizeof *places, by_error_key);
    for (uint32_t first = 0, end; first < count; first = end) {
        bool is_told = false;
        for (end = first; end < count && is_like(&places[first], &places[end], by_error_key); end++)
            is_told |= places[first].has_shader && places[end].has_shader &&
                       places[end].shader != places[first].shader;
        for (uint32_t i = first; i < end; i++)
            places[i].is_several &= !is_told || places[i].is_common;
    }
}

/* Makes each link of a probable group point to a group that has no link. */
static void shorten(struct grouping_full *grouping)
{
    struct group_class *classes = grouping->is.classes;
    for (uint32_t i = 0; i < grouping->is.count; i++) {
        uint32_t at = classes[i].group;
        for (int steps = 0; steps < 8 && classes[at].likely != at; steps++)
            at = classes[at].likely;
        if (classes[at].likely != at)
            at = classes[i].group; /* the links are a circle */
        classes[i].likely = at;
        classes[i].likely_reason = classes[classes[i].group].likely_reason;
        const struct place *place = &grouping->places[i];
        if (at != classes[i].group || !place->is_several || classes[i].reason == GROUP_BY_HAND ||
            grouping->members[i].application->dumps < DUMPS_KNOWN)
            continue;
        classes[i].likely_reason = GROUP_SEVERAL;
    }
}

/* ---- all steps ---- */

static int by_signature(const void *left, const void *right)
{
    const struct group_class *a = left, *b = right;
    return strcmp(a->signature, b->signature);
}

bool grouping_compute(struct grouping *of)
{
    struct grouping_full *grouping = full(of);
    struct application *application, *next;
    const size_t room = (size_t)of->count + 1;
    grouping->members = malloc(room * sizeof *grouping->members);
    grouping->places = calloc(room, sizeof *grouping->places);
    grouping->sizes = calloc(room, sizeof *grouping->sizes);
    if (!grouping->members || !grouping->places || !grouping->sizes)
        return false;
    learn_sort(of->classes, of->count, sizeof *of->classes, by_signature);
    HASH_ITER(hh, grouping->applications, application, next)
    if (!learn_application(grouping, application))
        return false;
    for (uint32_t i = 0; i < of->count; i++) {
        if (!find_place(grouping, i))
            return false;
        const struct place *place = &grouping->places[i];
        struct application *in = application_of(grouping, of->classes[i].application);
        in->dumps += of->classes[i].dumps;
        grouping->members[i] = (struct member){
            in, i, UINT32_MAX, place->context, of->classes[i].senders, 0, place->is_never};
    }
    split_by_hand(grouping);
    find_common(grouping);
    if (!merge_learned(grouping) || !merge_by_hand(grouping))
        return false;
    settle_groups(grouping);
    find_likely(grouping, by_perhaps, GROUP_PERHAPS);
    find_likely(grouping, by_error_key, GROUP_NO_OPERATION);
    find_told(grouping);
    learn_sort(grouping->places, of->count, sizeof *grouping->places, by_number);
    shorten(grouping);
    return true;
}

const struct group_class *grouping_find(const struct grouping *grouping, const char *signature)
{
    const struct group_class key = {.signature = (char *)(uintptr_t)signature};
    return grouping->count > 0 ? bsearch(&key, grouping->classes, grouping->count,
                                         sizeof *grouping->classes, by_signature)
                               : NULL;
}

const char *group_reason_text(enum group_reason reason)
{
    static const char *const texts[] = {
        "alone",
        "the same end of the path",
        "the same place: some names differ, but other dumps show that they name one scope",
        "the same shader and innermost scope",
        "the same shader, and places that are perhaps the same",
        "merged by hand",
        "perhaps the same place",
        "no other group has the same place, and the operation is not known",
        "the scope stands for several places, and its hangs have one shader or none"};
    return texts[reason <= GROUP_SEVERAL ? reason : 0];
}
