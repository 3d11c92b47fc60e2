/* A trace of calls that the emulator has not, replayed on the suite's own runtime [ANN-FIELD-02].
 */
#include "fake.h"

#include <capture/replay/replay.h>
#include <intercept/d3d12.h>

#include "made_trace.h"

typedef struct identifier {
    uint64_t words[4];
} identifier;

/* What a list is set to: the same place for each type of program. */
struct set_program {
    uint32_t type;
    identifier program;
    uint8_t rest[48];
};
_Static_assert(offsetof(struct set_program, program) == 8, "as in D3D12_SET_PROGRAM_DESC");

enum { PROPERTIES = 1, LIST = 2, TABLE = 3, WORK_GRAPH = 5 };
enum { BUFFER_BYTES = 65536, WRITTEN = 176, WRITTEN_AT = 80 }; /* of the shader table */
static const identifier then = {{1, 2, 3, 4}}, here = {{5, 6, 7, 8}}, other = {{1, 2, 3, 5}};
static const identifier shader = {{11, 12, 13, 14}}, shader_here = {{15, 16, 17, 18}};
static identifier set_to[3];
static unsigned set_count;
static _Alignas(64) uint8_t shader_table[BUFFER_BYTES]; /* of this run */

/* ---- recording ---- */

static struct made made;

static void record_object(uint64_t number, uint16_t type)
{
    static const uint8_t class[16];
    void *written = (void *)(uintptr_t)number;
    made_call(&made, METHOD_NONE_D3D12GetInterface, 0,
              (const uint64_t[CODEC_ARGS]){(uintptr_t) class, (uintptr_t)iid_of(type),
                                           (uintptr_t)&written},
              NULL);
}

static void record_set(const identifier *program)
{
    const struct set_program desc = {.type = WORK_GRAPH, .program = *program};
    made_call(&made, METHOD_ID3D12GraphicsCommandList10_SetProgram, LIST,
              (const uint64_t[CODEC_ARGS]){(uintptr_t)&desc}, NULL);
}

/* What the program writes at WRITTEN_AT: identifiers at aligned places, and one that is at none. */
static void write_table(uint8_t *bytes, const identifier *of_shader)
{
    memset(bytes, 0x77, WRITTEN);
    memcpy(bytes + 96 - WRITTEN_AT, of_shader, sizeof shader);
    memcpy(bytes + 128 - WRITTEN_AT, &other, sizeof other);
    memcpy(bytes + 168 - WRITTEN_AT, &shader, sizeof shader);
    memcpy(bytes + 224 - WRITTEN_AT, of_shader, sizeof shader);
}

static void record_table(void)
{
    void *mapped = shader_table;
    struct {
        struct trace_memory head;
        uint8_t bytes[WRITTEN];
    } written = {.head = {.object = TABLE, .offset = WRITTEN_AT, .size = WRITTEN}};
    made_call(&made, METHOD_ID3D12Resource_Map, TABLE,
              (const uint64_t[CODEC_ARGS]){0, 0, (uintptr_t)&mapped}, NULL);
    write_table(written.bytes, &shader);
    cr_assert(trace_writer_add(
        made.writer, &(struct trace_item){.record = {sizeof(struct trace_record) + sizeof written,
                                                     RECORD_MEMORY, made.calls, 0, 0},
                                          .thread = 1,
                                          .data = (uint8_t *)&written,
                                          .size = sizeof written}));
}

static void record_all(void)
{
    static const wchar_t name[] = L"program";
    made = made_begin(sizeof(wchar_t));
    record_object(PROPERTIES, TYPE_ID3D12StateObjectProperties1);
    record_object(LIST, TYPE_ID3D12GraphicsCommandList10);
    record_set(&then);
    made_call(&made, METHOD_ID3D12StateObjectProperties1_GetProgramIdentifier, PROPERTIES,
              (const uint64_t[CODEC_ARGS]){(uintptr_t)name}, &then);
    record_set(&then);
    record_set(&other);
    record_object(TABLE, TYPE_ID3D12Resource);
    made_call(&made, METHOD_ID3D12StateObjectProperties_GetShaderIdentifier, PROPERTIES,
              (const uint64_t[CODEC_ARGS]){(uintptr_t)name}, &shader);
    record_table();
}

