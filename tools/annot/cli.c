#include "cli.h"

#include "array.h"
#include "os_file.h"

#include <annot/dxdmp.h>

#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

#ifdef _WIN32
#include "wide.h"
#include <fcntl.h>
#include <io.h>
#define is_terminal(file) _isatty(_fileno(file))
#else
#include <fcntl.h>
#include <unistd.h>
#define is_terminal(file) isatty(fileno(file))
#endif

/* ---- arguments ---- */

const char *cli_option_value(const char *name, int argc, char **argv, int *at)
{
    const size_t size = strlen(name);
    if (strncmp(argv[*at], name, size) != 0)
        return NULL;
    if (argv[*at][size] == '=')
        return argv[*at] + size + 1;
    if (argv[*at][size])
        return NULL;
    return *at + 1 < argc ? argv[++*at] : "";
}

bool cli_is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

bool cli_is_terminal(FILE *file)
{
    return is_terminal(file);
}

bool cli_wants_json(const char *output)
{
    return output && strcmp(output, "json") == 0;
}

bool cli_write(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size;
}

int cli_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) % 16 : -1;
}

bool cli_hex(const char *digits, size_t count, uint8_t *bytes)
{
    for (size_t i = 0; i + 1 < count; i += 2) {
        const int high = cli_digit(digits[i]), low = cli_digit(digits[i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i / 2] = (uint8_t)(high << 4 | low);
    }
    return count % 2 == 0;
}

/* ---- messages ---- */

void cli_print(FILE *file, const char *text, size_t size)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t piece_size;
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text + at, size - at, piece, &piece_size);
        fwrite(piece, 1, piece_size, file);
    }
}

void cli_format(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at;) {
        const size_t size = strcspn(at, "%");
        fwrite(at, 1, size, file);
        at += size;
        if (!*at)
            break;
        if (at[1] == 's') {
            const char *text = va_arg(arguments, const char *);
            cli_print(file, text, strlen(text));
        } else if (at[1] == 'l') {
            fprintf(file, "%llu", va_arg(arguments, unsigned long long));
        } else {
            fprintf(file, at[1] == 'd' ? "%d" : "%u", va_arg(arguments, int));
        }
        at += at[1] == 'l' ? 4 : 2;
    }
    va_end(arguments);
}

size_t cli_printable(annot_text text, char *buffer, size_t capacity)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t written = 0, piece_size;
    const char *nul = text.size > 0 ? memchr(text.data, 0, text.size) : NULL;
    const size_t size = nul ? (size_t)(nul - text.data) : text.size;
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text.data + at, size - at, piece, &piece_size);
        if (written + piece_size >= capacity)
            break;
        memcpy(buffer + written, piece, piece_size);
        written += piece_size;
    }
    buffer[written] = 0;
    return written;
}

int cli_complain(const char *command, const char *what, const char *which)
{
    const size_t shown = 60, size = strlen(which);
    fprintf(stderr, "annot %s: %s '", command, what);
    cli_print(stderr, which, size < shown ? size : shown);
    fprintf(stderr, "'; try: annot %s --help\n", command);
    return EXIT_UNUSABLE;
}

static const char *advice(const char *path, annot_result result)
{
    struct stat status;
    switch (result) {
    case ANNOT_ERROR_NOT_A_DUMP:
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
            return "the file is empty: the writer was stopped, or the disk was full";
        return "this version can't read the file as a dump; dumps are named .annotdmp or .dxdmp";
    case ANNOT_ERROR_TOO_LARGE:
        return "the dump exceeds the reader's limits (a file of 1 GiB, 2 GiB of memory)";
    case ANNOT_ERROR_OUT_OF_MEMORY:
        return "not enough memory; close something and try again";
    case ANNOT_ERROR_IO:
        return errno ? strerror(errno) : "reading or writing the file failed";
    default:
        return annot_result_text(result);
    }
}

int cli_fail(const char *command, const char *path, annot_result result)
{
    cli_format(stderr, "annot %s: %s: %s\n", command, path, advice(path, result));
    return EXIT_UNUSABLE;
}

int cli_finish(const char *command, int code)
{
    static bool is_said;
    const int before = errno; /* errno of the write that failed first */
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (!errno)
        errno = before;
    if (errno == EPIPE)
        return code;
    if (is_said)
        return EXIT_UNUSABLE;
    is_said = true;
    return cli_fail(command, "standard output", ANNOT_ERROR_IO);
}

/* ---- dumps ---- */

/* Reads a whole file; the caller frees *bytes, also on failure. With `only_directx` a file whose
 * first bytes are no DirectX dump file's is not read further. */
static annot_result read_all(FILE *file, bool only_directx, char **bytes, size_t *size)
{
    size_t capacity = 0;
    for (*size = 0;;) {
        if (*size > ANNOT_READER_FILE_LIMIT)
            return ANNOT_ERROR_TOO_LARGE;
        if (!ARRAY_RESERVE(*bytes, capacity, *size + 65536))
            return ANNOT_ERROR_OUT_OF_MEMORY;
        const size_t got = fread(*bytes + *size, 1, capacity - *size, file);
        *size += got;
        if (only_directx && !annot_dxdmp_is(*bytes, *size))
            return ANNOT_ERROR_NOT_A_DUMP;
        if (got == 0)
            return ferror(file) ? ANNOT_ERROR_IO : ANNOT_OK;
    }
}

