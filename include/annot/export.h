/* Symbol visibility and C linkage for the public headers. */
#ifndef ANNOT_EXPORT_H
#define ANNOT_EXPORT_H

#ifdef __cplusplus
#define ANNOT_BEGIN_DECLS extern "C" {
#define ANNOT_END_DECLS   }
#else
#define ANNOT_BEGIN_DECLS
#define ANNOT_END_DECLS
#endif

/* With this attribute, gcc's calls into the shared library take the function's address from memory.
 * The procedure linkage table would cost one more jump for each call. */
#if defined(__x86_64__) && defined(__has_attribute)
#if __has_attribute(noplt)
#define ANNOT_NO_PLT __attribute__((noplt))
#endif
#endif
#if !defined(ANNOT_NO_PLT)
#define ANNOT_NO_PLT
#endif

/* ANNOT_API marks a function of libannot, ANNOT_READER_API a function of libannot-reader. Define
 * ANNOT_STATIC in programs that link libannot.a or libannot-reader.a. Only the build of the
 * libraries defines ANNOT_BUILDING and ANNOT_READER_BUILDING. */
#if defined(ANNOT_STATIC)
#define ANNOT_API
#define ANNOT_READER_API
#elif defined(_WIN32)
#if defined(ANNOT_BUILDING)
#define ANNOT_API __declspec(dllexport)
#else
#define ANNOT_API __declspec(dllimport)
#endif
#if defined(ANNOT_READER_BUILDING)
#define ANNOT_READER_API __declspec(dllexport)
#else
#define ANNOT_READER_API __declspec(dllimport)
#endif
#else
#define ANNOT_API        __attribute__((visibility("default"))) ANNOT_NO_PLT
#define ANNOT_READER_API __attribute__((visibility("default")))
#endif

/* Marks an inline function that calls an exported function. */
#define ANNOT_INLINE static inline

/* Allows an anonymous struct in a header that C++ reads, too. ISO C++ has no anonymous structs. */
#if defined(__GNUC__)
#define ANNOT_EXTENSION __extension__
#else
#define ANNOT_EXTENSION
#endif

#endif
