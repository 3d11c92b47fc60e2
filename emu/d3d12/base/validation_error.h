/* A wrong argument: a message's number (D3D12's or an emu_message_id), and its text. */
#pragma once

#include "base/com.h"

#include <stdio.h>

struct validation_error {
    int id;
    const char *text;   /* the rule that the argument breaks; NULL: the argument is valid */
    const char *member; /* the name of the wrong argument; NULL: the text needs no name */
    unsigned long long value;
};

static const struct validation_error no_validation_error = {0, NULL, NULL, 0};

static inline struct validation_error validation_error(int id, const char *text)
{
    return (struct validation_error){id, text, NULL, 0};
}

#define VALIDATION_ERROR(number, what) validation_error(D3D12_MESSAGE_ID_##number, what)

static inline struct validation_error validation_value(struct validation_error error,
                                                       const char *member, unsigned long long value)
{
    return (struct validation_error){error.id, error.text, member, value};
}

/* The value of this macro is `error` with the name and value of the wrong member added. */
#define WITH_VALUE(error, object, member)                                                          \
    validation_value(error, #member, (unsigned long long)(object)->member)

/* If `condition` is true, makes the calling function return this mistake. */
#define REFUSE(condition, number, what)                                                            \
    do {                                                                                           \
        if (condition)                                                                             \
            return VALIDATION_ERROR(number, what);                                                 \
    } while (0)
#define REFUSE_VALUE(condition, number, what, object, member)                                      \
    do {                                                                                           \
        if (condition)                                                                             \
            return WITH_VALUE(VALIDATION_ERROR(number, what), object, member);                     \
    } while (0)

/* Calls `check` only if `error` is empty, so that the first mistake is reported. */
#define UNLESS_REFUSED(error, check)                                                               \
    do {                                                                                           \
        if (!(error).text)                                                                         \
            (error) = (check);                                                                     \
    } while (0)

struct validation_words {
    char text[256];
};

/* Returns a message's text: the broken rule, and then the wrong value. */
static inline struct validation_words validation_words(struct validation_error error)
{
    struct validation_words words;
    if (error.member)
        snprintf(words.text, sizeof words.text, "%s; %s is %llu", error.text, error.member,
                 error.value);
    else
        snprintf(words.text, sizeof words.text, "%s", error.text);
    return words;
}
