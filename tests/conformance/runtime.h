/* The runtime under test: a library that exports D3D12CreateDevice, and other functions that the
 * suite can use. Only the first member is never NULL; a case names its needs with .needs. */
#pragma once

#ifndef COBJMACROS
#define COBJMACROS
#endif
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/d3d12video.h>
#include <annot/conformance.h>
#include <annot/d3d12.h>
#include <annot/dump.h>
#include <emu/emu.h>

#include <stdbool.h>
#include <stddef.h>

struct runtime {
    HRESULT(WINAPI *create_device)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    HRESULT(WINAPI *get_debug_interface)(REFIID, void **);
    HRESULT(WINAPI *serialize_root_signature)
    (const D3D12_ROOT_SIGNATURE_DESC *, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob **, ID3DBlob **);

    /* conformance.h */
    annot_conformance_set_driver_fn set_driver;
    annot_conformance_device_fn device; /* the emulator's is emu_annot_device */

    /* emu.h */
    annot_result (*configure)(const emu_config *);
    annot_result (*adapter_create)(const char *, void **);
    const annot_driver *(*driver_annotation)(const char *);
    void (*run_until_idle)(void *);
    uint64_t (*run_steps)(void *, uint64_t);
    void (*advance_clock)(void *, uint64_t);
    void (*force_tdr)(void *);
    const void *(*kernel_bytecode)(emu_kernel, size_t *);
    void (*begin_event_by_reference)(void *, uint32_t, const void *, uint32_t);
    void (*set_marker_by_reference)(void *, uint32_t, const void *, uint32_t);

    /* annot.h and dump.h, of the libannot that the runtime is built on */
    annot_lookup (*lookup)(annot_device *, uint64_t, annot_marker_info *, void *, size_t);
    void (*get_stats)(const annot_device *, annot_device_stats *);
    annot_result (*dump_writer_create)(annot_device *, annot_dump_writer **);
    void (*dump_writer_destroy)(annot_dump_writer *);
    annot_result (*dump_write_file)(annot_dump_writer *, const annot_dump_info *, const char *);
};

extern struct runtime the_runtime;

/* Gets the path of the emulator that was built or installed with this program. Returns false if
 * there is none. */
bool runtime_default_path(char *path, size_t size);

/* Loads the runtime into this process. If false, `error` has one line that says what to do. */
bool runtime_load(const char *path, char *error, size_t error_size);

/* Says which file D3D12CreateDevice is in, and under Wine whose file that is. */
bool runtime_library(char *text, size_t size);

/* Makes the runtime load the driver's file. If false, `error` has one line, and the runtime says
 * more on standard error. */
bool runtime_load_driver(const char *path, char *error, size_t error_size);

/* Returns the part of `needs` (enum case_need) that the runtime lacks. */
unsigned runtime_lacks(unsigned needs);

/* Returns why a case is skipped for lack of `lacks`; NULL if nothing is lacking. */
const char *runtime_reason(unsigned lacks);

/* Returns what is wrong with a device of the runtime, or NULL. The process that finds it out prints
 * it. */
const char *runtime_probe(void);
