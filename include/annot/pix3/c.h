/* Markers of annot/pix3.h for C; annot/pix3.h includes this file. They are macros, because the
 * context may have any interface of D3D12. */
#ifndef ANNOT_PIX3_C_H
#define ANNOT_PIX3_C_H

#ifndef ANNOT_PIX3_H
#error "include annot/pix3.h"
#endif

/* The macros are expressions if the compiler has statement expressions, else statements. */
#ifdef __GNUC__
#define ANNOT__PIX3_DO(...) __extension__({ __VA_ARGS__(void) 0; })
#else
#define ANNOT__PIX3_DO(...)                                                                        \
    do {                                                                                           \
        __VA_ARGS__                                                                                \
    } while (0)
#endif

#define ANNOT__PIX3_SEND(verb, context, kind, color, ...)                                          \
    ANNOT__PIX3_DO(__typeof__(context) const annot__object = (context); if (annot__object) {       \
        ANNOT__PIX_BUILD(annot__object, kind, color, __VA_ARGS__);                                 \
        annot__object->lpVtbl->verb(annot__object, ANNOT_PIX_MACRO_METADATA, annot__blob,          \
                                    annot__size);                                                  \
    })
#define ANNOT__PIX3_BEGIN(context, color, ...)                                                     \
    ANNOT__PIX3_SEND(BeginEvent, context, ANNOT_PIX_KIND_BEGIN, color, __VA_ARGS__)
#define ANNOT__PIX3_MARKER(context, color, ...)                                                    \
    ANNOT__PIX3_SEND(SetMarker, context, ANNOT_PIX_KIND_MARKER, color, __VA_ARGS__)
#define ANNOT__PIX3_END(context)                                                                   \
    ANNOT__PIX3_DO(__typeof__(context) const annot__object = (context);                            \
                   if (annot__object) { annot__object->lpVtbl->EndEvent(annot__object); })

#ifdef PIX_EVENTS_ARE_TURNED_ON
#define PIXBeginRetailEvent(...)   ANNOT__PIX3_BEGIN(__VA_ARGS__)
#define PIXSetRetailMarker(...)    ANNOT__PIX3_MARKER(__VA_ARGS__)
#define PIXEndRetailEvent(context) ANNOT__PIX3_END(context)
#else
#define PIXBeginRetailEvent(...)   ((void)0)
#define PIXSetRetailMarker(...)    ((void)0)
#define PIXEndRetailEvent(context) ((void)0)
#endif

#ifdef ANNOT__PIX3_PLAIN
#define PIXBeginEvent(...)   ANNOT__PIX3_BEGIN(__VA_ARGS__)
#define PIXSetMarker(...)    ANNOT__PIX3_MARKER(__VA_ARGS__)
#define PIXEndEvent(context) ANNOT__PIX3_END(context)
#else
#define PIXBeginEvent(...)   ((void)0)
#define PIXSetMarker(...)    ((void)0)
#define PIXEndEvent(context) ((void)0)
#endif

/* The functions of pix3_c.h. `message` is the marker's name, not a format. */
#define PIXBeginEventCommandList(list, color, message)   PIXBeginEvent(list, color, message)
#define PIXSetMarkerCommandList(list, color, message)    PIXSetMarker(list, color, message)
#define PIXEndEventCommandList(list)                     PIXEndEvent(list)
#define PIXBeginEventCommandQueue(queue, color, message) PIXBeginEvent(queue, color, message)
#define PIXSetMarkerCommandQueue(queue, color, message)  PIXSetMarker(queue, color, message)
#define PIXEndEventCommandQueue(queue)                   PIXEndEvent(queue)

#endif
