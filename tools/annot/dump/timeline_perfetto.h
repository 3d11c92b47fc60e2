/* A timeline as a Perfetto trace. */
#pragma once

#include <annot/timeline.h>

/* Bytes of protobuf: tests/fleet/perfetto.proto has the messages. ANNOT_ERROR_IO when the sink
 * refuses, ANNOT_ERROR_OUT_OF_MEMORY. */
annot_result timeline_write_perfetto(const annot_reader *reader, const annot_timeline *timeline,
                                     const annot_report_sink *sink);
