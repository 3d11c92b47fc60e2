/* A compute program that would count the words of storage buffer 0 up; 0: it does not link. The
 * caller deletes it. */
#ifndef TESTS_CLIENTS_GL_WORK_H
#define TESTS_CLIENTS_GL_WORK_H

#include "gl_context.h"

GLuint gl_compute_program(void);

#endif
