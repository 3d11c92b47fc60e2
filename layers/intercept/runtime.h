/* The D3D12 library that the program's calls are passed on to. */
#pragma once

/* Sets the library that gets the calls. Call it once, before any call. */
void runtime_set(void *library);
void *runtime_library(void); /* NULL: no library */
/* Finds a function of this library, or of the libannot that the library has loaded; or NULL. */
void *runtime_function(const char *name);
