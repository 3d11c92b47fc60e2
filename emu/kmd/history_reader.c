/* Reads times from a history buffer. The buffer lies in GPU memory and the user-mode driver fills
 * it in; the size that it states is checked against the allocation. If the precision is 0, the
 * kernel-mode driver converts it to time stamps, a part at a time, and its output is checked. Time
 * stamps of fewer than 64 bits get their high bits from the one before. */
#include "kmd/types.h"

#include <stdlib.h>
#include <string.h>

#define PART         4096u /* bytes that the driver formats at once */
#define CANARY       64u
#define CANARY_BYTE  0xC5
#define FIRST_STAMPS 2u /* begin and end of the command buffer */

/* ---- clocks ---- */

struct emu_kmd_clock_pair emu__kmd_last_pair(const struct emu_kmd *kmd)
{
    return kmd->pair_count > 0 ? kmd->pairs[(kmd->pair_count - 1) % EMU_KMD_CLOCK_PAIRS]
                               : (struct emu_kmd_clock_pair){0};
}

static bool is_before(const struct emu_kmd_clock_pair *pair, const struct emu_kmd_clock_pair *last)
{
    return pair->gpu < last->gpu || pair->cpu < last->cpu;
}

void emu__kmd_calibrate(struct emu_kmd *kmd, bool always)
{
    DXGKARG_CALIBRATEGPUCLOCK clock = {0};
    if (!kmd->pairs || kmd->clock_is_bad)
        return;
    const struct emu_kmd_clock_pair last = emu__kmd_last_pair(kmd);
    const bool is_first = kmd->pair_count == 0;
    if (!is_first && !always && emu__kmd_now(kmd) - last.cpu < EMU_KMD_CALIBRATE_NS)
        return;
    if (!kmd->driver->DxgkDdiCalibrateGpuClock ||
        kmd->driver->DxgkDdiCalibrateGpuClock(kmd->driver_adapter, 0, 0, &clock) < 0)
        return;
    const struct emu_kmd_clock_pair pair = {clock.GpuClockCounter, clock.CpuClockCounter,
                                            clock.GpuFrequency};
    if (pair.frequency == 0 || is_before(&pair, &last))
        kmd->clock_is_bad = true;
    else
        kmd->pairs[kmd->pair_count++ % EMU_KMD_CLOCK_PAIRS] = pair;
}

size_t emu_kmd_clock_pairs(struct emu_kmd *kmd, struct emu_kmd_clock_pair *pairs, size_t capacity)
{
    const uint64_t kept =
        kmd->pair_count < EMU_KMD_CLOCK_PAIRS ? kmd->pair_count : EMU_KMD_CLOCK_PAIRS;
    size_t count = 0;
    for (uint64_t n = kmd->pair_count - kept; n < kmd->pair_count && count < capacity; n++)
        pairs[count++] = kmd->pairs[n % EMU_KMD_CLOCK_PAIRS];
    return count;
}

/* ---- precision ---- */

bool emu__kmd_history_init(struct emu_kmd *kmd)
{
    DXGKARG_HISTORYBUFFERPRECISION precision = {64};
    kmd->precision = 64;
    if (kmd->desc.marker_type == D3DWDDM1_3DDI_MARKER_TYPE_NONE)
        return true;
    kmd->pairs = calloc(EMU_KMD_CLOCK_PAIRS, sizeof *kmd->pairs);
    if (!kmd->pairs)
        return false;
    const DXGKARG_QUERYADAPTERINFO query = {.Type = DXGKQAITYPE_HISTORYBUFFERPRECISION,
                                            .pOutputData = &precision,
                                            .OutputDataSize = sizeof precision};
    if (kmd->driver->DxgkDdiQueryAdapterInfo &&
        kmd->driver->DxgkDdiQueryAdapterInfo(kmd->driver_adapter, &query) >= 0)
        kmd->precision = precision.PrecisionBits;
    return true;
}

static bool is_precision(uint32_t bits)
{
    return bits >= 32 && bits <= 64;
}

/* ---- the buffer ---- */

/* Time stamps as the buffer or the driver has them, one behind the other. */
struct raw {
    struct emu_kmd_log *log;
    uint32_t precision;
    uint32_t count;
};

/* Takes as many stamps as there is room for. */
static void take_raw(struct raw *raw, const unsigned char *bytes, uint32_t count)
{
    const uint32_t room = raw->log->count + FIRST_STAMPS - raw->count;
    uint64_t *stamps = raw->log->stamps + raw->count;
    if (count > room)
        count = room;
    raw->count += count;
    if (raw->precision != 32) {
        memcpy(stamps, bytes, count * sizeof *stamps);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low;
        memcpy(&low, bytes + i * sizeof low, sizeof low);
        stamps[i] = low;
    }
}

