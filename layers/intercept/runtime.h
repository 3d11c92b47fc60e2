/* The D3D12 library that the program's calls are passed on to. */
#pragma once

/* Sets the library that gets the calls. Call this function once, before any call. */
void runtime_set(void *library);
void *runtime_library(void); /* NULL: no library */
/* Finds a function of the layer library or of its libannot. Returns NULL if neither has it. */
void *runtime_function(const char *name);
