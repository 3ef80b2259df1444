/* units.c - reads units.dat and looks units and prefixes up. */
#include "galena.h"
#include "quantity.h"

#include <stdio.h>
#include <stdlib.h>

#include "../third_party/mempool/mempool.h"

struct galena {
    mempool *names;
    char error[160];
};

galena *galena_open(const char *units_file)
{
    galena *g = calloc(1, sizeof *g);
    if (g)
        g->names = mempool_new(4096);
    (void)units_file;
    return g;
}

void galena_close(galena *g)
{
    if (!g)
        return;
    mempool_free(g->names);
    free(g);
}

const char *galena_error(const galena *g)
{
    return g->error;
}
