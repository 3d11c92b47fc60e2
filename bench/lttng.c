/* To have it recorded: lttng create; lttng enable-event --userspace 'annot_bench:*'; lttng
 * start. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_provider.h"

#include <stdbool.h>

bool bench_lttng_is_recording(void);
void bench_lttng_marker(uint32_t metadata, const void *data, uint32_t size);

bool bench_lttng_is_recording(void)
{
    return lttng_ust_tracepoint_enabled(annot_bench, marker);
}

void bench_lttng_marker(uint32_t metadata, const void *data, uint32_t size)
{
    lttng_ust_tracepoint(annot_bench, marker, metadata, data, size);
}
