/* Declares the crash client. Its dumps show markers, names, and how far the GPU got. */
#pragma once

#include "../intercept/client.h"

extern const struct client crash_client;
