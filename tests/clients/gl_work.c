/* Fences, times, and work that shaders would do. */
#include "gl_context.h"
#include "gl_scenes.h"
#include "gl_work.h"

#include <stdint.h>
#include <string.h>

static bool fences(void)
{
    for (int i = 0; i < 20; i++) {
        GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        EXPECT(sync != NULL, "no fence");
        const GLenum state = glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 5000000000u);
        EXPECT(state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED, "0x%04x", state);
        glDeleteSync(sync);
    }
    EXPECT_NO_GL_ERROR();
    return true;
}

static bool timestamps(void)
{
    GLuint queries[2];
    GLuint64 times[2] = {0};
    glGenQueries(2, queries);
    glQueryCounter(queries[0], GL_TIMESTAMP);
    glFinish();
    glQueryCounter(queries[1], GL_TIMESTAMP);
    for (int i = 0; i < 2; i++)
        glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &times[i]);
    EXPECT_NO_GL_ERROR();
    EXPECT(times[0] != 0 && times[0] <= times[1], "%llu, %llu", (unsigned long long)times[0],
           (unsigned long long)times[1]);
    glDeleteQueries(2, queries);
    return true;
}

GLuint gl_compute_program(void)
{
    static const char *const source = "#version 420\n"
                                      "#extension GL_ARB_compute_shader : require\n"
                                      "#extension GL_ARB_shader_storage_buffer_object : require\n"
                                      "layout(local_size_x = 64) in;\n"
                                      "layout(std430, binding = 0) buffer Data { uint words[]; };\n"
                                      "void main() { words[gl_GlobalInvocationID.x] += 1u; }\n";
    GLint linked = 0;
    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return program;
    glDeleteProgram(program);
    return 0;
}

/* Shaders are not executed: the words stay as they were, and the work comes to its end. */
static bool compute(void)
{
    static const GLuint groups[3] = {4, 1, 1};
    uint32_t words[256] = {5}, got[256];
    GLuint buffers[2];
    const GLuint program = gl_compute_program();
    EXPECT(program != 0, "the compute shader does not link");
    glUseProgram(program);
    glGenBuffers(2, buffers);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[0]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof words, words, GL_DYNAMIC_COPY);
    glDispatchCompute(4, 1, 1);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffers[1]);
    glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof groups, groups, GL_STATIC_DRAW);
    glDispatchComputeIndirect(0);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
    EXPECT_NO_GL_ERROR();
    EXPECT(got[0] == 5 && got[255] == 0, "%u, %u", got[0], got[255]);
    glUseProgram(0);
    glDeleteBuffers(2, buffers);
    glDeleteProgram(program);
    return true;
}

static GLuint draw_program(void)
{
    static const char *const sources[] = {
        "#version 420\nvoid main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0, 1); "
        "}\n",
        "#version 420\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n"};
    static const GLenum kinds[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        const GLuint shader = glCreateShader(kinds[i]);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    return program;
}

/* Nothing is rasterised: the clear behind the draws is what is seen. */
static bool draws(void)
{
    static const GLfloat blue[4] = {0, 0, 1, 1};
    static const GLuint arguments[4] = {3, 1, 0, 0};
    static const unsigned char expected[4] = {0, 0, 255, 255};
    unsigned char pixel[4];
    GLuint texture, framebuffer, vertices, buffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, 16, 16);
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
    const GLuint program = draw_program();
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
    glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof arguments, arguments, GL_STATIC_DRAW);
    glDrawArraysIndirect(GL_TRIANGLES, NULL);
    glClearBufferfv(GL_COLOR, 0, blue);
    glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    EXPECT_NO_GL_ERROR();
    EXPECT(memcmp(pixel, expected, 4) == 0, "%d %d %d", pixel[0], pixel[1], pixel[2]);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(1, &buffer);
    glDeleteVertexArrays(1, &vertices);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
    return true;
}

const struct gl_scene gl_work_scenes[] = {
    {"fences", fences},
    {"timestamps", timestamps},
    {"compute, direct and indirect", compute},
    {"draws, direct and indirect", draws},
    {NULL, NULL},
};
