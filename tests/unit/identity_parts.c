/* The parts of an identity, their texts and hashes, as docs/SIGNATURE.md defines version 2: a
 * reader of the document computes them here anew, for each kind of place, operation, shader and
 * resource. */
#include "hang_dump.h"
#include "unit_kit.h"

#include <annot/fleet.h>
#include <annot/shader.h>

#include <inttypes.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

TestSuite(identity_parts, .fini = guarded_expect_nothing_left);

enum { SET_MARKER = 0, BEGIN_EVENT = 1, END_EVENT = 2, DRAW = 3, DISPATCH = 6, BUNDLE = 16 };

/* ---- what the document says ---- */

struct expected {
    const char *error, *operation, *shader, *resource; /* texts; NULL: the dump doesn't say */
    const char *word, *names; /* of the place: names as hashed, a line each; NULL: no place */
    annot_signature_quality quality;
    uint64_t shader_hash;
};

static uint64_t hash_of(const char *text)
{
    return text ? XXH64(text, strlen(text), 2) : 0;
}

static uint64_t hash_of_place(const char *word, const char *names)
{
    static char bytes[1 << 15];
    if (!names)
        return 0;
    const size_t head = strlen(word) + 1, size = strlen(names);
    memcpy(bytes, word, head);
    for (size_t i = 0; i < size; i++)
        bytes[head + i] = names[i] == '\n' ? 0 : names[i];
    return XXH64(bytes, head + size, 2);
}

/* Writes the words in front of the last name. */
static void say_in_front(const char *word, char *text, size_t size)
{
    const bool has_none = strcmp(word, "at") == 0 || strcmp(word, "reason") == 0;
    snprintf(text, size, "%s%s",
             has_none                             ? ""
             : strcmp(word, "between lists") == 0 ? "between lists in"
                                                  : word,
             has_none ? "" : " ");
}

/* "Frame # / list Sky" and "Frame #\nlist Sky\n". */
static void say_place(const struct expected *expected, char *line, char *names)
{
    char front[32];
    line[0] = names[0] = 0;
    if (!expected->names)
        return;
    say_in_front(expected->word, front, sizeof front);
    for (const char *at = expected->names; *at; at = strchr(at, '\n') + 1) {
        const int size = (int)strcspn(at, "\n");
        const bool is_last = at[size + 1] == 0;
        sprintf(line + strlen(line), "%s%s%.*s", at == expected->names ? "" : " / ",
                is_last ? front : "", size, at);
        sprintf(names + strlen(names), "%s%.*s\n", is_last ? front : "", size, at);
    }
}

static void expect_part(const char *row, const annot_identity *got, annot_part part,
                        const char *text, uint64_t hash)
{
    cr_expect_str_eq(got->parts[part].text, text ? text : "", "%s: %s: %s", row,
                     annot_part_word(part), got->parts[part].text);
    cr_expect_eq(got->parts[part].hash, hash, "%s: hash of the %s", row, annot_part_word(part));
}

static void expect_identity(const char *row, const annot_identity *got, const char *headline,
                            const struct expected *expected)
{
    static char place[4096], names[4096], title[8192];
    char id[32];
    uint8_t bytes[40];
    const uint64_t hashes[] = {hash_of(expected->error), hash_of(expected->operation),
                               expected->shader_hash,
                               hash_of_place(expected->word, expected->names),
                               hash_of(expected->resource)};
    for (unsigned i = 0; i < 40; i++)
        bytes[i] = (uint8_t)(hashes[i / 8] >> 8 * (i % 8));
    snprintf(id, sizeof id, "v2-%016" PRIx64, XXH64(bytes, sizeof bytes, 2));
    say_place(expected, place, names);
    snprintf(title, sizeof title, "%s%s%s: %s%s%s", headline, expected->resource ? " in " : "",
             expected->resource ? expected->resource : "", place, expected->operation ? ", " : "",
             expected->operation ? expected->operation : "");
    expect_part(row, got, ANNOT_PART_ERROR, expected->error, hashes[0]);
    expect_part(row, got, ANNOT_PART_OPERATION, expected->operation, hashes[1]);
    expect_part(row, got, ANNOT_PART_SHADER, expected->shader, hashes[2]);
    expect_part(row, got, ANNOT_PART_PLACE, place, hashes[3]);
    expect_part(row, got, ANNOT_PART_RESOURCE, expected->resource, hashes[4]);
    cr_expect_str_eq(got->names, names, "%s: %s", row, got->names);
    cr_expect_str_eq(got->title, title, "%s: %s", row, got->title);
    cr_expect_eq(got->quality, expected->quality, "%s: %s", row,
                 annot_signature_quality_text(got->quality));
    cr_expect_str_eq(got->id, id, "%s", row);
    cr_expect_eq(got->version, 2);
    cr_expect_not(got->is_redacted);
}

