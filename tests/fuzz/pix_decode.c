/* Any bytes under any Metadata [ANN-PIX-03]. The first byte chooses the Metadata, the second the
 * capacity of a first, short read. Checks what the header promises: the input is left alone, the
 * name is valid UTF-8 of the announced length and below the announced bound, and a shorter buffer
 * gets a prefix of it. */
#include <annot/pix.h>

#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_INPUT 4096

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static bool is_utf8(const unsigned char *at, const unsigned char *end)
{
    while (at < end) {
        const unsigned lead = *at++;
        const int more = lead < 0x80 ? 0 : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        if (more < 0 || lead > 0xf4 || end - at < more)
            return false;
        unsigned c = more > 0 ? lead & (0x3fu >> more) : lead;
        for (int i = 0; i < more; i++) {
            if ((*at & 0xc0) != 0x80)
                return false;
            c = c << 6 | (*at++ & 0x3fu);
        }
        if ((more == 2 && c < 0x800) || (more == 3 && (c < 0x10000 || c > 0x10ffff)) ||
            (c >= 0xd800 && c < 0xe000))
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static char whole[128 * SIZE_MAX_INPUT + 1];
    static const uint32_t kinds[] = {ANNOT_PIX_METADATA_UTF16, ANNOT_PIX_METADATA_UTF8,
                                     ANNOT_PIX_METADATA_V1, ANNOT_PIX_METADATA_V2};
    if (size < 2 || size - 2 > SIZE_MAX_INPUT)
        return 0;
    const uint32_t metadata = input[0] % 5 < 4 ? kinds[input[0] % 5] : input[0];
    const size_t capacity = input[1];
    const size_t blob_size = size - 2;

    /* Exactly as large as the blob, so that the sanitizer sees a read past it. */
    uint8_t *const blob = malloc(blob_size ? blob_size : 1);
    char *const cut = malloc(capacity ? capacity : 1);
    expect(blob && cut);
    memcpy(blob, input + 2, blob_size);

    annot_pix_event event, again;
    const annot_pix_status status =
        annot_pix_decode(metadata, blob, blob_size, whole, sizeof whole, &event);
    expect(status == annot_pix_decode(metadata, blob, blob_size, cut, capacity, &again));
    expect(memcmp(blob, input + 2, blob_size) == 0);
    expect(event.name_length == again.name_length && event.flags == again.flags);
    expect(event.name_length <= 128 * blob_size);
    expect(whole[event.name_length] == '\0');
    expect(is_utf8((unsigned char *)whole, (unsigned char *)whole + event.name_length));
    if (capacity > 0) {
        const size_t stored = strlen(cut);
        expect(stored < capacity && (stored == event.name_length || stored + 4 >= capacity));
        expect(memcmp(cut, whole, stored) == 0);
        expect(is_utf8((unsigned char *)cut, (unsigned char *)cut + stored));
    }
    free(cut);
    free(blob);
    return 0;
}
