/*
 * Waits with a known truth: who waits, for which value, and who could end it [ANN-LEAVE-03]. Each
 * row is a small program; what a report of the live device says about it follows from D3D12's rules
 * for fences. A queue that nobody lets go is told, and nobody is blamed.
 */
#include "kit.h"
#include "d3d12_waits.h"

#include <annot/dump.h>

#include <sys/eventfd.h>
#include <unistd.h>

enum { DUMP_MAX = 1 << 20 };

static const char *const phrases[256] = {
    ['o'] = "wait for each other\n",
    ['e'] = "; that queue waits for ever\n",
    ['h'] = "; the highest value that a queue was ever told to signal is ",
    ['n'] = "; no queue was ever told to signal the fence\n",
    ['p'] = "; the program's CPU signals this fence\n",
    ['s'] = "; the fence is shared: another device or process may signal it\n",
    ['r'] = "; the fence had this value, but was lowered later\n",
    ['w'] = "; the fence's only Signal comes later, on this waiting queue\n",
};

/* ---- the program ---- */

static void play(struct stage *s, const char *calls, uint64_t seed)
{
    emu_config config = EMU_CONFIG_INIT;
    memset(s, 0, sizeof *s);
    config.order = EMU_ORDER_SEEDED;
    config.seed = seed;
    s->event = (HANDLE)(intptr_t)eventfd(0, 0);
    for (int i = 0; i < DEVICES; i++) {
        s->devices[i] = kit_device_with(&config);
        s->allocators[i] = kit_allocator(s->devices[i], DIRECT);
        s->lists[i] = kit_list(s->devices[i], s->allocators[i], DIRECT);
        ID3D12GraphicsCommandList_Close(s->lists[i]);
    }
    for (char digit = '0'; digit < '0' + QUEUES; digit++)
        queue_of(s, digit);
    for (const char *at = calls; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (*at == '=') { /* the GPU does all that it can */
            emu_run_until_idle(s->devices[0]);
            at++;
        }
        make_call(s, at);
    }
    for (int i = 0; i < DEVICES; i++)
        emu_run_until_idle(s->devices[i]);
}

static void end(struct stage *s)
{
    for (int i = 0; i < DEVICES; i++)
        ID3D12GraphicsCommandList_Release(s->lists[i]);
    for (int i = 0; i < DEVICES; i++)
        ID3D12CommandAllocator_Release(s->allocators[i]);
    for (int i = 0; i < FENCES; i++)
        if (s->fences[i])
            ID3D12Fence_Release(s->fences[i]);
    for (int i = 0; i < QUEUES; i++)
        ID3D12CommandQueue_Release(s->queues[i]);
    for (int i = 0; i < DEVICES; i++)
        kit_close(s->devices[i]);
    close((int)(intptr_t)s->event);
}

/* ---- what reports say ---- */

static bool text_append(void *to, const void *data, size_t size)
{
    strncat(to, data, size);
    return true;
}

/* Adds the report's text, and its first line if that names a wait; the two devices' one after the
 * other. */
static void report(ID3D12Device *device, char *text, char *line)
{
    static char bytes[DUMP_MAX];
    annot_dump_writer *writer;
    annot_reader *reader;
    annot_reader_suspect suspect;
    char answer[1024];
    size_t size;
    const annot_dump_info info = {.time = 1};
    const annot_report_sink sink = {text, text_append};
    cr_assert_eq(annot_dump_writer_create(emu_annot_device(device), &writer), ANNOT_OK);
    cr_assert_eq(annot_dump_write_memory(writer, &info, bytes, sizeof bytes, &size), ANNOT_OK);
    cr_assert_eq(annot_reader_open_memory(NULL, bytes, size, &reader), ANNOT_OK);
    cr_expect(!annot_reader_suspect_at(reader, 0, &suspect), "it blames a queue");
    char *const own = text + strlen(text);
    annot_report_text(reader, NULL, &sink);
    cr_expect(annot_reader_wait_count(reader) == 0 || !strstr(own, "Nothing to do"), "%s", own);
    annot_reader_answer(reader, answer, sizeof answer);
    if (annot_reader_wait_count(reader) > 0)
        strcat(line, answer);
    annot_reader_close(reader);
    annot_dump_writer_destroy(writer);
}

/* Whether the line of this one says so; `kind` 0: there must be none. */
static bool says(const char *text, char who, char kind)
{
    char begin[32];
    snprintf(begin, sizeof begin, who == 'c' ? "  the program's CPU: " : "  queue \"Q%c\": sub",
             who);
    const char *at = strstr(text, begin);
    if (!at && who != 'c') {
        snprintf(begin, sizeof begin, "  queue \"Q%c\", behind", who);
        at = strstr(text, begin);
    }
    if (!at || kind == 0)
        return !at == (kind == 0);
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%.*s", (int)strcspn(at, "\n") + 1, at);
    if (kind == 'o')
        return strstr(sentence, phrases['o']) ||
               strstr(sentence, "the Signal of this queue comes after");
    if (kind != 'q')
        return strstr(sentence, phrases[(unsigned char)kind]) != NULL;
    return strstr(sentence, "waiting for \"Q") && !strstr(sentence, "ever") &&
           !strstr(sentence, "each other") && !strstr(sentence, "hung");
}

static void check(const struct program *program, const char *text, const char *line)
{
    for (const char *who = "012345c"; *who; who++) {
        const char *at = strchr(program->truth, *who);
        while (at && (at - program->truth) % 2 == 1)
            at = strchr(at + 1, *who);
        cr_expect(says(text, *who, at ? at[1] : 0), "%s: %c should be '%c':\n%s", program->calls,
                  *who, at ? at[1] : '-', text);
    }
    cr_expect(!program->line || strstr(line, program->line), "%s: %s", program->calls, line);
    cr_expect(!strstr(text, "hung") && !strstr(text, "GPU HANG"), "%s: %s", program->calls, text);
}

Test(waits, every_wait_is_told_and_nobody_is_blamed, .timeout = 60)
{
    static char text[65536], line[4096];
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct stage s;
            text[0] = line[0] = 0;
            play(&s, programs[i].calls, seed);
            for (int k = 0; k < DEVICES; k++)
                report(s.devices[k], text, line);
            check(&programs[i], text, line);
            end(&s);
        }
}
