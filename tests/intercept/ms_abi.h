/* Included before everything else: methods are called as on Windows, and return structures by
 * pointer. What is passed by value beyond a word is behind a pointer then. */
#pragma once

#include <basetsd.h>

#undef STDMETHODCALLTYPE
#define STDMETHODCALLTYPE __attribute__((ms_abi))
