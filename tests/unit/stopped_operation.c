/* A report's words on the operation that stopped: its arguments, what was bound to it and in
 * which states, its shaders, the barriers before it and the operations around it, as text and as
 * JSON [ANN-OP-01, docs/DUMP_FORMAT.md]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>
#include <annot/shader.h>

TestSuite(stopped_operation, .fini = guarded_expect_nothing_left);

enum {
    SET = 0,
    BEGIN = 1,
    END = 2,
    DRAW = 3,
    DISPATCH = 6,
    RESOURCE_BARRIER = 15,
    BUNDLE = 16,
    SET_PIPELINE_STATE1 = 39,
    BARRIER = 45,
    SET_PROGRAM = 48,
    COPY_BUFFER_REGIONS = 57
};

/* ---- what a list noted ---- */

/* Arguments, and triples of an object, its role, and its layout plus 1; parts behind the objects
 * that are counted. */
struct noted {
    uint32_t number, kind, argument_count, object_count;
    int64_t arguments[8];
    uint64_t objects[8][3];
};

static void put_number(uint8_t *at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_noted(struct dump *dump, const struct noted *of)
{
    uint8_t bytes[8 * 8 + 8 * 16];
    for (uint32_t i = 0; i < of->argument_count; i++)
        put_number(bytes + 8 * i, (uint64_t)of->arguments[i], 8);
    uint32_t count = of->object_count;
    while (count < 8 && of->objects[count][1] == ANNOT_BOUND_PART)
        count++;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *at = bytes + 8 * of->argument_count + 16 * i;
        put_number(at, of->objects[i][0], 8);
        put_number(at + 8, of->objects[i][1], 4);
        put_number(at + 12, of->objects[i][2], 4);
    }
    dump_add_with(dump, OPERATION, bytes, 8 * of->argument_count + 16 * count, .number = of->number,
                  .kind = of->kind, .arguments = of->argument_count, .objects = of->object_count);
}

static void put_resource(struct dump *dump, uint64_t object, uint32_t dimension, uint64_t width,
                         uint32_t format, uint32_t state)
{
    dump_add(dump, RESOURCE, .object = object, .width = width, .dimension = dimension,
             .format = format, .height = 32, .depth = 1, .mips = 4, .samples = 1, .state = state);
}

static void put_objects(struct dump *dump)
{
    dump_object(dump, 21, 0, "Queue");
    dump_object(dump, 41, 0, "Vertices");
    dump_object(dump, 42, 0, "Color");
    dump_object(dump, 43, 0, "Depth");
    dump_object(dump, 44, 0, "Mask");
    dump_object(dump, 45, 0, "Chain");
    dump_object(dump, 100, 0, "List");
    dump_object(dump, 300, 0, "Blur");
    put_resource(dump, 41, 1, 4096, 0, 0);
    put_resource(dump, 42, 3, 64, 28, 5);
    put_resource(dump, 43, 3, 64, 40, 0);
    dump_add(dump, RESOURCE, .object = 45, .width = 64, .dimension = 3, .format = 45, .height = 32,
             .depth = 6, .mips = 4, .samples = 1, .state = 1);
    const struct annot__dump_SHADER shaders[] = {
        {.object = 300, .xxh3 = 0x1111, .form = 2, .stage = 2, .name_size = 4},
        {.object = 300, .xxh3 = 0x2222, .form = 3, .stage = 1, .name_size = 40},
        {.object = 300, .xxh3 = 0x3333, .form = 77, .stage = 99}};
    dump_put_SHADER(dump, &shaders[0], "blur", 4);
    dump_put_SHADER(dump, &shaders[1], "cut", 3);
    dump_put_SHADER(dump, &shaders[2], NULL, 0);
}

/* Breadcrumbs say that `done` of these are done; -1: there are none. */
static annot_reader *open_list(const struct noted *noted, uint32_t noted_count, const uint8_t *ops,
                               uint32_t count, int done)
{
    static struct dump kept;
    struct dump dump = dump_started(ERROR_HUNG, 0);
    put_objects(&dump);
    dump_recording(&dump, 1, 100);
    for (uint32_t i = 0; i < noted_count; i++)
        put_noted(&dump, &noted[i]);
    dump_submitted(&dump);
    struct annot__dump_CRUMBS crumbs = {
        .queue = 21, .submission = 1, .log = 5, .count = count, .done = (uint32_t)done};
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(&dump, &crumbs, NULL, 0);
    dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, ops, count);
    dump_finish(&dump);
    dump_free(&kept);
    kept = dump;
    return dump_open(&kept, ANNOT_OK);
}

