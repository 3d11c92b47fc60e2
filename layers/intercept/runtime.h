/* The D3D12 library that the program's calls are passed on to. */
#pragma once

/* Once, before any call. */
void runtime_set(void *library);
void *runtime_library(void); /* NULL: none */
/* A function of it, or of the libannot that it brought; NULL: there is none. */
void *runtime_function(const char *name);
