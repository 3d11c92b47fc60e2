/* IDXCoreAdapterList: the adapters that existed when it was created. */
#pragma once

#include "device/adapter.h"

/* Lists the adapters that have all `count` attributes. `factory` outlives the list. */
HRESULT adapter_list_create(IUnknown *factory, uint32_t count, const GUID *attributes,
                            IDXCoreAdapterList **out);
