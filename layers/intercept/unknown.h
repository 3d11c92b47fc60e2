/*
 * Interfaces, and tags in descriptions, that the table of calls lacks. This library can't wrap
 * them: the runtime would get wrappers, and work would be lost silently. So they are refused, or
 * passed on as they are with ANNOT_D3D12_UNKNOWN=pass. Each is reported once [ANN-FIELD-02].
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Called once, before any call: reads the setting. `say` gets a static text for each. */
void unknown_open(void (*say)(const char *text));

/* For an interface that the runtime returned; NULL: the interface has no IID. True means that it
 * must be refused. Any thread. */
bool unknown_interface(const uint8_t iid[16]);
/* The same for a description with a part of unknown kind. */
bool unknown_part(const char *method, const char *what);
/* Whether none is refused. */
bool unknown_is_passed(void);

/* The names of the interfaces that were refused, or passed, for a dump; static, and empty while
 * there are none. */
const char *unknown_refused(void);
const char *unknown_passed(void);
