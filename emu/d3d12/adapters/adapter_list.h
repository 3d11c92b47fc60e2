/* IDXCoreAdapterList: a list of the adapters that existed when the list was created. */
#pragma once

#include "device/adapter.h"

/* Makes a list of adapters that have all `count` attributes. `factory` must outlive the list. */
HRESULT adapter_list_create(IUnknown *factory, uint32_t count, const GUID *attributes,
                            IDXCoreAdapterList **out);
