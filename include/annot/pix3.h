/*
 * Has the same interface as pix3.h of WinPixEventRuntime, with a portable encoder. A program that
 * was written for pix3.h compiles with this header instead, and links libannot [ANN-PIX-04, -05].
 * Include D3D12's header first, as for pix3.h. The folder annot/dropin has this header under the
 * names pix3.h and WinPixEventRuntime/pix3.h. If that folder is on the include path, the program's
 * source needs no change.
 *
 *     PIXBeginEvent(list, PIX_COLOR(200, 80, 0), "shadow %d of %d", i, count);
 *     PIXEndEvent(list);
 *
 * Macros choose the active families as in pix3.h; only the third line differs, because it follows
 * the specification:
 *
 *     neither macro                   everything compiles to nothing
 *     USE_PIX                         both families
 *     USE_PIX_RETAIL, USE_PIX or not  the Retail family; the others compile to nothing
 *
 * _DEBUG, DBG, PROFILE and PROFILE_BUILD define USE_PIX, as in pix3.h. PIX_USE_GPU_MARKERS_V2
 * selects v2 blobs.
 *
 * C++ has functions and templates, also PIXScopedEvent. A context is a pointer to an object with
 * BeginEvent, EndEvent and SetMarker: ID3D12CommandQueue, every ID3D12GraphicsCommandList, the
 * video lists. If the context is NULL, the function does nothing, but its arguments are evaluated.
 * pix3.h has no C interface. In this header, the functions with a context are macros in C. The
 * macros evaluate each argument once, or nothing if their family is off. C also has the six
 * functions of pix3_c.h.
 *
 * A colour is an integer of any type, an enum, or a class that converts to an integer for which
 * pix3.h has an overload (XMCOLOR, a class with operator UINT). A float needs a cast, as in pix3.h.
 *
 * An event has at most 504 bytes. A longer text is cut at a word and has no NUL, and the arguments
 * after the text are left out. The encoder of pix3.h makes the same bytes. Reports say that such a
 * name is cut.
 *
 * Events of a CPU thread, counters, memory events and captures compile, but PIX doesn't receive
 * them. Events and counters do nothing. A capture fails because its module is missing, as on
 * Windows without PIX.
 */
#ifndef ANNOT_PIX3_H
#define ANNOT_PIX3_H

#ifdef _PIX3_H_
#error "pix3.h was included before annot/pix3.h: include one of them"
#endif
#define _PIX3_H_ /* pix3.h's include guard: a later include of pix3.h adds nothing */

#if !defined(USE_PIX) && (defined(_DEBUG) || defined(PROFILE) || defined(PROFILE_BUILD))
#define USE_PIX
#endif
#if !defined(USE_PIX) && defined(DBG)
#if DBG
#define USE_PIX
#endif
#endif

#ifndef USE_PIX_SUPPORTED_ARCHITECTURE
#define USE_PIX_SUPPORTED_ARCHITECTURE /* the encoder works on every architecture */
#endif
#if defined(USE_PIX) || defined(USE_PIX_RETAIL)
#define PIX_EVENTS_ARE_TURNED_ON
#endif
#if defined(USE_PIX) && !defined(USE_PIX_RETAIL)
#define ANNOT__PIX3_PLAIN /* functions without "Retail" in their names record events */
#endif

#ifdef _WIN32
#include <windows.h>
#endif

#include "pix.h"

/* ---- types of Windows, if no D3D12 header has declared them ---- */

#if defined(_WIN32) || defined(__d3d12_h__) || defined(__vkd3d_d3d12_h__)
typedef WCHAR annot__pix3_wchar;
typedef HRESULT annot__pix3_result;
typedef BOOL annot__pix3_bool;
typedef DWORD annot__pix3_dword;
typedef HANDLE annot__pix3_handle;
#else
typedef wchar_t annot__pix3_wchar;
typedef int32_t annot__pix3_result;
typedef int annot__pix3_bool;
typedef uint32_t annot__pix3_dword;
typedef void *annot__pix3_handle;
#endif
#ifdef _WIN32
typedef HWND annot__pix3_window;
typedef HMODULE annot__pix3_module;
typedef HINSTANCE annot__pix3_instance;
#define ANNOT__PIX3_WINAPI WINAPI
#else
typedef void *annot__pix3_window;
typedef void *annot__pix3_module;
typedef void *annot__pix3_instance;
#define ANNOT__PIX3_WINAPI
#endif

/* Each configuration of the macros gives the functions other names. So files with different
 * configurations can be linked. */
