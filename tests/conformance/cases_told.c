/* ANN-TRUTH: random programs that end in a hang, and all that their dumps say. Of a driver that
 * works in order and reports each marker nothing is left in doubt, so the whole text is known: what
 * ends before the operation that hangs is finished, what begins behind it has not started, what
 * surrounds it is in progress. What is expected is counted while the program is made, from nothing
 * that the runtime says.
 *
 * No driver can name an EndEvent that closes nothing in its list: a marker follows each of them, so
 * that it is seen to be passed. For the same reason bundles are executed in a scope of their list.
 *
 * With little memory for markers a dump has less, and says less: each line that it has is one of
 * those, in their order, or leaves the state open. */
#include "kit_dred.h"
#include "kit_tell.h"

#include <stdarg.h>

CASES(told_cases, "stop");

enum {
    PROGRAMS = 40, /* of a row */
    SCRIPT_MAX = 24,
    LISTS_MAX = 24,
    BUNDLES = 2,
    NESTED_MAX = 6,
    OPEN_MAX = 128,
    TOLD_MAX = 512,
    TEXT_MAX = 32768,
    CHUNK = 65536, /* markers are kept by */
};

/* ---- dice ---- */

struct dice {
    uint32_t state;
};

static unsigned below(struct dice *dice, unsigned count)
{
    dice->state = dice->state * 1664525 + 1013904223;
    return (unsigned)(((uint64_t)dice->state * count) >> 32);
}

static bool chance(struct dice *dice, unsigned percent)
{
    return below(dice, 100) < percent;
}

/* ---- what is recorded ---- */

enum act { SCOPE, END, MARKER, WORK, CALL, SPIN };

struct script {
    unsigned count, open; /* scopes that it has open so far */
    struct {
        uint8_t act;
        unsigned number; /* of the marker, of the word that the work writes, or of the bundle */
    } acts[SCRIPT_MAX];
};

struct program {
    struct dice dice;
    unsigned markers, words, names; /* so far */
    UINT payload;                   /* bytes of each marker's; 0: of its text */
    bool has_bundles;
    struct script bundles[BUNDLES];
};

static void act(struct script *script, enum act what, unsigned number)
{
    REQUIRE(script->count < SCRIPT_MAX);
    script->acts[script->count].act = (uint8_t)what;
    script->acts[script->count++].number = number;
    script->open += what == SCOPE;
}

static void act_end(struct program *program, struct script *script)
{
    act(script, END, 0);
    if (script->open > 0)
        script->open--;
    else
        act(script, MARKER, ++program->markers);
}

static void act_work(struct program *program, struct script *script)
{
    if (program->words < KIT_WORDS)
        act(script, WORK, program->words++);
}

static void act_spin(struct program *program, struct script *script)
{
    act(script, SCOPE, ++program->markers);
    act(script, SPIN, 0);
}

static void write_script(struct program *program, struct script *script)
{
    for (unsigned left = below(&program->dice, 9); left > 0; left--)
        switch (below(&program->dice, program->has_bundles ? 7 : 6)) {
        case 0:
        case 1:
            if (script->open < NESTED_MAX)
                act(script, SCOPE, ++program->markers);
            break;
        case 2:
        case 3:
            act_end(program, script);
            break;
        case 4:
            act(script, MARKER, ++program->markers);
            break;
        case 5:
            act_work(program, script);
            break;
        default:
            if (script->open == 0)
                act(script, SCOPE, ++program->markers);
            act(script, CALL, below(&program->dice, BUNDLES));
        }
}

static void write_bundle(struct program *program, struct script *script)
{
    act(script, SCOPE, ++program->markers);
    act_work(program, script);
    if (chance(&program->dice, 50))
        act(script, MARKER, ++program->markers);
    if (chance(&program->dice, 15))
        act_spin(program, script);
    while (script->open > 0)
        act_end(program, script);
}

/* Its text, and zeros behind that. */
struct payload {
    UINT size;
    char text[CHUNK / 4];
};

static const struct payload *payload_of(const struct program *program, unsigned number)
{
    static struct payload payload;
    snprintf(payload.text, 16, "m%u", number);
    payload.size = program->payload ? program->payload : (UINT)strlen(payload.text) + 1;
    return &payload;
}

