/* The recorder's functions that are called for the program's D3D12 calls. */
#pragma once

#include "../../intercept/call.h"

extern const struct client record_client;

#ifdef _WIN32
#define RECORD_EXPORT __declspec(dllexport)
#else
#define RECORD_EXPORT __attribute__((visibility("default")))
#endif
RECORD_EXPORT void annot_capture_pause(int on);
RECORD_EXPORT void annot_capture_as(uint32_t thread, uint64_t call, uint64_t behind);
