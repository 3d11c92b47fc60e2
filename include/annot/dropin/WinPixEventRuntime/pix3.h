/* Includes annot/pix3.h; programs that were written for pix3.h include this name. */
#include "../../pix3.h"
