/*
 * PIXBeginEvent and family over D3D12's own objects, for C and C++: what pix3.h offers on Windows,
 * from the portable encoder [ANN-PIX-04]. Include d3d12.h first, and not pix3.h.
 *
 *     PIXBeginEvent(list, PIX_COLOR(200, 80, 0), "shadow %d of %d", i, count);
 *     PIXEndEvent(list);
 *
 * The object is a pointer to any interface with BeginEvent, EndEvent and SetMarker:
 * ID3D12CommandQueue, every ID3D12GraphicsCommandList, the video lists. It and the other arguments
 * are evaluated once. Formats, arguments and PIX_USE_GPU_MARKERS_V2 are as with ANNOT_PIX_BEGIN in
 * pix.h. With USE_PIX_RETAIL defined before this header, PIXBeginEvent, PIXSetMarker and
 * PIXEndEvent compile to nothing and evaluate nothing; the Retail family stays.
 */
#ifndef ANNOT_PIX_D3D12_H
#define ANNOT_PIX_D3D12_H

#include "pix.h"

#ifdef _PIX3_H_
#error "pix3.h has its own PIXBeginEvent: include either it or annot/pix_d3d12.h"
#endif

#ifndef PIX_COLOR
#define PIX_COLOR(r, g, b) ANNOT_PIX_COLOR(r, g, b)
#endif
#ifndef PIX_COLOR_INDEX
#define PIX_COLOR_INDEX(i) ANNOT_PIX_COLOR_INDEX(i)
#endif
#ifndef PIX_COLOR_DEFAULT
#define PIX_COLOR_DEFAULT ANNOT_PIX_COLOR_DEFAULT
#endif

#if defined(__cplusplus) && !defined(CINTERFACE)
#define ANNOT__PIX_OBJECT(object)          auto *const annot__object = (object)
#define ANNOT__PIX_CALL(object, verb, ...) (object)->verb(__VA_ARGS__)
#define ANNOT__PIX_CALL0(object, verb)     (object)->verb()
#else
#ifdef __cplusplus
#define ANNOT__PIX_OBJECT(object) auto *const annot__object = (object)
#else
#define ANNOT__PIX_OBJECT(object) __typeof__(object) const annot__object = (object)
#endif
#define ANNOT__PIX_CALL(object, verb, ...) (object)->lpVtbl->verb(object, __VA_ARGS__)
#define ANNOT__PIX_CALL0(object, verb)     (object)->lpVtbl->verb(object)
#endif

#define ANNOT__PIX_D3D12(verb, object, kind, color, ...)                                           \
    do {                                                                                           \
        ANNOT__PIX_OBJECT(object);                                                                 \
        ANNOT__PIX_BUILD(annot__object, kind, color, __VA_ARGS__);                                 \
        ANNOT__PIX_CALL(annot__object, verb, ANNOT_PIX_MACRO_METADATA, annot__blob, annot__size);  \
    } while (0)

#define PIXBeginRetailEvent(object, color, ...)                                                    \
    ANNOT__PIX_D3D12(BeginEvent, object, ANNOT_PIX_KIND_BEGIN, color, __VA_ARGS__)
#define PIXSetRetailMarker(object, color, ...)                                                     \
    ANNOT__PIX_D3D12(SetMarker, object, ANNOT_PIX_KIND_MARKER, color, __VA_ARGS__)
#define PIXEndRetailEvent(object)                                                                  \
    do {                                                                                           \
        ANNOT__PIX_OBJECT(object);                                                                 \
        ANNOT__PIX_CALL0(annot__object, EndEvent);                                                 \
    } while (0)

#ifdef USE_PIX_RETAIL
#define PIXBeginEvent(...) ((void)0)
#define PIXSetMarker(...)  ((void)0)
#define PIXEndEvent(...)   ((void)0)
#else
#define PIXBeginEvent(...) PIXBeginRetailEvent(__VA_ARGS__)
#define PIXSetMarker(...)  PIXSetRetailMarker(__VA_ARGS__)
#define PIXEndEvent(...)   PIXEndRetailEvent(__VA_ARGS__)
#endif

#endif
