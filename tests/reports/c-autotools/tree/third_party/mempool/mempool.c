/* mempool 0.4.0 - Fixed-size memory pools. */
#include "mempool.h"
#include <stdlib.h>
struct mempool { char *base; unsigned used, size; };
mempool *mempool_new(unsigned size)
{
    mempool *p = malloc(sizeof *p);
    if (p) { p->base = malloc(size); p->used = 0; p->size = size; }
    return p;
}
void mempool_free(mempool *p)
{
    if (p) { free(p->base); free(p); }
}
