/* Interfaces and kinds of descriptions that the table of calls lacks. This library can't wrap them,
 * so work would be lost silently. They are refused, or passed on unchanged with
 * ANNOT_D3D12_UNKNOWN=pass. Each is reported once [ANN-FIELD-02]. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Reads the setting; called once, before any call. `say` gets a static text for each report. */
void unknown_open(void (*say)(const char *text));

/* For an interface that the runtime returned; NULL: the interface has no IID. True means that it
 * must be refused. Any thread. */
bool unknown_interface(const uint8_t iid[16]);
/* For a description with a part of unknown kind. True means that it must be refused. */
bool unknown_part(const char *method, const char *what);
/* Whether none is refused. */
bool unknown_is_passed(void);

/* The names of the interfaces that were refused, or passed, for a dump; static, and empty while
 * there are none. */
const char *unknown_refused(void);
const char *unknown_passed(void);