/* ---- dumps ---- */

static void put_crumbs(struct dump *dump, const uint8_t *ops, uint32_t count, uint32_t done)
{
    struct annot__dump_CRUMBS crumbs = {
        .queue = QUEUE_OBJECT, .submission = 1, .log = 77, .count = count, .done = done};
    for (uint32_t i = 0; i < count; i++)
        crumbs.markers += ops[i] <= END_EVENT;
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(dump, &crumbs, NULL, 0);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 77}, ops, count);
}

/* ---- errors, operations, places ---- */

#define PAGE_FAULT ANNOT_DEVICE_ERROR_PAGE_FAULT
#define SHADOW     "Frame #\nShadow pass\n"

Test(identity_parts, of_each_error_operation_and_place_are_as_the_document_says)
{
    static const struct annot__dump_RANGE elsewhere = {.address = 16, .size = 16, .object = 61};
    static const struct {
        const char *name;
        struct hang hang;
        const char *headline;
        struct expected expected;
    } rows[] = {
        {"work in a scope",
         {.scopes = {"Frame 7", "Shadow pass"}, .op = DISPATCH},
         "GPU HANG",
         {"hang", "Dispatch", .word = "at", .names = SHADOW, .quality = ANNOT_SIGNATURE_FULL}},
        {"no operation",
         {.scopes = {"Frame 7", "Shadow pass"}},
         "GPU HANG",
         {"hang", .word = "at", .names = SHADOW, .quality = ANNOT_SIGNATURE_WEAK_OPERATION}},
        {"a bundle is no work",
         {.scopes = {"Frame 7", "Shadow pass"}, .op = BUNDLE},
         "GPU HANG",
         {"hang", "ExecuteBundle", .word = "at", .names = SHADOW,
          .quality = ANNOT_SIGNATURE_WEAK_OPERATION}},
        {"an error of another kind",
         {.error = 0x88000000, .scopes = {"Frame 7", "Shadow pass"}, .op = DRAW},
         "GPU ERROR",
         {"lost", "DrawInstanced", .word = "at", .names = SHADOW, .quality = ANNOT_SIGNATURE_FULL}},
        {"a list without scopes",
         {.list = "List 3", .op = DISPATCH},
         "GPU HANG",
         {"hang", "Dispatch", .word = "list", .names = "List #\n",
          .quality = ANNOT_SIGNATURE_FULL}},
        {"a list in a scope of the queue",
         {.list = "List 3", .queue_scope = "Post 2"},
         "GPU HANG",
         {"hang", .word = "list", .names = "Post #\nList #\n",
          .quality = ANNOT_SIGNATURE_WEAK_LIST}},
        {"a list that was called otherwise when it was recorded",
         {.list = "List 3", .recorded_as = "Sky"},
         "GPU HANG",
         {"hang", .word = "list", .names = "Sky\n", .quality = ANNOT_SIGNATURE_WEAK_LIST}},
        {"a list with a name of one letter",
         {.list = "x"},
         "GPU HANG",
         {"hang", .word = "list", .names = "x\n", .quality = ANNOT_SIGNATURE_WEAK_LIST}},
        {"a list without a name",
         {.list = ""},
         "GPU HANG",
         {"hang", .word = "list", .names = "Graphics queue\n",
          .quality = ANNOT_SIGNATURE_WEAK_LIST}},
        {"nobody says where",
         {.is_unsaid = true, .list = "List 3"},
         "GPU HANG",
         {"hang", .word = "unfinished", .names = "Graphics queue\nList #\n",
          .quality = ANNOT_SIGNATURE_WEAK}},
        {"nobody says where in a scope of the queue",
         {.is_unsaid = true, .list = "List 3", .queue_scope = "Post 2"},
         "GPU HANG",
         {"hang", .word = "unfinished", .names = "Post #\nGraphics queue\n",
          .quality = ANNOT_SIGNATURE_WEAK}},
        {"a fault in a living object",
         {.error = PAGE_FAULT, .fault = 0x9000, .fault_name = "Tile 17", .scopes = {"A"}, .op = 3},
         "GPU PAGE FAULT",
         {"page fault", "DrawInstanced", .resource = "object: Tile #", .word = "at", .names = "A\n",
          .quality = ANNOT_SIGNATURE_FULL}},
        {"a fault in a destroyed object",
         {.error = PAGE_FAULT,
          .fault = 0x9000,
          .fault_name = "Tile 17",
          .scopes = {"A"},
          .op = 3,
          .range_flags = ANNOT_RANGE_FREED},
         "GPU PAGE FAULT",
         {"page fault", "DrawInstanced", .resource = "freed: Tile #", .word = "at", .names = "A\n",
          .quality = ANNOT_SIGNATURE_FULL}},
        {"a fault outside of all objects",
         {.error = PAGE_FAULT,
          .fault = 0x9000,
          .scopes = {"A"},
          .op = 3,
          .ranges = &elsewhere,
          .range_count = 1},
         "GPU PAGE FAULT",
         {"page fault", "DrawInstanced", .resource = "no object", .word = "at", .names = "A\n",
          .quality = ANNOT_SIGNATURE_FULL}},
        {"a fault of a dump that lists no objects",
         {.error = PAGE_FAULT, .fault = 0x9000, .scopes = {"A"}, .op = 3},
         "GPU PAGE FAULT",
         {"page fault", "DrawInstanced", .word = "at", .names = "A\n",
          .quality = ANNOT_SIGNATURE_FULL}},
        {"a hang is in no object",
         {.fault = 0x9000, .fault_name = "Tile 17", .scopes = {"A"}, .op = 3},
         "GPU HANG",
         {"hang", "DrawInstanced", .word = "at", .names = "A\n", .quality = ANNOT_SIGNATURE_FULL}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dump dump;
        static annot_identity identity;
        struct hang hang = rows[i].hang;
        hang.error = hang.error ? hang.error : ERROR_HUNG;
        hang_dump_build(&dump, &hang);
        hang_dump_identify(&dump, &identity);
        expect_identity(rows[i].name, &identity, rows[i].headline, &rows[i].expected);
        cr_expect_eq(identity.stop, hang.is_unsaid ? ANNOT_READER_NONE : 0, "%s", rows[i].name);
    }
}

/* Of the operations that D3D12_AUTO_BREADCRUMB_OP names, the GPU can be stopped by those that do
 * work or wait: not by markers, state, or where a submission or a list begins or ends. */
Test(identity_parts, of_each_published_operation_say_whether_it_is_work)
{
    enum { PUBLISHED = 67, NONE = 255 };
    static const uint8_t idle[] = {1,  2,  16, 19,  20, 28, /* SetProtectedResourceSession */
                                   39,                      /* SetPipelineState1 */
                                   46, 48, 53, NONE};
    for (uint32_t op = 1; op <= NONE; op = op + 1 < PUBLISHED || op == NONE ? op + 1 : NONE) {
        static annot_identity identity;
        const struct hang hang = {.error = ERROR_HUNG, .scopes = {"Frame 7", "Pass"}, .op = op};
        struct dump dump;
        hang_dump_build(&dump, &hang);
        hang_dump_identify(&dump, &identity);
        const bool is_idle = memchr(idle, (int)op, sizeof idle) != NULL;
        cr_expect_eq(identity.quality,
                     is_idle ? ANNOT_SIGNATURE_WEAK_OPERATION : ANNOT_SIGNATURE_FULL, "%u: %s", op,
                     identity.title);
        cr_expect_not_null(annot_breadcrumb_op_text(op), "%u", op);
    }
}

/* An object that has no name, and one that the dump doesn't have. */
Test(identity_parts, of_a_fault_in_memory_without_a_name_say_so_much)
{
    for (uint64_t object = 41; object <= 42; object++) {
        static annot_identity identity;
        const char *text = object == 41 ? "object: " : "object: ?";
        struct dump dump = dump_started(PAGE_FAULT, 0);
        dump_object(&dump, QUEUE_OBJECT, 0, "Q");
        dump_object(&dump, 41, 0, "");
        dump_object(&dump, LIST_OBJECT, 0, "Sky");
        dump_recording(&dump, 1, LIST_OBJECT);
        dump_submitted(&dump);
        dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, STARTED, 0, 0);
        dump_put_FAULT(&dump, &(struct annot__dump_FAULT){.address = 0x5000}, NULL, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(&dump, RANGE, .address = 0x5000, .size = 64, .object = object);
        hang_dump_identify(&dump, &identity);
        expect_part("without a name", &identity, ANNOT_PART_RESOURCE, text, hash_of(text));
    }
}

/* ---- a list with all that can be said of it ---- */

struct scene {
    const char *scopes[3]; /* outermost first */
    const char *marker;    /* in the innermost one */
    const char *list, *level;
    uint32_t order_window;
    uint8_t ops[8]; /* breadcrumbs */
    uint32_t op_count, done;
    uint32_t noted; /* dispatches that were noted in the innermost scope */
    uint32_t state; /* of the list */
    const struct annot__dump_SHADER *shaders;
    uint32_t shader_count;
    const char *pipeline; /* its name; NULL: none was bound */
};

static void put_pipeline(struct dump *dump, const struct scene *scene)
{
    if (!scene->pipeline)
        return;
    dump_object(dump, 300, 0, scene->pipeline);
    for (uint32_t i = 0; i < scene->shader_count; i++)
        dump_put_SHADER(dump, &scene->shaders[i], NULL, 0);
}

static void put_operation(struct dump *dump, const struct scene *scene, uint64_t parent,
                          uint32_t number)
{
    /* a target, nothing in the pipeline's place, and the pipeline */
    uint8_t objects[48] = {[0] = 0x2c, [1] = 2, [8] = 2, [24] = 1, [32] = 0x2c, [33] = 1, [40] = 1};
    dump_add_with(dump, OPERATION, objects, scene->pipeline ? 48 : 0, .parent = parent,
                  .number = number, .kind = DISPATCH, .objects = scene->pipeline ? 3 : 0);
}

static void identify_scene(const struct scene *scene, annot_identity *identity)
{
    struct dump dump = dump_started(ERROR_HUNG, scene->order_window);
    uint64_t scopes[3] = {0}, innermost = 0, started = 0;
    uint32_t depth = 0;
    dump_fact(&dump, ANNOT_FACT_DEVICE, "level", scene->level);
    dump_object(&dump, QUEUE_OBJECT, 0, "Queue");
    dump_object(&dump, LIST_OBJECT, 0, scene->list ? scene->list : "List");
    put_pipeline(&dump, scene);
    dump_recording(&dump, 1, LIST_OBJECT);
    for (; depth < 3 && scene->scopes[depth]; depth++)
        innermost = started = scopes[depth] = dump_begin(&dump, scene->scopes[depth]);
    if (scene->marker)
        started = dump_set(&dump, scene->marker);
    for (uint32_t i = 0; i < scene->noted; i++)
        put_operation(&dump, scene, innermost, (scene->op_count > 0 ? depth : 0) + i);
    for (uint32_t i = 0; i < depth; i++)
        dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, scene->state ? scene->state : STARTED,
             scene->state == NOT_STARTED ? 0 : started, 0);
    if (scene->op_count > 0)
        put_crumbs(&dump, scene->ops, scene->op_count, scene->done);
    hang_dump_identify(&dump, identity);
}

