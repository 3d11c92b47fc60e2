/* Tells Wine to load our D3D12 library; by default it would load its own under that name. */
#pragma once

#include <stdbool.h>
#include <wchar.h>

/* The entries in the user's registry for one program, while it runs. */
struct wine_override {
    wchar_t key[320]; /* empty: nothing */
    bool is_new_key;  /* the program had none */
};

/* `program`: its file, or the name that it is started by. Each process reads WINEDLLOVERRIDES from
 * the environment in which Wine itself was started, so setting it here would have no effect. Does
 * nothing outside of Wine, and if that variable or the user's settings mention d3d12. */
void wine_override_begin(struct wine_override *override, const wchar_t *program);
void wine_override_end(const struct wine_override *override);
