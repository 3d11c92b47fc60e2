#include "messages.h"

#include <stdarg.h>
#include <stdio.h>

void messages_init(struct messages *messages)
{
    pthread_mutex_init(&messages->lock, NULL);
    messages->limit = MESSAGES_LIMIT_DEFAULT;
}

void messages_finish(struct messages *messages)
{
    messages_clear(messages);
    free(messages->stored);
    while (messages->storage.count > 0)
        message_filter_pop(&messages->storage);
    while (messages->retrieval.count > 0)
        message_filter_pop(&messages->retrieval);
    pthread_mutex_destroy(&messages->lock);
}

void messages_clear(struct messages *messages)
{
    pthread_mutex_lock(&messages->lock);
    for (UINT64 i = 0; i < messages->count; i++)
        free(messages->stored[i]);
    messages->count = 0;
    pthread_mutex_unlock(&messages->lock);
}

static bool make_room(struct messages *messages)
{
    if (messages->limit != UINT64_MAX && messages->count >= messages->limit)
        return false;
    if (messages->count < messages->capacity)
        return true;
    UINT64 capacity = messages->capacity == 0 ? 16 : messages->capacity * 2;
    struct message **grown = realloc(messages->stored, (size_t)capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    messages->stored = grown;
    messages->capacity = capacity;
    return true;
}

static void store(struct messages *messages, const struct message *head, const char *text)
{
    struct message *message = NULL;
    if (!make_room(messages) || (message = malloc(sizeof *message + head->size)) == NULL) {
        messages->discarded++;
        return;
    }
    *message = *head;
    memcpy(message->text, text, head->size);
    messages->stored[messages->count++] = message;
}

void messages_emit(struct messages *messages, D3D12_MESSAGE_CATEGORY category,
                   D3D12_MESSAGE_SEVERITY severity, int id, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (size < 0)
        text[size = 0] = '\0';
    const struct message head = {category, severity, (D3D12_MESSAGE_ID)id,
                                 (size_t)size < sizeof text ? (size_t)size + 1 : sizeof text};

    struct message_callback callbacks[MESSAGES_CALLBACKS];
    pthread_mutex_lock(&messages->lock);
    bool passes = message_filter_passes(&messages->storage, category, severity, head.id);
    if (passes) {
        messages->allowed++;
        store(messages, &head, text);
    } else {
        messages->denied++;
    }
    memcpy(callbacks, messages->callbacks, sizeof callbacks);
    pthread_mutex_unlock(&messages->lock);

    for (int i = 0; i < MESSAGES_CALLBACKS; i++)
        if (callbacks[i].cookie != 0 &&
            (passes || (callbacks[i].flags & D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS) != 0))
            callbacks[i].function(category, severity, head.id, text, callbacks[i].context);
}
