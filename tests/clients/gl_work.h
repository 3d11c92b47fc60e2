/* A compute program that would count the words of storage buffer 0 up; 0: it does not link. The
 * caller deletes it. */
#pragma once

#include "gl_context.h"

GLuint gl_compute_program(void);
