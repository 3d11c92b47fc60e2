#include "live_file.h"

#include "os_path.h"
#include "os_process.h"

#include <stdlib.h>
#include <string.h>

const char *live_file_open(struct live_file *live, const char *path, uint64_t capacity)
{
    char name[1400];
    enum os_file_outcome outcome = OS_FILE_TAKEN;
    *live = (struct live_file){.process = os_process_id(), .header = {.capacity = capacity}};
    memcpy(live->header.magic, LIVE_FILE_MAGIC, sizeof live->header.magic);
    live->dump = malloc((size_t)capacity);
    for (unsigned n = 1; live->dump && outcome == OS_FILE_TAKEN && n <= 100; n++) {
        snprintf(name, sizeof name, "%s.%u.live", path, n);
        outcome = os_file_create(&live->file, name);
    }
    live->path = outcome == OS_FILE_DONE ? os_full_path(name) : NULL;
    return live->path ? NULL : os_error();
}

const char *live_file_store(struct live_file *live, uint64_t size)
{
    struct live_header header = live->header;
    const unsigned older = header.places[1].number < header.places[0].number;
    if (size > header.capacity)
        return "the dump needs more than half of the bytes that the setting recover allows";
    if (!os_file_is_at(live->file, live->path))
        return "its file was moved, removed or closed";
    header.places[older] = (struct live_place){header.places[!older].number + 1, size};
    if (!os_file_write(live->file, live->dump, (size_t)size,
                       sizeof header + older * header.capacity) ||
        !os_file_write(live->file, &header, sizeof header, 0))
        return os_error();
    live->header = header;
    return NULL;
}

void live_file_remove(struct live_file *live)
{
    if (live->path && live->process == os_process_id() && os_file_is_at(live->file, live->path)) {
        os_file_close(live->file, NULL, 0);
        os_file_remove(live->path);
    }
    free(live->path);
    free(live->dump);
    live->path = live->dump = NULL;
}

const char *live_file_find(const char *bytes, size_t size, unsigned age, size_t *dump_size)
{
    struct live_header header;
    if (size < sizeof header || memcmp(bytes, LIVE_FILE_MAGIC, sizeof header.magic) != 0)
        return NULL;
    memcpy(&header, bytes, sizeof header);
    const unsigned which = age ^ (header.places[0].number < header.places[1].number);
    const struct live_place place = header.places[which];
    const uint64_t at = which * header.capacity, all = size - sizeof header;
    *dump_size = (size_t)place.size;
    return place.number && at <= all && place.size <= all - at ? bytes + sizeof header + at : NULL;
}
