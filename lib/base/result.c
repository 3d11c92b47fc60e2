/* Words for numbers of the public interface. */
#include <annot/dump.h>

const char *annot_result_text(annot_result result)
{
    switch (result) {
    case ANNOT_OK:
        return "ok";
    case ANNOT_ERROR_INVALID_ARGUMENT:
        return "an argument is outside of what the function documents";
    case ANNOT_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case ANNOT_ERROR_BUSY:
        return "a command list is still recording";
    case ANNOT_ERROR_IO:
        return "the system refused to read or write";
    case ANNOT_ERROR_NOT_A_DUMP:
        return "this is not an annotation dump";
    case ANNOT_ERROR_INCOMPLETE:
        return "the dump is incomplete: its writer was stopped before the end";
    case ANNOT_ERROR_TOO_LARGE:
        return "larger than the reader's limits allow";
    }
    return "unknown result";
}

const char *annot_device_error_headline(int32_t error)
{
#define CASE(name, code, headline, sentence)                                                       \
    case code:                                                                                     \
        return headline;
    switch (error) {
        ANNOT_DEVICE_ERRORS(CASE)
    }
    return annot_device_error_headline(ANNOT_DEVICE_ERROR_UNKNOWN);
#undef CASE
}

const char *annot_device_error_text(int32_t error)
{
#define CASE(name, code, headline, sentence)                                                       \
    case code:                                                                                     \
        return sentence;
    switch (error) {
        ANNOT_DEVICE_ERRORS(CASE)
    }
    return annot_device_error_text(ANNOT_DEVICE_ERROR_UNKNOWN);
#undef CASE
}

const char *annot_version(void)
{
    return ANNOT_VERSION;
}
