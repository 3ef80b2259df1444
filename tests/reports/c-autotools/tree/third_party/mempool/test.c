#include <assert.h>
#include "mempool.h"
int main(void)
{
    mempool *p = mempool_new(16);
    assert(p);
    mempool_free(p);
    return 0;
}