void cli_bytes_add(struct cli_bytes *bytes, const void *data, size_t size)
{
    if (bytes->is_failed)
        return;
    if (!ARRAY_RESERVE(bytes->data, bytes->capacity, bytes->size + size)) {
        bytes->is_failed = true;
        return;
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

bool cli_bytes_write(void *bytes, const void *data, size_t size)
{
    cli_bytes_add(bytes, data, size);
    return !((struct cli_bytes *)bytes)->is_failed;
}

void cli_bytes_free(struct cli_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct cli_bytes){NULL, 0, 0, false};
}

/* Opens a dump. If the bytes are a DirectX dump file, the converted dump replaces them. */
static annot_result open_bytes(char **bytes, size_t size, annot_reader **reader)
{
    struct cli_bytes made = {NULL, 0, 0, false};
    const annot_report_sink sink = {&made, cli_bytes_write};
    if (!annot_dxdmp_is(*bytes, size))
        return annot_reader_open_memory(NULL, *bytes, size, reader);
    const annot_result result = annot_dxdmp_as_dump(NULL, *bytes, size, &sink);
    free(*bytes);
    *bytes = made.data;
    return result == ANNOT_OK         ? annot_reader_open_memory(NULL, *bytes, made.size, reader)
           : result == ANNOT_ERROR_IO ? ANNOT_ERROR_OUT_OF_MEMORY
                                      : result;
}

annot_result cli_open_file(const char *path, annot_reader **reader, char **bytes)
{
    size_t size;
    annot_result result = annot_reader_open_file(NULL, path, reader);
    FILE *file = result == ANNOT_ERROR_NOT_A_DUMP ? cli_open_to_read(path) : NULL;
    *bytes = NULL;
    if (!file)
        return result;
    result = read_all(file, true, bytes, &size);
    fclose(file);
    return result == ANNOT_OK ? open_bytes(bytes, size, reader) : result;
}

bool cli_open(const char *command, const char *path, struct cli_dump *dump)
{
    annot_result result;
    size_t size;
    *dump = (struct cli_dump){NULL, NULL, false};
    errno = 0;
    if (strcmp(path, "-") == 0) {
#ifdef _WIN32
        _setmode(_fileno(stdin), _O_BINARY);
#endif
        result = read_all(stdin, false, &dump->bytes, &size);
        if (result == ANNOT_OK)
            result = open_bytes(&dump->bytes, size, &dump->reader);
    } else {
        result = cli_open_file(path, &dump->reader, &dump->bytes);
    }
    if (!dump->reader) {
        const int error = result == ANNOT_ERROR_IO ? errno : 0;
        free(dump->bytes);
        dump->bytes = NULL;
        cli_fail(command, strcmp(path, "-") == 0 ? "standard input" : path, result);
        errno = error;
        return false;
    }
    dump->is_damaged = result != ANNOT_OK || annot_reader_is_damaged(dump->reader);
    return true;
}

int cli_close(struct cli_dump *dump, const char *writer, int code)
{
    annot_reader_close(dump->reader);
    free(dump->bytes);
    if (code != EXIT_FINE || !dump->is_damaged)
        return code;
    if (writer)
        fprintf(stderr, "annot %s: the dump is damaged, so the file has only a part of the dump\n",
                writer);
    return EXIT_DAMAGED;
}

uint64_t cli_marker_limit(const annot_reader *reader)
{
    const uint64_t least = 1u << 17, times = 4;
    uint64_t count = annot_reader_execution_count(reader);
    annot_reader_stream stream;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++)
        count += stream.entry_count;
    return least + times * count;
}

/* ---- files ---- */

FILE *cli_open_to_read(const char *path)
{
#ifdef _WIN32
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) ? _wfopen(wide, L"rb") : NULL;
#else
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (file)
        fcntl(descriptor, F_SETFL, 0);
    else if (descriptor >= 0)
        close(descriptor);
    return file;
#endif
}

char *cli_read_text(const char *command, const char *path, size_t most, const char *what)
{
    char *text;
    size_t size;
    const char *why = "";
    const enum os_read read = os_read_file(path, true, most, &text, &size, &why);
    if (read == OS_READ_DONE && !memchr(text, 0, size)) {
        text[size] = 0;
        return text;
    }
    free(text);
    if (read == OS_READ_DONE || read == OS_READ_TOO_LARGE)
        why = read == OS_READ_DONE ? "the file is not a text file" : "the file is too large";
    else if (read != OS_READ_UNREADABLE)
        why = strerror(read == OS_READ_ABSENT ? ENOENT : ENOMEM);
    cli_format(stderr, "annot %s: %s: %s; %s\n", command, path, why, what);
    return NULL;
}

static FILE *create(const char *path)
{
    errno = 0;
#ifdef _WIN32
    wchar_t wide[WIDE_PATH];
    return wide_path(path, wide) ? _wfopen(wide, L"wbx") : NULL;
#else
    return fopen(path, "wbx");
#endif
}

bool cli_can_create(const char *path)
{
    FILE *file = create(path);
    if (file) {
        fclose(file);
        os_file_remove(path);
    }
    return file || errno == EEXIST;
}

FILE *cli_create(const char *command, const char *path)
{
    if (strcmp(path, "-") == 0) {
        cli_complain(command, "-o needs the name of a file; unusable:", path);
        return NULL;
    }
    FILE *file = create(path);
    if (!file && errno == EEXIST)
        cli_format(
            stderr,
            "annot %s: %s already exists, and no file is replaced; rename or remove it first\n",
            command, path);
    else if (!file)
        cli_fail(command, path, ANNOT_ERROR_IO);
    return file;
}

bool cli_close_created(const char *command, const char *path, FILE *file, bool is_good)
{
    int error = errno;
    if (fclose(file) == 0 && is_good)
        return true;
    if (is_good)
        error = errno;
    os_file_remove(path);
    errno = error;
    cli_fail(command, path, ANNOT_ERROR_IO);
    return false;
}
