#include "channel.h"

#include "os.h"
#include "verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static intptr_t pipe_end = -1;
static char token[TOKEN_SIZE];
static unsigned long owner;

void channel_open(char *number, char *secret)
{
    char *end;
    const long long file = strtoll(number, &end, 10);
    if (*end != '\0' || file < 0 || strlen(secret) != TOKEN_SIZE - 1)
        return;
    memcpy(token, secret, TOKEN_SIZE);
    memset(secret, 'x', TOKEN_SIZE - 1);
    pipe_end = (intptr_t)file;
    owner = os_process_id();
    os_keep_to_itself(pipe_end);
}

void channel_send(const char *word, const char *text)
{
    char line[VERDICT_LINE_MAX];
    const int length =
        snprintf(line, sizeof line - 1, "%s%s%s%s%s", pipe_end >= 0 ? token : "conformance:", " ",
                 word, text && text[0] ? " " : "", text ? text : "");
    size_t size = length > 0 ? (size_t)length : 0;
    if (size > sizeof line - 2)
        size = sizeof line - 2;
    for (size_t i = 0; i < size; i++)
        if (line[i] == '\n' || line[i] == '\0')
            line[i] = ' ';
    line[size++] = '\n';
    if (pipe_end < 0) {
        fwrite(line, 1, size, stdout);
        fflush(stdout);
    } else if (owner == os_process_id()) {
        os_write(pipe_end, line, size);
    }
}
