/* Declares the crash client, which writes dumps with markers, names, and the GPU's place. */
#pragma once

#include "../intercept/client.h"

extern const struct client crash_client;
