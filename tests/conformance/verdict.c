#include "verdict.h"

#include <string.h>

void verdict_reader_init(struct verdict_reader *reader, const char token[TOKEN_SIZE])
{
    *reader = (struct verdict_reader){.step = STEP_LOAD};
    memcpy(reader->token, token, TOKEN_SIZE - 1);
}

/* The text behind the word; NULL when the message begins with another word. */
static const char *after_word(const char *message, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(message, word, length) != 0)
        return NULL;
    if (message[length] == ' ')
        return message + length + 1;
    return message[length] == '\0' ? message + length : NULL;
}

/* A part of a line that fits. */
static void keep(char to[VERDICT_LINE_MAX], const char *text)
{
    memcpy(to, text, strlen(text) + 1);
}

static void take_verdict(struct verdict_reader *reader, enum verdict verdict, const char *reason)
{
    if (reader->step == STEP_LOAD)
        return;
    if (reader->step == STEP_UNLOAD) {
        reader->contradicted |= verdict != reader->verdict;
        return;
    }
    reader->step = STEP_UNLOAD;
    reader->verdict = verdict;
    keep(reader->reason, reason);
}

/* 0 for what is no number of needs. */
static unsigned read_needs(const char *text)
{
    unsigned value = 0;
    for (; *text >= '0' && *text <= '9' && value < 1u << VERDICT_NEEDS_MAX; text++)
        value = value * 10 + (unsigned)(*text - '0');
    return *text == '\0' && value < 1u << VERDICT_NEEDS_MAX ? value : 0;
}

static void take_message(struct verdict_reader *reader, const char *message)
{
    static const struct {
        const char *word;
        enum verdict verdict;
    } verdicts[] = {{"passed", PASSED}, {"failed", FAILED}, {"skipped", SKIPPED}};
    const char *text;
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
        if ((text = after_word(message, verdicts[i].word)))
            take_verdict(reader, verdicts[i].verdict, text);
    if (after_word(message, "loaded") && reader->step == STEP_LOAD && !reader->unusable)
        reader->step = STEP_CASE;
    if (after_word(message, "next") && reader->verdict == PASSED && !reader->contradicted) {
        reader->step = STEP_CASE;
        reader->verdict = VERDICT_OF_NOTHING;
        reader->before++;
    }
    if (after_word(message, "drivers") && reader->step == STEP_CASE)
        reader->drivers = true;
    if ((text = after_word(message, "library")) && reader->step == STEP_CASE)
        keep(reader->library, text);
    if ((text = after_word(message, "lacks")) && reader->step == STEP_CASE)
        reader->lacks = read_needs(text);
    if ((text = after_word(message, "unusable")) && reader->step == STEP_LOAD) {
        reader->unusable = true;
        keep(reader->reason, text);
    }
}

static void take_line(struct verdict_reader *reader)
{
    const size_t token_length = TOKEN_SIZE - 1;
    const bool whole = reader->length < sizeof reader->line;
    if (!whole || memchr(reader->line, '\0', reader->length))
        return;
    reader->line[reader->length] = '\0';
    if (reader->length > token_length && memcmp(reader->line, reader->token, token_length) == 0 &&
        reader->line[token_length] == ' ')
        take_message(reader, reader->line + token_length + 1);
}

void verdict_read(struct verdict_reader *reader, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            take_line(reader);
            reader->length = 0;
        } else if (reader->length < sizeof reader->line) {
            reader->line[reader->length++] = bytes[i];
        }
    }
}
