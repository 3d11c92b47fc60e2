#include "base/result.h"

HRESULT hresult_from_annot(annot_result result)
{
    switch (result) {
    case ANNOT_OK:
        return S_OK;
    case ANNOT_ERROR_INVALID_ARGUMENT:
        return E_INVALIDARG;
    case ANNOT_ERROR_OUT_OF_MEMORY:
        return E_OUTOFMEMORY;
    case ANNOT_ERROR_BUSY:
    case ANNOT_ERROR_IO:
    case ANNOT_ERROR_NOT_A_DUMP:
    case ANNOT_ERROR_INCOMPLETE:
    case ANNOT_ERROR_TOO_LARGE:
    case ANNOT_ERROR_FORKED:
        break;
    }
    return E_FAIL;
}
