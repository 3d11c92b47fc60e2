#include "base/dxbc.h"

#include <annot/shader.h>

#define TAG_CONTAINER DXBC_TAG('D', 'X', 'B', 'C')
#define HASHED_AT     20u /* offset of the bytes behind the checksum */
#define SIZE_AT       24u
#define BLOCK         64u

/* ---- the checksum ---- */

static uint32_t rotate(uint32_t value, unsigned by)
{
    return value << by | value >> (32 - by);
}

/* RFC 1321's compression of one block. */
static void compress(uint32_t state[4], const unsigned char *block)
{
    static const unsigned char shifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint32_t sines[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
        0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
        0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
        0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
        0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
        0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
        0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
        0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
        0xeb86d391};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], word = 0;
    for (unsigned i = 0; i < 64; i++) {
        const unsigned round = i / 16;
        const uint32_t mix = round == 0   ? (b & c) | (~b & d)
                             : round == 1 ? (d & b) | (~d & c)
                             : round == 2 ? b ^ c ^ d
                                          : c ^ (b | ~d);
        static const unsigned char steps[4][2] = {{1, 0}, {5, 1}, {3, 5}, {7, 0}};
        const unsigned index = (steps[round][0] * i + steps[round][1]) % 16;
        bytes_u32((struct bytes){block, BLOCK}, (size_t)index * 4, &word);
        const uint32_t next = b + rotate(a + mix + sines[i] + word, shifts[round][i % 4]);
        a = d;
        d = c;
        c = b;
        b = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

/* MD5 with another end: the last block begins with the number of bits, and ends with a quarter of
 * this number, with the lowest bit set. If the 0x80 behind the data has no room in this block, it
 * is in an extra block before. */
_Static_assert(DXBC_CHECKSUM_SIZE == 4 * 4, "dxbc_begin leaves four words for the checksum");

static void checksum(struct bytes data, unsigned char out[DXBC_CHECKSUM_SIZE])
{
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const uint32_t bits = (uint32_t)(data.size * 8);
    size_t done = 0;
    for (; data.size - done >= BLOCK; done += BLOCK)
        compress(state, data.data + done);
    unsigned char last[BLOCK] = {0};
    size_t at = 4;
    if (data.size - done >= BLOCK - 8) {
        memcpy(last, data.data + done, data.size - done);
        last[data.size - done] = 0x80;
        compress(state, last);
        memset(last, 0, sizeof last);
    } else {
        memcpy(last + at, data.data + done, data.size - done);
        last[at + data.size - done] = 0x80;
    }
    patch_u32(&(struct byte_writer){last, 0}, 0, bits);
    patch_u32(&(struct byte_writer){last, 0}, BLOCK - 4, bits >> 2 | 1);
    compress(state, last);
    for (size_t i = 0; i < 4; i++)
        patch_u32(&(struct byte_writer){out, 0}, i * 4, state[i]);
}

static bool is_intact(struct bytes container)
{
    static const unsigned char zeros[DXBC_CHECKSUM_SIZE];
    unsigned char right[DXBC_CHECKSUM_SIZE];
    const unsigned char *found = container.data + DXBC_CHECKSUM_AT;
    if (memcmp(found, zeros, sizeof zeros) == 0)
        return true;
    checksum((struct bytes){container.data + HASHED_AT, container.size - HASHED_AT}, right);
    return memcmp(found, right, sizeof right) == 0;
}

/* ---- containers ---- */

enum dxbc_result dxbc_find(struct bytes container, uint32_t tag, struct bytes *content)
{
    annot_container opened;
    uint32_t found;
    if (!annot_container_open(container.data, container.size, &opened) ||
        !is_intact((struct bytes){opened.data, opened.size}))
        return DXBC_DAMAGED;
    for (uint32_t i = 0; i < opened.part_count; i++) {
        if (!annot_container_part(&opened, i, &found, &content->data, &content->size))
            return DXBC_DAMAGED;
        if (found == tag)
            return DXBC_OK;
    }
    return DXBC_NO_CHUNK;
}

bool dxbc_is_container(struct bytes container)
{
    struct bytes content;
    return dxbc_find(container, 0, &content) !=
           DXBC_DAMAGED; /* all chunks were looked at; none has this tag */
}

void dxbc_begin(struct byte_writer *writer, uint32_t tag)
{
    PUT_U32(writer, TAG_CONTAINER, 0, 0, 0, 0, 1, 0, 1, DXBC_CONTENT_AT - 8, tag, 0);
}

void dxbc_end(struct byte_writer *writer)
{
    patch_u32(writer, SIZE_AT, writer->size);
    patch_u32(writer, DXBC_CONTENT_AT - 4, writer->size - DXBC_CONTENT_AT);
    if (writer->data)
        checksum((struct bytes){writer->data + HASHED_AT, writer->size - HASHED_AT},
                 writer->data + DXBC_CHECKSUM_AT);
}
