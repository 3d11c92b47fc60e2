/* The crash client: a dump with markers and names, and where the GPU stopped. */
#pragma once

#include "../intercept/client.h"

extern const struct client crash_client;
