/* A case: one behaviour that the specification promises, in a process of its own.
 *
 *     CASES(mode_cases, "mode");
 *
 *     CASE(reset_keeps_the_latch, "ANN-MODE-05",
 *          "Reset re-reads the device's mode, and a list changes sides in the middle of its life.",
 *          .needs = SPY, .drivers = REFERENCE | REORDER)
 *     {
 *         ID3D12Device *device = kit_spied_device(RETAIL);
 *         struct kit_list list = kit_list(device, DIRECT);
 *         kit_set_mode(device, RUNTIME);
 *         kit_list_reset(&list);
 *         kit_set(&list, 1, "still heard", 12);
 *         EXPECT_EQ(spy_count(), 1);
 *         kit_list_done(&list);
 *         kit_device_done(device);
 *     }
 *
 * That is `mode/reset_keeps_the_latch@reference` and `@reorder`. How to write one:
 *
 *  1. Name the behaviour, not the call. The IDs are those of the requirements that would be
 *     broken, separated by blanks; at least one. The sentence says what would be wrong in the
 *     world if the case failed.
 *  2. `.needs` is what the runtime must offer beside D3D12; without it the case is skipped with
 *     the reason. Never test for it in the body. A body that finds out later that a runtime can't
 *     do something calls SKIP("why").
 *  3. `.drivers` are the emulator's drivers that the case says something about; none: the
 *     reference driver only. With more than one the case is run once with each, as NAME@DRIVER. A
 *     runtime without a choice of drivers runs every case once that includes REFERENCE and skips
 *     the others. kit_device and its sisters already use the driver. The hostile one then does
 *     what it is asked, so that the case can go on, and lies about markers and in its reports.
 *  4. `.rows` makes one case of each row: an array of names that ends with NULL, case_row() its
 *     index. kit.h has kit_list_rows (case_row() is the D3D12_COMMAND_LIST_TYPE), kit_queue_rows
 *     (kit_queue_types[case_row()]) and kit_object_rows (case_row() is the enum kit_object_kind).
 *  5. EXPECT… notes a failure and goes on, REQUIRE… ends the case. Both show file, line and
 *     values. Any thread.
 *  6. Calls to the runtime go through interfaces or through `the_runtime` (runtime.h), never
 *     through a linked function: the runtime is somebody else's library. Methods that return
 *     structs are called with KIT_STRUCT (kit.h).
 *  7. A case ends with every object released; kit_device_done expects that nothing is left. A case
 *     is killed after --timeout seconds, and a crash fails the case only, never the run.
 *  8. Expectations come from the specification. If it is silent and the requirement is a
 *     decision of this project, the sentence says so.
 *  9. Files (dumps, settings) are written to the path of case_file: cases run side by side.
 *
 * Run one alone, in a debugger if need be: annot-conformance --run-case
 * 'mode/reset_keeps_the_latch@reorder'
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Features of a runtime in addition to D3D12. */
enum case_need {
    SPY = 1 << 0,      /* the suite can listen to the runtime's driver calls */
    EMULATOR = 1 << 1, /* emu.h can choose the driver, the order and the budget */
    LOOKUP = 1 << 2,   /* the device has an annot_device */
    DUMP = 1 << 3,     /* the runtime writes a dump when the device is removed */
    HANG = 1 << 4,     /* the suite can make the GPU hang */
    KERNELS = 1 << 5,  /* the runtime runs a compute shader of the suite */
    MESSAGES = 1 << 6, /* the device has an ID3D12InfoQueue */
    DRED = 1 << 7,     /* ID3D12DeviceRemovedExtendedDataSettings1 and Data1 */
    PREVIEW = 1 << 8,  /* the device has an ID3D12DevicePreview */
    TOOLS = 1 << 9,    /* the device has an ID3D12DeviceTools2 */
    NAMES = 1 << 10,   /* GetPrivateData returns the name of SetName */
    UNCOPIED =
        1 << 11,     /* markers by reference, which D3D12 has not: annot_context_..._by_reference */
    VIDEO = 1 << 12, /* its device makes lists of a video type; plan_needs: of rows */
    PUBLISHED = 1 << 13, /* the ID3D12DeviceTools2 is the published one; the same */
    SPECIFIED = 1 << 14, /* it is, too, the one of the specification v0.06; the same */
    LIBRARY = 1 << 15, /* the functions of libannot for LOOKUP's device; plan_needs: with LOOKUP */
};
enum { CASE_NEEDS = 16 }; /* at most VERDICT_NEEDS_MAX */

/* The emulator's drivers. */
enum case_driver {
    REFERENCE = 1 << 0,
    WARP = 1 << 1,
    LEGACY = 1 << 2,
    REORDER = 1 << 3,
    HOSTILE = 1 << 4,
};
#define ANNOTATING_DRIVERS (REFERENCE | WARP | REORDER | HOSTILE)
#define ALL_DRIVERS        (ANNOTATING_DRIVERS | LEGACY)

