#include "os_ask.h"

#include <string.h>

void os_ask_prepare(void)
{
}

int os_ask_take(void)
{
    return -1;
}

void os_ask_answer(int request, bool is_written, const char *text)
{
    (void)request, (void)is_written, (void)text;
}

bool os_ask(uint32_t process, uint64_t milliseconds, char answer[OS_ASK_ANSWER])
{
    (void)process, (void)milliseconds;
    strcpy(answer, "on Windows a program can't be asked yet");
    return false;
}