/* ---- replay ---- */

static HRESULT WINAPI get_interface(const CLSID *class, const IID *iid, void **out)
{
    (void)class;
    *out = fake_create(schema_interface_of((const uint8_t *)(const void *)iid));
    return S_OK;
}

static void *find_export(const char *name)
{
    HRESULT(WINAPI * function)(const CLSID *, const IID *, void **) = get_interface;
    void *found = NULL;
    if (strcmp(name, "D3D12GetInterface") == 0)
        memcpy(&found, &function, sizeof found);
    return found;
}

static void answer(uint16_t method, struct fake *self, uint64_t *args, struct call_result *result)
{
    (void)self;
    if (method == METHOD_ID3D12StateObjectProperties1_GetProgramIdentifier) {
        memcpy(result->structure, &here, sizeof here);
    } else if (method == METHOD_ID3D12StateObjectProperties_GetShaderIdentifier) {
        result->word = (uintptr_t)&shader_here;
    } else if (method == METHOD_ID3D12Resource_Map) {
        void *memory = shader_table;
        memcpy((void *)(uintptr_t)args[2], &memory, sizeof memory);
    } else if (method == METHOD_ID3D12Resource_GetDesc) {
        const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                          .Width = BUFFER_BYTES};
        memcpy(result->structure, &desc, sizeof desc);
    } else {
        cr_assert_eq(method, METHOD_ID3D12GraphicsCommandList10_SetProgram);
        set_to[set_count++] = ((const struct set_program *)(uintptr_t)args[0])->program;
    }
}

Test(replayed, lists_and_shader_tables_have_the_identifiers_of_this_run)
{
    const struct replay_options options = {.exports = find_export, .release = true, .log = stderr};
    struct replay_outcome outcome;
    uint8_t table[WRITTEN];
    const char *why;
    record_all();
    fake_answer = answer;
    struct trace *trace = made_open(&made);
    cr_assert(replay_run(trace, &options, &outcome, &why), "%s", why);
    cr_assert_eqs(outcome.calls, made.calls, outcome.different, (uint64_t)0);
    cr_assert_eq(set_count, 3);
    cr_assert_arr_eq(&set_to[0], &then, sizeof then); /* nothing was said of it yet */
    cr_assert_arr_eq(&set_to[1], &here, sizeof here);
    cr_assert_arr_eq(&set_to[2], &other, sizeof other);
    write_table(table, &shader_here);
    cr_assert_arr_eq(shader_table + WRITTEN_AT, table, sizeof table);
    trace_close(trace);
    fclose(made.file);
}

static uint64_t kept[2];
static unsigned kept_count;

static void keep(uint16_t method, struct fake *self, uint64_t *args, struct call_result *result)
{
    (void)self, (void)result;
    cr_assert(method == METHOD_ID3D12Object_SetPrivateDataInterface && kept_count < 2);
    kept[kept_count++] = args[1];
}

/* A device's child keeps the device, so a device that keeps its child would never be released. */
Test(replayed, at_its_end_a_device_keeps_no_child)
{
    static const uint8_t guid[16] = {7};
    const struct replay_options options = {.exports = find_export, .release = true, .log = stderr};
    struct replay_outcome outcome;
    const char *why;
    made = made_begin(sizeof(wchar_t));
    record_object(PROPERTIES, TYPE_ID3D12Device);
    record_object(LIST, TYPE_ID3D12Fence);
    made_call(&made, METHOD_ID3D12Object_SetPrivateDataInterface, PROPERTIES,
              (const uint64_t[CODEC_ARGS]){(uintptr_t)guid, LIST}, NULL);
    fake_answer = keep;
    struct trace *trace = made_open(&made);
    cr_assert(replay_run(trace, &options, &outcome, &why), "%s", why);
    cr_expect(kept_count == 2 && kept[0] && !kept[1]);
    trace_close(trace);
    fclose(made.file);
}
