/* The crash client: it writes a dump with markers, names, and the place where the GPU stopped. */
#pragma once

#include "../intercept/client.h"

extern const struct client crash_client;
