/* Encodes a description to a blob, with the same steps as the macros: the words of annot/pix.h and
 * the strings of annot/pix_words.h. */
#include <annot/pix.h>

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "arguments are IEEE 754");

static annot__pix_source source_of(const annot_pix_arg *arg)
{
    switch (arg->type) {
    case ANNOT_PIX_STR:
        return annot__pix_source_of(arg->value.str, NULL, NULL);
    case ANNOT_PIX_WSTR:
        return annot__pix_source_of(NULL, arg->value.wstr, NULL);
    default:
        return annot__pix_source_of(NULL, NULL, arg->value.wchars);
    }
}

static uint64_t *put_arg(uint64_t *at, uint64_t *limit, const annot_pix_arg *arg, uint32_t chunk)
{
    switch (arg->type) {
    case ANNOT_PIX_I32:
        return annot__pix_put_i64(at, limit, arg->value.i32);
    case ANNOT_PIX_U32:
        return annot__pix_put_u64(at, limit, arg->value.u32);
    case ANNOT_PIX_I64:
        return annot__pix_put_i64(at, limit, arg->value.i64);
    case ANNOT_PIX_U64:
        return annot__pix_put_u64(at, limit, arg->value.u64);
    case ANNOT_PIX_F32:
        return annot__pix_put_f64(at, limit, (double)arg->value.f32);
    case ANNOT_PIX_F64:
        return annot__pix_put_f64(at, limit, arg->value.f64);
    case ANNOT_PIX_CHAR:
        return annot__pix_put_i64(at, limit, arg->value.c);
    case ANNOT_PIX_BOOL:
        return annot__pix_put_u64(at, limit, arg->value.b);
    case ANNOT_PIX_PTR:
        return annot__pix_put_ptr(at, limit, arg->value.ptr);
    case ANNOT_PIX_STR:
    case ANNOT_PIX_WSTR:
    case ANNOT_PIX_WCHARS:
        return annot__pix_put_source(at, limit, source_of(arg), chunk);
    }
    return at;
}

static uint32_t chunk_of(const annot_pix_desc *desc, const annot_pix_arg *arg)
{
    return desc->version == ANNOT_PIX_V1 && arg->chunk == 16 ? 16 : 8;
}

static bool is_sound(const annot_pix_desc *desc)
{
    const annot_pix_type text = desc->format.type;
    return (desc->version == ANNOT_PIX_V1 || desc->version == ANNOT_PIX_V2) &&
           (desc->kind == ANNOT_PIX_KIND_BEGIN || desc->kind == ANNOT_PIX_KIND_MARKER) &&
           (text == ANNOT_PIX_STR || text == ANNOT_PIX_WSTR || text == ANNOT_PIX_WCHARS) &&
           desc->arg_count <= ANNOT_PIX_ARG_MAX &&
           (desc->limit == 0 || (desc->limit % 8 == 0 && desc->limit >= 32 &&
                                 desc->limit <= ANNOT_PIX_ENCODE_LIMIT_MAX));
}

size_t annot_pix_encode(const annot_pix_desc *desc, void *blob, size_t capacity)
{
    if (!is_sound(desc))
        return 0;
    uint64_t words[ANNOT_PIX_ENCODE_LIMIT_MAX / 8 + 1];
    uint64_t *const limit = words + (desc->limit ? desc->limit / 8 : (size_t)ANNOT_PIX_LIMIT_WORDS);
    const annot__pix_color color = {desc->color, desc->color_kind == ANNOT_PIX_COLOR_KIND_INDEX};
    uint64_t *at = annot__pix_head(words, desc->version, desc->kind, color,
                                   desc->color_kind != ANNOT_PIX_COLOR_KIND_NONE, desc->has_context,
                                   desc->context, desc->arg_count > 0,
                                   desc->format.type == ANNOT_PIX_STR, desc->timestamp);
    if (desc->version == ANNOT_PIX_V2)
        at = annot__pix_chars_source(at, limit, source_of(&desc->format));
    else
        at = annot__pix_put_source(at, limit, source_of(&desc->format),
                                   chunk_of(desc, &desc->format));
    for (size_t i = 0; i < desc->arg_count; i++)
        at = put_arg(at, limit, &desc->args[i], chunk_of(desc, &desc->args[i]));
    const size_t size = annot__pix_finish(words, at, desc->version);
    if (size <= capacity)
        memcpy(blob, words, size);
    return size;
}
