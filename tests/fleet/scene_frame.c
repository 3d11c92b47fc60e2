#include "game.h"
#include "scene_tree.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- names ---- */

static void add_text(char out[NAME_SIZE], size_t *size, const char *text, size_t length)
{
    for (size_t i = 0; i < length && *size + 1 < NAME_SIZE; i++)
        out[(*size)++] = text[i];
}

/* The same for a player wherever the words are the same. */
static uint64_t of_player(const struct frame_plan *plan, const char *text, size_t size)
{
    uint64_t random = plan->player ^ XXH3_64bits(text, size);
    return game_next(&random);
}

/* Up to the next `end` that is in no braces of its own, or the text's end. */
static size_t span(const char *text, size_t size, char end)
{
    size_t i = 0;
    for (int depth = 0; i < size && (depth > 0 || text[i] != end); i++)
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    return i;
}

static void add_named(struct frame_plan *plan, const char *text, size_t size, int index,
                      char out[NAME_SIZE], size_t *length);

static void add_choice(struct frame_plan *plan, const char *text, size_t size, uint64_t random,
                       int index, char out[NAME_SIZE], size_t *length)
{
    size_t count = 1;
    for (size_t at = span(text, size, '|'); at < size;
         at += 1 + span(text + at + 1, size - at - 1, '|'))
        count++;
    for (size_t skip = random % count; skip > 0; skip--) {
        const size_t one = span(text, size, '|') + 1;
        text += one;
        size -= one;
    }
    add_named(plan, text, span(text, size, '|'), index, out, length);
}

static void add_digits(struct frame_plan *plan, const char *digits, int count, char out[NAME_SIZE],
                       size_t *length)
{
    for (; count > 0; count--)
        add_text(out, length, digits + game_below(&plan->random, 16), 1);
}

static void add_word(struct frame_plan *plan, char out[NAME_SIZE], size_t *length)
{
    static const char *const ends[] = {"ra", "lo", "mi", "tu", "kes", "von", "el", "ish"};
    static const char starts[] = "BDFGHKLMNPRSTVZ";
    add_text(out, length, starts + game_below(&plan->random, 15), 1);
    for (int i = 2 + game_below(&plan->random, 2); i > 0; i--) {
        const char *end = ends[game_below(&plan->random, 8)];
        add_text(out, length, end, strlen(end));
    }
}

static void add_placeholder(struct frame_plan *plan, const char *text, size_t size, int index,
                            char out[NAME_SIZE], size_t *length)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    char number[32];
    int low = 0, high = 0;
    const char *colon = memchr(text, ':', size);
    const char *value = colon ? colon + 1 : text + size;
    const size_t value_size = size - (size_t)(value - text);
    if (strncmp(text, "player:", 7) == 0)
        add_choice(plan, value, value_size, of_player(plan, value, value_size), index, out, length);
    else if (strncmp(text, "each:", 5) == 0)
        add_choice(plan, value, value_size, game_next(&plan->random), index, out, length);
    else if (strncmp(text, "word", 4) == 0)
        add_word(plan, out, length);
    else if (strncmp(text, "guid", 4) == 0)
        for (int i = 0; i < 5; i++) {
            add_text(out, length, "-", i > 0);
            add_digits(plan, lower, i == 0 ? 8 : i == 4 ? 12 : 4, out, length);
        }
    else if (sscanf(text, "hex:%d", &low) == 1)
        add_digits(plan, lower, low, out, length);
    else if (sscanf(text, "HEX:%d", &low) == 1)
        add_digits(plan, upper, low, out, length);
    else {
        int said = strncmp(text, "frame", 5) == 0 ? plan->frame : index;
        if (sscanf(text, "n:%d-%d", &low, &high) == 2)
            said = low + game_below(&plan->random, high - low + 1);
        add_text(out, length, number, (size_t)snprintf(number, sizeof number, "%d", said));
    }
}

/* Calls itself for choices inside of choices, as deep as NAME_SIZE lets them be. */
static void add_named(struct frame_plan *plan, const char *text, size_t size, int index,
                      char out[NAME_SIZE], size_t *length)
{
    for (size_t i = 0; i < size;) {
        const size_t inside = text[i] == '{' ? span(text + i + 1, size - i - 1, '}') : size;
        if (i + 1 + inside < size) {
            add_placeholder(plan, text + i + 1, inside, index, out, length);
            i += inside + 2;
        } else {
            add_text(out, length, text + i++, 1);
        }
    }
}

void frame_text(struct frame_plan *plan, const char *text, int index, char out[NAME_SIZE])
{
    size_t length = 0;
    add_named(plan, text, strlen(text), index, out, &length);
    out[length] = '\0';
}

/* ---- steps ---- */

void steps_add(struct steps *steps, const struct step *step)
{
    if (steps->count == steps->capacity) {
        steps->capacity = steps->capacity ? 2 * steps->capacity : 64;
        steps->all = realloc(steps->all, (size_t)steps->capacity * sizeof *steps->all);
        if (!steps->all)
            abort();
    }
    steps->all[steps->count++] = *step;
}

