#include "unknown.h"

#include "environment.h"
#include "held.h"

#include <stdio.h>
#include <string.h>

/* The reasons for interfaces with a name: what the program has to do without. */
static const struct reason {
    uint8_t iid[16];
    const char *name, *without;
} reasons[] = {
    {{0x3c, 0x0e, 0x1c, 0x8f, 0xe3, 0xfa, 0x82, 0x4a, 0xb0, 0x98, 0xbf, 0xe1, 0x70, 0x82, 0x07,
      0xff},
     "ID3D12CompatibilityDevice",
     "Direct3D 11 on 12 can't share resources"},
    {{0xe2, 0x44, 0xec, 0xad, 0xf0, 0x61, 0xc3, 0x45, 0xad, 0x9f, 0x1b, 0x37, 0x37, 0x92, 0x84,
      0xff},
     "Streamline's native interface",
     "Streamline keeps using the wrapped object"},
};

enum { NAMES = 32, LINES = 32 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static void (*tell)(const char *text);
static bool is_passed;
static char known[NAMES][96], lines[LINES][320], all[96 + NAMES * 98];
static unsigned known_count;

void unknown_open(void (*say)(const char *text))
{
    const char *setting = os_environment_borrow("ANNOT_D3D12_UNKNOWN");
    tell = say;
    is_passed = setting && strcmp(setting, "pass") == 0;
    if (setting && *setting && !is_passed && strcmp(setting, "refuse") != 0)
        say("ANNOT_D3D12_UNKNOWN must be 'pass' or 'refuse'; unknown interfaces are refused");
}

/* Notes a name. If there are too many names, further names are not reported. The lock is held. */
static const char *note(const char *name, const char *without)
{
    for (unsigned i = 0; i < known_count; i++)
        if (strcmp(known[i], name) == 0)
            return NULL;
    if (known_count == NAMES)
        return NULL;
    char *line = lines[known_count], *kept = known[known_count++];
    snprintf(kept, sizeof *known, "%s", name);
    if (!*all) /* a sentence of the report; names are added while other threads may read it */
        strcpy(all, is_passed ? "statements about this device are uncertain: the program got "
                              : "the program did not get ");
    strcat(strcat(all, known_count > 1 ? ", " : ""), kept); /* each name has 98 bytes */
    if (is_passed)
        snprintf(line, sizeof *lines,
                 "%s is unknown and passed on unchanged: from now on the record may "
                 "lack calls",
                 name);
    else
        snprintf(line, sizeof *lines,
                 "%s is unknown and refused: %s. ANNOT_D3D12_UNKNOWN=pass passes on the interface, "
                 "but does not record its calls",
                 name, without);
    return line;
}

static bool meet(const char *name, const char *without)
{
    pthread_mutex_lock(&lock);
    const char *line = note(name, without);
    pthread_mutex_unlock(&lock);
    if (line && tell)
        tell(line);
    return !is_passed;
}

bool unknown_interface(const uint8_t iid[16])
{
    char name[48];
    if (!iid)
        return meet("an object without an IID", "the call fails");
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (memcmp(reasons[i].iid, iid, 16) == 0)
            return meet(reasons[i].name, reasons[i].without);
    snprintf(name, sizeof name,
             "{%02X%02X%02X%02X-%02X%02X-%02X%02X-%02X%02X-%02X%02X%02X%02X%02X%02X}", iid[3],
             iid[2], iid[1], iid[0], iid[5], iid[4], iid[7], iid[6], iid[8], iid[9], iid[10],
             iid[11], iid[12], iid[13], iid[14], iid[15]);
    return meet(name, "the program gets E_NOINTERFACE, as from an older runtime");
}

bool unknown_part(const char *method, const char *what)
{
    char name[96];
    snprintf(name, sizeof name, "%s: %s", method, what);
    return meet(name, "the creation fails with E_INVALIDARG, as on an older runtime");
}

bool unknown_is_passed(void)
{
    return is_passed;
}

const char *unknown_refused(void)
{
    return is_passed ? "" : all;
}

const char *unknown_passed(void)
{
    return is_passed ? all : "";
}
