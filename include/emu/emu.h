/*
 * The emulator's controls: choose a driver, drive the clock, say where dumps go. Everything else is D3D12.
 *
 * Settings are the process's; a D3D12 device reads them when it is created.
 */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include <annot/annot.h>
#include <annot/dump.h>

/* EMU_STATIC: the emulator is linked as an archive. EMU_BUILDING: the emulator itself is being compiled. */
#if defined(EMU_STATIC)
#define EMU_API
#elif defined(_WIN32)
#if defined(EMU_BUILDING)
#define EMU_API __declspec(dllexport)
#else
#define EMU_API __declspec(dllimport)
#endif
#else
#define EMU_API __attribute__((visibility("default")))
#endif

ANNOT_BEGIN_DECLS

struct
    emu_driver; /* emu/umd/driver.h; a program that brings its own is built beside the emulator */

/* Messages of the emulator itself on ID3D12InfoQueue; a number keeps its meaning for ever. What D3D12's own debug
 * layer says too has D3D12's number. */
typedef enum emu_message_id {
    EMU_MESSAGE_NOT_MODELLED = 20001, /* the method is not part of the emulator; it did nothing */
    EMU_MESSAGE_ENDLESS_WAIT =
        20002, /* EMU_ORDER_SEEDED: nothing will ever signal what is waited for */
    EMU_MESSAGE_SUBMISSION_LOST = 20003, /* out of memory: submitted work was not executed */
    EMU_MESSAGE_DUMP_NOT_WRITTEN =
        20004, /* the device was removed and its dump could not be written */
    EMU_MESSAGE_INVALID_ARGUMENT = 20005 /* a call without D3D12 number of its own was refused */
} emu_message_id;

typedef enum emu_order {
    EMU_ORDER_THREADS = 0, /* a worker thread per queue, the real clock: for applications */
    EMU_ORDER_SEEDED =
        1 /* no thread and a virtual clock: `seed` decides which queue takes the next step */
} emu_order;

typedef struct emu_config {
    const char
        *driver; /* name of a built-in driver, "reference"; NULL: EMU_DRIVER or "reference" */
    emu_order order;
    uint64_t seed;            /* EMU_ORDER_SEEDED: the same seed and calls give the same run */
    uint64_t tdr_timeout_ns;  /* time without progress that counts as a hang; 0: 2 s */
    uint64_t memory_budget;   /* annot_device_desc.memory_budget; ANNOT_BUDGET_NONE: unbounded */
    bool force_driver_retail; /* annot_device_desc.force_driver_retail */
    const char
        *dump_path; /* dump written when the device is removed; NULL: EMU_DUMP, else no dump */
    /* Called after the dump was written or failed (path NULL), on the thread that noticed the error. */
    void (*on_removed)(void *user, annot_device_error error, const char *path);
    void *user;
    const struct emu_driver
        *own_driver; /* a table of your own, instead of `driver`; outlives the devices */
} emu_config;

#define EMU_CONFIG_INIT                                                                            \
    {                                                                                              \
        0, EMU_ORDER_THREADS, 0, 0, ANNOT_BUDGET_DEFAULT, false, 0, 0, 0, 0                        \
    }

/* Takes effect for devices created afterwards; strings are copied. NULL restores the defaults. Any thread. */
EMU_API annot_result emu_configure(const emu_config *config);

/* EMU_ORDER_SEEDED: takes scheduling steps until every queue is idle or waits for something that no queue will do,
 * or, when a queue hangs, until its timeout has removed the device. The runtime does the same by itself when the
 * application waits for a fence. */
EMU_API void emu_run_until_idle(void *d3d12_device);

/* EMU_ORDER_SEEDED: takes at most `steps` scheduling steps; returns how many were possible. */
EMU_API uint64_t emu_run_steps(void *d3d12_device, uint64_t steps);

/* EMU_ORDER_SEEDED: moves the virtual clock. */
EMU_API void emu_advance_clock(void *d3d12_device, uint64_t nanoseconds);

/* The annotation device behind a D3D12 device, for lookups, statistics and dumps of a live device. Borrowed. */
EMU_API annot_device *emu_annot_device(void *d3d12_device);

/* Shader bytecode that names one of the built-in kernels; a compute pipeline state made with it runs that kernel on
 * Dispatch. Root parameters: 0 = UAV of the destination, 1 = UAV/SRV of the source, 2 = 32-bit constants. */
typedef enum emu_kernel {
    EMU_KERNEL_FILL = 1, /* dst[i] = constant 0, constant 1 words */
    EMU_KERNEL_COPY = 2, /* dst[i] = src[i], constant 1 words */
    EMU_KERNEL_ADD = 3,  /* dst[i] = dst[i] + src[i], constant 1 words */
    EMU_KERNEL_SPIN = 4, /* never returns: the GPU hangs */
    EMU_KERNEL_TOUCH =
        5 /* writes to GPU address constant 1 : constant 0: a page fault when nothing is mapped there */
} emu_kernel;

/* Static bytecode, `*size` bytes; NULL for an unknown kernel. */
EMU_API const void *emu_kernel_bytecode(emu_kernel kernel, size_t *size);

ANNOT_END_DECLS

#endif