#define OPS(...) .ops = {__VA_ARGS__}, .op_count = sizeof((uint8_t[]){__VA_ARGS__})
#define PLACE(its_word, its_names, its_quality)                                                    \
    .word = its_word, .names = its_names, .quality = ANNOT_SIGNATURE_##its_quality

Test(identity_parts, take_the_operation_from_breadcrumbs_or_else_from_a_certain_scopes_only_one)
{
    static const struct {
        const char *name;
        struct scene scene;
        struct expected expected;
    } rows[] = {
        {"breadcrumbs",
         {.scopes = {"Frame", "Sky 2"}, OPS(1, 1, 6, 2, 2), .done = 2},
         {"hang", "Dispatch", PLACE("at", "Frame\nSky #\n", FULL)}},
        {"a BeginEvent has its name, and its scope is not open yet",
         {.scopes = {"Frame", "Sky 2"}, OPS(1, 1, 6, 2, 2), .done = 1},
         {"hang", "BeginEvent Sky #", PLACE("at", "Frame\n", WEAK_OPERATION)}},
        {"an EndEvent is no work",
         {.scopes = {"Frame", "Sky 2"}, OPS(1, 1, 6, 2, 2), .done = 3},
         {"hang", "EndEvent", PLACE("at", "Frame\nSky #\n", WEAK_OPERATION)}},
        {"a SetMarker is no work",
         {.scopes = {"Frame"}, .marker = "m", OPS(1, 0, 2), .done = 1},
         {"hang", "SetMarker", PLACE("at", "Frame\n", WEAK_OPERATION)}},
        {"the only one of a scope",
         {.scopes = {"Frame", "Sky 2"}, .noted = 1},
         {"hang", "Dispatch", PLACE("at", "Frame\nSky #\n", FULL)}},
        {"one of two in a scope",
         {.scopes = {"Frame", "Sky 2"}, .noted = 2},
         {"hang", PLACE("at", "Frame\nSky #\n", WEAK_OPERATION)}},
        {"the only one of a scope that is not certain",
         {.scopes = {"Frame", "Sky 2"}, .noted = 1, .order_window = 1},
         {"hang", PLACE("at", "Frame\n", WEAK_SCOPE)}},
        {"a scope that a layer has around each call",
         {.scopes = {"Frame", "Dispatch(1)"}, .level = "exact", OPS(1, 1, 6, 2, 2), .done = 2},
         {"hang", "Dispatch", PLACE("at", "Frame\n", FULL)}},
        {"a scope that a Vulkan layer has around each call",
         {.scopes = {"Frame", "vkCmdDispatch"}, .level = "exact", OPS(1, 1, 6, 2, 2), .done = 2},
         {"hang", "Dispatch", PLACE("at", "Frame\n", FULL)}},
        {"the same scope, which no layer made",
         {.scopes = {"Frame", "Dispatch(1)"}, .level = "label", OPS(1, 1, 6, 2, 2), .done = 2},
         {"hang", "Dispatch", PLACE("at", "Frame\nDispatch\n", FULL)}},
        {"a scope that only begins like one",
         {.scopes = {"Frame", "Dispatching"}, .level = "exact", OPS(1, 1, 6, 2, 2), .done = 2},
         {"hang", "Dispatch", PLACE("at", "Frame\nDispatching\n", FULL)}},
        {"a level that only begins like it",
         {.scopes = {"Frame", "Dispatch(1)"}, .level = "exactly", OPS(1, 1, 6, 2, 2), .done = 2},
         {"hang", "Dispatch", PLACE("at", "Frame\nDispatch\n", FULL)}},
        {"a call's scope where no operation is known",
         {.scopes = {"Frame", "Dispatch(1)"}, .level = "exact"},
         {"hang", PLACE("at", "Frame\nDispatch\n", WEAK_OPERATION)}},
        {"a call's scope, and the list has no other",
         {.scopes = {"Dispatch(1)"}, .level = "exact", OPS(1, 6, 2), .done = 1},
         {"hang", "Dispatch", PLACE("list", "List\n", FULL)}},
        {"the last marker of a list without a name",
         {.list = "", .marker = "Ready 3"},
         {"hang", PLACE("behind", "Ready #\n", WEAK_LIST)}},
        {"the last marker of a list with one",
         {.list = "L 1", .marker = "Ready 3"},
         {"hang", PLACE("list", "L #\n", WEAK_LIST)}},
        {"what has not started",
         {.scopes = {"Frame"}, .list = "L 1", .state = NOT_STARTED},
         {"hang", PLACE("waiting", "Queue\nL #\n", WEAK)}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static annot_identity identity;
        identify_scene(&rows[i].scene, &identity);
        expect_identity(rows[i].name, &identity, "GPU HANG", &rows[i].expected);
    }
}

/* ---- shaders ---- */

/* Stage and hash of each, with a NUL behind, as the reader's own functions say them. */
static uint64_t hash_of_shaders(const struct annot__dump_SHADER *shaders, uint32_t count,
                                char *text)
{
    char bytes[1024], digits[64];
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        snprintf(digits, sizeof digits, "%016" PRIx64, shaders[i].xxh3);
        const char *stage = annot_shader_stage_text(shaders[i].stage);
        sprintf(text + strlen(text), "%s%s %s", *text ? ", " : "", stage, digits);
        strcpy(bytes + size, stage);
        size += strlen(stage) + 1;
        strcpy(bytes + size, digits);
        size += strlen(digits) + 1;
    }
    return XXH64(bytes, size, 2);
}

