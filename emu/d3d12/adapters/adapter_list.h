/* IDXCoreAdapterList: the adapters that existed when it was created. */
#ifndef D3D12_ADAPTER_LIST_H
#define D3D12_ADAPTER_LIST_H

#include "device/adapter.h"

/* Those adapters that have all `count` attributes. `factory` outlives the list. */
HRESULT adapter_list_create(IUnknown *factory, uint32_t count, const GUID *attributes,
                            IDXCoreAdapterList **out);

#endif
