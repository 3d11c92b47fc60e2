/* WinPixEventRuntime's exports, for programs that load it by name or link it: markers on D3D12's
 * objects are encoded as v1 events and given to the object, so that any D3D12 runtime gets them. No
 * PIX listens: thread events, counters, memory events and captures do nothing [ANN-PIX-06]. Any
 * function may be called from any thread. */
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12video.h>
#include <annot/pix.h>

#ifdef _WIN32
#define EXPORT /* named in WinPixEventRuntime.def */
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* HRESULT_FROM_WIN32(ERROR_MOD_NOT_FOUND): what Windows answers when PIX's capturer is not
 * loaded. */
#define NO_CAPTURER ((HRESULT)0x8007007EL)

/* ---- markers ---- */

struct event_blob {
    uint64_t words[ANNOT_PIX_BLOB_WORDS];
    UINT size; /* number of bytes */
};

/* The text is the name without arguments. A colour of up to 255 is an index. */
static void encode(struct event_blob *blob, annot_pix_kind kind, UINT64 color, const char *text)
{
    const annot_pix_desc desc = {
        .version = ANNOT_PIX_V1,
        .kind = kind,
        .color_kind = ANNOT_PIX_COLOR_KIND_ARGB,
        .color = color,
        .format = {.type = ANNOT_PIX_STR, .value = {.str = text}},
    };
    blob->size = (UINT)annot_pix_encode(&desc, blob->words, sizeof blob->words);
}

/* Programs declare these in pix3.h, or ask for them by name. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
/* Most functions have nothing to do with what they get. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A function that does nothing. */
#define IGNORED(name, ...)                                                                         \
    EXPORT void WINAPI name(__VA_ARGS__)                                                           \
    {                                                                                              \
    }

/* Begin, SetMarker and End on one of D3D12's interfaces. A NULL object gets nothing. */
#define MARKERS_ON(Object, Interface)                                                              \
    EXPORT void WINAPI PIXBeginEventOn##Object(Interface *object, UINT64 color, const char *text)  \
    {                                                                                              \
        struct event_blob blob;                                                                    \
        if (object) {                                                                              \
            encode(&blob, ANNOT_PIX_KIND_BEGIN, color, text);                                      \
            object->lpVtbl->BeginEvent(object, ANNOT_PIX_METADATA_V1, blob.words, blob.size);      \
        }                                                                                          \
    }                                                                                              \
    EXPORT void WINAPI PIXSetMarkerOn##Object(Interface *object, UINT64 color, const char *text)   \
    {                                                                                              \
        struct event_blob blob;                                                                    \
        if (object) {                                                                              \
            encode(&blob, ANNOT_PIX_KIND_MARKER, color, text);                                     \
            object->lpVtbl->SetMarker(object, ANNOT_PIX_METADATA_V1, blob.words, blob.size);       \
        }                                                                                          \
    }                                                                                              \
    EXPORT void WINAPI PIXEndEventOn##Object(Interface *object)                                    \
    {                                                                                              \
        if (object)                                                                                \
            object->lpVtbl->EndEvent(object);                                                      \
    }

MARKERS_ON(CommandList, ID3D12GraphicsCommandList)
MARKERS_ON(CommandQueue, ID3D12CommandQueue)
MARKERS_ON(VideoDecodeCommandList, ID3D12VideoDecodeCommandList)
MARKERS_ON(VideoProcessCommandList, ID3D12VideoProcessCommandList)
MARKERS_ON(VideoEncodeCommandList, ID3D12VideoEncodeCommandList)

/* ---- events of a CPU thread ---- */

/* pix3.h's inline encoder reads this block before it writes an event of this thread. A NULL limit
 * means that nobody records, so it writes nothing. */
typedef struct PIXEventsThreadInfo {
    void *block;
    UINT64 *biasedLimit;
    UINT64 *destination;
} PIXEventsThreadInfo;

/* All threads share this block: with a NULL limit nothing is ever written to it. */
EXPORT PIXEventsThreadInfo *WINAPI PIXGetThreadInfo(void)
{
    static PIXEventsThreadInfo nobody_records;
    return &nobody_records;
}

/* Called when a block is full. Result 0: there is no room, so the event is dropped. */
EXPORT UINT64 WINAPI PIXEventsReplaceBlock(PIXEventsThreadInfo *info, bool earliest_time)
{
    return 0;
}

IGNORED(PIXBeginEventOnThread, UINT32 color, const char *name)
IGNORED(PIXSetMarkerOnThread, UINT32 color, const char *name)
IGNORED(PIXEndEventOnThread, void)

/* ---- functions for which only PIX would listen ---- */

IGNORED(PIXReportCounter, const WCHAR *name, float value)
IGNORED(PIXNotifyWakeFromFenceSignal, HANDLE event)
IGNORED(PIXRecordMemoryAllocationEvent, USHORT allocator, void *address, size_t size,
        UINT64 metadata)
IGNORED(PIXRecordMemoryFreeEvent, USHORT allocator, void *address, size_t size, UINT64 metadata)

EXPORT HRESULT WINAPI PIXBeginCapture2(DWORD flags, const void *parameters)
{
    return NO_CAPTURER;
}

EXPORT HRESULT WINAPI PIXEndCapture(BOOL discard)
{
    return NO_CAPTURER;
}

EXPORT DWORD WINAPI PIXGetCaptureState(void)
{
    return 0; /* no capture is running */
}