Test(identity_parts, of_shaders_are_their_stages_and_hashes_or_else_the_pipelines_name)
{
    static const struct annot__dump_SHADER shaders[] = {
        {.object = 300, .xxh3 = 0x123456789abcdef0, .stage = 6},
        {.object = 300, .xxh3 = 0x0fedcba987654321, .stage = 1}};
    static const char *const names[] = {"Blur 1024x512", "B", ""};
    for (size_t i = 0; i < 3; i++)
        for (uint32_t count = 0; count <= 2; count++)
            for (uint32_t has_crumbs = 0; has_crumbs < 2; has_crumbs++) {
                static annot_identity identity;
                char row[64], text[256] = "", folded[64];
                struct scene scene = {.scopes = {"Frame"},
                                      .noted = 1,
                                      OPS(1, 6, 2),
                                      .done = 1,
                                      .pipeline = names[i],
                                      .shaders = shaders,
                                      .shader_count = count};
                if (!has_crumbs)
                    scene.op_count = 0;
                snprintf(row, sizeof row, "\"%s\", %u shaders, %s", names[i], count,
                         has_crumbs ? "breadcrumbs" : "none");
                strcpy(text, names[i]);
                annot_fold_name(text, strlen(text), folded, sizeof folded);
                const uint64_t hash = count > 0 ? hash_of_shaders(shaders, count, text)
                                      : *text   ? hash_of(folded)
                                                : 0;
                identify_scene(&scene, &identity);
                expect_identity(row, &identity, "GPU HANG",
                                &(struct expected){.error = "hang",
                                                   .operation = "Dispatch",
                                                   .shader = text,
                                                   .shader_hash = hash,
                                                   .word = "at",
                                                   .names = "Frame\n",
                                                   .quality = ANNOT_SIGNATURE_FULL});
            }
}

