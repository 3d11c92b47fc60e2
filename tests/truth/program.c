#include "program.h"

const char *op_name(unsigned kind)
{
#define OP_NAME(name, what) "OP_" #name,
    static const char *const names[] = {OPS(OP_NAME)};
    return kind < OP_COUNT ? names[kind] : "?";
}

const char *work_name(unsigned work)
{
#define WORK_NAME(name, what) "WORK_" #name,
    static const char *const names[] = {WORKS(WORK_NAME)};
    return work < WORK_COUNT ? names[work] : "?";
}
