/* What most tests of this suite include: assertions, what ends with a block, readers' memory that
 * is watched, and the C library. */
#pragma once

#include "asserts.h"
#include "at_end.h"
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
