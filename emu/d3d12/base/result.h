/* Converts an annot_result to an HRESULT. */
#pragma once

#include "base/com.h"

#include <annot/annot.h>

HRESULT hresult_from_annot(annot_result result);
