/* Gives the words for numbers of the public interface. */
#include <annot/dump.h>

const char *annot_result_text(annot_result result)
{
    static const char *const texts[] = {
        "ok",
        "an argument is outside of its documented range",
        "out of memory",
        "a command list is still recording",
        "the system refused to read or write",
        "this is not an annotation dump",
        "the dump is incomplete: its writer was stopped before the end",
        "the dump exceeds the reader's limits",
        "the parent process made the object before fork; a child process needs its own device"};
    return result <= ANNOT_OK && result >= ANNOT_ERROR_FORKED ? texts[-(int)result]
                                                              : "unknown result";
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

annot_device_error annot_device_error_from_hresult(uint32_t result)
{
    switch (result) {
    case 0x887A0006: /* DXGI_ERROR_DEVICE_HUNG */
        return ANNOT_DEVICE_ERROR_HUNG;
    case 0x887A0005: /* DXGI_ERROR_DEVICE_REMOVED */
    case 0x887A0007: /* DXGI_ERROR_DEVICE_RESET */
    case 0x887A0020: /* DXGI_ERROR_DRIVER_INTERNAL_ERROR */
        return ANNOT_DEVICE_ERROR_UNKNOWN;
    default:
        return ANNOT_DEVICE_ERROR_NONE;
    }
}

annot_device_error annot_device_error_from_vk_result(int32_t result)
{
    const int32_t device_lost = -4; /* VK_ERROR_DEVICE_LOST */
    return result == device_lost ? ANNOT_DEVICE_ERROR_UNKNOWN : ANNOT_DEVICE_ERROR_NONE;
}

const char *annot_object_type_text(uint32_t type)
{
#define CASE(name, number, words)                                                                  \
    case number:                                                                                   \
        return words;
    switch (type) {
        ANNOT_OBJECT_TYPES(CASE)
    default:
        return "object";
    }
#undef CASE
}

const char *annot_version(void)
{
    return ANNOT_VERSION;
}
