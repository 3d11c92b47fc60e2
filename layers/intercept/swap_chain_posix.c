#include "swap_chain.h"

void swap_chain_open(void)
{
}
