/* Reads a dump: one marker's state, or the whole dump as text for comparing. */
#pragma once

#include "case.h"

#include <annot/reader.h>

/* Returns the entry with this name. Ends the case if there is none. */
uint32_t kit_entry(const annot_reader *reader, const char *name);
bool kit_has_entry(const annot_reader *reader, const char *name);
/* Returns the state of the entry with this name, in an execution or on its queue. */
annot_state kit_state(const annot_reader *reader, uint32_t execution, const char *name);
annot_state kit_queue_state(const annot_reader *reader, const char *name);
/* Returns the number of entries of all executions and queues with this state. */
size_t kit_count_state(const annot_reader *reader, annot_state state);
/* Returns the number of findings of this kind. */
uint64_t kit_finding(const annot_reader *reader, annot_finding_kind kind);

/* The dump as text, by the public reader alone. Static, until the next call.
 *
 *     stop Q #1 L: Frame / Shadow      queue, submission, list: path
 *     queue Q stopped
 *      > #1                            X finished, > in progress, . not started, ? unknown
 *       > L
 *        > Frame                       "Frame (open)" when its list never closes it
 *         X Depth
 *        end                           an EndEvent without a scope in its list
 */
const char *kit_tell(const annot_reader *reader);
#define EXPECT_TELLS(reader, text) kit_expect_text(kit_tell(reader), (text), __FILE__, __LINE__)
void kit_expect_text(const char *got, const char *wanted, const char *file, int line);

/* Returns the text report without colours. The text is static, valid until the next call. */
const char *kit_report(const annot_reader *reader);
