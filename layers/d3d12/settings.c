/* The user's settings. */
#include "layer.h"

struct crash_settings layer_settings;

static const char *const evidence_words[] = {"immediate", "readback", "copy", "dred", "fence"};
const struct crash_evidence_words layer_evidence_words = {evidence_words, 5};
