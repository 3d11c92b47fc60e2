#include "base/messages.h"

#include "os_file.h"
#include "os_process.h"
#include "gate.h"
#include "log.h"

#include <stdarg.h>

void messages_init(struct messages *messages)
{
    pthread_mutex_init(&messages->lock, NULL);
    message_callbacks_init(&messages->callbacks);
    messages->limit = D3D12_INFO_QUEUE_DEFAULT_MESSAGE_COUNT_LIMIT;
}

void messages_finish(struct messages *messages)
{
    messages_clear(messages);
    free(messages->ring);
    while (messages->storage.count > 0)
        message_filter_pop(&messages->storage);
    while (messages->retrieval.count > 0)
        message_filter_pop(&messages->retrieval);
    free(messages->break_ids.values);
    if (messages->log && messages->log != stderr)
        fclose(messages->log);
    message_callbacks_finish(&messages->callbacks);
    pthread_mutex_destroy(&messages->lock);
}

/* ---- printed ---- */

bool messages_print(struct messages *messages, const char *path)
{
    messages->log = strcmp(path, "stderr") == 0 ? stderr : os_open_log(path);
    return messages->log != NULL;
}

const char *messages_severity_word(D3D12_MESSAGE_SEVERITY severity)
{
    static const char *const words[] = {"CORRUPTION", "ERROR", "WARNING", "INFO", "MESSAGE"};
    return (unsigned)severity < MESSAGE_SEVERITIES ? words[severity] : "UNKNOWN";
}

static void print(const struct messages *messages, const struct message_head *head,
                  const char *text)
{
    if (!messages->log || (unsigned)head->severity >= MESSAGE_SEVERITIES ||
        !emu_log_has_room(messages->log, strlen(text) + 64, "EMU_MESSAGES"))
        return;
    fprintf(messages->log, "d3d12: %s %d: %s\n", messages_severity_word(head->severity),
            (int)head->id, text);
    fflush(messages->log);
}

/* ---- the store ---- */

static struct message **slot(const struct messages *messages, UINT64 index)
{
    return &messages->ring[(messages->first + index) % messages->capacity];
}

static void drop_oldest(struct messages *messages)
{
    free(*slot(messages, 0));
    messages->first = (messages->first + 1) % messages->capacity;
    messages->count--;
}

void messages_clear(struct messages *messages)
{
    emu_lock(&messages->lock);
    while (messages->count > 0)
        drop_oldest(messages);
    emu_unlock(&messages->lock);
}

void messages_set_limit(struct messages *messages, UINT64 limit)
{
    emu_lock(&messages->lock);
    messages->limit = limit;
    for (; messages->count > limit; messages->discarded++)
        drop_oldest(messages);
    emu_unlock(&messages->lock);
}

static bool grow(struct messages *messages)
{
    const UINT64 capacity = messages->capacity == 0 ? 16 : messages->capacity * 2;
    struct message **ring = malloc((size_t)capacity * sizeof *ring);
    if (!ring)
        return false;
    for (UINT64 i = 0; i < messages->count; i++)
        ring[i] = *slot(messages, i);
    free(messages->ring);
    messages->ring = ring;
    messages->first = 0;
    messages->capacity = capacity;
    return true;
}

/* Stores a message; new messages push old ones out. */
static void store(struct messages *messages, const struct message_head *head, const char *text)
{
    const size_t size = strlen(text) + 1;
    struct message *message = NULL;
    for (; messages->limit > 0 && messages->count >= messages->limit; messages->discarded++)
        drop_oldest(messages);
    if (messages->limit == 0 || (messages->count == messages->capacity && !grow(messages)) ||
        (message = malloc(sizeof *message + size)) == NULL) {
        messages->discarded++;
        return;
    }
    message->head = *head;
    message->size = size;
    memcpy(message->text, text, size);
    *slot(messages, messages->count++) = message;
}

static bool is_retrievable(const struct messages *messages, const struct message *message)
{
    return message_filter_passes(&messages->retrieval, message->head.category,
                                 message->head.severity, message->head.id);
}

const struct message *messages_stored(const struct messages *messages, UINT64 index)
{
    return index < messages->count ? *slot(messages, index) : NULL;
}

const struct message *messages_find(const struct messages *messages, UINT64 index)
{
    if (messages->retrieval.count == 0)
        return messages_stored(messages, index);
    for (UINT64 i = 0; i < messages->count; i++)
        if (is_retrievable(messages, *slot(messages, i)) && index-- == 0)
            return *slot(messages, i);
    return NULL;
}

UINT64 messages_retrievable(const struct messages *messages)
{
    UINT64 count = 0;
    for (UINT64 i = 0; i < messages->count; i++)
        count += is_retrievable(messages, *slot(messages, i));
    return count;
}

/* ---- emission ---- */

static bool is_break(const struct messages *messages, const struct message_head *head)
{
    return ((messages->break_categories >> head->category) & 1) != 0 ||
           ((messages->break_severities >> head->severity) & 1) != 0 ||
           message_list_has(&messages->break_ids, (int)head->id);
}

void messages_add(struct messages *messages, D3D12_MESSAGE_CATEGORY category,
                  D3D12_MESSAGE_SEVERITY severity, int id, const char *text)
{
    const struct message_head head = {category, severity, (D3D12_MESSAGE_ID)id};
    emu_lock(&messages->lock);
    const bool passed = message_filter_passes(&messages->storage, category, severity, head.id);
    if (passed) {
        messages->allowed++;
        store(messages, &head, text);
    } else {
        messages->denied++;
    }
    const bool breaks = passed && is_break(messages, &head);
    emu_unlock(&messages->lock);
    print(messages, &head, text);
    message_callbacks_call(&messages->callbacks, &head, text, passed);
    if (breaks)
        os_break();
}

void messages_emit(struct messages *messages, D3D12_MESSAGE_CATEGORY category,
                   D3D12_MESSAGE_SEVERITY severity, int id, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 0)
        text[0] = '\0';
    va_end(args);
    messages_add(messages, category, severity, id, text);
}
