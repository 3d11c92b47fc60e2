/* The functions of a driver's table that does nothing with what it is told. */
#pragma once

#include <annot/ddi.h>

static inline void ANNOT_DDI_CALL deaf_queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                                    const void *data, uint32_t size, uint64_t id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)id;
}

static inline void ANNOT_DDI_CALL deaf_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    (void)queue, (void)id;
}

static inline void ANNOT_DDI_CALL deaf_list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                                   const void *data, uint32_t size, uint64_t id)
{
    (void)list, (void)metadata, (void)data, (void)size, (void)id;
}

static inline void ANNOT_DDI_CALL deaf_list_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    (void)list, (void)id;
}

static inline void ANNOT_DDI_CALL deaf_set_name(D3D12DDI_HANDLE_AND_TYPE object,
                                                const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}
