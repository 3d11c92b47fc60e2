#include "runtime.h"

#include "../intercept/library.h"
#include "../intercept/runtime.h"

#include <string.h>

#ifdef _WIN32
#define CORE "D3D12Core.dll"
#else
#define CORE "libd3d12core.so"
#endif

void layer_runtime_read(ID3D12Device *device, struct layer_runtime *out)
{
    memset(out, 0, sizeof *out);
    library_describe(runtime_library(), out->loaded, sizeof out->loaded);
    library_describe_loaded(CORE, out->core, sizeof out->core);
    layer_adapter_read(device, &out->adapter);
}