bool frame_has_fault(const struct frame_plan *plan, const struct node *node)
{
    return node->faults[plan->fault->kind] == (int)(plan->fault - plan->scene->faults);
}

/* Calls itself as deep as the scene. */
bool frame_holds_fault(const struct frame_plan *plan, const struct node *node)
{
    if (node->part)
        node = node->part;
    if (frame_has_fault(plan, node))
        return true;
    for (const struct node *child = node->first; child; child = child->next)
        if (frame_holds_fault(plan, child))
            return true;
    return false;
}

/* Whether child `number` (-1: any) of a statement that decides as `node` does holds the fault.
 * Calls itself as deep as the scene. */
static bool leads_there(const struct frame_plan *plan, const struct node *top,
                        const struct node *node, int number)
{
    const bool decides = top == node || (node->name[0] && top->kind == node->kind &&
                                         strcmp(top->name, node->name) == 0);
    int i = 0;
    for (const struct node *child = top->first; child; child = child->next, i++)
        if ((decides && (number < 0 || i == number) && frame_holds_fault(plan, child)) ||
            leads_there(plan, child, node, number))
            return true;
    return false;
}

/* The machine decides this once, by the setting or else by the statement. */
static uint64_t of_machine(const struct frame_plan *plan, const struct node *node)
{
    uint64_t random = plan->player + node->number;
    if (node->name[0])
        random = plan->player ^ XXH3_64bits(node->name, strlen(node->name));
    return random;
}

static void expand(struct frame_plan *plan, const struct node *node, int index,
                   struct steps *steps);

static void expand_all(struct frame_plan *plan, const struct node *node, int index,
                       struct steps *steps)
{
    for (const struct node *child = node->first; child; child = child->next)
        expand(plan, child, index, steps);
}

/* A machine that has the fault has an alternative that leads there. */
static int chosen_by_machine(const struct frame_plan *plan, const struct node *node, int count)
{
    const struct node *program = plan->fault->program;
    uint64_t random = of_machine(plan, node);
    const int chosen = game_below(&random, count);
    if (leads_there(plan, program, node, chosen))
        return chosen;
    for (int i = 0; i < count; i++)
        if (leads_there(plan, program, node, i))
            return i;
    return chosen;
}

static void expand_choice(struct frame_plan *plan, const struct node *node, int index,
                          struct steps *steps)
{
    int count = 0;
    for (const struct node *child = node->first; child; child = child->next)
        count++;
    if (count == 0)
        return;
    int chosen = node->kind == NODE_ONE ? chosen_by_machine(plan, node, count)
                                        : game_below(&plan->random, count);
    for (const struct node *child = node->first; child; child = child->next)
        if (chosen-- == 0)
            expand(plan, child, index, steps);
}

static void expand_shuffled(struct frame_plan *plan, const struct node *node, int index,
                            struct steps *steps)
{
    enum { CHILDREN_MAX = 64 };
    const struct node *order[CHILDREN_MAX] = {NULL};
    int count = 0;
    for (const struct node *child = node->first; child; child = child->next) {
        if (count == CHILDREN_MAX) {
            fprintf(stderr, "a shuffle has more than %d parts\n", CHILDREN_MAX);
            exit(2);
        }
        const int at = game_below(&plan->random, ++count);
        order[count - 1] = order[at];
        order[at] = child;
    }
    for (int i = 0; i < count; i++)
        expand(plan, order[i], index, steps);
}

static void add_step(struct frame_plan *plan, const struct node *node, enum node_kind kind,
                     int index, struct steps *steps)
{
    struct step step = {.kind = kind, .node = node};
    if (kind != NODE_LIST)
        frame_text(plan, node->text, index, step.text);
    steps_add(steps, &step);
}

/* Calls itself: a scene is as deep as its file's indentation, and parts stand above their use. */
static void expand(struct frame_plan *plan, const struct node *node, int index, struct steps *steps)
{
    uint64_t random = of_machine(plan, node);
    switch (node->kind) {
    case NODE_SCOPE:
        add_step(plan, node, NODE_SCOPE, index, steps);
        expand_all(plan, node, index, steps);
        add_step(plan, node, NODE_LIST, index, steps);
        break;
    case NODE_REPEAT: {
        int count = node->low +
                    game_below(node->name[0] ? &random : &plan->random, node->high - node->low + 1);
        count += count == 0 && node->name[0] && frame_holds_fault(plan, node);
        for (int i = 0; i < count; i++)
            expand_all(plan, node, i, steps);
        break;
    }
    case NODE_ONE:
    case NODE_ANY:
        expand_choice(plan, node, index, steps);
        break;
    case NODE_SHUFFLE:
        expand_shuffled(plan, node, index, steps);
        break;
    case NODE_MAYBE:
        if (leads_there(plan, plan->fault->program, node, -1) ||
            game_below(&random, 100) < node->low)
            expand_all(plan, node, index, steps);
        break;
    case NODE_USE:
        expand_all(plan, node->part, index, steps);
        break;
    default:
        add_step(plan, node, node->kind, index, steps);
    }
}

void frame_expand(struct frame_plan *plan, const struct node *list, struct steps *steps)
{
    expand_all(plan, list, 0, steps);
}
