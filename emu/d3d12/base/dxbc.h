/* DXBC, the container of shaders and root signatures. All numbers are little-endian and have 32
 * bits.
 *
 *     container   "DXBC", checksum 16 bytes, 1, bytes in all, number of chunks, their offsets
 *     chunk       tag, bytes of content, content
 *
 * The checksum is MD5's compression function over the bytes behind it, with other padding than
 * MD5's: see dxbc.c. Some compilers don't sign a container and write zeros; such a container is
 * accepted.
 */
#pragma once

#include "base/bytes.h"

#define DXBC_TAG(a, b, c, d)                                                                       \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define DXBC_CHECKSUM_AT   4u
#define DXBC_CHECKSUM_SIZE 16u
/* Where the content of a container with one chunk begins; this file writes only such containers. */
#define DXBC_CONTENT_AT 44u

enum dxbc_result { DXBC_OK, DXBC_DAMAGED, DXBC_NO_CHUNK };

/* Finds the first chunk with this tag. Any bytes are allowed, also more than the container has. */
enum dxbc_result dxbc_find(struct bytes container, uint32_t tag, struct bytes *content);

/* Whether the bytes are a whole container, with any chunks. */
bool dxbc_is_container(struct bytes container);

/* Call these before and after the content of one chunk. dxbc_end fills in sizes and the
 * checksum. */
void dxbc_begin(struct byte_writer *writer, uint32_t tag);
void dxbc_end(struct byte_writer *writer);
