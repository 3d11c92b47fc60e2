/* The real D3D12 library, to which the layer passes the program's calls. */
#pragma once

/* Sets the library that gets the calls. Call this function once, before any call. */
void runtime_set(void *library);
void *runtime_library(void); /* NULL: no library */
/* Finds a function of the layer library or of its libannot. Returns NULL if neither has it. */
void *runtime_function(const char *name);
