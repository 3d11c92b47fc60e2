/* Buffers: copied, mapped, filled from pixels. */
#include "gl_context.h"
#include "gl_scenes.h"

#include <stdint.h>
#include <string.h>

#define WORDS 1024

static GLuint buffer_create(GLenum target, const void *data, GLsizeiptr size, GLenum usage)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, size, data, usage);
    return buffer;
}

static bool copies(void)
{
    uint32_t sent[WORDS], got[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        sent[i] = i * 2654435761u;
    GLuint buffers[] = {
        buffer_create(GL_COPY_READ_BUFFER, sent, sizeof sent, GL_STATIC_DRAW),
        buffer_create(GL_COPY_WRITE_BUFFER, NULL, sizeof got, GL_DYNAMIC_READ),
    };
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 2048, 2048);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 2048, 0, 2048);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, sizeof got, got);
    EXPECT_NO_GL_ERROR();
    EXPECT(memcmp((char *)got + 2048, sent, 2048) == 0, "the first half did not arrive");
    EXPECT(memcmp(got, (char *)sent + 2048, 2048) == 0, "the second half did not arrive");
    glDeleteBuffers(2, buffers);
    return true;
}

static bool mapping(void)
{
    GLuint buffer = buffer_create(GL_ARRAY_BUFFER, NULL, WORDS * 4, GL_DYNAMIC_COPY);
    uint32_t *words = glMapBufferRange(GL_ARRAY_BUFFER, 0, WORDS * 4,
                                       GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    EXPECT(words != NULL, "no pointer to write");
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = ~i;
    EXPECT(glUnmapBuffer(GL_ARRAY_BUFFER), "unmapped with loss");
    words = glMapBufferRange(GL_ARRAY_BUFFER, 0, WORDS * 4, GL_MAP_READ_BIT);
    EXPECT(words != NULL, "no pointer to read");
    for (uint32_t i = 0; i < WORDS; i++)
        EXPECT(words[i] == ~i, "word %u is %x", i, words[i]);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    EXPECT_NO_GL_ERROR();
    glDeleteBuffers(1, &buffer);
    return true;
}

/* Pixels into a buffer, and out of one into a texture. */
static bool pixel_buffers(void)
{
    static const GLfloat colour[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    static const unsigned char expected[4] = {51, 102, 153, 204};
    unsigned char pixels[16 * 16 * 4], got[16 * 16 * 4];
    GLuint textures[2], framebuffer;
    glGenTextures(2, textures);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16);
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[0], 0);
    glClearBufferfv(GL_COLOR, 0, colour);
    GLuint buffer = buffer_create(GL_PIXEL_PACK_BUFFER, NULL, sizeof pixels, GL_STREAM_READ);
    glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof pixels, pixels);
    for (int i = 0; i < 16 * 16; i++)
        EXPECT(memcmp(pixels + i * 4, expected, 4) == 0, "pixel %d: %d", i, pixels[i * 4]);

    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)i;
    GLuint source = buffer_create(GL_PIXEL_UNPACK_BUFFER, pixels, sizeof pixels, GL_STREAM_DRAW);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[1], 0);
    glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, got);
    EXPECT_NO_GL_ERROR();
    EXPECT(memcmp(got, pixels, sizeof got) == 0, "the texture is not what the buffer was");
    glDeleteBuffers(1, &buffer);
    glDeleteBuffers(1, &source);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(2, textures);
    return true;
}

const struct gl_scene gl_buffer_scenes[] = {
    {"copies of buffers", copies},
    {"mapping of a buffer", mapping},
    {"pixels to and from buffers", pixel_buffers},
    {NULL, NULL},
};
