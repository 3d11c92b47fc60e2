/* A recording's operations come in pieces with consecutive numbers. Each piece, and each block of a
 * piece, has a sum of markers, so markers between two numbers need not be counted each time. */
#include "dump_read/ops.h"

#include "base/search.h"

enum { LAST_MARKER_OP = 2 }; /* D3D12_AUTO_BREADCRUMB_OP: SETMARKER, BEGINEVENT, ENDEVENT */

bool annot__op_is_marker(uint32_t op)
{
    return op <= LAST_MARKER_OP;
}

static struct annot__ops *piece_at(const annot_reader *reader, uint32_t i)
{
    return &reader->ops[reader->ops_index.entries[i].value];
}

static uint32_t count_markers(const uint8_t *ops, size_t size)
{
    uint32_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += ops[i] <= LAST_MARKER_OP;
    return count;
}

/* Counts the markers in the piece; its sums follow those of the pieces before. */
static uint32_t sum_up(annot_reader *reader, struct annot__ops *piece, uint32_t *sums)
{
    uint32_t markers = 0;
    piece->sums = *sums;
    for (size_t at = 0; at <= piece->bytes.size; at += ANNOT__OP_BLOCK) {
        const size_t left = piece->bytes.size - at;
        reader->op_sums[(*sums)++] = markers;
        markers +=
            count_markers(piece->bytes.data + at, left < ANNOT__OP_BLOCK ? left : ANNOT__OP_BLOCK);
    }
    return markers;
}

/* Each piece must begin where the piece before ended. A damaged piece counts as empty. */
void annot__ops_prepare(annot_reader *reader)
{
    const struct annot__index *index = &reader->ops_index;
    uint32_t sums = 0, markers = 0, next = 0;
    for (uint32_t i = 0; i < index->count; i++) {
        struct annot__ops *piece = piece_at(reader, i);
        bool is_first = i == 0 || index->entries[i - 1].key != piece->log;
        if ((!is_first && piece->first != next) || piece->bytes.size > UINT32_MAX - piece->first) {
            piece->first = next;
            piece->bytes.size = 0;
        }
        next = piece->first + (uint32_t)piece->bytes.size;
        piece->markers_before = markers;
        markers += sum_up(reader, piece, &sums);
    }
}

static bool is_at_or_before(const struct annot__ops *piece, uint64_t log, uint32_t number)
{
    return piece->log < log || (piece->log == log && piece->first <= number);
}

/* Returns the recording's last piece that begins at or before this operation, or NULL. */
static const struct annot__ops *find_piece(const annot_reader *reader, uint64_t log,
                                           uint32_t number)
{
    uint32_t low = 0, high = reader->ops_index.count;
    ANNOT__LOWER_BOUND(low, high, i, is_at_or_before(piece_at(reader, i), log, number));
    const struct annot__ops *piece = low > 0 ? piece_at(reader, low - 1) : NULL;
    return piece && piece->log == log ? piece : NULL;
}

bool annot__op_is_idle(uint32_t op)
{
    static const uint8_t others[] = {19 /* BeginSubmission */,
                                     20 /* EndSubmission */,
                                     28 /* SetProtectedResourceSession */,
                                     39 /* SetPipelineState1 */,
                                     46 /* BeginCommandList */,
                                     48 /* SetProgram */,
                                     53 /* SetWorkGraphMaximumGPUInputRecords */,
                                     255 /* NONE */};
    for (size_t i = 0; i < sizeof others; i++)
        if (op == others[i])
            return true;
    return op <= LAST_MARKER_OP;
}

uint32_t annot__op_at(const annot_reader *reader, uint64_t log, uint32_t number)
{
    const struct annot__ops *piece = find_piece(reader, log, number);
    return piece && number - piece->first < piece->bytes.size
               ? piece->bytes.data[number - piece->first]
               : ANNOT__NONE;
}

/* Counts the markers before this operation, from the first operation in the dump on. */
static bool markers_before(const annot_reader *reader, uint64_t log, uint32_t number,
                           uint32_t *markers)
{
    const struct annot__ops *piece = find_piece(reader, log, number);
    if (!piece || number - piece->first > piece->bytes.size)
        return false;
    const uint32_t at = number - piece->first, block = at / ANNOT__OP_BLOCK;
    *markers = piece->markers_before + reader->op_sums[piece->sums + block] +
               count_markers(piece->bytes.data + block * ANNOT__OP_BLOCK, at % ANNOT__OP_BLOCK);
    return true;
}

bool annot__ops_markers(const annot_reader *reader, uint64_t log, uint32_t first, uint32_t end,
                        uint32_t *markers)
{
    uint32_t before_first, before_end;
    *markers = 0;
    if (first >= end)
        return true;
    if (!markers_before(reader, log, first, &before_first) ||
        !markers_before(reader, log, end, &before_end))
        return false;
    *markers = before_end - before_first;
    return true;
}
