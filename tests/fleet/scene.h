/*
 * Dumps of programs that a text file describes, for corpora that are data.
 *
 * A line is a statement; what is indented by two more blanks belongs to it.
 *
 *     program NAME                    what follows is this program's
 *     queue NAME direct|compute|copy "OBJECT NAME"
 *     list QUEUE "OBJECT NAME"        a frame's work for a queue, in the order of the file
 *     scope "NAME" / marker "NAME"    what the program marks
 *     repeat LOW-HIGH                 so many times
 *     one                             one of these, the same on a player's machine for ever
 *     any                             one of these, each time anew
 *     maybe PERCENT                   on so many machines
 *     dispatch|draw "SHADER" [hang=FAULT] [unmapped=FAULT] [freed=FAULT:RESOURCE]
 *     copy
 *
 * A fault is a place and what happens there: the shader never ends, or touches memory that never
 * was or that is gone. Every shader has a hash of its own. In names stand for something:
 *
 *     {frame} {i}      the number of the frame, of the innermost repetition
 *     {n:LOW-HIGH}     a number    {hex:DIGITS} {HEX:DIGITS} {guid} {word}
 *     {player:A|B}     one of them, the same on a player's machine wherever the words are the same
 *     {each:A|B}       one of them, each time anew
 */
#ifndef TESTS_FLEET_SCENE_H
#define TESTS_FLEET_SCENE_H

#include "corpus.h"

struct scene;

/* Ends the process with a sentence where the file is wrong. */
struct scene *scene_read(const char *path);
/* unseen3.c: programs whose frames C makes in the place of a file. */
struct scene *unseen3_scene(void);
void scene_free(struct scene *scene);

size_t scene_fault_count(const struct scene *scene);
const char *scene_fault_name(const struct scene *scene, size_t fault);

/* As corpus_play. */
bool scene_play(const struct scene *scene, size_t fault, const struct corpus_run *run,
                const char *path);

#endif
