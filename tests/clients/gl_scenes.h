/* The scenes of the OpenGL program: true, or what was wrong is on stdout. They need a context that
 * is current and leave nothing behind. Expectations are OpenGL's; work that needs a shader is only
 * asked to come to its end. */
#pragma once

#include <stdbool.h>

struct gl_scene {
    const char *name;
    bool (*play)(void);
};

extern const struct gl_scene gl_target_scenes[]; /* ends with a NULL name, as the next */
extern const struct gl_scene gl_buffer_scenes[];
extern const struct gl_scene gl_work_scenes[];