static void record(const struct kit_scene *scene, const struct program *program,
                   const struct kit_list *list, const struct script *script,
                   const struct kit_list *bundles)
{
    const struct payload *payload;
    for (unsigned i = 0; i < script->count; i++) {
        const unsigned number = script->acts[i].number;
        switch ((enum act)script->acts[i].act) {
        case SCOPE:
            payload = payload_of(program, number);
            kit_begin(list, 1, payload->text, payload->size);
            break;
        case END:
            kit_end(list);
            break;
        case MARKER:
            payload = payload_of(program, number);
            kit_set(list, 1, payload->text, payload->size);
            break;
        case WORK:
            kit_work(scene, list, number);
            break;
        case CALL:
            kit_bundle(list, &bundles[number]);
            break;
        case SPIN:
            kit_spin(scene, list);
        }
    }
}

/* ---- what is expected of a queue ---- */

struct told {
    const char *queue;
    unsigned now, hang; /* places; hang 0: not yet */
    unsigned count;
    struct {
        unsigned begin, end, indent;
        bool is_end; /* an EndEvent, which has no state */
        char text[24];
    } lines[TOLD_MAX];
    unsigned scopes[NESTED_MAX], scope_count; /* the queue's that are open: lines */
    unsigned open[OPEN_MAX], open_count;      /* the lists' */
    char list[16], stop[512];
    unsigned hung_operation; /* of its recording, from 0 */
    bool waits;              /* nothing of it is begun */
    bool is_done[KIT_WORDS];
};

#if defined(__MINGW32__)
__attribute__((format(gnu_printf, 3, 4)))
#elif defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static unsigned
say(struct told *told, unsigned indent, const char *format, ...)
{
    va_list arguments;
    REQUIRE(told->count < TOLD_MAX);
    va_start(arguments, format);
    vsnprintf(told->lines[told->count].text, sizeof told->lines[0].text, format, arguments);
    va_end(arguments);
    told->lines[told->count].indent = indent;
    told->lines[told->count].begin = told->lines[told->count].end = ++told->now;
    return told->count++;
}

static void over(struct told *told, unsigned line)
{
    told->lines[line].end = ++told->now;
}

static void add_to_path(struct told *told, const char *name)
{
    const size_t size = strlen(told->stop);
    snprintf(told->stop + size, sizeof told->stop - size, "%s%s",
             told->stop[size - 1] == ' ' && told->stop[size - 2] == ':' ? "" : " / ", name);
}

static void hang_here(struct told *told)
{
    char name[24];
    told->hang = ++told->now;
    snprintf(told->stop, sizeof told->stop, "stop %s # %s: ", told->queue, told->list);
    for (unsigned i = 0; i < told->scope_count; i++)
        add_to_path(told, told->lines[told->scopes[i]].text);
    for (unsigned i = 0; i < told->open_count; i++) {
        snprintf(name, sizeof name, "%s", told->lines[told->open[i]].text);
        name[strcspn(name, " ")] = '\0'; /* " (open)" */
        add_to_path(told, name);
    }
}

static void expect_script(struct told *told, const struct program *program,
                          const struct script *script, unsigned indent)
{
    unsigned own = 0, line;
    for (unsigned i = 0; i < script->count; i++) {
        const unsigned number = script->acts[i].number;
        switch ((enum act)script->acts[i].act) {
        case SCOPE:
            REQUIRE(told->open_count < OPEN_MAX);
            told->open[told->open_count++] = say(told, indent + own++, "m%u", number);
            break;
        case END:
            if (own > 0)
                own--;
            else
                told->lines[say(told, indent, "end")].is_end = true;
            if (told->open_count > 0)
                over(told, told->open[--told->open_count]);
            break;
        case MARKER:
            say(told, indent + own, "m%u", number);
            break;
        case WORK:
            told->is_done[number] = told->is_done[number] || (!told->hang && !told->waits);
            break;
        case CALL:
            line = say(told, indent + own, "bundle B%u", number);
            expect_script(told, program, &program->bundles[number], indent + own + 1);
            over(told, line);
            break;
        case SPIN:
            if (!told->hang && !told->waits) {
                hang_here(told);
                told->hung_operation = i;
            }
        }
    }
    for (; own > 0; own--) {
        char *text = told->lines[told->open[told->open_count - own]].text;
        strcat(text, " (open)");
    }
}

/* ---- a queue ---- */

