/* Makes Wine load this project's D3D12 library in place of its own. */
#pragma once

#include <stdbool.h>
#include <wchar.h>

/* The entries for one program in the user's Wine registry, while the program runs. */
struct wine_override {
    wchar_t key[320]; /* name of the key; empty: no entry was made */
    bool is_new_key;  /* whether the registry had no key of the program */
};

/* Adds the entries for `program`, the program's file or the name by which it is started. The
 * entries are in the registry because processes read WINEDLLOVERRIDES from the environment in which
 * Wine was started. Does nothing outside Wine, and nothing if WINEDLLOVERRIDES or the user's
 * settings name d3d12. */
void wine_override_begin(struct wine_override *override, const wchar_t *program);
void wine_override_end(const struct wine_override *override);
