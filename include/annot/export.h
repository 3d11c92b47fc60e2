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

/* ANNOT_STATIC: the program links libannot.a. ANNOT_BUILDING: libannot itself is being compiled. */
#if defined(ANNOT_STATIC)
#define ANNOT_API
#elif defined(_WIN32)
#if defined(ANNOT_BUILDING)
#define ANNOT_API __declspec(dllexport)
#else
#define ANNOT_API __declspec(dllimport)
#endif
#else
#define ANNOT_API __attribute__((visibility("default")))
#endif

/* A function that every program compiles for itself; annot/annot.h says where it ends. */
#define ANNOT_INLINE static inline

/* In front of an anonymous struct in a header that C++ reads too, which ISO C++ does not have. */
#if defined(__GNUC__)
#define ANNOT_EXTENSION __extension__
#else
#define ANNOT_EXTENSION
#endif

#endif
