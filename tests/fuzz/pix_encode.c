/* The decoder reads back events that the encoder makes [ANN-PIX-02, -03]: the input describes an
 * event; its blob must keep within the limit, be the same when encoded twice, and give kind,
 * colour, context and timestamp back. The first string must come back as name when there are no
 * arguments and nothing was cut. */
#include <annot/pix.h>

#include <stdlib.h>
#include <string.h>

static void expect(bool holds)
{
    if (!holds)
        abort();
}

struct input {
    const uint8_t *at, *end;
};

static uint8_t take_byte(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static uint64_t take_word(struct input *in)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | take_byte(in);
    return word;
}

/* A NUL-terminated string of up to 1023 bytes; `room` holds 1026. */
static void take_text(struct input *in, char *room)
{
    size_t length = (size_t)take_byte(in) * 4 + take_byte(in) % 4;
    if (length > (size_t)(in->end - in->at))
        length = (size_t)(in->end - in->at);
    memset(room, 0, 1026);
    memcpy(room, in->at, length);
    in->at += length;
}

static void take_arg(struct input *in, annot_pix_arg *arg, char *room)
{
    const uint8_t type = take_byte(in);
    arg->type = (annot_pix_type)(ANNOT_PIX_I32 + (int)(type % ANNOT_PIX_WSTR));
    arg->chunk = type & 0x80 ? 16 : 0;
    if (arg->type == ANNOT_PIX_STR || arg->type == ANNOT_PIX_WSTR) {
        take_text(in, room);
        arg->value.str = room;
        if (arg->type == ANNOT_PIX_WSTR)
            arg->value.wstr = (const uint16_t *)(const void *)room;
    } else if (arg->type == ANNOT_PIX_BOOL) {
        arg->value.b = take_byte(in) & 1;
    } else {
        arg->value.u64 = take_word(in);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static _Alignas(8) char texts[1 + ANNOT_PIX_ARG_MAX][1032];
    annot_pix_arg args[ANNOT_PIX_ARG_MAX] = {{0}};
    struct input in = {data, data + size};
    annot_pix_desc desc = {0};

    const uint8_t bits = take_byte(&in);
    desc.version = bits & 1 ? ANNOT_PIX_V1 : ANNOT_PIX_V2;
    desc.kind = bits & 2 ? ANNOT_PIX_KIND_BEGIN : ANNOT_PIX_KIND_MARKER;
    desc.has_context = (bits & 4) != 0;
    desc.color_kind = bits & 8 ? ANNOT_PIX_COLOR_KIND_ARGB : ANNOT_PIX_COLOR_KIND_INDEX;
    desc.color = bits & 8 ? take_word(&in) : take_byte(&in);
    desc.context = take_word(&in);
    desc.timestamp = take_word(&in) >> 20;
    desc.limit = bits & 16 ? 32 + 8 * (size_t)(take_byte(&in) % 123) : 0;
    take_text(&in, texts[0]);
    desc.format.type = bits & 32 ? ANNOT_PIX_STR : ANNOT_PIX_WSTR;
    desc.format.chunk = bits & 64 ? 16 : 8;
    desc.format.value.str = texts[0];
    if (desc.format.type == ANNOT_PIX_WSTR)
        desc.format.value.wstr = (const uint16_t *)(const void *)texts[0];
    desc.args = args;
    desc.arg_count = bits & 128 ? take_byte(&in) % (ANNOT_PIX_ARG_MAX + 1) : 0;
    for (size_t i = 0; i < desc.arg_count; i++)
        take_arg(&in, &args[i], texts[1 + i]);

    uint8_t blob[ANNOT_PIX_ENCODE_LIMIT_MAX + 8], again[sizeof blob];
    const size_t length = annot_pix_encode(&desc, blob, sizeof blob);
    const size_t limit = desc.limit ? desc.limit : 8 * ANNOT_PIX_LIMIT_WORDS;
    expect(length % 8 == 0 && length <= limit + 8);
    expect(annot_pix_encode(&desc, again, length - 1) == length);
    expect(annot_pix_encode(&desc, again, length) == length && memcmp(blob, again, length) == 0);

    static char name[128 * sizeof blob];
    annot_pix_event event;
    expect(annot_pix_decode(annot_pix_metadata(desc.version), blob, length, name, sizeof name,
                            &event) == ANNOT_PIX_OK);
    expect(event.kind == desc.kind && event.timestamp == desc.timestamp);
    expect(!!(event.flags & ANNOT_PIX_HAS_CONTEXT) == desc.has_context);
    expect(event.context == (desc.has_context ? desc.context : 0));
    const bool is_v2_index =
        desc.version == ANNOT_PIX_V2 && desc.color_kind == ANNOT_PIX_COLOR_KIND_INDEX;
    expect(event.color == (uint32_t)(is_v2_index ? desc.color & 7 : desc.color));
    const uint32_t changed = ANNOT_PIX_TRUNCATED | ANNOT_PIX_INVALID_TEXT;
    if (desc.arg_count == 0 && desc.format.type == ANNOT_PIX_STR && !(event.flags & changed))
        expect(strcmp(name, texts[0]) == 0);
    return 0;
}