/* Lets the driver format part after part, with at most two calls more than stamps. */
static enum emu_kmd_log_problem format(struct emu_kmd_queue *queue, DXGK_HISTORY_BUFFER *buffer,
                                       uint32_t size, struct raw *raw)
{
    const emu_kernel_driver *driver = queue->kmd->driver;
    _Alignas(uint64_t) unsigned char part[PART + CANARY], canary[CANARY];
    const uint32_t wanted = raw->log->count + FIRST_STAMPS;
    uint32_t offset = 0;
    memset(canary, CANARY_BYTE, sizeof canary);
    if (!driver->DxgkDdiFormatHistoryBuffer)
        return EMU_KMD_LOG_PRECISION;
    for (uint32_t round = 0; round < wanted + 2; round++) {
        DXGKARG_FORMATHISTORYBUFFER argument = {.pHistoryBuffer = buffer,
                                                .HistoryBufferSize = size,
                                                .pFormattedBuffer = part,
                                                .FormattedBufferSize = PART,
                                                .Offset = offset};
        memset(part, 0, PART);
        memset(part + PART, CANARY_BYTE, CANARY);
        if (driver->DxgkDdiFormatHistoryBuffer(queue->kernel_context, &argument) < 0)
            return EMU_KMD_LOG_FORMAT;
        if (memcmp(part + PART, canary, CANARY) != 0)
            return EMU_KMD_LOG_OVERRUN;
        raw->precision = argument.Precision.PrecisionBits;
        if (!is_precision(raw->precision))
            return EMU_KMD_LOG_PRECISION;
        if (argument.NumTimestamps > PART / (raw->precision == 32 ? 4u : 8u))
            return EMU_KMD_LOG_FORMAT;
        take_raw(raw, part, argument.NumTimestamps);
        offset = argument.Offset;
        if (offset == 0)
            return raw->count == wanted ? EMU_KMD_LOG_FINE : EMU_KMD_LOG_FORMAT;
    }
    return EMU_KMD_LOG_FORMAT;
}

/* Reads the buffer. Its first `size` bytes are mapped. */
static enum emu_kmd_log_problem read_buffer(struct emu_kmd_queue *queue, void *buffer,
                                            uint64_t size, struct raw *raw)
{
    DXGK_HISTORY_BUFFER_HEADER header;
    const uint32_t wanted = raw->log->count + FIRST_STAMPS;
    const uint32_t precision = queue->kmd->precision;
    if (size < sizeof header)
        return EMU_KMD_LOG_BUFFER;
    memcpy(&header, buffer, sizeof header);
    const uint64_t unit = precision == 32 ? sizeof(uint32_t) : sizeof(uint64_t);
    if (header.RenderCbSequence != raw->log->sequence || header.Reserved != 0 ||
        header.PrivateDataSize % 8 != 0 ||
        sizeof header + header.PrivateDataSize + header.NumTimestamps * unit > size)
        return EMU_KMD_LOG_BUFFER;
    if (header.NumTimestamps != wanted)
        return EMU_KMD_LOG_NUMBERS;
    if (precision == 0)
        return format(queue, buffer, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, raw);
    if (!is_precision(precision))
        return EMU_KMD_LOG_PRECISION;
    raw->precision = precision;
    take_raw(raw, (unsigned char *)buffer + sizeof header + header.PrivateDataSize, wanted);
    return EMU_KMD_LOG_FINE;
}

/* ---- whole time stamps ---- */

/* Continues a clock of fewer bits behind `from`. */
static uint64_t unwrap(uint64_t stamp, uint32_t bits, uint64_t from)
{
    if (bits == 64)
        return stamp;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    stamp = (from & ~mask) | (stamp & mask);
    return stamp < from ? stamp + mask + 1 : stamp;
}

/* Checks stamps in the engine's order: begin, calls, end. A 0 before other stamps, and a stamp that
 * goes back or is ahead of `now`, are problems. */
static enum emu_kmd_log_problem complete(const struct raw *raw, uint64_t now)
{
    uint64_t *stamps = raw->log->stamps, last = raw->log->base;
    const uint32_t count = raw->log->count + FIRST_STAMPS;
    bool is_over = false;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = k == 0 ? 0 : k + 1 < count ? k + 1 : 1;
        if (stamps[i] == 0) {
            is_over = true;
            continue;
        }
        if (is_over)
            return EMU_KMD_LOG_ORDER;
        stamps[i] = unwrap(stamps[i], raw->precision, last);
        if (stamps[i] < last || stamps[i] > now)
            return EMU_KMD_LOG_ORDER;
        last = stamps[i];
    }
    return EMU_KMD_LOG_FINE;
}

static enum emu_kmd_log_problem take_stamps(struct emu_kmd_queue *queue, struct emu_kmd_log *log)
{
    struct emu_kmd *kmd = queue->kmd;
    struct raw raw = {.log = log};
    struct emu_gpu_access access;
    if (kmd->clock_is_bad || kmd->pair_count == 0)
        return EMU_KMD_LOG_CLOCK;
    if (!emu_gpu_access_begin(kmd->desc.gpu, log->history, EMU_GPU_ALLOCATION_LIMIT, &access))
        return EMU_KMD_LOG_BUFFER;
    enum emu_kmd_log_problem problem = read_buffer(queue, access.cpu, access.size, &raw);
    emu_gpu_access_end(&access);
    if (problem == EMU_KMD_LOG_FINE)
        problem = complete(&raw, emu_gpu_counter(kmd->desc.gpu, emu__kmd_now(kmd)));
    return problem;
}

void emu__kmd_history_take(struct emu_kmd_queue *queue, uint64_t tag, struct emu_kmd_log *log)
{
    struct emu_kmd *kmd = queue->kmd;
    if (!kmd->desc.history)
        return;
    const bool has_stamps = log->history != 0 && !log->null_rendering;
    if (has_stamps)
        log->problem = take_stamps(queue, log);
    if (!has_stamps || log->problem != EMU_KMD_LOG_FINE)
        memset(log->stamps, 0, (log->count + FIRST_STAMPS) * sizeof *log->stamps);
    const struct emu_kmd_history history = {
        .sequence = log->sequence,
        .problem = log->problem,
        .null_rendering = log->null_rendering,
        .begin = log->stamps[0],
        .end = log->stamps[1],
        .numbers = log->numbers,
        .stamps = log->stamps + FIRST_STAMPS,
        .count = log->count,
        .lists = log->lists,
        .list_count = log->list_count,
    };
    emu__kmd_enter_callback();
    kmd->desc.history(kmd->desc.user, queue->user, tag, &history);
    emu__kmd_leave_callback();
}
