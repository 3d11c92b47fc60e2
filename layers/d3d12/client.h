/* The crash client: a dump with markers and names, and where the GPU stopped. */
#ifndef D3D12_CLIENT_H
#define D3D12_CLIENT_H

#include "../intercept/client.h"

extern const struct client crash_client;

#endif
