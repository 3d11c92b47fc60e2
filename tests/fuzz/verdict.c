/* Any bytes as what the process of a case sends to the conformance runner [ANN-SEC-05]. Checks that
 * the cut of the bytes makes no difference, and that a verdict comes from nothing but a line with
 * the token, after the line that says the runtime is loaded. The seeds' token is
 * "0123456789abcdef". */
#include "verdict.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char token[TOKEN_SIZE] = "0123456789abcdef";

static void expect(bool holds)
{
    if (!holds)
        abort();
}

/* The first place from `at` on where a whole line begins with the token and the word; `size` if
 * there is none. */
static size_t find_line(const char *bytes, size_t size, size_t at, const char *word)
{
    const size_t length = strlen(word);
    for (; at + TOKEN_SIZE + length < size; at++) {
        const char *line = bytes + at;
        const char end = line[TOKEN_SIZE + length];
        if ((at == 0 || line[-1] == '\n') && memcmp(line, token, TOKEN_SIZE - 1) == 0 &&
            line[TOKEN_SIZE - 1] == ' ' && memcmp(line + TOKEN_SIZE, word, length) == 0 &&
            (end == '\n' || end == ' ') && memchr(line, '\n', size - at))
            return at;
    }
    return size;
}

static void check_verdict(const struct verdict_reader *reader, const char *bytes, size_t size)
{
    static const char *const words[] = {"", "passed", "failed", "skipped"};
    const size_t loaded = find_line(bytes, size, 0, "loaded");
    expect((reader->step == STEP_LOAD) || loaded < size);
    expect((reader->step == STEP_UNLOAD) == (reader->verdict != VERDICT_OF_NOTHING));
    if (reader->verdict != VERDICT_OF_NOTHING)
        expect(find_line(bytes, size, loaded, words[reader->verdict]) < size);
    if (reader->unusable)
        expect(find_line(bytes, size, 0, "unusable") < size);
    expect(memchr(reader->reason, '\0', sizeof reader->reason));
    expect(!strchr(reader->reason, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const char *bytes = (const char *)input;
    struct verdict_reader whole, pieces;
    verdict_reader_init(&whole, token);
    verdict_reader_init(&pieces, token);
    verdict_read(&whole, bytes, size);
    for (size_t at = 0; at < size;) {
        size_t step = input[at] % 61u + 1;
        if (step > size - at)
            step = size - at;
        verdict_read(&pieces, bytes + at, step);
        at += step;
    }
    expect(whole.step == pieces.step && whole.verdict == pieces.verdict);
    expect(whole.drivers == pieces.drivers && whole.unusable == pieces.unusable);
    expect(whole.contradicted == pieces.contradicted && strcmp(whole.reason, pieces.reason) == 0);
    expect(strcmp(whole.library, pieces.library) == 0);
    check_verdict(&whole, bytes, size);
    return 0;
}
