/* Handles interfaces and kinds of descriptions that the table of calls lacks. This library can't
 * wrap these, so it would lose their work silently. It refuses them or, with
 * ANNOT_D3D12_UNKNOWN=pass, passes them on unchanged. Each interface and each kind is reported once
 * [ANN-FIELD-02]. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Reads the setting. Called once, before any call. `say` gets a static text for each report. */
void unknown_open(void (*say)(const char *text));

/* Reports an interface that the runtime returned; `iid` is NULL if the interface has no IID. True:
 * the interface must be refused. Any thread may call it. */
bool unknown_interface(const uint8_t iid[16]);
/* Reports a part of a description whose kind is unknown. True: the description must be refused. */
bool unknown_part(const char *method, const char *what);
/* Whether unknown parts are passed on, not refused. */
bool unknown_is_passed(void);

/* For a dump: the two functions return the names of the interfaces that were refused, or passed on.
 * The text is static, and empty if there are no such interfaces. */
const char *unknown_refused(void);
const char *unknown_passed(void);
