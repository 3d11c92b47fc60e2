#include "gl_context.h"

static bool fail(const char *what)
{
    fprintf(stderr, "opengl: %s: EGL error 0x%04x\n", what, (unsigned)eglGetError());
    return false;
}

bool gl_context_open(struct gl_context *gl)
{
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                        4,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        2,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                                        EGL_TRUE,
                                        EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                        EGL_LOSE_CONTEXT_ON_RESET,
                                        EGL_NONE};
    gl->display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (gl->display == EGL_NO_DISPLAY || !eglInitialize(gl->display, NULL, NULL))
        return fail("no surfaceless display");
    if (!eglBindAPI(EGL_OPENGL_API))
        return fail("no OpenGL");
    gl->context = eglCreateContext(gl->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (gl->context == EGL_NO_CONTEXT)
        return fail("no context of OpenGL 4.2");
    if (!eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context))
        return fail("the context can't be made current");
    return true;
}

/* The display stays: it is the process's, and other threads may have contexts on it. */
void gl_context_close(struct gl_context *gl)
{
    eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(gl->display, gl->context);
}
