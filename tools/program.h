/* What every program does before it reads its arguments. */
#ifndef TOOLS_PROGRAM_H
#define TOOLS_PROGRAM_H

/* The arguments as UTF-8, for as long as the process lives; standard output takes bytes as they
 * are, and a closed pipe shows up where writing fails. Call it first. */
char **program_set_up(int argc, char **argv);

#endif
