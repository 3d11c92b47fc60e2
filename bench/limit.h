/*
 * LIMIT: the least work that any C library can do for a marker that must survive until a crash and
 * reach a driver. It bumps a cursor against an end, writes a 16-byte header, copies the payload in
 * 16-byte vector moves, makes an EventID by id++, and makes one indirect call. LIMIT has no lookup,
 * no chunks, no latch, no publication to a reader and no misuse checks, and it reads payloads in
 * whole vectors, past their end.
 */
#pragma once

#include <annot/ddi.h>

struct limit_library {
    char *cursor;
    char *end;
    uint64_t next_id;
    struct limit_header *open;
    D3D12DDI_HCOMMANDLIST handle;
    PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT begin;
    PFND3D12DDI_COMMAND_LIST_END_EVENT end_event;
    char *memory;
    size_t size;
};

/* Allocates `size` bytes of marker memory, not touched yet. */
void limit_init(struct limit_library *it, size_t size);
void limit_finish(struct limit_library *it);
void limit_rewind(struct limit_library *it);

void limit_begin(struct limit_library *it, uint32_t metadata, const void *data, uint32_t size);
void limit_set(struct limit_library *it, uint32_t metadata, const void *data, uint32_t size);
void limit_end(struct limit_library *it);

/* Makes an empty indirect call with a marker's arguments. */
void limit_call(struct limit_library *it, uint32_t metadata, const void *data, uint32_t size);
