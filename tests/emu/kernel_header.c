/* Published structures as include/emu/kernel.h has them: their layout on 64-bit machines, and
 * numbers [ANN-HIST, -SUBM, -TDR; d3dumddi.h, d3dkmddi.h as Microsoft documents them]. */
#include "rig.h"

#include <emu/kernel.h>

#define AT(type, member, offset)                                                                   \
    cr_expect_eq(offsetof(type, member), (size_t)(offset), "%s.%s lies at %zu", #type, #member,    \
                 offsetof(type, member))
#define SIZE(type, size) cr_expect_eq(sizeof(type), (size_t)(size), "%s: %zu", #type, sizeof(type))

Test(kernel_header, structures_of_submissions_are_as_published)
{
    if (sizeof(void *) != 8)
        cr_skip("the layout of 64-bit machines");
    SIZE(D3DDDI_BATCHEDMARKERDATA, 24);
    AT(D3DDDI_BATCHEDMARKERDATA, FirstAPISequenceNumberHigh, 8);
    AT(D3DDDI_BATCHEDMARKERDATA, CompletedAPISequenceNumberLowSize, 12);
    AT(D3DDDI_BATCHEDMARKERDATA, pCompletedAPISequenceNumberLow, 16);
    AT(D3DDDICB_SUBMITCOMMAND, CommandLength, 8);
    AT(D3DDDICB_SUBMITCOMMAND, Flags, 12);
    AT(D3DDDICB_SUBMITCOMMAND, BroadcastContextCount, 16);
    AT(D3DDDICB_SUBMITCOMMAND, BroadcastContext, 24);
    AT(D3DDDICB_SUBMITCOMMAND, pPrivateDriverData, 24 + 64 * 8);
    AT(D3DDDICB_SUBMITCOMMAND, NumPrimaries, 548);
    AT(D3DDDICB_SUBMITCOMMAND, WrittenPrimaries, 552);
    AT(D3DDDICB_SUBMITCOMMAND, MarkerLogType, 552 + 16 * 4);
    AT(D3DDDICB_SUBMITCOMMAND, RenderCBSequence, 620);
    AT(D3DDDICB_SUBMITCOMMAND, FirstAPISequenceNumberHigh, 624);
    AT(D3DDDICB_SUBMITCOMMAND, BatchedMarkerDataCount, 624);
    AT(D3DDDICB_SUBMITCOMMAND, BegunAPISequenceNumberLow1Size, 640);
    AT(D3DDDICB_SUBMITCOMMAND, pCompletedAPISequenceNumberLow0, 648);
    AT(D3DDDICB_SUBMITCOMMAND, pBatchedMarkerData, 648);
    AT(D3DDDICB_SUBMITCOMMAND, pBegunAPISequenceNumberLow1, 672);
    AT(D3DDDICB_SUBMITCOMMAND, Reserved, 680);
    AT(D3DDDICB_SUBMITCOMMAND, NumHistoryBuffers, 684);
    AT(D3DDDICB_SUBMITCOMMAND, HistoryBufferArray, 688);
    AT(D3DDDICB_SUBMITCOMMAND, hSyncToken, 696);
    SIZE(D3DDDICB_SUBMITCOMMAND, 712);
    uint32_t word;
    const D3DDDICB_SUBMITCOMMANDFLAGS flags = {.NullRendering = 1};
    memcpy(&word, &flags, sizeof word);
    cr_expect_eq(word, 1, "NullRendering is bit 0");
}

