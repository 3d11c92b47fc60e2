#include "scene_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *path;
    int line;
    struct scene *scene;
    struct node *open; /* the last line's */
};

static void refuse(const struct parser *parser, const char *why)
{
    fprintf(stderr, "%s:%d: %s\n", parser->path, parser->line, why);
    exit(2);
}

static const struct {
    const char *word;
    enum node_kind kind;
    bool has_name, has_text;
} statements[] = {
    {"program", NODE_PROGRAM, true, false},   {"queue", NODE_QUEUE, true, true},
    {"list", NODE_LIST, true, true},          {"part", NODE_PART, true, false},
    {"use", NODE_USE, true, false},           {"scope", NODE_SCOPE, false, true},
    {"marker", NODE_MARKER, false, true},     {"repeat", NODE_REPEAT, false, false},
    {"one", NODE_ONE, false, false},          {"any", NODE_ANY, false, false},
    {"shuffle", NODE_SHUFFLE, false, false},  {"maybe", NODE_MAYBE, false, false},
    {"dispatch", NODE_DISPATCH, false, true}, {"draw", NODE_DRAW, false, true},
    {"copy", NODE_COPY, false, false},
};

static const char *blanks(const char *at)
{
    return at + strspn(at, " ");
}

static const char *word(const struct parser *parser, const char *at, char out[NAME_SIZE])
{
    at = blanks(at);
    const size_t size = strcspn(at, " ");
    if (size == 0 || size >= NAME_SIZE)
        refuse(parser, "a word is missing");
    memcpy(out, at, size);
    out[size] = '\0';
    return at + size;
}

/* "..." with \" for a quote. */
static const char *quoted(const struct parser *parser, const char *at, char out[NAME_SIZE])
{
    size_t size = 0;
    at = blanks(at);
    if (*at++ != '"')
        refuse(parser, "a quoted text is missing");
    for (; *at && *at != '"'; at++) {
        at += *at == '\\' && at[1];
        if (size + 1 >= NAME_SIZE)
            refuse(parser, "the text is too long");
        out[size++] = *at;
    }
    if (!*at)
        refuse(parser, "the text does not end");
    out[size] = '\0';
    return at + 1;
}

static const struct node *program_of(const struct node *node)
{
    while (node->kind != NODE_PROGRAM)
        node = node->parent;
    return node;
}

/* Returns the number of the fault that another place has as well, or of a new one. */
static int fault_number(const struct parser *parser, const struct scene_fault *fault)
{
    struct scene *scene = parser->scene;
    int i = 0;
    while (i < scene->fault_count && strcmp(scene->faults[i].name, fault->name) != 0)
        i++;
    if (i == FAULTS_MAX)
        refuse(parser, "too many faults");
    if (i == scene->fault_count)
        scene->faults[scene->fault_count++] = *fault;
    else if (scene->faults[i].kind != fault->kind || scene->faults[i].program != fault->program ||
             strcmp(scene->faults[i].resource, fault->resource) != 0)
        refuse(parser, "this name is another fault's");
    return i;
}

/* Parts stand above what uses them, so that none contains itself. */
static const struct node *part_named(const struct parser *parser, const char *name)
{
    const struct node *node = parser->scene->root.last->first;
    while (node && (node->kind != NODE_PART || strcmp(node->name, name) != 0))
        node = node->next;
    if (!node || !node->next) /* the last one is open */
        refuse(parser, "there is no such part above");
    return node;
}

static void add_fault(struct parser *parser, struct node *node, const char *option)
{
    static const char *const kinds[] = {"hang=", "unmapped=", "freed="};
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        const size_t size = strlen(kinds[kind]);
        if (strncmp(option, kinds[kind], size) != 0)
            continue;
        const char *colon = strchr(option, ':');
        struct scene_fault fault = {.kind = (enum fault_kind)kind, .program = program_of(node)};
        snprintf(fault.name, sizeof fault.name, "%.*s",
                 (int)(colon ? (size_t)(colon - option) - size : NAME_SIZE - 1), option + size);
        if ((kind == FAULT_FREED) != (colon != NULL))
            refuse(parser, "freed=FAULT:RESOURCE");
        snprintf(fault.resource, sizeof fault.resource, "%s", colon ? colon + 1 : "");
        node->faults[kind] = fault_number(parser, &fault);
        return;
    }
    refuse(parser, "no such option");
}

