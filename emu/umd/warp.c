/* WARP as the specification describes it: it takes the calls, logs them and stores nothing, so its
 * crash reports are empty. The log has a line for each call. It goes to the file that EMU_WARP_LOG
 * names, or to stderr. */
#include "environment.h"
#include "log.h"
#include "umd/types.h"
#include "unicode.h"

#include <annot/text.h>

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(_WIN32)
#include <io.h>
#define close  _close
#define dup    _dup
#define fdopen _fdopen
#else
#include <unistd.h>
#endif

static FILE *find_log(void)
{
    bool out_of_memory = false;
    char *path = os_environment("EMU_WARP_LOG", &out_of_memory);
    if (path || out_of_memory) {
        static atomic_flag told = ATOMIC_FLAG_INIT;
        FILE *file = path ? fopen(path, "a") : NULL;
        /* if memory ran out, the file may be all right */
        if (path && !file && errno != ENOMEM && !atomic_flag_test_and_set(&told))
            fprintf(
                stderr,
                "libd3d12: EMU_WARP_LOG=%s can't be written; name a file in a folder that exists\n",
                path);
        free(path);
        return file;
    }
    const int output = dup(2);
    FILE *file = output >= 0 ? fdopen(output, "a") : NULL;
    if (!file && output >= 0)
        close(output);
    return file;
}

/* Opens the log. NULL: it can't be written, or has no room for a line of this size. stderr is
 * opened anew, so that each line is written at once. */
static FILE *open_log(size_t line)
{
    FILE *file = find_log();
    if (!file || emu_log_has_room(file, line, "EMU_WARP_LOG"))
        return file;
    fclose(file);
    return NULL;
}

static void log_call(const char *call, const void *handle, uint64_t event_id, uint32_t metadata,
                     uint32_t size)
{
    FILE *file = open_log(160);
    if (!file)
        return;
    fprintf(file, "%s %p %" PRIu64 " metadata %" PRIu32 " size %" PRIu32 "\n", call, handle,
            event_id, metadata, size);
    fclose(file);
}

static void log_name(const void *handle, const ANNOT_DDI_WCHAR *name)
{
    char utf8[4], piece[ANNOT_ESCAPED_MAX];
    size_t size, length = 0;
    while (name && name[length])
        length++;
    FILE *file = open_log(80 + length * sizeof piece);
    if (!file)
        return;
    fprintf(file, "SetName %p 0 metadata 0 size 0 %s", handle, name ? "name \"" : "no name");
    for (size_t i = 0; i < length;) { /* the escaping replaces half a pair by U+FFFD */
        const uint32_t c = unicode_next(name, sizeof *name, length, &i);
        annot_text_escape(ANNOT_ESCAPE_JSON, utf8, unicode_encode(c > 0x10FFFF ? 0xFFFD : c, utf8),
                          piece, &size);
        fwrite(piece, 1, size, file);
    }
    fputs(name ? "\"\n" : "\n", file);
    fclose(file);
}

#define LOGGED_CALLS(noun, handle, Noun)                                                           \
    static void ANNOT_DDI_CALL noun##_begin(handle object, uint32_t metadata, const void *data,    \
                                            uint32_t size, uint64_t event_id)                      \
    {                                                                                              \
        (void)data;                                                                                \
        log_call(Noun "BeginEvent", object.pDrvPrivate, event_id, metadata, size);                 \
    }                                                                                              \
    static void ANNOT_DDI_CALL noun##_end(handle object, uint64_t event_id)                        \
    {                                                                                              \
        log_call(Noun "EndEvent", object.pDrvPrivate, event_id, 0, 0);                             \
    }                                                                                              \
    static void ANNOT_DDI_CALL noun##_set(handle object, uint32_t metadata, const void *data,      \
                                          uint32_t size, uint64_t event_id)                        \
    {                                                                                              \
        (void)data;                                                                                \
        log_call(Noun "SetMarker", object.pDrvPrivate, event_id, metadata, size);                  \
    }

LOGGED_CALLS(queue, D3D12DDI_HCOMMANDQUEUE, "Queue")
LOGGED_CALLS(list, D3D12DDI_HCOMMANDLIST, "List")

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    log_name(object.Handle, name);
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation = {
    queue_begin, queue_end, queue_set, list_begin, list_end, list_set, set_name,
};

static void *device_create(emu_gpu *gpu, uint64_t seed)
{
    (void)seed;
    return emu__reference_device_create(gpu, false, 0);
}

const emu_driver emu__driver_warp = {
    .annot = {"warp", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &annotation,
              sizeof(ANNOT_DDI_WCHAR)},
    .dump_file = &emu__reference_dump_file,
    .dump_file_options =
        D3D12DDI_DUMP_FILE_OPTION_MEDIUM_OVERHEAD | D3D12DDI_DUMP_FILE_OPTION_NO_DATA,
    .device_create = device_create,
    EMU_REFERENCE_COMMON,
};
