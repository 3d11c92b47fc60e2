/* Converts between annot_result and HRESULT. */
#pragma once

#include "base/com.h"

#include <annot/annot.h>

HRESULT hresult_from_annot(annot_result result);
