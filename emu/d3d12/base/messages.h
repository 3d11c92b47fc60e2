/* The device's messages, which ID3D12InfoQueue shows: a bounded store, two stacks of filters,
 * breakpoints and callbacks.
 *
 * Emitting a message never fails; messages that aren't stored are counted. Any thread may emit
 * messages. Callbacks and breakpoints run without a lock. */
#pragma once

#include "base/message_callback.h"
#include "base/message_filter.h"

#include <emu/emu.h>
#include <stdio.h>

struct message {
    struct message_head head;
    size_t size; /* bytes of `text`, with its NUL */
    char text[];
};

#define MESSAGE_CATEGORIES (D3D12_MESSAGE_CATEGORY_SHADER + 1)
#define MESSAGE_SEVERITIES (D3D12_MESSAGE_SEVERITY_MESSAGE + 1)

struct messages {
    pthread_mutex_t lock;
    struct message **ring; /* a ring of `count` messages: the oldest message is at `first` */
    UINT64 first, count, capacity, limit;
    UINT64 allowed, denied, discarded;
    struct message_filter_stack storage, retrieval;
    UINT break_categories, break_severities; /* categories and severities, as bits; a message that
                                                has one of them breaks into the debugger */
    struct message_list break_ids;
    struct message_callbacks callbacks; /* the callbacks, which have their own lock */
    bool muted;
    FILE *log; /* the log file; NULL: messages are not written to a log */
};

void messages_init(struct messages *messages);
/* Writes every later message as a line to stderr if `path` is "stderr", otherwise to the end of the
 * file `path`. Filters have no effect on these lines. False means that the file can't be written.
 * Call the function before other threads use the messages. */
bool messages_print(struct messages *messages, const char *path);
void messages_finish(struct messages *messages);

__attribute__((format(printf, 5, 6))) void messages_emit(struct messages *messages,
                                                         D3D12_MESSAGE_CATEGORY category,
                                                         D3D12_MESSAGE_SEVERITY severity, int id,
                                                         const char *format, ...);
/* Emits a message with the text `text`, of any length. It is not a format string. */
void messages_add(struct messages *messages, D3D12_MESSAGE_CATEGORY category,
                  D3D12_MESSAGE_SEVERITY severity, int id, const char *text);

void messages_clear(struct messages *messages);
void messages_set_limit(struct messages *messages, UINT64 limit);

/* messages_find and messages_stored: the caller must hold the lock. */

/* Returns the index-th message that passes the retrieval filter, or NULL if fewer messages pass. */
const struct message *messages_find(const struct messages *messages, UINT64 index);
UINT64 messages_retrievable(const struct messages *messages);
/* Returns the index-th stored message, the oldest first, or NULL if fewer messages are stored. */
const struct message *messages_stored(const struct messages *messages, UINT64 index);

/* Returns the word for the severity, such as "WARNING". */
const char *messages_severity_word(D3D12_MESSAGE_SEVERITY severity);
