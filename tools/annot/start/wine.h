/* Under Wine its own D3D12 library would be loaded under the name of ours, unless Wine is told. */
#pragma once

#include <stdbool.h>
#include <wchar.h>

/* The entries in the user's registry for one program, while it runs. */
struct wine_override {
    wchar_t key[320]; /* empty: nothing */
    bool is_new_key;  /* the program had none */
};

/* `program`: its file, or the name that it is started by. Wine reads WINEDLLOVERRIDES anew in each
 * process from where Wine itself was started, so that a variable set here would not come through.
 * Nothing is noted where that variable or the user's own settings speak of d3d12, and outside of
 * Wine. */
void wine_override_begin(struct wine_override *override, const wchar_t *program);
void wine_override_end(const struct wine_override *override);
