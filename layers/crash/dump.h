/* The parts of a dump that all crash layers write. Only annot_dump_path and annot_dump_write_file
 * allocate or wait. */
#pragma once

#include "kernel_log.h"
#include "settings.h"

#include <annot/dump.h>

#include <stdatomic.h>

/* How many marker and name calls the application made. A call counts when a list records it. */
struct crash_counts {
    _Atomic uint64_t begun, ended, points, names;
};

void crash_counts_add(struct crash_counts *counts, uint32_t begun, uint32_t ended, uint32_t points);

struct crash_dump {
    annot_crash_report report;
    annot_blob blob;
    annot_fault faults[ANNOT_FAULT_DRIVER];
    annot_fact facts[29 + KERNEL_LOG_LINES + 3];
    bool is_loss; /* true: the device is lost, so all its evidence can be read; false: an alarm */
    char labels[160];
    char unsaid[200];
    char reason[200];
    char path[1024 + 256];
    uint64_t since; /* when the oldest unfinished submission was made; 0: unknown */
    struct kernel_log kernel;
    char kernel_said[256], kernel_clock[64];
    char kernel_keys[KERNEL_LOG_LINES][20];
    annot_dump_info info; /* description of the dump; it points to the other members */
};

/* Prepares a dump. The function copies `reason`. */
void crash_dump_init(struct crash_dump *dump, annot_device_error error, const char *reason);
/* Adds a fact to the dump. `key` and `value` must live until the dump is written. If the dump has
 * no room, the fact is only counted. */
void crash_dump_add_fact(struct crash_dump *dump, const char *key, const char *value);
/* Adds the counts of the application's marker calls. If a report has no markers, the counts say
 * whether the application made no markers at all, or none in the work that stopped. */
void crash_dump_add_counts(struct crash_dump *dump, const struct crash_counts *counts);
/* Adds progress rows of the GPU's work. `promises` is annot_crash_report.promises. */
void crash_dump_add_rows(struct crash_dump *dump, const annot_progress *rows, uint32_t count,
                         uint32_t promises);
/* Adds what a source says about a page fault. */
void crash_dump_add_fault(struct crash_dump *dump, uint64_t address, annot_fault_source source);

/* Removes rows that have no evidence about their bundle, unless it ends inside a marker. Readers
 * give a bundle without a row the state of its place. Returns the number of rows that are left. */
uint32_t crash_rows_keep(annot_progress *rows, uint32_t count,
                         bool (*is_cut)(void *user, uint64_t list, uint32_t bundle), void *user);

/* If stderr can't be written, adds the reason and the lines that were lost [ANN-LEAVE-05]. */
void crash_dump_add_unsaid(struct crash_dump *dump, bool is_quiet);

/* Sets the path of the kernel's log for tests. NULL means the system's log. */
void crash_kernel_set_log(const char *path);

/* Adds the lines of the kernel's log, writes the file that the settings name, and prints a line
 * about the file. Returns false if the file was not written. */
bool crash_dump_write(struct crash_dump *dump, const struct crash_settings *settings,
                      annot_dump_writer *writer);
