/*
 * picojsn: a writer of JSON for small machines.
 *
 * Usage:
 *
 *   int main(int argc, char **argv)
 *   {
 *       char text[32];
 *       picojsn_write(text, sizeof text, "answer", 42);
 *       puts(text);
 *       return 0;
 *   }
 */
#pragma once
#include <stdio.h>

static inline int picojsn_write(char *out, unsigned long room, const char *name, int value)
{
    return snprintf(out, room, "{\"%s\":%d}", name, value);
}
