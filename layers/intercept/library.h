/* Libraries of the operating system: the D3D12 library behind this one. */
#ifndef INTERCEPT_LIBRARY_H
#define INTERCEPT_LIBRARY_H

/* The library's calls of its own exports stay in it. NULL: library_error says why. */
void *library_load(const char *path);
const char *library_error(void);
/* NULL: neither it nor the libannot that it brought has such a function. */
void *library_function(void *library, const char *name);
/* This library is not unloaded any more: a thread of it runs. */
void library_stay(void);

/* A variable of the environment; NULL: none, or the process has more rights than its caller. */
const char *library_setting(const char *name);

/* The D3D12 library that the program's calls are passed on to: set once, before any call. */
void library_set_runtime(void *library);
/* A function of it, or of the libannot that it brought; NULL: there is none. */
void *library_runtime_function(const char *name);

#endif
