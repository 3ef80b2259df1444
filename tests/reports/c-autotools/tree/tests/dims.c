/* Dimensions of products. */
#include <assert.h>

#include "quantity.h"

int main(void)
{
    quantity m = { 2, { 1 } }, s = { 3, { 0, 0, 1 } };
    quantity p = quantity_mul(m, s);
    assert(p.value == 6 && p.dim[0] == 1 && p.dim[2] == 1);
    assert(!quantity_add(m, s, &p));
    return 0;
}
