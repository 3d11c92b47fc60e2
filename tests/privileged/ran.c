/* A library that tells that it was loaded, by a file in the current folder. */
#include <stdio.h>

__attribute__((constructor)) static void run(void)
{
    FILE *file = fopen("ran", "w");
    if (file)
        fclose(file);
}
