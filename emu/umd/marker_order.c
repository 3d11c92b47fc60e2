/* Moves markers among packets: markers exchange places in groups, and no marker moves by more than
 * `window`. */
#include "umd/types.h"

#include <string.h>

#define WINDOW_LIMIT 16u

static void swap_markers(char *a, char *b)
{
    struct emu_packet_marker packet;
    memcpy(&packet, a, sizeof packet);
    memmove(a, b, sizeof packet);
    memcpy(b, &packet, sizeof packet);
}

/* Shuffles a group, always the same way for the same EventIDs. */
static void shuffle(char *const *markers, uint32_t count)
{
    struct emu_packet_marker first;
    memcpy(&first, markers[0], sizeof first);
    uint64_t state = first.event_id * 0x9E3779B97F4A7C15u + 1;
    for (uint32_t i = count; i > 1; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        swap_markers(markers[i - 1], markers[(state >> 33) % i]);
    }
}

/* Shuffles the markers in groups of `size`; the first group has `first` markers. */
static void shuffle_groups(void *packets, uint64_t bytes, uint32_t size, uint32_t first)
{
    char *group[WINDOW_LIMIT + 1];
    uint32_t count = 0, wanted = first;
    const char *end =
        bytes > 0 ? (char *)packets + bytes : packets; /* no offset may be added to NULL */
    struct emu_packet_header header;
    for (char *at = packets; at < end; at += header.size) {
        memcpy(&header, at, sizeof header);
        if (header.opcode == EMU_PACKET_MARKER)
            group[count++] = at;
        if (count == wanted) {
            shuffle(group, count);
            count = 0;
            wanted = size;
        }
    }
    if (count)
        shuffle(group, count);
}

/* Shuffles twice, each time by about half of the window. Groups overlap, so any two markers less
 * than two windows apart may change their order. */
void emu__reorder_markers(void *packets, uint64_t size, uint32_t window)
{
    const uint32_t limit = window < WINDOW_LIMIT ? window : WINDOW_LIMIT;
    const uint32_t one = limit / 2, other = limit - one;
    shuffle_groups(packets, size, other + 1, other + 1);
    shuffle_groups(packets, size, one + 1, one > 0 ? one : 1);
}
