/* The tracepoint that stands for a marker; LTTng-UST reads this file several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER annot_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_provider.h"

#if !defined(BENCH_LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_LTTNG_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(
    annot_bench, marker, LTTNG_UST_TP_ARGS(uint32_t, metadata, const char *, data, uint32_t, size),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, metadata, metadata)
                            lttng_ust_field_sequence(char, payload, data, uint32_t, size)))

#endif

#include <lttng/tracepoint-event.h>