Test(kernel_header, history_buffers_are_as_published)
{
    SIZE(DXGK_HISTORY_BUFFER_HEADER, 16);
    AT(DXGK_HISTORY_BUFFER_HEADER, RenderCbSequence, 0);
    AT(DXGK_HISTORY_BUFFER_HEADER, NumTimestamps, 4);
    AT(DXGK_HISTORY_BUFFER_HEADER, PrivateDataSize, 8);
    AT(DXGK_HISTORY_BUFFER_HEADER, Reserved, 12);
    AT(DXGK_HISTORY_BUFFER, DriverPrivateData, 16);
    cr_expect_eq(DXGKQAITYPE_HISTORYBUFFERPRECISION, 10);
    if (sizeof(void *) != 8)
        return;
    AT(DXGKARG_FORMATHISTORYBUFFER, HistoryBufferSize, 8);
    AT(DXGKARG_FORMATHISTORYBUFFER, pFormattedBuffer, 16);
    AT(DXGKARG_FORMATHISTORYBUFFER, FormattedBufferSize, 24);
    AT(DXGKARG_FORMATHISTORYBUFFER, NumTimestamps, 28);
    AT(DXGKARG_FORMATHISTORYBUFFER, Precision, 32);
    AT(DXGKARG_FORMATHISTORYBUFFER, Offset, 36);
}

Test(kernel_header, structures_of_timeouts_are_as_published)
{
    SIZE(DXGKARG_COLLECTDBGINFO_EXT, 32);
    SIZE(DXGK_TDR_PAYLOAD_VSYNC_TIMEOUT, 16);
    if (sizeof(void *) != 8)
        cr_skip("the layout of 64-bit machines");
    SIZE(DXGKARG_COLLECTDBGINFO, 32);
    AT(DXGKARG_COLLECTDBGINFO2, pBuffer, offsetof(DXGKARG_COLLECTDBGINFO, pBuffer));
    AT(DXGKARG_COLLECTDBGINFO2, BufferSize, offsetof(DXGKARG_COLLECTDBGINFO, BufferSize));
    AT(DXGKARG_COLLECTDBGINFO2, pExtension, offsetof(DXGKARG_COLLECTDBGINFO, pExtension));
    AT(DXGKARG_COLLECTDBGINFO2, TdrType, 32);
    AT(DXGKARG_COLLECTDBGINFO2, TdrPayloadSize, 36);
    AT(DXGKARG_COLLECTDBGINFO2, TdrPayload, 40);
    SIZE(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, 40);
    AT(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, LastHwCompletedFenceId, 8);
    AT(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, LastHwSubmittedFenceId, 16);
    AT(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, NumberOfPendingSuspendRequests, 24);
    AT(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, hContext, 32);
}

Test(kernel_header, numbers_are_as_published)
{
    cr_expect_eqs(D3DWDDM1_3DDI_MARKER_TYPE_NONE, 0, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE, 1);
    cr_expect(D3DDDIMLT_NONE == 0 && D3DDDIMLT_PROFILE == 1 && D3DDDIMLT_FT_PROFILE == 2);
    cr_expect_eqs(D3DDDI_MAX_BROADCAST_CONTEXT, 64, D3DDDI_MAX_WRITTEN_PRIMARIES, 16);
    cr_expect_eqs(EMU_VIDEO_TDR_TIMEOUT_DETECTED, 0x117, EMU_VIDEO_ENGINE_TIMEOUT_DETECTED, 0x141);
    cr_expect(DXGK_TDR_TYPE_UNKNOWN == 0 && DXGK_TDR_TYPE_FORCED == 1 &&
              DXGK_TDR_TYPE_PREEMPT_TIMEOUT == 2 && DXGK_TDR_TYPE_VSYNC_TIMEOUT == 3 &&
              DXGK_TDR_TYPE_DOD_PRESENT_FORCED == 4 && DXGK_TDR_TYPE_DOD_PRESENT_TIMEOUT == 5 &&
              DXGK_TDR_TYPE_ENGINE_TIMEOUT == 6 && DXGK_TDR_TYPE_DOD_VSYNC_FORCED == 7 &&
              DXGK_TDR_TYPE_DOD_VSYNC_TIMEOUT == 8 && DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED == 9 &&
              DXGK_TDR_TYPE_PAGE_FAULT == 10 && DXGK_TDR_TYPE_INVALID_FENCE == 11 &&
              DXGK_TDR_TYPE_ENGINE_PAGE_FAULT == 12 && DXGK_TDR_TYPE_DISPLAY_ENGINE_FAULT == 13);
}
