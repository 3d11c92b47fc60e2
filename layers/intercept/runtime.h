/* The D3D12 library that gets the program's calls. */
#pragma once

/* Sets the library. Call it once, before any call. */
void runtime_set(void *library);
void *runtime_library(void); /* NULL: no library */
/* Finds a function of this library, or of the libannot that this library loaded. NULL: none. */
void *runtime_function(const char *name);