struct play {
    struct kit_scene scene;
    struct program program;
    struct kit_list bundles[BUNDLES];
    struct {
        struct kit_list list;
        struct script script;
    } lists[LISTS_MAX];
    unsigned list_count;
    ID3D12CommandQueue *queue; /* the one that is played */
    struct told *told;
};

static unsigned play_list(struct play *p, const struct script *script)
{
    const unsigned number = p->list_count;
    REQUIRE(p->list_count < LISTS_MAX);
    p->lists[p->list_count].script = *script;
    p->lists[p->list_count].list = kit_list(p->scene.device, DIRECT);
    record(&p->scene, &p->program, &p->lists[number].list, script, p->bundles);
    kit_list_close(&p->lists[number].list);
    p->list_count++;
    return number;
}

/* Some lists in one call, each under the name that it has then. */
static void play_submission(struct play *p, const unsigned *numbers, unsigned count)
{
    ID3D12CommandList *all[4];
    struct told *told = p->told;
    const unsigned indent = 1 + told->scope_count, submission = say(told, indent, "#");
    for (unsigned i = 0; i < count; i++) {
        all[i] = p->lists[numbers[i]].list.list;
        snprintf(told->list, sizeof told->list, "L%u", ++p->program.names);
        kit_name(all[i], told->list);
        const unsigned line = say(told, indent + 1, "%s", told->list);
        expect_script(told, &p->program, &p->lists[numbers[i]].script, indent + 2);
        over(told, line);
    }
    over(told, submission);
    ID3D12CommandQueue_ExecuteCommandLists(p->queue, count, all);
    for (unsigned i = 0; i < count; i++)
        if (chance(&p->program.dice, 30))
            kit_name(all[i], "later");
}

/* A list of the same name twice in a call would have one name only. */
static void play_some(struct play *p)
{
    unsigned numbers[3], count = 1 + below(&p->program.dice, 3);
    if (p->list_count > 0 && chance(&p->program.dice, 25)) {
        numbers[0] = below(&p->program.dice, p->list_count);
        play_submission(p, numbers, 1);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        struct script script = {.count = 0};
        write_script(&p->program, &script);
        numbers[i] = play_list(p, &script);
    }
    play_submission(p, numbers, count);
}

static void play_queue_marker(struct play *p)
{
    struct told *told = p->told;
    const struct payload *payload = payload_of(&p->program, p->program.markers + 1);
    switch (below(&p->program.dice, 3)) {
    case 0:
        if (told->scope_count < NESTED_MAX) {
            p->program.markers++;
            ID3D12CommandQueue_BeginEvent(p->queue, 1, payload->text, payload->size);
            told->scopes[told->scope_count] = say(told, 1 + told->scope_count, "%s", payload->text);
            told->scope_count++;
        }
        break;
    case 1:
        p->program.markers++;
        ID3D12CommandQueue_SetMarker(p->queue, 1, payload->text, payload->size);
        say(told, 1 + told->scope_count, "%s", payload->text);
        break;
    default:
        ID3D12CommandQueue_EndEvent(p->queue);
        if (told->scope_count > 0)
            over(told, told->scopes[--told->scope_count]);
        else
            told->lines[say(told, 1, "end")].is_end = true;
    }
}

static void play_script(struct play *p, const struct script *script)
{
    const unsigned number = play_list(p, script);
    play_submission(p, &number, 1);
}

static void play_steps(struct play *p, unsigned count)
{
    for (; count > 0; count--)
        if (chance(&p->program.dice, 40))
            play_queue_marker(p);
        else
            play_some(p);
}

/* A bundle may have hung before. */
static void play_hang(struct play *p)
{
    struct script hung = {.count = 0};
    act_spin(&p->program, &hung);
    while (hung.count + 2 < SCRIPT_MAX && chance(&p->program.dice, 70))
        act_end(&p->program, &hung);
    play_script(p, &hung);
}

static void play_all_ends(struct play *p)
{
    while (p->told->open_count > 0) {
        struct script ends = {.count = 0};
        for (unsigned i = 0; i < p->told->open_count && ends.count + 2 < SCRIPT_MAX; i++)
            act_end(&p->program, &ends);
        play_script(p, &ends);
    }
    for (struct told *told = p->told; told->scope_count > 0;) {
        ID3D12CommandQueue_EndEvent(p->queue);
        over(told, told->scopes[--told->scope_count]);
    }
}

