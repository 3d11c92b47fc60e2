/* Shared objects that are built beside the program and contain their own libannot. */
#ifndef BENCH_MODULE_H
#define BENCH_MODULE_H

/* Loads lib/NAME, from where the program lies in bin/. NULL, and a note for people, when it
 * can't. */
void *bench_module_open(const char *name);

#endif
