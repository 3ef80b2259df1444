/* galena - convert quantities on the command line.
 *
 * This program is free software; you can redistribute it and/or modify it
 * under the terms of the GNU Lesser General Public License as published by
 * the Free Software Foundation; either version 2.1 of the License, or (at
 * your option) any later version.
 */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "galena.h"

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts(PACKAGE_STRING);
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: galena QUANTITY UNIT\n");
        return 2;
    }
    galena *g = galena_open(NULL);
    double v;
    int status = galena_convert(g, argv[1], argv[2], &v);
    if (status == GALENA_OK)
        printf("%g\n", v);
    else
        fprintf(stderr, "galena: %s\n", galena_error(g));
    galena_close(g);
    return status != GALENA_OK;
}
