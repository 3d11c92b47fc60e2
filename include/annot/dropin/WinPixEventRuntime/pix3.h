/* annot/pix3.h under the name that programs include. */
#include "../../pix3.h"
