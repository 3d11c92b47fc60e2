/*
 * The runtime's breadcrumbs as evidence beside the driver's: how many operations of an execution
 * the GPU had completed, counted in memory that no driver can write [ANN-JOIN].
 */
#ifndef ANNOT_LIB_WITNESS_H
#define ANNOT_LIB_WITNESS_H

#include "dump/dump_model.h"

/* After every execution was judged by fences and rows. What breadcrumbs add or contradict becomes
 * the judgement. */
void annot__hear_crumbs(annot_reader *reader);

#endif
