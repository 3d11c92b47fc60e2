#include "os_ask.h"

#include <string.h>

void os_ask_prepare(void)
{
}

int os_ask_take(void)
{
    return -1;
}

void os_ask_answer(int request, const char *const *paths, unsigned count, const char *why_none)
{
    (void)request, (void)paths, (void)count, (void)why_none;
}

const char *os_ask_refusal(uint32_t process)
{
    (void)process;
    return "on Windows a program can't be asked yet";
}

bool os_ask(uint32_t process, uint64_t milliseconds, char answer[OS_ASK_ANSWER])
{
    (void)milliseconds;
    strcpy(answer, os_ask_refusal(process));
    return false;
}
