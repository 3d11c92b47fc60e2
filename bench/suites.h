/* SUITE(name, what it measures): each is a function bench_suite_NAME; run in this order. */
#pragma once

#define BENCH_SUITES(SUITE)                                                                        \
    SUITE(architecture, "loads, forwarded stores and calls of this machine")                       \
    SUITE(calls, "runtime-only calls, the inline test, what an indirect call costs")               \
    SUITE(markers, "begin, set, end and pairs at 16, 32, 64 and 256 bytes")                        \
    SUITE(shared, "the same through libannot.so")                                                  \
    SUITE(sources, "payloads written by 8-byte stores just before the call")                       \
    SUITE(memory_kinds, "marker memory touched first, and streaming past the caches")              \
    SUITE(threads, "one, two and all CPUs, each with an allocator of its own")                     \
    SUITE(rivals, "other designs, and models of them, beside LIMIT")                               \
    SUITE(reset, "reset of an allocator with 1 M markers")                                         \
    SUITE(lookup, "EventID to marker among 10 M live ones, from cold")                             \
    SUITE(memory, "bytes a marker, and over 10,000 frames")                                        \
    SUITE(growth, "10^3 to 10^7 markers, scope depth 1 to 100,000")                                \
    SUITE(dump, "1 M markers to a file and back")                                                  \
    SUITE(fleet, "small dumps into a database, and a page for a browser")                          \
    SUITE(pix, "PIX events from macro to driver, and decoding")                                    \
    SUITE(emulator, "through the emulator's COM call")                                             \
    SUITE(capture, "recorded calls, and written pages of mapped memory")                           \
    SUITE(d3d12_layer, "calls and markers under the D3D12 layer")                                  \
    SUITE(runtime, "through any runtime's COM call: --runtime PATH")                               \
    SUITE(vulkan, "labels under the Vulkan layer")
