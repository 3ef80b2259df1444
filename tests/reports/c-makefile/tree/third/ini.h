/* ini.h - v2.11 - public domain single-header INI reader
 *
 * Usage example:
 *
 *     #define INI_IMPLEMENTATION
 *     #include "ini.h"
 *     int main(void) { return ini_read("x.ini", print); }
 */
#ifndef INI_H
#define INI_H
int ini_read(const char *file, void (*set)(const char *, const char *));
#ifdef INI_IMPLEMENTATION
#include <stdio.h>
int ini_read(const char *file, void (*set)(const char *, const char *))
{
    char line[256], key[64], value[128];
    FILE *f = fopen(file, "r");
    if (!f) return -1;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, " %63[^= ] = %127[^\n]", key, value) == 2)
            set(key, value);
    fclose(f);
    return 0;
}
#endif
#endif
