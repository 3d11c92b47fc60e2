/* An OpenGL context without a window system: EGL's surfaceless platform, which Mesa has. */
#pragma once

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#include <stdbool.h>
#include <stdio.h>

struct gl_context {
    EGLDisplay display;
    EGLContext context;
};

/* Makes a core context of OpenGL 4.2 current that reports resets. False: why is on stderr. */
bool gl_context_open(struct gl_context *gl);
void gl_context_close(struct gl_context *gl);

/* In a scene: says what was expected and ends it. */
#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("# %s:%d: %s: ", __FILE__, __LINE__, #condition);                               \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
            return false;                                                                          \
        }                                                                                          \
    } while (0)
#define EXPECT_NO_GL_ERROR()                                                                       \
    do {                                                                                           \
        const GLenum gl_error = glGetError();                                                      \
        EXPECT(gl_error == GL_NO_ERROR, "0x%04x", gl_error);                                       \
    } while (0)