/* ---- names of a place ---- */

/* Scopes of a queue with these names, a line each, around a submission of which nothing is said. */
static void identify_scopes(const char *names, annot_identity *identity)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, QUEUE_OBJECT, 0, "Q");
    dump_recording(&dump, 1, LIST_OBJECT);
    dump_queue(&dump, QUEUE_OBJECT, 1, 0);
    for (const char *at = names; *at; at = strchr(at, '\n') + 1)
        dump_marker(&dump, true, 1, at, strcspn(at, "\n"));
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    hang_dump_identify(&dump, identity);
}

static void expect_names(const char *names, const char *kept)
{
    static annot_identity identity;
    identify_scopes(names, &identity);
    cr_expect_eq(identity.parts[ANNOT_PART_PLACE].hash, hash_of_place("unfinished", kept), "%s: %s",
                 names, identity.names);
}

Test(identity_parts, count_names_that_repeat_in_the_same_order_once_up_to_eight)
{
    static const char *const rows[][2] = {
        {"one pass\none pass\n", "one pass\n"}, /* "one" is a word in front */
        {"Aa\nAa\nAa\n", "Aa\n"},
        {"Aa\nBb\nAa\nBb\n", "Aa\nBb\n"},
        {"Aa\nBb\nAa\n", "Aa\nBb\nAa\n"},
        {"Aa\nBb\nBb\nAa\nBb\nBb\n", "Aa\nBb\n"},
        {"Aa 1\nAa 2\n", "Aa #\n"},
        {"Aa\nAab\n", "Aa\nAab\n"},
        {"Aa\nBb\nCc\nAa\nBb\nDd\n", "Aa\nBb\nCc\nAa\nBb\nDd\n"},
        {"Aa\nBb\nCc\nDd\nEe\nFf\nGg\nHh\nAa\nBb\nCc\nDd\nEe\nFf\nGg\nHh\n",
         "Aa\nBb\nCc\nDd\nEe\nFf\nGg\nHh\n"},
        {"Aa\nBb\nCc\nDd\nEe\nFf\nGg\nHh\nIi\nAa\nBb\nCc\nDd\nEe\nFf\nGg\nHh\nIi\n",
         "Aa\nBb\nCc\nDd\nEe\nFf\nGg\nHh\nIi\nAa\nBb\nCc\nDd\nEe\nFf\nGg\nHh\nIi\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char kept[256];
        snprintf(kept, sizeof kept, "%sQ\n", rows[i][1]);
        expect_names(rows[i][0], kept);
    }
}

/* The queue's name comes behind them, where there is room. */
Test(identity_parts, count_the_first_64_names)
{
    for (int count = 62; count <= 66; count++) {
        char names[1024] = "", kept[1024] = "";
        for (int i = 0; i < count; i++) {
            sprintf(names + strlen(names), "zz%c%c\n", 'g' + i / 8, 'g' + i % 8);
            if (i < 64)
                sprintf(kept + strlen(kept), "zz%c%c\n", 'g' + i / 8, 'g' + i % 8);
        }
        if (count < 64)
            strcat(kept, "Q\n");
        expect_names(names, kept);
    }
}

/* The member has 2,047 bytes and its NUL; "unfinished " stands in front of the last name. */
Test(identity_parts, show_the_innermost_names_where_not_all_have_room)
{
    enum { ROOM = ANNOT_IDENTITY_NAMES_MAX - 1, NAMES = 20, SIZE = 100 };
    for (int more = -1; more <= 1; more++) {
        static char names[4096], expected[4096];
        static annot_identity identity;
        names[0] = expected[0] = 0;
        /* 19 of 101 bytes, the queue's two, and the word in front: the first fills what is left */
        const int first = ROOM - 19 * (SIZE + 1) - 2 - (int)strlen("unfinished ") - 1 + more;
        for (int i = 0; i < NAMES; i++) {
            const int size = i > 0 ? SIZE : first;
            char *at = names + strlen(names);
            memset(at, 'w', (size_t)size);
            at[1] = (char)('g' + i);
            strcpy(at + size, "\n");
        }
        strcpy(expected, more > 0 ? strchr(names, '\n') + 1 : names);
        strcat(expected, "unfinished Q\n");
        identify_scopes(names, &identity);
        cr_expect_str_eq(identity.names, expected, "%d", more);
        cr_expect(more != 0 || strlen(identity.names) == ROOM, "%zu", strlen(identity.names));
    }
}

/* Whatever is there now is not what was recorded; and a name may be missing. */
Test(identity_parts, have_a_question_mark_for_a_name_that_is_not_known)
{
    static annot_identity identity;
    for (uint32_t flags = 0; flags <= 7; flags++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_object(&dump, QUEUE_OBJECT, 0, flags & 1 ? "Q" : "");
        dump_recording(&dump, 1, LIST_OBJECT);
        dump_queue(&dump, QUEUE_OBJECT, 1, 0);
        dump_add_with(&dump, BEGIN, "Water", 5, .event_id = 0x700000010, .metadata = 1, .size = 5,
                      .flags = flags);
        dump_put_SUBMISSION(
            &dump, &(struct annot__dump_SUBMISSION){.serial = 1, .parent = 0x700000010, .count = 1},
            (uint64_t[]){1, LIST_OBJECT}, 16);
        hang_dump_identify(&dump, &identity);
        const bool is_changed = (flags & 6) == 6;
        char names[64];
        snprintf(names, sizeof names, "%s%s\n",
                 flags == 6   ? "" /* twice */
                 : is_changed ? "?\n"
                              : "Water\n",
                 flags & 1 ? "unfinished Q" : "unfinished ?");
        cr_expect_str_eq(identity.names, names, "flags %u: %s", flags, identity.names);
    }
}

/* ---- where there is none ---- */

/* What nothing decodes keeps its bytes: else all such hangs were one. */
Test(identity_parts, tell_names_that_are_no_text_by_their_bytes)
{
    static const struct {
        uint32_t metadata;
        const char *bytes;
    } rows[] = {{1, "Schatten\xE4"}, {1, "Schatten\xF6"}, {1, "\xD2\xE5"}, {1, "\xD3\xE5"},
                {7, "Schatten\x01"}, {7, "Schatten\x02"}, {2, "\x01\x02"}, {2, "\x01\x03"}};
    enum { ROWS = sizeof rows / sizeof *rows };
    uint64_t places[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        struct dump dump = dump_hung();
        annot_identity identity;
        const uint64_t id =
            dump_marker(&dump, true, rows[i].metadata, rows[i].bytes, strlen(rows[i].bytes));
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
        hang_dump_identify(&dump, &identity);
        places[i] = identity.parts[ANNOT_PART_PLACE].hash;
        for (size_t k = 0; k < i; k++)
            cr_expect_neq(places[i], places[k], "rows %zu and %zu", k, i);
    }
}

Test(identity_parts, are_none_of_a_dump_without_an_error_or_without_work)
{
    static annot_identity identity;
    for (int has_work = 0; has_work < 2; has_work++)
        for (uint32_t error = 0; error <= ERROR_HUNG; error += ERROR_HUNG) {
            struct dump dump = dump_started(error, 0);
            dump_recording(&dump, 1, LIST_OBJECT);
            dump_queue(&dump, QUEUE_OBJECT, (uint64_t)has_work, 0);
            if (has_work)
                dump_submit(&dump, 1, 1, (uint64_t[]){1});
            hang_dump_identify(&dump, &identity);
            const annot_signature_quality quality = !error     ? ANNOT_SIGNATURE_NO_ERROR
                                                    : has_work ? ANNOT_SIGNATURE_WEAK
                                                               : ANNOT_SIGNATURE_NO_WORK;
            cr_expect_eq(identity.quality, quality, "error %u, work %d", error, has_work);
            cr_expect_eq(identity.stop, ANNOT_READER_NONE);
            if (quality == ANNOT_SIGNATURE_WEAK)
                continue;
            cr_expect_str_empty(identity.id);
            cr_expect_str_eq(identity.title, annot_signature_quality_text(quality));
            for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
                expect_part("none", &identity, (annot_part)i, NULL, 0);
        }
}

Test(identity_parts, of_an_application_crash_without_work_are_its_reason)
{
    static annot_identity identity;
    struct dump dump;
    dump_start_because(&dump, ANNOT_DEVICE_ERROR_APPLICATION, "Assert 12 in cave");
    hang_dump_identify(&dump, &identity);
    expect_identity(
        "reason", &identity, annot_device_error_headline(ANNOT_DEVICE_ERROR_APPLICATION),
        &(struct expected){"application", .word = "reason", .names = "Assert # in cave\n",
                           .quality = ANNOT_SIGNATURE_WEAK_REASON});
}

Test(identity_parts, have_a_word_each)
{
    static const char *const words[] = {"error",    "operation", "shader", "place",
                                        "resource", "unknown",   "unknown"};
    for (unsigned i = 0; i < 7; i++)
        cr_expect_str_eq(annot_part_word((annot_part)i), words[i]);
    cr_expect_str_eq(annot_part_word((annot_part)UINT32_MAX), "unknown");
}
