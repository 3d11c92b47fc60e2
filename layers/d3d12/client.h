/* Declares the crash client. It writes dumps with markers, names, and how far the GPU got. */
#pragma once

#include "../intercept/client.h"

extern const struct client crash_client;
