/* Handles interfaces and kinds of descriptions that the table of calls lacks. The layer can't wrap
 * such objects, so dumps and traces would lack their work. The layer refuses them or, with
 * ANNOT_D3D12_UNKNOWN=pass, passes them on unchanged. Each interface and each kind is reported once
 * [ANN-FIELD-02]. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Reads ANNOT_D3D12_UNKNOWN once, before any call. `say` gets a static text for each report. */
void unknown_open(void (*say)(const char *text));

/* Reports an interface that the runtime returned. `iid` is NULL if the interface has no IID. True:
 * the caller must refuse the interface. Any thread may call this function. */
bool unknown_interface(const uint8_t iid[16]);
/* Reports an unknown kind of a description's part. True: the caller must refuse the description. */
bool unknown_part(const char *method, const char *what);
/* Whether unknown parts are passed on and not refused. */
bool unknown_is_passed(void);

/* For a dump: unknown_refused returns the refused interfaces' names, unknown_passed the names of
 * interfaces that were passed on. Both texts are static. A text without names is empty. */
const char *unknown_refused(void);
const char *unknown_passed(void);
