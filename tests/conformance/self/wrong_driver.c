/* The reference driver, but for one thing that is wrong with list markers: EventIDs are those of
 * the marker before (SWAPS), every other End is forgotten (FORGETS), or a list's last marker is
 * never written (LATE). */
#include <emu/driver.h>

static emu_driver driver;
static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation;
static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *real;

#if defined(SWAPS)
static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    static uint64_t before;
    real->pfnCmdListBeginEvent(list, metadata, data, size, before ? before : event_id);
    before = event_id;
}
#elif defined(FORGETS)
static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    static unsigned calls;
    if (++calls % 2 == 1)
        real->pfnCmdListEndEvent(list, event_id);
}
#elif defined(LATE)
static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    static void *of;
    static uint64_t waits;
    if (of == list.pDrvPrivate)
        real->pfnCmdListSetMarker(list, metadata, data, size, waits);
    of = list.pDrvPrivate;
    waits = event_id;
}
#endif

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host)
{
    driver = *host->reference;
    real = driver.annot.annotation;
    annotation = *real;
#if defined(SWAPS)
    annotation.pfnCmdListBeginEvent = list_begin;
#elif defined(FORGETS)
    annotation.pfnCmdListEndEvent = list_end;
#elif defined(LATE)
    annotation.pfnCmdListSetMarker = list_set;
#endif
    driver.annot.name = "wrong";
    driver.annot.annotation = &annotation;
    return &driver;
}
