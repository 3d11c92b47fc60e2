/* The IIDs that the runtime compares with, defined once and internal to it. */
#define INITGUID
#include "base/com.h"
