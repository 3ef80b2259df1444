/* quantity.c - arithmetic of quantities; additions check dimensions. */
#include "quantity.h"

#include <string.h>

int quantity_same_dim(const quantity *a, const quantity *b)
{
    return memcmp(a->dim, b->dim, sizeof a->dim) == 0;
}

quantity quantity_mul(quantity a, quantity b)
{
    a.value *= b.value;
    for (int i = 0; i < 7; i++)
        a.dim[i] += b.dim[i];
    return a;
}

int quantity_add(quantity a, quantity b, quantity *out)
{
    if (!quantity_same_dim(&a, &b))
        return 0;
    *out = a;
    out->value += b.value;
    return 1;
}
