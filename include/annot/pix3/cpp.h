/* Markers of annot/pix3.h for C++11; annot/pix3.h includes this file. */
#ifndef ANNOT_PIX3_CPP_H
#define ANNOT_PIX3_CPP_H

#ifndef ANNOT_PIX3_H
#error "include annot/pix3.h"
#endif

#include <chrono>
#include <cstddef>
#include <type_traits>
#include <utility>

/* pix3.h's type of the buffer for a thread's CPU events. libannot records no CPU events. */
struct PIXEventsBlockInfo;
struct PIXEventsThreadInfo {
    PIXEventsBlockInfo *block;
    uint64_t *biasedLimit;
    uint64_t *destination;
};
extern "C" PIXEventsThreadInfo *ANNOT__PIX3_WINAPI PIXGetThreadInfo() noexcept;
extern "C" uint64_t ANNOT__PIX3_WINAPI PIXEventsReplaceBlock(PIXEventsThreadInfo *info,
                                                             bool earliest_time) noexcept;

/* Helper functions as in PIXEventsCommon.h, with the layout of v2, for programs that have their own
 * encoder [ANN-PIX-05]. */
enum PIXEventType : uint8_t {
    PIXEvent_EndEvent = 0,
    PIXEvent_BeginEvent = 1,
    PIXEvent_SetMarker = 2,
};

inline uint64_t PIXEncodeEventInfo(uint64_t timestamp, PIXEventType type, uint8_t size_in_words,
                                   uint8_t metadata)
{
    return timestamp << 20 | static_cast<uint64_t>(metadata) << 12 |
           (static_cast<uint64_t>(type) & 0x1f) << 7 | (size_in_words & 0x7fu);
}

/* Returns a colour index as metadata stores it: 0 to 7. */
inline uint8_t PIXEncodeIndexColor(uint8_t color)
{
    return static_cast<uint8_t>((color & 7u) << 4);
}

/* Writes a string's info word, and moves `destination` past this word. */
inline void PIXEncodeStringInfo(uint64_t *&destination, annot__pix3_bool is_8bit)
{
    *destination++ = ANNOT__PIX_INFO_CHUNK(8) | ((is_8bit & 1) ? ANNOT__PIX_INFO_8BIT : 0);
}

