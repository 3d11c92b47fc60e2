/* Converts an annot_result to an HRESULT. */
#pragma once

#include "base/com.h"

#include <annot/annot.h>

static inline HRESULT hresult_from_annot(annot_result result)
{
    return result == ANNOT_OK                       ? S_OK
           : result == ANNOT_ERROR_INVALID_ARGUMENT ? E_INVALIDARG
           : result == ANNOT_ERROR_OUT_OF_MEMORY    ? E_OUTOFMEMORY
                                                    : E_FAIL;
}
