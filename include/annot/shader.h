/*
 * Reads the description of a shader from its bytes: a DXBC or DXIL container, or a SPIR-V module.
 * annot_object_add_shader notes the shaders of a pipeline, so that reports say which code hung.
 *
 *     container   "DXBC", checksum 16 bytes, 1, bytes in all, number of parts, their offsets
 *     part        tag, bytes of content, content
 *
 * All numbers are little-endian and have 32 bits. The functions accept any bytes, read at most
 * `size` bytes, allocate nothing, and verify no checksum. Time is linear in `size`. Any thread may
 * call them.
 */
#ifndef ANNOT_SHADER_H
#define ANNOT_SHADER_H

#include "annot.h"

ANNOT_BEGIN_DECLS

/* ---- containers ---- */

#define ANNOT_CONTAINER_TAG(a, b, c, d)                                                            \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define ANNOT_SHADER_DIGEST_SIZE 16u

/* A container whose header was read. The caller owns the container's bytes. */
typedef struct annot_container {
    const uint8_t *data;
    size_t size;         /* size of the container as its header says, at most the data's size */
    uint32_t part_count; /* number of parts as the header says; there may be fewer */
} annot_container;

/* Reads a container's header. Returns false if the bytes are not a container of version 1, or if
 * there are fewer bytes than the header says; *out is then unchanged. */
ANNOT_API bool annot_container_open(const void *data, size_t size, annot_container *out);

/* Gets the tag and the content of the container's part `index`. Returns false if the container has
 * no such part, or if the part reaches past the container. */
ANNOT_API bool annot_container_part(const annot_container *container, uint32_t index, uint32_t *tag,
                                    const uint8_t **content, size_t *content_size);

/* ---- shaders ---- */

/* The form of a shader's bytes. A number never changes its meaning. */
typedef enum annot_shader_form {
    ANNOT_SHADER_FORM_OTHER = 0,
    ANNOT_SHADER_FORM_DXBC = 1, /* a container with code of shader model 4 or 5 */
    ANNOT_SHADER_FORM_DXIL = 2, /* a container with code of shader model 6 */
    ANNOT_SHADER_FORM_SPIRV = 3
} annot_shader_form;

/* D3D's program type of a shader, plus 1. A number never changes its meaning. */
typedef enum annot_shader_stage {
    ANNOT_SHADER_STAGE_UNKNOWN = 0,
    ANNOT_SHADER_STAGE_PIXEL = 1,
    ANNOT_SHADER_STAGE_VERTEX = 2,
    ANNOT_SHADER_STAGE_GEOMETRY = 3,
    ANNOT_SHADER_STAGE_HULL = 4,
    ANNOT_SHADER_STAGE_DOMAIN = 5,
    ANNOT_SHADER_STAGE_COMPUTE = 6,
    ANNOT_SHADER_STAGE_LIBRARY = 7,
    ANNOT_SHADER_STAGE_RAY_GENERATION = 8,
    ANNOT_SHADER_STAGE_INTERSECTION = 9,
    ANNOT_SHADER_STAGE_ANY_HIT = 10,
    ANNOT_SHADER_STAGE_CLOSEST_HIT = 11,
    ANNOT_SHADER_STAGE_MISS = 12,
    ANNOT_SHADER_STAGE_CALLABLE = 13,
    ANNOT_SHADER_STAGE_MESH = 14,
    ANNOT_SHADER_STAGE_AMPLIFICATION = 15,
    ANNOT_SHADER_STAGE_NODE = 16
} annot_shader_stage;

/* Returns a stage's static short name: "cs" for COMPUTE, "shader" for an unknown number. */
ANNOT_API const char *annot_shader_stage_text(uint32_t stage);

typedef enum annot_shader_flags {
    ANNOT_SHADER_HAS_DIGEST = 1,    /* the container has code and a checksum, which is not 0 */
    ANNOT_SHADER_HAS_HASH = 2,      /* the container has a hash (a part with the tag HASH) */
    ANNOT_SHADER_HASH_OF_SOURCE = 4 /* the hash also covers the debug information of the source */
} annot_shader_flags;

typedef struct annot_shader {
    uint32_t form;     /* annot_shader_form */
    uint32_t stage;    /* an annot_shader_stage; SPIR-V does not tell the stage */
    uint32_t flags;    /* annot_shader_flags */
    uint32_t reserved; /* 0 */
    uint64_t xxh3;     /* 64-bit XXH3 hash of the shader's bytes; for SPIR-V, of its 32-bit words */
    uint8_t digest[ANNOT_SHADER_DIGEST_SIZE]; /* digest in the container */
    uint8_t hash[ANNOT_SHADER_DIGEST_SIZE];
    /* The name of the debug information, from the part ILDN. The pointer points into the bytes that
     * were passed. The name has no NUL and may be invalid UTF-8. NULL and 0: there is no name. */
    const char *debug_name;
    size_t debug_name_size;
} annot_shader;

/* Reads a shader's description from its bytes. The function uses the first part of each kind, and
 * ignores parts after a damaged part. Returns false, with *out all zeros, if there are no bytes. */
ANNOT_INLINE bool annot_shader_read(const void *data, size_t size, annot_shader *out);

/* The largest number of shaders of one object, and the largest size of a debug name in bytes. */
#define ANNOT_SHADERS_MAX     32u
#define ANNOT_SHADER_NAME_MAX 255u

/* Notes that the pipeline `object` runs `shader`. Dumps keep the shader as long as they keep the
 * object's name, also after the object was destroyed. The library copies the texts. If the shader's
 * bytes don't tell the stage, set `stage`. ANNOT_ERROR_TOO_LARGE: the object has ANNOT_SHADERS_MAX
 * shaders. A long debug name is cut. Any thread. */
ANNOT_INLINE annot_result annot_object_add_shader(annot_object *object, const annot_shader *shader);

/* ---- exported functions; each takes the sizes of its structs, so structs can grow ---- */

ANNOT_API bool annot_shader_read_sized(const void *data, size_t size, annot_shader *out,
                                       size_t out_size);
ANNOT_INLINE bool annot_shader_read(const void *data, size_t size, annot_shader *out)
{
    return annot_shader_read_sized(data, size, out, sizeof *out);
}

ANNOT_API annot_result annot_object_add_shader_sized(annot_object *object,
                                                     const annot_shader *shader,
                                                     size_t shader_size);
ANNOT_INLINE annot_result annot_object_add_shader(annot_object *object, const annot_shader *shader)
{
    return annot_object_add_shader_sized(object, shader, sizeof *shader);
}

ANNOT_END_DECLS

#endif
