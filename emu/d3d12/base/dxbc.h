/* DXBC, the container of shaders and root signatures. All numbers are little-endian and have 32
 * bits.
 *
 *     container   "DXBC", checksum 16 bytes, 1, bytes in all, number of chunks, their offsets
 *     chunk       tag, bytes of content, content
 *
 * The checksum is MD5's compression function over the bytes after the checksum. dxbc.c shows the
 * padding, which is not MD5's. Some compilers don't sign a container and write zeros; such a
 * container is accepted. */
#pragma once

#include "base/bytes.h"

#define DXBC_TAG(a, b, c, d)                                                                       \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define DXBC_CHECKSUM_AT   4u
#define DXBC_CHECKSUM_SIZE 16u
/* Offset of the content in a container with one chunk; dxbc.c writes only such containers. */
#define DXBC_CONTENT_AT 44u

enum dxbc_result { DXBC_OK, DXBC_DAMAGED, DXBC_NO_CHUNK };

/* Finds the first chunk with `tag`. `container` may have any content and any size. */
enum dxbc_result dxbc_find(struct bytes container, uint32_t tag, struct bytes *content);

/* Returns whether the bytes are a complete DXBC container. The chunks may have any content. */
bool dxbc_is_container(struct bytes container);

/* Call dxbc_begin before you write the content of the only chunk, and dxbc_end after the content.
 * dxbc_end fills in the sizes and the checksum. */
void dxbc_begin(struct byte_writer *writer, uint32_t tag);
void dxbc_end(struct byte_writer *writer);
