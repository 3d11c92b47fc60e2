/* Compiler features beyond C11. Without them the code works too, but is slower. */
#pragma once

#if defined(__GNUC__)
#define ANNOT__LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define ANNOT__UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ANNOT__COLD                __attribute__((cold, noinline))
#define ANNOT__NOINLINE            __attribute__((noinline))
#define ANNOT__HOT                 __attribute__((hot, aligned(64)))
#define ANNOT__INLINE              inline __attribute__((always_inline))
#define ANNOT__PREFETCH(address)   __builtin_prefetch(address)
/* Makes the compiler forget the value of an integer variable. Then gcc keeps a copy loop that uses
 * this variable, and does not call memcpy, for which the caller would have to save registers. */
#define ANNOT__OPAQUE(variable)        __asm__("" : "+r"(variable))
#define ANNOT__PRINTF(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define ANNOT__LIKELY(condition)   (condition)
#define ANNOT__UNLIKELY(condition) (condition)
#define ANNOT__COLD
#define ANNOT__NOINLINE
#define ANNOT__HOT
#define ANNOT__INLINE            inline
#define ANNOT__PREFETCH(address) ((void)(address))
#define ANNOT__OPAQUE(variable)  ((void)(variable))
#define ANNOT__PRINTF(text, arguments)
#endif

/* A type like max_align_t, which Microsoft's C library defines only for C++. */
union annot__any_type {
    long long integer;
    long double real;
    void *pointer;
    void (*function)(void);
};
#define ANNOT__MAX_ALIGN _Alignof(union annot__any_type)
