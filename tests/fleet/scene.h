/* Dumps of programs that a text file describes, for corpora that are data.
 *
 * A line is a statement; what is indented by two more blanks belongs to it.
 *
 *     program NAME                    what follows is this program's
 *     queue NAME direct|compute|copy "OBJECT NAME"
 *     list QUEUE "OBJECT NAME"        a frame's work for a queue, in the order of the file
 *     scope "NAME" / marker "NAME"    what the program marks
 *     part NAME / use NAME            what is said once, above, and stands where it is used
 *     repeat LOW-HIGH [SETTING]       so many times; with a setting, the same on a machine for ever
 *     one [SETTING]                   one of these, the same on a player's machine for ever
 *     any                             one of these, each time anew
 *     shuffle                         all of these, each time in another order
 *     maybe PERCENT [SETTING]         on so many machines
 *     dispatch|draw "SHADER" [hang=FAULT] [unmapped=FAULT] [freed=FAULT:RESOURCE]
 *     copy
 *
 * A setting is a word: all statements of one kind that have it decide alike. A fault is what
 * happens at a place: the shader never ends, or touches memory that never was or that is gone.
 * Where several places have a fault, a run has it in one of them; a machine with it has the
 * settings that lead there. Every shader has a hash of its own. In names stand for something:
 *
 *     {frame} {i}      the number of the frame, of the innermost repetition
 *     {n:LOW-HIGH}     a number    {hex:DIGITS} {HEX:DIGITS} {guid} {word}
 *     {player:A|B}     one of them, the same on a player's machine wherever the words are the same
 *     {each:A|B}       one of them, each time anew
 */
#pragma once

#include "corpus.h"

struct scene;

/* Ends the process with a sentence where the file is wrong. */
struct scene *scene_read(const char *path);
void scene_free(struct scene *scene);

size_t scene_fault_count(const struct scene *scene);
const char *scene_fault_name(const struct scene *scene, size_t fault);

/* As corpus_play. */
bool scene_play(const struct scene *scene, size_t fault, const struct corpus_run *run,
                const char *path);
