/* dxgi.dll: the emulator's adapters for programs that ask DXGI for them. There are no outputs and
 * no swap chains. Under Wine it replaces Wine's own, which needs a display and does not report the
 * driver's version. */
#ifndef EMU_DXGI_H
#define EMU_DXGI_H

#define COBJMACROS
#include <dxgi1_6.h>

#include <emu/dxcore.h>

/* An adapter of `factory`, with a reference for the caller; takes over the reference to `core`.
 * NULL: out of memory, and the reference is released. */
IDXGIAdapter4 *dxgi_adapter_create(IUnknown *factory, IDXCoreAdapter *core);

/* Whether `riid` is one of a list that ends in NULL. */
int dxgi_is_one_of(REFIID riid, const IID *const *iids);

#endif
