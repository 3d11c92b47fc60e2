/* The settings' part of the operating system: where they are, reading any path safely, writing
 * a file in one step, and the names of executables. One implementation file per system. */
#ifndef EMU_CONFIG_OS_H
#define EMU_CONFIG_OS_H

#include <stdbool.h>
#include <stddef.h>

/* ---- where: malloc'd; NULL: there is none, or no memory (then *out_of_memory) ---- */

char *config_os_environment_path(bool *out_of_memory); /* ANNOT_CONFIG's */
char *config_os_user_path(bool *out_of_memory);
char *config_os_system_path(bool *out_of_memory);

/* Where dumps go that nobody named a place for, with a separator at its end: annot/dumps below
 * XDG_STATE_HOME (~/.local/state), on Windows %LOCALAPPDATA%\CrashDumps. */
char *config_os_dump_folder(bool *out_of_memory);

/* ---- reading ---- */

enum config_os_read {
    CONFIG_OS_READ,
    CONFIG_OS_ABSENT,
    CONFIG_OS_UNREADABLE, /* `reason` says why */
    CONFIG_OS_TOO_LARGE,
    CONFIG_OS_OUT_OF_MEMORY
};

/* At most `limit` bytes of a regular file into a malloc'd buffer; never waits on a pipe or
 * device. */
enum config_os_read config_os_read_file(const char *path, size_t limit, char **data, size_t *size,
                                        const char **reason);

/* ---- writing: false leaves `reason`, static text or strerror's ---- */

struct config_os_writer {
    char *target, *temporary, *lock_path; /* the target with links followed */
    void *lock;
    bool acts_as_owner;
};

/* Makes the folders that are missing, then waits for other writers, for a bounded time. Where root
 * writes below a folder of another user, it acts as that user until the writer is finished: what it
 * makes is the user's to change, and no link of the user's leads it anywhere that the user may not
 * write. */
bool config_os_writer_init(struct config_os_writer *writer, const char *path, const char **reason);
/* The target becomes `data`: whole and on disk, or as it was. */
bool config_os_writer_replace(struct config_os_writer *writer, const char *data, size_t size,
                              const char **reason);
void config_os_writer_finish(struct config_os_writer *writer);

/* ---- executables and paths ---- */

char *config_os_self(void);
bool config_os_is_separator(char c);
bool config_os_is_absolute(const char *path);
bool config_os_same_character(char a, char b); /* of two paths */
bool config_os_exists(const char *path, bool *is_directory);
char *config_os_resolve(const char *path); /* absolute, without links; NULL: it isn't there */

#endif