inline uint64_t PIXGetTimestampCounter()
{
#ifdef _WIN32
    LARGE_INTEGER time = {};
    QueryPerformanceCounter(&time);
    return static_cast<uint64_t>(time.QuadPart);
#else
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

ANNOT__PIX3_OPEN

/* Finds the type of text to which a format converts. Integers convert to no type of text. So in
 * PIXBeginEvent(NULL, 0, "name"), NULL is the context, and 0 is the colour. */
template <typename TEXT> struct annot__pix3_text {
    typedef typename std::conditional<
        std::is_convertible<TEXT, const char *>::value, const char *,
        typename std::conditional<
            std::is_convertible<TEXT, const wchar_t *>::value, const wchar_t *,
            typename std::conditional<
                std::is_convertible<TEXT, const char16_t *>::value, const char16_t *,
                typename std::conditional<std::is_convertible<TEXT, const uint16_t *>::value,
                                          const uint16_t *, void>::type>::type>::type>::type type;
};

/* The types that pix3.h declares for a colour. Overload resolution picks one of these types for a
 * class, and none for a float. The last types are other names of UINT32 and UINT64. */
struct annot__pix3_color_parameter {
    typedef std::conditional<std::is_same<uint64_t, unsigned long>::value, unsigned long long,
                             unsigned long>::type other;

    static annot__pix_color of(uint8_t color)
    {
        return annot__pix_color_index(color);
    }
    static annot__pix_color of(int32_t color)
    {
        return annot__pix_color_i32(color);
    }
    static annot__pix_color of(uint32_t color)
    {
        return annot__pix_color_u64(color);
    }
    static annot__pix_color of(uint64_t color)
    {
        return annot__pix_color_u64(color);
    }
    static annot__pix_color of(other color)
    {
        return annot__pix_color_u64(color);
    }
};

/* Finds the type of a colour. Integers and enums of any type are colours, without conversion. */
template <typename COLOR, bool is_class = std::is_class<COLOR>::value, typename = void>
struct annot__pix3_color {
    static const bool is_one = std::is_integral<COLOR>::value || std::is_enum<COLOR>::value;

    static annot__pix_color of(COLOR color)
    {
        return annot__pix_color_of(color);
    }
};

template <typename...> struct annot__pix3_if_valid {
    typedef void type;
};

template <typename COLOR>
struct annot__pix3_color<COLOR, true,
                         typename annot__pix3_if_valid<decltype(annot__pix3_color_parameter::of(
                             std::declval<const COLOR &>()))>::type> {
    static const bool is_one = true;

    static annot__pix_color of(const COLOR &color)
    {
        return annot__pix3_color_parameter::of(color);
    }
};

/* Gives the return type void only if COLOR is a colour and TEXT is a format. */
template <typename COLOR, typename TEXT>
using annot__pix3_void =
    typename std::enable_if<annot__pix3_color<COLOR>::is_one &&
                            !std::is_void<typename annot__pix3_text<TEXT>::type>::value>::type;

struct annot__pix3_blob {
    uint64_t words[ANNOT_PIX_BLOB_WORDS];
    uint32_t size; /* bytes */

    template <typename COLOR, typename TEXT, typename... ARGS>
    annot__pix3_blob(annot_pix_kind kind, const void *context, COLOR color, TEXT format,
                     ARGS... args)
    {
        const bool is_v2 = ANNOT__PIX_MACRO_VERSION == ANNOT_PIX_V2;
        uint64_t *const limit = words + ANNOT_PIX_LIMIT_WORDS;
        uint64_t *at = annot__pix_head(words, ANNOT__PIX_MACRO_VERSION, kind,
                                       annot__pix3_color<COLOR>::of(color), true, is_v2,
                                       reinterpret_cast<uintptr_t>(context), sizeof...(args) > 0,
                                       std::is_same<TEXT, const char *>::value, 0);
        at = annot__pix_format(at, limit, ANNOT__PIX_MACRO_VERSION, format);
        const int each[] = {0, (at = annot__pix_put(at, limit, args), 0)...};
        static_cast<void>(each);
        static_cast<void>(limit); /* without arguments */
        size = annot__pix_finish(words, at, ANNOT__PIX_MACRO_VERSION);
    }
};

#ifdef CINTERFACE
#define ANNOT__PIX3_SEND(context, verb, blob)                                                      \
    (context)->lpVtbl->verb(context, ANNOT_PIX_MACRO_METADATA, (blob).words, (blob).size)
#define ANNOT__PIX3_SEND_END(context) (context)->lpVtbl->EndEvent(context)
#else
#define ANNOT__PIX3_SEND(context, verb, blob)                                                      \
    (context)->verb(ANNOT_PIX_MACRO_METADATA, (blob).words, (blob).size)
#define ANNOT__PIX3_SEND_END(context) (context)->EndEvent()
#endif

/* The functions of one family. They record events only if `is_on` is true. */
template <bool is_on> struct annot__pix3_family {
    template <typename CONTEXT, typename COLOR, typename TEXT, typename... ARGS>
    static void begin(CONTEXT *context, COLOR color, TEXT format, ARGS... args)
    {
        if (context != nullptr) {
            const annot__pix3_blob blob(ANNOT_PIX_KIND_BEGIN, context, color, format, args...);
            ANNOT__PIX3_SEND(context, BeginEvent, blob);
        }
    }
    template <typename CONTEXT, typename COLOR, typename TEXT, typename... ARGS>
    static void marker(CONTEXT *context, COLOR color, TEXT format, ARGS... args)
    {
        if (context != nullptr) {
            const annot__pix3_blob blob(ANNOT_PIX_KIND_MARKER, context, color, format, args...);
            ANNOT__PIX3_SEND(context, SetMarker, blob);
        }
    }
    template <typename CONTEXT> static void end(CONTEXT *context)
    {
        if (context != nullptr)
            ANNOT__PIX3_SEND_END(context);
    }
};

template <> struct annot__pix3_family<false> {
    template <typename... ARGS> static void begin(const ARGS &...)
    {
    }
    template <typename... ARGS> static void marker(const ARGS &...)
    {
    }
    template <typename CONTEXT> static void end(CONTEXT *)
    {
    }
};

#ifdef PIX_EVENTS_ARE_TURNED_ON
typedef annot__pix3_family<true> annot__pix3_retail;
#else
typedef annot__pix3_family<false> annot__pix3_retail;
#endif
#ifdef ANNOT__PIX3_PLAIN
typedef annot__pix3_family<true> annot__pix3_plain;
#else
typedef annot__pix3_family<false> annot__pix3_plain;
#endif

/* ---- with a context ---- */

template <typename CONTEXT, typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXBeginEvent(CONTEXT *context, COLOR color, TEXT format,
                                            ARGS... args)
{
    annot__pix3_plain::begin(context, color,
                             static_cast<typename annot__pix3_text<TEXT>::type>(format), args...);
}
template <typename CONTEXT, typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXSetMarker(CONTEXT *context, COLOR color, TEXT format, ARGS... args)
{
    annot__pix3_plain::marker(context, color,
                              static_cast<typename annot__pix3_text<TEXT>::type>(format), args...);
}
template <typename CONTEXT> void PIXEndEvent(CONTEXT *context)
{
    annot__pix3_plain::end(context);
}
template <typename CONTEXT, typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXBeginRetailEvent(CONTEXT *context, COLOR color, TEXT format,
                                                  ARGS... args)
{
    annot__pix3_retail::begin(context, color,
                              static_cast<typename annot__pix3_text<TEXT>::type>(format), args...);
}
template <typename CONTEXT, typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXSetRetailMarker(CONTEXT *context, COLOR color, TEXT format,
                                                 ARGS... args)
{
    annot__pix3_retail::marker(context, color,
                               static_cast<typename annot__pix3_text<TEXT>::type>(format), args...);
}
template <typename CONTEXT> void PIXEndRetailEvent(CONTEXT *context)
{
    annot__pix3_retail::end(context);
}

/* ---- calls with the literal NULL as the context: they record no event ---- */

template <typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXBeginEvent(std::nullptr_t, COLOR, TEXT, ARGS...)
{
}
template <typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXSetMarker(std::nullptr_t, COLOR, TEXT, ARGS...)
{
}
inline void PIXEndEvent(std::nullptr_t)
{
}
template <typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXBeginRetailEvent(std::nullptr_t, COLOR, TEXT, ARGS...)
{
}
template <typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXSetRetailMarker(std::nullptr_t, COLOR, TEXT, ARGS...)
{
}
inline void PIXEndRetailEvent(std::nullptr_t)
{
}

/* ---- events of the CPU thread: nothing receives them ---- */

template <typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXBeginEvent(COLOR, TEXT, ARGS...)
{
}
template <typename COLOR, typename TEXT, typename... ARGS>
annot__pix3_void<COLOR, TEXT> PIXSetMarker(COLOR, TEXT, ARGS...)
{
}
inline void PIXEndEvent()
{
}

/* ---- scopes ---- */

template <typename CONTEXT> class PIXScopedEventObject
{
    CONTEXT *m_context;

  public:
    template <typename COLOR, typename TEXT, typename... ARGS>
    PIXScopedEventObject(CONTEXT *context, COLOR color, TEXT format, ARGS... args)
        : m_context(context)
    {
        PIXBeginEvent(m_context, color, format, args...);
    }
    ~PIXScopedEventObject()
    {
        PIXEndEvent(m_context);
    }
};

template <> class PIXScopedEventObject<void>
{
  public:
    template <typename... ARGS> explicit PIXScopedEventObject(ARGS... args)
    {
        PIXBeginEvent(args...);
    }
    ~PIXScopedEventObject()
    {
    }
};

template <typename CONTEXT> class PIXScopedRetailEventObject
{
    CONTEXT *m_context;

  public:
    template <typename COLOR, typename TEXT, typename... ARGS>
    PIXScopedRetailEventObject(CONTEXT *context, COLOR color, TEXT format, ARGS... args)
        : m_context(context)
    {
        PIXBeginRetailEvent(m_context, color, format, args...);
    }
    ~PIXScopedRetailEventObject()
    {
        PIXEndRetailEvent(m_context);
    }
};

/* The first argument of PIXScopedEvent is a pointer to a context, or the colour of a CPU event. */
template <typename T> struct PIXInferScopedEventType {
    typedef typename std::decay<T>::type Value;
    typedef typename std::conditional<std::is_pointer<Value>::value,
                                      typename std::remove_pointer<Value>::type, void>::type Type;
};

ANNOT__PIX3_CLOSE

#define PIXConcatenate(a, b)                a##b
#define PIXGetScopedEventVariableName(a, b) PIXConcatenate(a, b)
#define PIXScopedEvent(context, ...)                                                               \
    PIXScopedEventObject<typename PIXInferScopedEventType<decltype(context)>::Type>                \
    PIXGetScopedEventVariableName(pixEvent, __LINE__)(context, __VA_ARGS__)

#endif
