/* Calls SUITE(name, subject) for each suite, in the order of running; a suite is a function
 * bench_suite_NAME. */
#pragma once

#define BENCH_SUITES(SUITE)                                                                        \
    SUITE(calls, "runtime-only calls, and the inline test of the mode")                            \
    SUITE(markers, "a marker and a pair of 32 and 256 bytes, an operation")                        \
    SUITE(shared, "a pair through libannot.so")                                                    \
    SUITE(threads, "one, two and all CPUs, each with an allocator of its own")                     \
    SUITE(reset, "reset of an allocator with 1 M markers")                                         \
    SUITE(lookup, "EventID to marker among 10 M live ones, from cold")                             \
    SUITE(memory, "bytes a marker, and over 10,000 frames")                                        \
    SUITE(dump, "1 M markers to a file and back")                                                  \
    SUITE(fleet, "small dumps into a database, and a page for a browser")                          \
    SUITE(pix, "PIX events from macro to driver, and decoding")                                    \
    SUITE(emulator, "through the emulator's COM call")                                             \
    SUITE(capture, "recorded calls, and written pages of mapped memory")                           \
    SUITE(d3d12_layer, "calls and markers under the D3D12 layer")                                  \
    SUITE(runtime, "through any runtime's COM call: --runtime PATH")                               \
    SUITE(vulkan, "labels under the Vulkan layer")
