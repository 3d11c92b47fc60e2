/* The border between annot_result and HRESULT. */
#ifndef D3D12_RESULT_H
#define D3D12_RESULT_H

#include "base/com.h"

#include <annot/annot.h>

HRESULT hresult_from_annot(annot_result result);

#endif
