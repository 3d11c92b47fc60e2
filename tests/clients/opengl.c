/* An OpenGL program that knows nothing of D3D12, for Mesa's d3d12 driver on the emulator.
 *
 *     opengl DRIVER          plays every scene, then all of them in four threads at once; TAP
 *     opengl --until-reset   works until the context is lost and says how
 *     opengl --draws N [K]   N frames of four draws each; the third of frame K draws one triangle
 *                            too many
 *     opengl --frames N      draws N frames, each with a colour of its own, and reads each back
 */
#include "gl_context.h"
#include "gl_scenes.h"
#include "gl_work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4

static const struct gl_scene *const groups[] = {gl_target_scenes, gl_buffer_scenes, gl_work_scenes};

static unsigned number, failed;

static void tell(bool passed, const char *name)
{
    printf("%sok %u - %s\n", passed ? "" : "not ", ++number, name);
    failed += !passed;
}

static bool is_emulator(const char *driver)
{
    char expected[128];
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    snprintf(expected, sizeof expected, "D3D12 (libannot emulator, driver %s)", driver);
    EXPECT(renderer && strcmp(renderer, expected) == 0, "the renderer is %s",
           renderer ? renderer : "NULL");
    return true;
}

/* ---- four contexts ---- */

static bool play_all(void)
{
    for (size_t group = 0; group < sizeof groups / sizeof groups[0]; group++)
        for (const struct gl_scene *scene = groups[group]; scene->name; scene++)
            if (!scene->play())
                return false;
    return true;
}

static void *play_in_thread(void *user)
{
    struct gl_context gl;
    bool *passed = user;
    *passed = gl_context_open(&gl);
    for (int i = 0; i < 3 && *passed; i++)
        *passed = play_all();
    gl_context_close(&gl);
    eglReleaseThread();
    return NULL;
}

static bool threads(void)
{
    pthread_t ids[THREADS];
    bool passed[THREADS], all = true;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&ids[i], NULL, play_in_thread, &passed[i]) != 0)
            abort();
    for (int i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
        all &= passed[i];
    }
    return all;
}

static int play(const char *driver)
{
    tell(is_emulator(driver), "the renderer is the emulator");
    for (size_t group = 0; group < sizeof groups / sizeof groups[0]; group++)
        for (const struct gl_scene *scene = groups[group]; scene->name; scene++)
            tell(scene->play(), scene->name);
    tell(threads(), "four threads with a context each");
    printf("1..%u\n", number);
    return failed != 0;
}

/* ---- loss ---- */

static const char *reset_name(GLenum status)
{
    switch (status) {
    case GL_GUILTY_CONTEXT_RESET:
        return "GUILTY_CONTEXT_RESET";
    case GL_INNOCENT_CONTEXT_RESET:
        return "INNOCENT_CONTEXT_RESET";
    case GL_UNKNOWN_CONTEXT_RESET:
        return "UNKNOWN_CONTEXT_RESET";
    default:
        return "NO_ERROR";
    }
}

static int work_until_reset(void)
{
    const PFNGLGETGRAPHICSRESETSTATUSPROC reset_status =
        (PFNGLGETGRAPHICSRESETSTATUSPROC)eglGetProcAddress("glGetGraphicsResetStatusARB");
    const GLuint program = gl_compute_program();
    GLuint buffer;
    GLenum status = GL_NO_ERROR;
    if (program == 0 || !reset_status)
        return 1;
    glUseProgram(program);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 256, NULL, GL_DYNAMIC_COPY);
    for (int frame = 0; frame < 100 && status == GL_NO_ERROR; frame++) {
        glDispatchCompute(1, 1, 1);
        glFinish();
        status = reset_status();
    }
    printf("%s\n", reset_name(status));
    fflush(stdout);
    return status == GL_NO_ERROR;
}

/* ---- frames ---- */

#define WIDTH 64

static bool draw_frame(int frame)
{
    unsigned char pixels[WIDTH * WIDTH * 4];
    const unsigned char wanted = (unsigned char)(frame % 256);
    memset(pixels, 0xee, sizeof pixels);
    glClearColor((float)wanted / 255.0f, 0.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(0, 0, WIDTH, WIDTH, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    EXPECT_NO_GL_ERROR();
    for (size_t i = 0; i < sizeof pixels; i += 4)
        EXPECT(pixels[i] == wanted && pixels[i + 1] == 0 && pixels[i + 2] == 255,
               "frame %d, pixel %u", frame, (unsigned)(i / 4));
    return true;
}

static int draw_frames(int count)
{
    GLuint texture, target;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, WIDTH);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    for (int frame = 0; frame < count; frame++)
        if (!draw_frame(frame))
            return 1;
    printf("%d frames\n", count);
    return 0;
}

static GLuint link_program(void)
{
    static const char *const sources[] = {
        "#version 420\nlayout(location = 0) in vec2 place;\nuniform vec2 move;\n"
        "void main() { gl_Position = vec4(place + move, 0, 1); }\n",
        "#version 420\nout vec4 colour;\nvoid main() { colour = vec4(1); }\n"};
    static const GLenum kinds[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    const GLuint program = glCreateProgram();
    GLint linked = 0;
    for (int i = 0; i < 2; i++) {
        const GLuint shader = glCreateShader(kinds[i]);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked ? program : 0;
}

/* Vertices move from frame to frame, so that memory is written for each. */
static int draw_triangles(int frames, int wrong)
{
    GLuint texture, target, array, buffer;
    const GLuint program = link_program();
    if (program == 0)
        return 1;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, WIDTH);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glUseProgram(program);
    for (int frame = 1; frame <= frames; frame++) {
        const float at = (float)frame / (float)frames;
        const float corners[12] = {0, 0, 0, at, at, 0, 1, 1, 1, at, at, 1};
        glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STREAM_DRAW);
        glClear(GL_COLOR_BUFFER_BIT);
        for (int draw = 1; draw <= 4; draw++) {
            glUniform2f(glGetUniformLocation(program, "move"), at, (float)draw);
            glDrawArrays(GL_TRIANGLES, 0, frame == wrong && draw == 3 ? 6 : 3);
        }
        glFinish();
    }
    printf("%d frames\n", frames);
    return glGetError() != GL_NO_ERROR;
}

int main(int argc, char **argv)
{
    struct gl_context gl;
    const bool is_frames = argc == 3 && strcmp(argv[1], "--frames") == 0;
    const bool is_draws = argc >= 3 && argc <= 4 && strcmp(argv[1], "--draws") == 0;
    if (argc != 2 && !is_frames && !is_draws) {
        fprintf(stderr, "usage: opengl DRIVER|--until-reset|--draws N [K]|--frames N\n");
        return 2;
    }
    if (!gl_context_open(&gl))
        return 1;
    const int code = is_frames  ? draw_frames(atoi(argv[2]))
                     : is_draws ? draw_triangles(atoi(argv[2]), argc == 4 ? atoi(argv[3]) : 0)
                     : strcmp(argv[1], "--until-reset") == 0 ? work_until_reset()
                                                             : play(argv[1]);
    gl_context_close(&gl);
    return code;
}
