/*
 * What a program asks the runtime for and this library can't stand in front of: an interface or a
 * tag of a description that the table of calls lacks. The runtime would meet wrappers of ours, and
 * work would be lost without a word. So it is refused, or handed out as it is where the user says
 * so: ANNOT_D3D12_UNKNOWN=pass. Each is said once [ANN-FIELD-02].
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Once, before any call: reads the setting; `say` is told of each, with a static text. */
void unknown_open(void (*say)(const char *text));

/* An interface that the runtime has answered; NULL: without an IID. True: it is refused. Any
 * thread. */
bool unknown_interface(const uint8_t iid[16]);
/* A description with a part of unknown kind. The same. */
bool unknown_part(const char *method, const char *what);
/* Whether none is refused. */
bool unknown_is_passed(void);

/* Their names, for a dump; static, and empty while there are none. */
const char *unknown_refused(void);
const char *unknown_passed(void);