static const char *parse_rest(struct parser *parser, struct node *node, const char *at)
{
    char option[NAME_SIZE];
    if (node->kind == NODE_QUEUE) {
        static const char *const types[] = {"direct", "compute", "copy"};
        at = word(parser, at, option);
        for (node->low = 0; node->low < 3 && strcmp(option, types[node->low]) != 0; node->low++)
            continue;
        if (node->low == 3)
            refuse(parser, "direct, compute or copy");
    }
    if (node->kind == NODE_REPEAT || node->kind == NODE_MAYBE) {
        at = word(parser, at, option);
        const int count = sscanf(option, "%d-%d", &node->low, &node->high);
        if (count != (node->kind == NODE_REPEAT ? 2 : 1) || node->low < 0 ||
            (count == 2 && node->high < node->low))
            refuse(parser, "a number is missing");
    }
    if (node->kind == NODE_USE)
        node->part = part_named(parser, node->name);
    if ((node->kind == NODE_REPEAT || node->kind == NODE_MAYBE || node->kind == NODE_ONE) &&
        *blanks(at))
        at = word(parser, at, node->name);
    return at;
}

static void add_node(struct parser *parser, struct node *node)
{
    struct node *parent = parser->open;
    while (parent->indent >= node->indent)
        parent = parent->parent;
    if (node->kind <= NODE_PART && node->kind != NODE_PROGRAM)
        parent = parser->scene->root.last; /* of the program, whatever the indentation */
    if (!parent || (node->kind != NODE_PROGRAM && parent == &parser->scene->root))
        refuse(parser, "this belongs to no program");
    node->parent = parent;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    parser->open = node;
}

static void parse_line(struct parser *parser, const char *line)
{
    char first[NAME_SIZE];
    const char *at = blanks(line);
    if (!*at || *at == '#')
        return;
    struct node *node = calloc(1, sizeof *node);
    node->indent = (int)(at - line);
    at = word(parser, at, first);
    size_t i = 0;
    while (i < sizeof statements / sizeof statements[0] && strcmp(first, statements[i].word) != 0)
        i++;
    if (i == sizeof statements / sizeof statements[0])
        refuse(parser, "no such statement");
    node->kind = statements[i].kind;
    node->number = parser->scene->node_count++;
    for (int kind = 0; kind < FAULT_KINDS; kind++)
        node->faults[kind] = NO_FAULT;
    add_node(parser, node);
    if (statements[i].has_name)
        at = word(parser, at, node->name);
    at = parse_rest(parser, node, at);
    if (statements[i].has_text)
        at = quoted(parser, at, node->text);
    while (*(at = blanks(at))) {
        at = word(parser, at, first);
        add_fault(parser, node, first);
    }
}

struct scene *scene_read(const char *path)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    struct scene *scene = calloc(1, sizeof *scene);
    struct parser parser = {path, 0, scene, &scene->root};
    if (!file) {
        perror(path);
        exit(2);
    }
    scene->root.indent = -1;
    while (fgets(line, sizeof line, file)) {
        parser.line++;
        line[strcspn(line, "\r\n")] = '\0';
        parse_line(&parser, line);
    }
    fclose(file);
    return scene;
}

void scene_free(struct scene *scene)
{
    if (!scene)
        return;
    struct node *node = &scene->root;
    while (node) {
        struct node *child = node->first;
        if (child) {
            node->first = child->next;
            node = child;
            continue;
        }
        struct node *parent = node->parent;
        if (node != &scene->root)
            free(node);
        node = parent;
    }
    free(scene);
}

size_t scene_fault_count(const struct scene *scene)
{
    return (size_t)scene->fault_count;
}

const char *scene_fault_name(const struct scene *scene, size_t fault)
{
    return scene->faults[fault].name;
}
