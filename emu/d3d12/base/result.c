#include "base/result.h"

HRESULT hresult_from_annot(annot_result result)
{
    return result == ANNOT_OK                       ? S_OK
           : result == ANNOT_ERROR_INVALID_ARGUMENT ? E_INVALIDARG
           : result == ANNOT_ERROR_OUT_OF_MEMORY    ? E_OUTOFMEMORY
                                                    : E_FAIL;
}
