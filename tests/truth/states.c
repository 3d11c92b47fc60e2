#include "states.h"

#include <stdlib.h>

static void add_state(struct states *states, annot_state state)
{
    if (states->count == states->capacity) {
        states->capacity = states->capacity ? states->capacity * 2 : 256;
        states->all = realloc(states->all, states->capacity);
        if (!states->all)
            abort();
    }
    states->all[states->count++] = (uint8_t)state;
}

static void add_list(const annot_reader *reader, struct states *states, uint32_t execution,
                     uint32_t bundle, uint32_t stream)
{
    annot_reader_stream info;
    annot_reader_entry entry;
    if (!annot_reader_stream_at(reader, stream, &info))
        return;
    for (uint32_t i = info.first_entry; i < info.first_entry + info.entry_count; i++) {
        if (!annot_reader_entry_at(reader, i, &entry))
            continue;
        add_state(states, annot_reader_state(reader, execution, bundle, i, NULL));
        if (entry.kind == ANNOT_ENTRY_BUNDLE && bundle == ANNOT_READER_NONE)
            add_list(reader, states, execution, i, entry.link);
    }
}

static void add_submission(const annot_reader *reader, struct states *states, uint32_t index)
{
    annot_reader_submission submission;
    annot_reader_execution execution;
    if (!annot_reader_submission_at(reader, index, &submission))
        return;
    add_state(states, submission.state);
    for (uint32_t i = 0; i < submission.execution_count; i++) {
        const uint32_t at = submission.first_execution + i;
        if (!annot_reader_execution_at(reader, at, &execution))
            continue;
        add_state(states, execution.state);
        add_list(reader, states, at, ANNOT_READER_NONE, execution.stream);
    }
}

struct states states_of(const annot_reader *reader)
{
    struct states states = {NULL, 0, 0};
    annot_reader_stream queue;
    annot_reader_entry entry;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &queue); i++)
        for (uint32_t k = 0; queue.is_queue && k < queue.entry_count; k++) {
            const uint32_t index = queue.first_entry + k;
            if (!annot_reader_entry_at(reader, index, &entry))
                continue;
            if (entry.kind == ANNOT_ENTRY_SUBMISSION)
                add_submission(reader, &states, entry.link);
            else
                add_state(&states, annot_reader_queue_state(reader, index, NULL));
        }
    return states;
}