/* Every line or member that is expected stands there, in this order. */
static void expect_in_order(const char *report, const char *const *parts, size_t count)
{
    const char *at = report;
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(at, parts[i]);
        cr_expect_not_null(found, "%s%s is missing in %s", parts[i],
                           strstr(report, parts[i]) ? " behind the ones before" : "", at);
        at = found ? found + strlen(parts[i]) : at;
    }
}

#define EXPECT_IN_ORDER(report, ...)                                                               \
    expect_in_order(report, (const char *const[]){__VA_ARGS__},                                    \
                    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const struct noted frame[] = {
    {0, RESOURCE_BARRIER, 2, 1, {0, 4}, {{42, 10, 0}}},
    {1, DISPATCH, 3, 0, {1, 2, 3}, {{0}}},
    {2, RESOURCE_BARRIER, 4, 2, {4, 8, 1, 1024}, {{42, 10, 0}, {41, 10, 0}}},
    {3, BARRIER, 4, 2, {2, 4, 0x80000000, 16}, {{43, 10, 0}, {43, 11, 0}}},
    {4,
     DRAW,
     4,
     7,
     {3, 1, 0, 9},
     {{42, 2, 0}, {43, 3, 6}, {300, 1, 0}, {0, 4, 0}, {41, 12, 0}, {44, 8, 0}, {77, 7, 0}}},
    {5, DISPATCH, 1, 0, {5}, {{0}}},
};
static const uint8_t frame_ops[] = {15, 6, 15, 45, 3, 6};

Test(stopped_operation, has_its_objects_states_shaders_and_barriers_in_the_text)
{
    AT_END(at_end_close) annot_reader *reader = open_list(frame, 6, frame_ops, 6, 4);
    OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
    EXPECT_IN_ORDER(
        text, "a resource that was not written yet", "DrawInstanced(3, 1, 0, 9)",
        "    target         \"Color\" (64 x 32, R8G8B8A8_UNORM), UNORDERED_ACCESS\n",
        "    depth          \"Depth\" (64 x 32, D32_FLOAT), DEPTH_STENCIL_READ\n",
        "    pipeline       \"Blur\"\n", "    shader         vs 0000000000001111, \"blur\"\n",
        "    shader         ps 0000000000002222, \"cut...\"\n", " 0000000000003333\n",
        "    vertices       \"Vertices\" (buffer, 4096 bytes), COPY_DEST\n",
        "    source         \"Mask\"\n", "    destination    ",
        "    barrier        3 \"Color\": RENDER_TARGET -> UNORDERED_ACCESS\n",
        "    barrier        3 \"Vertices\": VERTEX_AND_CONSTANT_BUFFER -> COPY_DEST\n",
        "    barrier        4 \"Depth\": RENDER_TARGET -> DEPTH_STENCIL_WRITE\n",
        "    barrier        4 \"Depth\": NO_ACCESS -> UNORDERED_ACCESS\n",
        "    done before    1 ResourceBarrier, 2 Dispatch(1, 2, 3), 3 ResourceBarrier, 4 Barrier\n",
        "    after it       6 Dispatch(5)\n");
    cr_expect_null(strstr(text, "    indices "), "nothing is bound there: %s", text);
}

Test(stopped_operation, has_its_objects_states_shaders_and_barriers_in_json)
{
    AT_END(at_end_close) annot_reader *reader = open_list(frame, 6, frame_ops, 6, 4);
    OWNED char *json = report_of(reader, true, &(annot_report_options){0});
    const char *at = strstr(json, "\"stopped_at\":{");
    cr_assert_not_null(at, "%s", json);
    EXPECT_IN_ORDER(
        at, "\"number\":4,\"operations\":6,\"in_bundle\":false,\"operation\":\"DrawInstanced\",",
        "\"text\":\"DrawInstanced(3, 1, 0, 9)\",\"arguments\":[\"3\",\"1\",\"0\",\"9\"],",
        "\"objects\":[", "{\"role\":\"target\",",
        "\"resource_state\":8,\"resource_state_text\":\"UNORDERED_ACCESS\",\"resource\":{"
        "\"dimension\":3,\"width\":\"64\",\"height\":32,\"depth\":1,\"mips\":4,\"samples\":1,"
        "\"format\":28,\"created_state\":4,\"created_state_text\":\"RENDER_TARGET\"}}",
        "{\"role\":\"depth\",",
        "\"resource_state\":5,\"resource_state_text\":\"DEPTH_STENCIL_READ\"", "\"format\":40}}",
        "{\"role\":\"pipeline\",", "\"shaders\":[",
        "{\"stage\":\"vs\",\"form\":\"dxil\",\"hash\":\"0000000000001111\",\"xxh3\":"
        "\"0x0000000000001111\",\"debug_name\":\"blur\"}",
        "{\"stage\":\"ps\",\"form\":\"spirv\",\"hash\":\"0000000000002222\",",
        "\"form\":\"other\",\"hash\":\"0000000000003333\",\"xxh3\":\"0x0000000000003333\"}]}",
        "{\"role\":\"vertices\",",
        "\"resource_state\":1024,\"resource_state_text\":\"COPY_DEST\",\"resource\":{\"dimension\":"
        "1,"
        "\"width\":\"4096\"",
        "{\"role\":\"source\",", "{\"role\":\"destination\",", "\"barriers\":[", "{\"number\":2,",
        "\"before\":4,\"before_text\":\"RENDER_TARGET\",\"after\":8,\"after_text\":"
        "\"UNORDERED_ACCESS\"}",
        "{\"number\":2,", "\"before\":1,", "\"after\":1024,", "{\"number\":3,",
        "\"before\":2,\"before_text\":\"RENDER_TARGET\",\"after\":4,\"after_text\":"
        "\"DEPTH_STENCIL_WRITE\"}",
        "{\"number\":3,",
        "\"before\":2147483648,\"before_text\":\"NO_ACCESS\",\"after\":16,\"after_text\":"
        "\"UNORDERED_ACCESS\"}]",
        "\"done_before\":[\"ResourceBarrier\",\"Dispatch(1, 2, "
        "3)\",\"ResourceBarrier\",\"Barrier\"]",
        "\"after\":[\"Dispatch(5)\"]");
}

/* ---- around it ---- */

/* "3 Dispatch(2), 4 Dispatch(3)" and "\"Dispatch(2)\",\"Dispatch(3)\"". */
static void say_around(int first, int end, char *text, char *json)
{
    *text = *json = 0;
    for (int i = first; i < end; i++) {
        sprintf(text + strlen(text), "%s%d Dispatch(%d)", i > first ? ", " : "", i + 1, i);
        sprintf(json + strlen(json), "%s\"Dispatch(%d)\"", i > first ? "," : "", i);
    }
}

Test(stopped_operation, has_up_to_four_operations_in_front_of_it_and_behind)
{
    enum { COUNT = 11 };
    struct noted noted[COUNT];
    uint8_t ops[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        noted[i] = (struct noted){i, DISPATCH, 1, 0, {(int64_t)i}, {{0}}};
        ops[i] = DISPATCH;
    }
    for (int count = 1; count <= COUNT; count += 2)
        for (int done = 0; done < count; done++) {
            char text[256], json[256], line[400], member[300];
            AT_END(at_end_close)
            annot_reader *reader = open_list(noted, (uint32_t)count, ops, (uint32_t)count, done);
            OWNED char *report = report_of(reader, false, &(annot_report_options){.no_ids = true});
            OWNED char *object = report_of(reader, true, &(annot_report_options){0});
            snprintf(member, sizeof member, "; %d is done: Dispatch(%d)", done, done - 1);
            snprintf(line, sizeof line, "    operation      %d of %d is not done: Dispatch(%d)%s\n",
                     done + 1, count, done, done > 0 ? member : "");
            cr_expect_not_null(strstr(report, line), "%d of %d: %s", done, count, report);
            say_around(done > 4 ? done - 4 : 0, done, text, json);
            snprintf(line, sizeof line, "    done before    %s\n", text);
            snprintf(member, sizeof member, "\"done_before\":[%s]", json);
            cr_expect_eq(strstr(report, line) != NULL, done > 0, "%d of %d: %s", done, count,
                         report);
            cr_expect_eq(strstr(report, "done before ") != NULL, done > 0);
            cr_expect_not_null(strstr(object, member), "%d of %d: %s", done, count, member);
            say_around(done + 1, done + 5 < count ? done + 5 : count, text, json);
            snprintf(line, sizeof line, "    after it       %s\n", text);
            snprintf(member, sizeof member, "\"after\":[%s]", json);
            cr_expect_eq(strstr(report, line) != NULL, done + 1 < count, "%d of %d: %s", done,
                         count, report);
            cr_expect_eq(strstr(report, "after it ") != NULL, done + 1 < count);
            cr_expect_not_null(strstr(object, member), "%d of %d: %s", done, count, member);
        }
}

/* All, or so many of the last and the number of the rest; none in front of other work. Barriers of
 * one call are several records of its number. */
Test(stopped_operation, has_the_barriers_since_other_work)
{
    enum { SHOWN = 32, MOST = SHOWN + 3 };
    for (uint32_t count = 0; count <= MOST; count++) {
        struct noted noted[MOST + 3];
        uint8_t ops[4] = {RESOURCE_BARRIER, DISPATCH, RESOURCE_BARRIER, DRAW};
        noted[0] = (struct noted){0, RESOURCE_BARRIER, 2, 1, {1, 2}, {{44, 10, 0}}};
        noted[1] = (struct noted){1, DISPATCH, 1, 0, {7}, {{0}}};
        for (uint32_t i = 0; i < count; i++)
            noted[2 + i] =
                (struct noted){2, RESOURCE_BARRIER, 2, 1, {0, (int64_t)1 << i % 8}, {{42, 10, 0}}};
        noted[2 + count] = (struct noted){3, DRAW, 1, 0, {3}, {{0}}};
        AT_END(at_end_close) annot_reader *reader = open_list(noted, 3 + count, ops, 4, 3);
        OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
        OWNED char *json = report_of(reader, true, NULL);
        const uint32_t shown = count < SHOWN ? count : SHOWN;
        cr_expect_eq(report_count(text, "    barrier  "), shown, "%u: %s", count, text);
        cr_expect_eq(report_count(json, "\"before_text\":"), shown, "%u: %s", count, json);
        char left_out[64], member[64];
        snprintf(left_out, sizeof left_out, "barriers       %u earlier barriers are left out\n",
                 count - shown);
        snprintf(member, sizeof member, "\"barriers_left_out\":%u", count - shown);
        cr_expect_eq(strstr(text, left_out) != NULL, count > SHOWN, "%u: %s", count, text);
        cr_expect_eq(strstr(json, member) != NULL, count > SHOWN, "%u: %s", count, json);
        cr_expect_null(strstr(text, "\"Mask\""), "in front of other work: %s", text);
    }
}

/* The recording begins with them. */
Test(stopped_operation, has_the_barriers_of_the_first_call)
{
    static const uint8_t ops[] = {RESOURCE_BARRIER, DRAW};
    const struct noted noted[] = {{0, RESOURCE_BARRIER, 2, 1, {1, 2}, {{44, 10, 0}}},
                                  {0, RESOURCE_BARRIER, 2, 1, {2, 4}, {{42, 10, 0}}},
                                  {1, DRAW, 1, 0, {3}, {{0}}}};
    AT_END(at_end_close) annot_reader *reader = open_list(noted, 3, ops, 2, 1);
    OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
    cr_expect_eq(report_count(text, "    barrier        1 "), 2, "%s", text);
}

#define UAV    ((int64_t)1 << 32)
#define FREED  ((int64_t)1 << 33)
#define TAKEN  ((int64_t)1 << 34)
#define BEGINS ((int64_t)1 << 35)
#define ENDS   ((int64_t)1 << 36)
enum { TARGET = 4, ACCESS = 8, READ = 128, DEST = 1024 };

/* "Chain" has 4 mips, 6 slices and 2 planes. It comes into COPY_DEST as a whole, then a barrier is
 * of a part, and an operation uses a part. */
static const struct {
    uint64_t barrier, used;
    int64_t after;
    const char *said;  /* behind the object's description */
    const char *shown; /* of the barrier, behind its name */
} parts[] = {
    {0, 0, READ, ", PIXEL_SHADER_RESOURCE\n", ": RENDER_TARGET -> PIXEL_SHADER_RESOURCE\n"},
    /* slice 0 is no target any more, slice 1 is */
    {ANNOT_PART(3, 0, 4, 0, 1), ANNOT_PART(3, 0, 4, 1, 1), READ, ", slice 1, COPY_DEST\n",
     " slice 0: RENDER_TARGET -> PIXEL_SHADER_RESOURCE\n"},
    {ANNOT_PART(3, 0, 4, 0, 1), ANNOT_PART(3, 0, 4, 0, 1), READ,
     ", slice 0, PIXEL_SHADER_RESOURCE\n", NULL},
    {ANNOT_PART(1, 2, 1, 3, 1), ANNOT_PART(1, 2, 1, 3, 1), READ,
     ", mip 2, slice 3, plane 0, PIXEL_SHADER_RESOURCE\n",
     " mip 2, slice 3, plane 0: RENDER_TARGET -> PIXEL_SHADER_RESOURCE\n"},
    {ANNOT_PART(1, 2, 1, 3, 1), ANNOT_PART(2, 2, 1, 3, 1), READ,
     ", mip 2, slice 3, plane 1, COPY_DEST\n", NULL},
    /* counts up to the last one, as long as they like */
    {ANNOT_PART(0xFFFF, 1, 255, 0, 65535), ANNOT_PART(3, 3, 1, 5, 1), READ,
     ", mip 3, slice 5, PIXEL_SHADER_RESOURCE\n",
     " mips 1 to 3: RENDER_TARGET -> PIXEL_SHADER_RESOURCE\n"},
    {ANNOT_PART(0xFFFF, 0, 255, 0, 65535), 0, READ, ", PIXEL_SHADER_RESOURCE\n",
     ": RENDER_TARGET -> PIXEL_SHADER_RESOURCE\n"},
    /* of what is used only a part was in the barrier */
    {ANNOT_PART(3, 1, 1, 0, 6), ANNOT_PART(3, 0, 2, 0, 6), READ,
     ", mips 0 to 1, mip 1: PIXEL_SHADER_RESOURCE, mip 0: COPY_DEST\n", NULL},
    {ANNOT_PART(3, 1, 1, 2, 1), 0, READ,
     ", mip 1, slice 2: PIXEL_SHADER_RESOURCE, slices 0 to 1: COPY_DEST, "
     "slices 3 to 5: COPY_DEST, mip 0, slice 2: COPY_DEST, mips 2 to 3, slice 2: COPY_DEST\n",
     NULL},
    /* nobody knows of which, or the object has none like it */
    {ANNOT_PART_UNKNOWN, 0, READ, "\n", " some subresources: RENDER_TARGET"},
    {ANNOT_PART(3, 9, 1, 0, 1), 0, READ, "\n", " some subresources: RENDER_TARGET"},
    {ANNOT_PART(3, 0, 0, 0, 1), 0, READ, "\n", " some subresources: RENDER_TARGET"},
    {0, ANNOT_PART_UNKNOWN, READ, ", some subresources\n", NULL},
    /* halves, and what is no transition */
    {0, 0, READ | BEGINS, ", in transition to PIXEL_SHADER_RESOURCE\n",
     ": RENDER_TARGET -> PIXEL_SHADER_RESOURCE begins\n"},
    {0, 0, READ | ENDS, ", PIXEL_SHADER_RESOURCE\n",
     ": RENDER_TARGET -> PIXEL_SHADER_RESOURCE ends\n"},
    {0, 0, ACCESS | UAV, ", COPY_DEST\n", ": unordered access\n"},
    {0, 0, FREED, ", COPY_DEST\n", ": another resource gets this resource's memory\n"},
    {0, 0, TAKEN, ", COPY_DEST\n", ": this resource gets another resource's memory\n"},
};

static annot_reader *open_part(size_t row, uint64_t object)
{
    static const uint8_t ops[] = {RESOURCE_BARRIER, RESOURCE_BARRIER, DRAW};
    const struct noted noted[] = {
        {0, RESOURCE_BARRIER, 2, 1, {0, DEST}, {{45, 10, 0}}},
        {1,
         RESOURCE_BARRIER,
         4,
         2,
         {0, 1, TARGET, parts[row].after},
         {{44, 10, 0}, {object, 10, 0}, {parts[row].barrier, parts[row].barrier ? 13 : 0, 1}}},
        {2,
         DRAW,
         1,
         2,
         {3},
         {{300, 1, 0}, {45, 2, 0}, {parts[row].used, parts[row].used ? 13 : 0, 1}}}};
    return open_list(noted, 3, ops, 3, 2);
}

Test(stopped_operation, has_the_states_of_the_parts_that_it_uses)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char line[300];
        AT_END(at_end_close) annot_reader *reader = open_part(i, 45);
        OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
        snprintf(line, sizeof line,
                 "    target         \"Chain\" (64 x 32, 6 slices, D24_UNORM_S8_UINT)%s",
                 parts[i].said);
        cr_expect_not_null(strstr(text, line), "row %zu: %s", i, text);
        snprintf(line, sizeof line, "2 \"Chain\"%s", parts[i].shown ? parts[i].shown : "");
        cr_expect_not_null(strstr(text, line), "row %zu: %s", i, text);
    }
}

