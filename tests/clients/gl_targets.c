/* Render targets: cleared, resolved, copied, read back. */
#include "gl_context.h"
#include "gl_scenes.h"

#include <stdint.h>
#include <string.h>

#define SIDE 16

struct target {
    GLuint framebuffer, texture;
};

static struct target target_create(GLenum format, GLenum attachment, GLsizei samples)
{
    struct target target;
    const GLenum kind = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    glGenTextures(1, &target.texture);
    glBindTexture(kind, target.texture);
    if (samples > 1)
        glTexImage2DMultisample(kind, samples, format, SIDE, SIDE, GL_TRUE);
    else
        glTexStorage2D(kind, 1, format, SIDE, SIDE);
    glGenFramebuffers(1, &target.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, kind, target.texture, 0);
    return target;
}

static void target_destroy(struct target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->texture);
}

/* ---- colours ---- */

enum clear_kind { CLEAR_FLOAT, CLEAR_INT, CLEAR_UINT };

struct clear_case {
    const char *name;
    GLenum format;
    enum clear_kind kind;
    float value[4]; /* of integer formats too: small numbers */
    GLenum read_format, read_type;
    unsigned char pixel[16]; /* what reading gives: little-endian, as large as it is */
    size_t pixel_size;
};

#define HALF_ONE  0x00, 0x3c
#define FLOAT_ONE 0x00, 0x00, 0x80, 0x3f

static const struct clear_case clear_cases[] = {
    /* clang-format off */
    {"RGBA8", GL_RGBA8, CLEAR_FLOAT, {1, 0, 0.2f, 1}, GL_RGBA, GL_UNSIGNED_BYTE, {255, 0, 51, 255},
     4},
    {"SRGB8_ALPHA8", GL_SRGB8_ALPHA8, CLEAR_FLOAT, {1, 0, 1, 0}, GL_RGBA, GL_UNSIGNED_BYTE,
     {255, 0, 255, 0}, 4},
    {"R8", GL_R8, CLEAR_FLOAT, {0.6f, 0, 0, 0}, GL_RED, GL_UNSIGNED_BYTE, {153}, 1},
    {"RG8", GL_RG8, CLEAR_FLOAT, {0, 1, 0, 0}, GL_RG, GL_UNSIGNED_BYTE, {0, 255}, 2},
    {"R16F", GL_R16F, CLEAR_FLOAT, {1, 0, 0, 0}, GL_RED, GL_HALF_FLOAT, {HALF_ONE}, 2},
    {"RGBA16F", GL_RGBA16F, CLEAR_FLOAT, {1, 0, 0, 1}, GL_RGBA, GL_HALF_FLOAT,
     {HALF_ONE, 0, 0, 0, 0, HALF_ONE}, 8},
    {"R32F", GL_R32F, CLEAR_FLOAT, {1, 0, 0, 0}, GL_RED, GL_FLOAT, {FLOAT_ONE}, 4},
    {"RGBA32F", GL_RGBA32F, CLEAR_FLOAT, {0, 1, 0, 1}, GL_RGBA, GL_FLOAT,
     {0, 0, 0, 0, FLOAT_ONE, 0, 0, 0, 0, FLOAT_ONE}, 16},
    {"RGBA16", GL_RGBA16, CLEAR_FLOAT, {1, 0, 0, 1}, GL_RGBA, GL_UNSIGNED_SHORT,
     {255, 255, 0, 0, 0, 0, 255, 255}, 8},
    {"RGB10_A2", GL_RGB10_A2, CLEAR_FLOAT, {1, 0, 0, 1}, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV,
     {0xff, 0x03, 0x00, 0xc0}, 4},
    {"R8UI", GL_R8UI, CLEAR_UINT, {7, 0, 0, 0}, GL_RED_INTEGER, GL_UNSIGNED_BYTE, {7}, 1},
    {"RGBA8I", GL_RGBA8I, CLEAR_INT, {-1, 2, -3, 4}, GL_RGBA_INTEGER, GL_BYTE, {0xff, 2, 0xfd, 4},
     4},
    {"R32UI", GL_R32UI, CLEAR_UINT, {65537, 0, 0, 0}, GL_RED_INTEGER, GL_UNSIGNED_INT, {1, 0, 1, 0},
     4},
    {"RG32I", GL_RG32I, CLEAR_INT, {-2, 3, 0, 0}, GL_RG_INTEGER, GL_INT,
     {0xfe, 0xff, 0xff, 0xff, 3, 0, 0, 0}, 8},
    /* clang-format on */
};