/* As kit_tell has it. */
static void expected(const struct told *told, char *text)
{
    const bool hangs = told->hang != 0;
    size_t size = (size_t)snprintf(text, TEXT_MAX, "%s%squeue %s %s\n", told->stop,
                                   hangs ? "\n" : "", told->queue,
                                   hangs         ? "stopped"
                                   : told->waits ? "waiting"
                                                 : "idle");
    for (unsigned i = 0; i < told->count; i++) {
        const bool is_done = hangs ? told->lines[i].end < told->hang : !told->waits;
        const bool is_left = hangs ? told->lines[i].begin > told->hang : told->waits;
        const char *const state = told->lines[i].is_end ? ""
                                  : is_done             ? "X "
                                  : is_left             ? ". "
                                                        : "> ";
        REQUIRE(size < TEXT_MAX - 128);
        size += (size_t)snprintf(text + size, TEXT_MAX - size, "%*s%s%s\n",
                                 (int)told->lines[i].indent, "", state, told->lines[i].text);
    }
}

/* ---- a dump ---- */

/* A submission's number depends on what the runtime submits for markers of the queue. */
static const char *without_numbers(const char *told, char *text)
{
    size_t size = 0;
    while (*told != '\0' && size + 1 < TEXT_MAX) {
        text[size++] = *told;
        if (*told++ == '#')
            told += strspn(told, "0123456789");
    }
    text[size] = '\0';
    return text;
}