/* A global barrier, a UAV barrier of all: of everything, and of no state. */
Test(stopped_operation, has_barriers_of_everything)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].barrier != 0 || parts[i].used != 0)
            continue;
        AT_END(at_end_close) annot_reader *reader = open_part(i, 0);
        OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
        cr_expect_not_null(strstr(text, ", COPY_DEST\n"), "row %zu: %s", i, text);
        cr_expect_not_null(strstr(text, "2 everything: "), "row %zu: %s", i, text);
    }
}

Test(stopped_operation, in_json_has_parts_and_their_states)
{
    static const struct {
        size_t row;
        const char *said[4];
    } rows[] = {
        {1,
         {"\"subresources\":{\"text\":\"slice 1\",\"first_mip\":0,\"mips\":4,\"first_slice\":1,"
          "\"slices\":1,\"planes\":3},\"resource_state\":1024,",
          "\"subresources\":{\"text\":\"slice 0\",", NULL}},
        {7,
         {"{\"subresources\":{\"text\":\"mip 1\",",
          "\"state\":128,\"state_text\":\"PIXEL_SHADER_RESOURCE\",\"is_reached\":true},",
          "\"has_unknown_states\":false", NULL}},
        {13,
         {"\"is_reached\":false}]", "\"half\":\"begins\"", "\"has_unknown_states\":false", NULL}},
        {15, {"\"kind\":\"unordered access\"", "\"resource_state\":1024,", NULL}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(at_end_close) annot_reader *reader = open_part(rows[i].row, 45);
        OWNED char *json = report_of(reader, true, NULL);
        for (size_t k = 0; rows[i].said[k]; k++)
            cr_expect_not_null(strstr(json, rows[i].said[k]), "row %zu, %zu: %s", i, k, json);
    }
}

/* More parts than there is room for: what is said is so, and that there are others. */
Test(stopped_operation, says_that_it_leaves_out_states)
{
    enum { BARRIERS = 12 };
    struct noted noted[BARRIERS + 1];
    uint8_t ops[BARRIERS + 1];
    for (uint32_t i = 0; i < BARRIERS; i++) {
        noted[i] = (struct noted){
            i, RESOURCE_BARRIER,         2,
            1, {0, i % 2 ? READ : DEST}, {{45, 10, 0}, {ANNOT_PART(3, i % 4, 1, i / 4, 1), 13, 0}}};
        ops[i] = RESOURCE_BARRIER;
    }
    noted[BARRIERS] = (struct noted){BARRIERS, DRAW, 1, 1, {3}, {{45, 2, 0}}};
    ops[BARRIERS] = DRAW;
    AT_END(at_end_close)
    annot_reader *reader = open_list(noted, BARRIERS + 1, ops, BARRIERS + 1, BARRIERS);
    OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
    cr_expect_not_null(strstr(text, ", mip 3, slice 2: PIXEL_SHADER_RESOURCE, mip 2, slice 2: "
                                    "COPY_DEST, "),
                       "%s", text);
    cr_expect_not_null(strstr(text, ", other parts unknown\n"), "%s", text);
}

/* Markers and state stand between a barrier and the operation behind it, and work that nothing
 * noted doesn't. */
Test(stopped_operation, has_barriers_behind_the_last_work_that_breadcrumbs_count)
{
    static const struct {
        uint8_t between[3];
        bool is_shown;
    } rows[] = {{{SET, SET, SET}, true},
                {{BEGIN, END, SET}, true},
                {{DISPATCH, SET, SET}, false},
                {{SET, SET, DISPATCH}, false},
                {{SET_PIPELINE_STATE1, SET, SET_PROGRAM}, true},
                {{SET, COPY_BUFFER_REGIONS, SET}, false},
                {{BUNDLE, SET, SET}, false},
                {{SET, DRAW, SET}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const struct noted noted[] = {{0, RESOURCE_BARRIER, 2, 1, {0, 4}, {{42, 10, 0}}},
                                             {4, DRAW, 1, 0, {3}, {{0}}}};
        uint8_t ops[5] = {RESOURCE_BARRIER, [4] = DRAW};
        memcpy(ops + 1, rows[i].between, 3);
        AT_END(at_end_close) annot_reader *reader = open_list(noted, 2, ops, 5, 4);
        OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
        OWNED char *json = report_of(reader, true, NULL);
        cr_expect_eq(report_count(text, "    barrier  "), rows[i].is_shown, "row %zu: %s", i, text);
        cr_expect_eq(report_count(json, "\"before_text\":"), rows[i].is_shown, "row %zu: %s", i,
                     json);
    }
}

/* Without breadcrumbs it has the number behind the barrier's. */
Test(stopped_operation, of_a_scope_has_barriers_directly_in_front_of_it)
{
    for (uint32_t number = 1; number < 4; number++) {
        const uint8_t bytes[32] = {4, [8] = 8, [16] = 42, [24] = 10};
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        put_objects(&dump);
        dump_recording(&dump, 1, 100);
        const uint64_t pass = dump_begin(&dump, "Pass");
        dump_add_with(&dump, OPERATION, bytes, 32, .parent = pass, .number = 0,
                      .kind = RESOURCE_BARRIER, .arguments = 2, .objects = 1);
        dump_add(&dump, OPERATION, .parent = pass, .number = number, .kind = DISPATCH);
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, pass, 0);
        OWNED char *text = dump_report(&dump, false, &(annot_report_options){.no_ids = true});
        cr_expect_eq(report_count(text, "    barrier        \"Color\": "), number == 1, "%u: %s",
                     number, text);
    }
}

static void put_call(struct dump *dump, uint64_t parent, uint32_t number, uint32_t kind)
{
    const uint8_t bytes[32] = {4, [8] = 8, [16] = 42, [24] = 10};
    const bool is_barrier = kind == RESOURCE_BARRIER;
    dump_add_with(dump, OPERATION, bytes, is_barrier ? 32 : 0, .parent = parent, .number = number,
                  .kind = kind, .arguments = 2 * is_barrier, .objects = is_barrier);
}

/* A bundle between a barrier and the operation: its work is the work before, its barriers count,
 * and of one that notes nothing nobody knows whether it works. */
Test(stopped_operation, has_barriers_behind_the_bundle_before_it)
{
    static const struct {
        uint32_t kinds[2], count;
        bool is_kept;
        uint32_t shown;
        const char *left_out;
    } rows[] = {
        {{DISPATCH, DISPATCH}, 2, true, 0, NULL},
        {{RESOURCE_BARRIER, DISPATCH}, 2, true, 0, NULL},
        {{DISPATCH, RESOURCE_BARRIER}, 2, true, 0, "1 earlier barriers are left out"},
        {{RESOURCE_BARRIER, RESOURCE_BARRIER}, 2, true, 1, "2 earlier barriers are left out"},
        {{0}, 0, true, 0, "the dump may lack earlier barriers"},
        {{0}, 0, false, 0, "the dump may lack earlier barriers"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        put_objects(&dump);
        annot_reader_suspect suspect;
        uint32_t in_flight = 2; /* those of the list */
        dump_recording(&dump, 7, 44);
        for (uint32_t k = 0; k < rows[i].count; k++) {
            put_call(&dump, 0, k, rows[i].kinds[k]);
            in_flight += rows[i].kinds[k] == DISPATCH;
        }
        dump_recording(&dump, 9, 44);
        put_call(&dump, 0, 0, RESOURCE_BARRIER);
        dump_recording(&dump, 1, 100);
        const uint64_t pass = dump_begin(&dump, "Pass");
        dump_bundle(&dump, 1, 9, 44); /* in front of other work */
        put_call(&dump, pass, 0, DISPATCH);
        put_call(&dump, pass, 1, RESOURCE_BARRIER);
        dump_bundle(&dump, 2, rows[i].is_kept ? 7 : 8, 44);
        const uint64_t call = dump_begin(&dump, "Call");
        put_call(&dump, call, 2, DISPATCH);
        dump_end(&dump);
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, call, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect_eq(suspect.candidates, in_flight, "row %zu: %u", i, suspect.candidates);
        cr_expect_eq(report_count(text, "    barrier        \"Color\": "), rows[i].shown,
                     "row %zu: %s", i, text);
        cr_expect_eq(report_count(text, "    barriers       "), rows[i].left_out != NULL,
                     "row %zu: %s", i, text);
        cr_expect(!rows[i].left_out || strstr(text, rows[i].left_out), "row %zu: %s", i, text);
    }
}

/* Two states for each object: those that are missing are not known, and no others are. */
Test(stopped_operation, has_of_a_damaged_barrier_what_is_there)
{
    for (uint32_t arguments = 0; arguments < 5; arguments++) {
        const struct noted noted[] = {
            {0, RESOURCE_BARRIER, arguments, 2, {4, 8, 1, 1024}, {{42, 10, 0}, {41, 10, 0}}},
            {1, DRAW, 1, 2, {3}, {{42, 2, 0}, {41, 12, 0}}}};
        AT_END(at_end_close)
        annot_reader *reader = open_list(noted, 2, (uint8_t[]){RESOURCE_BARRIER, DRAW}, 2, 1);
        OWNED char *text = report_of(reader, false, &(annot_report_options){.no_ids = true});
        OWNED char *json = report_of(reader, true, NULL);
        cr_expect_eq(report_count(text, "    barrier  "), arguments / 2, "%u: %s", arguments, text);
        cr_expect_eq(report_count(json, "\"before_text\":"), arguments / 2, "%u: %s", arguments,
                     json);
        cr_expect_eq(report_count(text, "R8G8B8A8_UNORM), UNORDERED_ACCESS\n"), arguments >= 2,
                     "%u: %s", arguments, text);
        cr_expect_eq(report_count(text, "4096 bytes), COPY_DEST\n"), arguments == 4, "%u: %s",
                     arguments, text);
        cr_expect_eq(report_count(json, "\"resource_state\":"), arguments / 2, "%u: %s", arguments,
                     json);
    }
}

/* annot/shader.h: ANNOT_SHADERS_MAX of a pipeline; the answer has three. */
Test(stopped_operation, has_as_many_shaders_as_a_pipeline_may_have)
{
    for (uint32_t count = 1; count < 35; count += count < 4 || count > 30 ? 1 : 27) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        char answer[256];
        dump_object(&dump, 300, 0, "P");
        for (uint32_t i = 0; i < count; i++)
            dump_add_with(&dump, SHADER, "n", 1, .object = 300, .xxh3 = i, .form = 2, .stage = 2,
                          .name_size = 1);
        dump_recording(&dump, 1, 100);
        put_noted(&dump, &(struct noted){0, DRAW, 0, 1, {0}, {{300, 1, 0}}});
        dump_submitted(&dump);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(&dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = 1);
        dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, (uint8_t[]){DRAW}, 1);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        OWNED char *text = report_of(reader, false, NULL), *json = report_of(reader, true, NULL);
        annot_reader_answer(reader, answer, sizeof answer);
        cr_expect_eq(report_count(text, "    shader         vs "), count < 32 ? count : 32);
        cr_expect_eq(report_count(text, ", \"n\"\n"), count < 32 ? count : 32);
        cr_expect_eq(report_count(json, "\"stage\":\"vs\""), count < 32 ? count : 32);
        cr_expect_eq(report_count(json, "\"debug_name\":\"n\""), count < 32 ? count : 32);
        cr_expect_eq(report_count(answer, "vs "), count < 3 ? count : 3, "%s", answer);
    }
}