static void clear_colour(const struct clear_case *c)
{
    GLint ints[4];
    GLuint uints[4];
    for (int i = 0; i < 4; i++) {
        ints[i] = (GLint)c->value[i];
        uints[i] = (GLuint)(GLint)c->value[i];
    }
    if (c->kind == CLEAR_FLOAT)
        glClearBufferfv(GL_COLOR, 0, c->value);
    else if (c->kind == CLEAR_INT)
        glClearBufferiv(GL_COLOR, 0, ints);
    else
        glClearBufferuiv(GL_COLOR, 0, uints);
}

static bool clear_one(const struct clear_case *c)
{
    unsigned char pixels[SIDE * SIDE * 16];
    struct target target = target_create(c->format, GL_COLOR_ATTACHMENT0, 1);
    EXPECT(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%s", c->name);
    clear_colour(c);
    memset(pixels, 0xcc, sizeof pixels);
    glReadPixels(0, 0, SIDE, SIDE, c->read_format, c->read_type, pixels);
    for (size_t i = 0; i < SIDE * SIDE * c->pixel_size; i++)
        EXPECT(pixels[i] == c->pixel[i % c->pixel_size], "%s: byte %zu of pixel %zu is %02x",
               c->name, i % c->pixel_size, i / c->pixel_size, pixels[i]);
    EXPECT_NO_GL_ERROR();
    target_destroy(&target);
    return true;
}

static bool clears(void)
{
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (size_t i = 0; i < sizeof clear_cases / sizeof clear_cases[0]; i++)
        if (!clear_one(&clear_cases[i]))
            return false;
    return true;
}

/* ---- depth and stencil ---- */

static bool depth_stencil(void)
{
    struct target target = target_create(GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT, 1);
    GLfloat depth[SIDE * SIDE];
    GLubyte stencil[SIDE * SIDE];
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25f, 0x5a);
    glReadPixels(0, 0, SIDE, SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    glReadPixels(0, 0, SIDE, SIDE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
    EXPECT_NO_GL_ERROR();
    for (int i = 0; i < SIDE * SIDE; i++)
        EXPECT(depth[i] == 0.25f && stencil[i] == 0x5a, "%d: %f, %d", i, (double)depth[i],
               stencil[i]);
    target_destroy(&target);
    return true;
}

static bool depth_only(void)
{
    struct target target = target_create(GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT, 1);
    GLfloat depth[SIDE * SIDE];
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glClearDepth(0.75);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glReadPixels(0, 0, SIDE, SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    EXPECT_NO_GL_ERROR();
    EXPECT(depth[0] == 0.75f && depth[SIDE * SIDE - 1] == 0.75f, "%f", (double)depth[0]);
    target_destroy(&target);
    return true;
}

/* ---- several samples, several textures ---- */

static bool resolve(void)
{
    static const GLfloat colour[4] = {0, 1, 0.4f, 1};
    static const unsigned char expected[4] = {0, 255, 102, 255};
    unsigned char pixel[4] = {0};
    struct target many = target_create(GL_RGBA8, GL_COLOR_ATTACHMENT0, 4);
    glClearBufferfv(GL_COLOR, 0, colour);
    struct target one = target_create(GL_RGBA8, GL_COLOR_ATTACHMENT0, 1);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, many.framebuffer);
    glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, one.framebuffer);
    glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    EXPECT_NO_GL_ERROR();
    EXPECT(memcmp(pixel, expected, 4) == 0, "%d %d %d %d", pixel[0], pixel[1], pixel[2], pixel[3]);
    target_destroy(&one);
    target_destroy(&many);
    return true;
}

/* An upload, and a copy from texture to texture. */
static bool textures(void)
{
    unsigned char sent[SIDE * SIDE * 4], got[SIDE * SIDE * 4];
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (unsigned char)(i * 7);
    struct target from = target_create(GL_RGBA8, GL_COLOR_ATTACHMENT0, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, sent);
    struct target to = target_create(GL_RGBA8, GL_COLOR_ATTACHMENT0, 1);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIDE, SIDE);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, to.framebuffer);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, got);
    EXPECT_NO_GL_ERROR();
    EXPECT(memcmp(sent, got, sizeof sent) == 0, "the copy differs");
    target_destroy(&to);
    target_destroy(&from);
    return true;
}

const struct gl_scene gl_target_scenes[] = {
    {"clears of fourteen formats", clears},
    {"clear of depth and stencil", depth_stencil},
    {"clear of a depth buffer without stencil", depth_only},
    {"resolve of four samples", resolve},
    {"upload and copy of textures", textures},
    {NULL, NULL},
};