static void expect_operation(const annot_reader *reader, const struct told *told)
{
    annot_reader_operation operation;
    REQUIRE(annot_reader_stop_operation(reader, 0, &operation));
    EXPECT_EQ(operation.kind, D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
    EXPECT_EQ(operation.number, told->hung_operation);
    EXPECT(operation.crumbs != ANNOT_READER_NONE);
}

/* GPU memory says which of the work is done. */
static void expect_words(const struct play *p, const struct told *one, const struct told *other)
{
    for (unsigned i = 0; i < p->program.words; i++)
        EXPECT_EQ_AT(i, p->scene.words[i], one->is_done[i] || other->is_done[i]);
}

static size_t line_size(const char *line)
{
    const size_t size = strcspn(line, "\n");
    return size + (line[size] == '\n');
}

/* The next line that has a state, at it; NULL: there is none. How deep it lies says nothing: what
 * surrounds it may be lost. */
static const char *stated(const char *line)
{
    for (; *line != '\0'; line += line_size(line)) {
        const char *const at = line + strspn(line, " ");
        if (*at != '\0' && strchr("X>.?", *at) && at[1] == ' ')
            return at;
    }
    return NULL;
}

static bool agree(const char *line, const char *wanted)
{
    const size_t size = strcspn(line, "\n");
    return (*line == '?' || *line == *wanted) && strcspn(wanted, "\n") == size &&
           memcmp(line + 1, wanted + 1, size - 1) == 0;
}

static void expect_nothing_else(const char *told, const char *wanted)
{
    const char *of = wanted;
    for (const char *line = told; (line = stated(line)) != NULL; line += line_size(line)) {
        if (strncmp(line, "? bundle (lost)", 15) == 0)
            continue;
        while ((of = stated(of)) != NULL && !agree(line, of))
            of += line_size(of);
        EXPECT(of != NULL);
        if (!of) {
            case_note("%.*s is not so", (int)strcspn(line, "\n"), line);
            case_note("told:\n%.1500s", told);
            case_note("expected:\n%.1500s", wanted);
            return;
        }
        of += line_size(of);
    }
}

/* A driver that works finds nothing that another witness denies; that markers were not kept may be
 * noted. */
static void expect_no_accusation(const annot_reader *reader, bool has_losses)
{
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        EXPECT(has_losses && finding.finding_class == ANNOT_FINDING_NOTE);
}

static const char *const program_rows[] = {"one", "two", "three", "four", NULL};

/* The other queue has nothing, is done before the hang, or waits for what is behind it. */
enum other { NOTHING, DONE, WAITS, OTHERS };

/* `chunks` are all that there is for markers; 0: enough. */
static void play(unsigned seed, unsigned chunks, const char *path)
{
    static struct play p;
    static struct told main_queue, other_queue;
    static char wanted[2 * TEXT_MAX], got[TEXT_MAX];
    const enum other other = (enum other)(seed % OTHERS);
    const bool has_dred = seed % 2 == 0;
    emu_config config = kit_config();
    p = (struct play){.program = {.dice = {seed * 2654435761u}}};
    p.program.payload = chunks > 0 ? sizeof((struct payload *)0)->text : 0;
    main_queue = (struct told){.queue = "Q"};
    other_queue = (struct told){.queue = "R", .waits = other == WAITS};
    config.seed = seed;
    config.dump_path = path;
    config.memory_budget = (uint64_t)chunks * CHUNK;
    kit_dred_set(has_dred ? DRED_ON : DRED_OFF, DRED_OFF, DRED_OFF);
    kit_scene(&p.scene, &config);
    for (unsigned i = 0; i < BUNDLES; i++) {
        write_bundle(&p.program, &p.program.bundles[i]);
        p.bundles[i] = kit_named_list(&p.scene, BUNDLE, i ? "B1" : "B0");
        record(&p.scene, &p.program, &p.bundles[i], &p.program.bundles[i], NULL);
        kit_list_close(&p.bundles[i]);
    }
    ID3D12CommandQueue *const one = kit_named_queue(&p.scene, DIRECT, "Q");
    ID3D12CommandQueue *const two = kit_named_queue(&p.scene, DIRECT, "R");
    ID3D12Fence *const fence = kit_fence(p.scene.device, 0);
    p.queue = two;
    p.told = &other_queue;
    if (other == DONE) {
        play_some(&p);
        play_steps(&p, 2);
        play_all_ends(&p);
        kit_wait(p.scene.device, two);
    }
    p.program.has_bundles = true;
    p.queue = one;
    p.told = &main_queue;
    play_steps(&p, below(&p.program.dice, 6));
    play_hang(&p);
    play_steps(&p, below(&p.program.dice, 3));
    play_all_ends(&p);
    if (other == WAITS) {
        REQUIRE_OK(ID3D12CommandQueue_Signal(one, fence, 1));
        REQUIRE_OK(ID3D12CommandQueue_Wait(two, fence, 1));
        p.queue = two;
        p.told = &other_queue;
        play_some(&p);
        play_steps(&p, 2);
        play_all_ends(&p);
    }
    const annot_reader *reader = kit_crash(&p.scene);
    expected(&main_queue, wanted);
    expected(&other_queue, wanted + strlen(wanted));
    without_numbers(kit_tell(reader), got);
    if (chunks > 0) {
        expect_nothing_else(got, wanted);
    } else {
        kit_expect_text(got, wanted, __FILE__, __LINE__);
        if (has_dred)
            expect_operation(reader, &main_queue);
    }
    expect_words(&p, &main_queue, &other_queue);
    expect_no_accusation(reader, chunks > 0);
    for (unsigned i = 0; i < p.list_count; i++)
        kit_list_done(&p.lists[i].list);
    for (unsigned i = 0; i < BUNDLES; i++)
        kit_list_done(&p.bundles[i]);
    kit_release(fence);
    kit_release(two);
    kit_release(one);
    kit_scene_done(&p.scene);
}

CASE(all_that_a_program_did_is_told, "ANN-TRUTH-01 ANN-TRUTH-02 ANN-CRASH-01 ANN-CRASH-06",
     "A dump of some other program than those of the cases, with scopes across its lists, bundles, "
     "lists that are executed again or named anew, says what is not so.",
     .needs = EMULATOR | HANG | DUMP | KERNELS | DRED, .rows = program_rows)
{
    const char *const path = case_file("annotdmp");
    for (unsigned i = 0; i < PROGRAMS; i++)
        play((unsigned)case_row() * PROGRAMS + i, 0, path);
}

CASE(what_is_lost_makes_nothing_false, "ANN-TRUTH-01 ANN-LIFE-06 ANN-CRASH-06",
     "Where memory for markers has run out, a dump takes one scope for another, or believes that "
     "nothing was executed but what it holds.",
     .needs = EMULATOR | HANG | DUMP | KERNELS | DRED, .rows = program_rows)
{
    const char *const path = case_file("annotdmp");
    for (unsigned i = 0; i < PROGRAMS; i++)
        play((unsigned)case_row() * PROGRAMS + i, 1 + i % 10, path);
}
