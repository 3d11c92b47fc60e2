/* Dumps of a made-up game that fails in one of 24 ways, and of a second one that fails in 16. Each
 * run differs as two players' machines do: driver, order of queues, recording threads, the number
 * of frames and meshes, the marker budget. Numbers, addresses and GUIDs in names differ too, and
 * the innocent queues that were busy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus_run {
    uint64_t seed;
    bool breadcrumbs; /* DRED is on */
};

size_t corpus_fault_count(void);
/* From this one on: faults of a second game, that the rules of the signature were not tuned to. */
size_t corpus_fault_first_unseen(void);
const char *corpus_fault_name(size_t fault);

/* The driver of a run: what a user's machine has. */
const char *corpus_driver(uint64_t seed);

/* Breadcrumbs and page faults of devices that are created from now on. */
void corpus_set_dred(bool is_on);

/* Plays one run and leaves its dump at `path`, which does not exist yet. False: there is none. Not
 * from two threads at once: the emulator's settings are the process's. */
bool corpus_play(size_t fault, const struct corpus_run *run, const char *path);