struct test_case {
    const char *name;
    const char *area;         /* NULL: its table's */
    const char *requirements; /* IDs of requirements, separated by blanks */
    const char *wrong;        /* a sentence that says what a failure would mean */
    unsigned needs;           /* enum case_need */
    unsigned drivers;         /* enum case_driver; 0: REFERENCE */
    const char *const *rows;  /* ends with NULL; NULL: one case */
    void (*body)(void);
    int line;
    struct test_case *next;
};

struct case_table {
    const char *area;
    struct test_case *first; /* the rest follows in the order of the lines */
};

/* Before main: constructors may run in any order. */
void case_enter(struct case_table *table, struct test_case *test);

/* Begins a file of cases: they enter this table, which tables.c names. */
#define CASES(table, area_name)                                                                    \
    extern struct case_table table;                                                                \
    struct case_table table = {.area = (area_name)};                                               \
    static struct case_table *const table_of_file = &table

/* Defines a case: the sentence, and then .needs, .drivers and .rows if needed. */
#define CASE(identifier, ids, ...)                                                                 \
    static void identifier##_body(void);                                                           \
    static struct test_case identifier = {.name = #identifier,                                     \
                                          .requirements = (ids),                                   \
                                          .body = identifier##_body,                               \
                                          .line = __LINE__,                                        \
                                          .wrong = __VA_ARGS__};                                   \
    __attribute__((constructor)) static void identifier##_enter(void)                              \
    {                                                                                              \
        case_enter(table_of_file, &identifier);                                                    \
    }                                                                                              \
    static void identifier##_body(void)

/* All areas, in the order of running. */
extern struct case_table *const case_tables[];
extern const size_t case_table_count;

/* ---- inside a case ---- */

/* Returns the index of the row that runs, or 0 without rows. */
size_t case_row(void);

/* Returns the emulator's driver with which the case runs, or NULL for the runtime's own driver. */
const char *case_driver_name(void);

bool case_check(bool holds, const char *file, int line, const char *text);
/* `index`: the index's name, if a loop checks; NULL: none. */
bool case_check_equal(uint64_t got, uint64_t wanted, const char *file, int line,
                      const char *got_text, const char *wanted_text, const char *index,
                      uint64_t at);
bool case_check_hr(long got, long wanted, const char *file, int line, const char *text);
bool case_check_bytes(const void *got, const void *wanted, size_t size, const char *file, int line,
                      const char *text);
/* Returns a path for a file of the case in the system's temporary folder. The file is removed, and
 * the path becomes invalid, when the case ends. */
const char *case_file(const char *extension);

#if defined(__MINGW32__)
#define CASE_PRINTF(format_at, from) __attribute__((format(gnu_printf, format_at, from)))
#elif defined(__GNUC__)
#define CASE_PRINTF(format_at, from) __attribute__((format(printf, format_at, from)))
#else
#define CASE_PRINTF(format_at, from)
#endif
/* Prints a line that is shown if the case fails. */
CASE_PRINTF(1, 2) void case_note(const char *format, ...);
/* Notes a failure in words of the case's own. */
CASE_PRINTF(3, 4) void case_fail(const char *file, int line, const char *format, ...);
/* Ends the process: the case failed. `reason`: the cause, if it is not the case's own; or NULL. */
_Noreturn void case_stop(const char *reason);
_Noreturn void case_skip(const char *reason);

#define EXPECT(condition) case_check((condition), __FILE__, __LINE__, #condition)
#define EXPECT_EQ(got, wanted)                                                                     \
    case_check_equal((uint64_t)(got), (uint64_t)(wanted), __FILE__, __LINE__, #got, #wanted, NULL, \
                     0)
/* A failure says the index, too. */
#define EXPECT_EQ_AT(index, got, wanted)                                                           \
    case_check_equal((uint64_t)(got), (uint64_t)(wanted), __FILE__, __LINE__, #got, #wanted,       \
                     #index, (uint64_t)(index))
#define EXPECT_HR(call, wanted)                                                                    \
    case_check_hr((long)(call), (long)(wanted), __FILE__, __LINE__, #call)
#define EXPECT_BYTES(got, wanted, size)                                                            \
    case_check_bytes((got), (wanted), (size), __FILE__, __LINE__, #got)
#define EXPECT_OK(call)          EXPECT_HR(call, 0)
#define REQUIRE(condition)       (EXPECT(condition) ? (void)0 : case_stop(NULL))
#define REQUIRE_EQ(got, wanted)  (EXPECT_EQ(got, wanted) ? (void)0 : case_stop(NULL))
#define REQUIRE_HR(call, wanted) (EXPECT_HR(call, wanted) ? (void)0 : case_stop(NULL))
#define REQUIRE_BYTES(got, wanted, size)                                                           \
    (EXPECT_BYTES(got, wanted, size) ? (void)0 : case_stop(NULL))
#define REQUIRE_OK(call) REQUIRE_HR(call, 0)
#define SKIP(reason)     case_skip(reason)

/* ---- for the runner ---- */

/* Runs the case in this process. Returns if the case has passed and is not the process's last
 * case. */
void case_run(const struct test_case *test, size_t row, const char *driver, bool is_last);
