/* A mistake in an argument: D3D12's number for it, or emu_message_id's, and the emulator's
 * words. */
#pragma once

#include "base/com.h"

struct validation_error {
    int id;
    const char *text; /* NULL: nothing is wrong */
};

static const struct validation_error no_validation_error = {0, NULL};

static inline struct validation_error validation_error(int id, const char *text)
{
    return (struct validation_error){id, text};
}

#define VALIDATION_ERROR(number, what) validation_error(D3D12_MESSAGE_ID_##number, what)