#ifndef __cplusplus
#define ANNOT__PIX3_OPEN
#define ANNOT__PIX3_CLOSE
#else
#if defined(ANNOT__PIX3_PLAIN) && defined(PIX_USE_GPU_MARKERS_V2)
#define ANNOT__PIX3_OPEN                                                                           \
    inline namespace annot_pix3_v2                                                                 \
    {
#elif defined(ANNOT__PIX3_PLAIN)
#define ANNOT__PIX3_OPEN                                                                           \
    inline namespace annot_pix3_v1                                                                 \
    {
#elif defined(USE_PIX_RETAIL) && defined(PIX_USE_GPU_MARKERS_V2)
#define ANNOT__PIX3_OPEN                                                                           \
    inline namespace annot_pix3_retail_v2                                                          \
    {
#elif defined(USE_PIX_RETAIL)
#define ANNOT__PIX3_OPEN                                                                           \
    inline namespace annot_pix3_retail_v1                                                          \
    {
#else
#define ANNOT__PIX3_OPEN                                                                           \
    inline namespace annot_pix3_off                                                                \
    {
#endif
#define ANNOT__PIX3_CLOSE }
#endif

#ifdef __cplusplus
#define ANNOT__PIX3_INLINE inline
#else
#define ANNOT__PIX3_INLINE ANNOT__PIX_INLINE
#endif

/* ---- the metadata of an event ---- */

#define WINPIX_EVENT_UNICODE_VERSION  0
#define WINPIX_EVENT_ANSI_VERSION     1
#define WINPIX_EVENT_PIX3BLOB_VERSION 2
#define WINPIX_EVENT_PIX3BLOB_V2      6345127
#define D3D12_EVENT_METADATA          WINPIX_EVENT_PIX3BLOB_VERSION

/* ---- colours ---- */

#ifdef __cplusplus
inline uint32_t PIX_COLOR(uint8_t r, uint8_t g, uint8_t b)
{
    return ANNOT_PIX_COLOR(r, g, b);
}
inline uint8_t PIX_COLOR_INDEX(uint8_t i)
{
    return i;
}
const uint8_t PIX_COLOR_DEFAULT = 0;
#else
#define PIX_COLOR(r, g, b) ANNOT_PIX_COLOR(r, g, b)
#define PIX_COLOR_INDEX(i) ANNOT_PIX_COLOR_INDEX(i)
#define PIX_COLOR_DEFAULT  ANNOT_PIX_COLOR_DEFAULT
#endif

/* ---- captures ---- */

#define PIX_CAPTURE_TIMING                  (1 << 0)
#define PIX_CAPTURE_GPU                     (1 << 1)
#define PIX_CAPTURE_FUNCTION_SUMMARY        (1 << 2)
#define PIX_CAPTURE_FUNCTION_DETAILS        (1 << 3)
#define PIX_CAPTURE_CALLGRAPH               (1 << 4)
#define PIX_CAPTURE_INSTRUCTION_TRACE       (1 << 5)
#define PIX_CAPTURE_SYSTEM_MONITOR_COUNTERS (1 << 6)
#define PIX_CAPTURE_VIDEO                   (1 << 7)
#define PIX_CAPTURE_AUDIO                   (1 << 8)
#define PIX_CAPTURE_GPU_TRACE               (1 << 9)
#define PIX_CAPTURE_RESERVED                (1 << 15)

/* The metadata of an event, in the layout of pix3.h. In C++, the enum and the structs are members
 * of the union; each member of a struct's type has the struct's name. */
#ifndef __cplusplus
enum PIXCaptureStorage {
    PIXCaptureStorage_Memory,
    PIXCaptureStorage_MemoryCircular,
    PIXCaptureStorage_FileCircular
};
#endif
union PIXCaptureParameters {
#ifdef __cplusplus
    enum PIXCaptureStorage { Memory = 0, MemoryCircular = 1, FileCircular = 2 };
#endif
    struct GpuCaptureParameters {
        const annot__pix3_wchar *FileName;
    } GpuCaptureParameters;

    struct TimingCaptureParameters {
        const annot__pix3_wchar *FileName;
        uint32_t MaximumToolingMemorySizeMb;
        enum PIXCaptureStorage CaptureStorage;
        annot__pix3_bool CaptureGpuTiming;
        annot__pix3_bool CaptureCallstacks;
        annot__pix3_bool CaptureCpuSamples;
        uint32_t CpuSamplesPerSecond;
        annot__pix3_bool CaptureFileIO;
        annot__pix3_bool CaptureVirtualAllocEvents;
        annot__pix3_bool CaptureHeapAllocEvents;
        annot__pix3_bool CaptureXMemEvents;
        annot__pix3_bool CapturePixMemEvents;
        annot__pix3_bool CapturePageFaultEvents;
        annot__pix3_bool CaptureVideoFrames;
    } TimingCaptureParameters;

    struct GpuTraceParameters {
        annot__pix3_wchar *FileName;
        uint32_t MaximumToolingMemorySizeMb;
        annot__pix3_bool CaptureGpuOccupancy;
    } GpuTraceParameters;
};
typedef union PIXCaptureParameters PIXCaptureParameters;
typedef PIXCaptureParameters *PPIXCaptureParameters;

typedef enum PIXHUDOptions {
    PIX_HUD_SHOW_ON_ALL_WINDOWS = 0x1,
    PIX_HUD_SHOW_ON_TARGET_WINDOW_ONLY = 0x2,
    PIX_HUD_SHOW_ON_NO_WINDOWS = 0x4
} PIXHUDOptions;
#ifdef __cplusplus
inline PIXHUDOptions operator|(PIXHUDOptions a, PIXHUDOptions b)
{
    return static_cast<PIXHUDOptions>(static_cast<int>(a) | static_cast<int>(b));
}
inline PIXHUDOptions operator&(PIXHUDOptions a, PIXHUDOptions b)
{
    return static_cast<PIXHUDOptions>(static_cast<int>(a) & static_cast<int>(b));
}
inline PIXHUDOptions &operator|=(PIXHUDOptions &a, PIXHUDOptions b)
{
    return a = a | b;
}
#endif

/* The result of captures. With USE_PIX the result is HRESULT_FROM_WIN32(ERROR_MOD_NOT_FOUND), as on
 * Windows without PIX's capturer. Otherwise the result is S_OK, as in pix3.h. */
#ifdef ANNOT__PIX3_PLAIN
#define ANNOT__PIX3_NO_CAPTURE ((annot__pix3_result)0x8007007Eu)
#else
#define ANNOT__PIX3_NO_CAPTURE ((annot__pix3_result)0)
#endif

ANNOT_BEGIN_DECLS

ANNOT__PIX3_INLINE annot__pix3_dword ANNOT__PIX3_WINAPI PIXGetCaptureState(void)
{
    return 0;
}
ANNOT__PIX3_INLINE void ANNOT__PIX3_WINAPI PIXReportCounter(const annot__pix3_wchar *name,
                                                            float value)
{
    (void)name, (void)value;
}
ANNOT__PIX3_INLINE void ANNOT__PIX3_WINAPI PIXNotifyWakeFromFenceSignal(annot__pix3_handle event)
{
    (void)event;
}
ANNOT__PIX3_INLINE void ANNOT__PIX3_WINAPI PIXRecordMemoryAllocationEvent(unsigned short allocator,
                                                                          void *address,
                                                                          size_t size,
                                                                          uint64_t metadata)
{
    (void)allocator, (void)address, (void)size, (void)metadata;
}
ANNOT__PIX3_INLINE void ANNOT__PIX3_WINAPI PIXRecordMemoryFreeEvent(unsigned short allocator,
                                                                    void *address, size_t size,
                                                                    uint64_t metadata)
{
    (void)allocator, (void)address, (void)size, (void)metadata;
}

ANNOT_END_DECLS

ANNOT__PIX3_OPEN
#ifdef ANNOT__PIX3_PLAIN
ANNOT_BEGIN_DECLS
#endif
ANNOT__PIX3_INLINE annot__pix3_result ANNOT__PIX3_WINAPI
PIXBeginCapture2(annot__pix3_dword flags, const PIXCaptureParameters *parameters)
{
    (void)flags, (void)parameters;
    return ANNOT__PIX3_NO_CAPTURE;
}
ANNOT__PIX3_INLINE annot__pix3_result ANNOT__PIX3_WINAPI PIXEndCapture(annot__pix3_bool discard)
{
    (void)discard;
    return ANNOT__PIX3_NO_CAPTURE;
}
#ifdef ANNOT__PIX3_PLAIN
ANNOT_END_DECLS
#endif

ANNOT__PIX3_INLINE annot__pix3_result PIXBeginCapture(annot__pix3_dword flags,
                                                      const PIXCaptureParameters *parameters)
{
    return PIXBeginCapture2(flags, parameters);
}
ANNOT__PIX3_INLINE annot__pix3_result ANNOT__PIX3_WINAPI
PIXGpuCaptureNextFrames(const annot__pix3_wchar *file_name, uint32_t frames)
{
    (void)file_name, (void)frames;
    return ANNOT__PIX3_NO_CAPTURE;
}
ANNOT__PIX3_INLINE annot__pix3_result ANNOT__PIX3_WINAPI
PIXSetTargetWindow(annot__pix3_window window)
{
    (void)window;
    return ANNOT__PIX3_NO_CAPTURE;
}
ANNOT__PIX3_INLINE annot__pix3_result ANNOT__PIX3_WINAPI PIXForceD3D11On12(void)
{
    return ANNOT__PIX3_NO_CAPTURE;
}
ANNOT__PIX3_INLINE annot__pix3_result ANNOT__PIX3_WINAPI PIXSetHUDOptions(PIXHUDOptions options)
{
    (void)options;
    return ANNOT__PIX3_NO_CAPTURE;
}
ANNOT__PIX3_INLINE bool ANNOT__PIX3_WINAPI PIXIsAttachedForGpuCapture(void)
{
    return false;
}
ANNOT__PIX3_INLINE annot__pix3_instance ANNOT__PIX3_WINAPI
PIXOpenCaptureInUI(const annot__pix3_wchar *file_name)
{
    (void)file_name;
    return NULL;
}
ANNOT__PIX3_INLINE annot__pix3_module PIXLoadLatestWinPixGpuCapturerLibrary(void)
{
    return NULL;
}
ANNOT__PIX3_INLINE annot__pix3_module PIXLoadLatestWinPixTimingCapturerLibrary(void)
{
    return NULL;
}

ANNOT__PIX3_CLOSE

/* ---- markers ---- */

#ifdef __cplusplus
#include "pix3/cpp.h"
#else
#include "pix3/c.h"
#endif

#endif
