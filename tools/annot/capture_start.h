/* Starting a program with the recording library in front of the D3D12 library that it uses. */
#ifndef CAPTURE_START_H
#define CAPTURE_START_H

/* `file`, `runtime`: NULL for what `annot capture` does without. Returns the exit code, if at
 * all. */
int capture_start(char **program, const char *file, const char *runtime);

#endif
