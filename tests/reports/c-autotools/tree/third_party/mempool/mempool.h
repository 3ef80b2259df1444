/* mempool 0.4.0 - Fixed-size memory pools. Public header. */
#ifndef MEMPOOL_H
#define MEMPOOL_H
#define MEMPOOL_VERSION "0.4.0"
typedef struct mempool mempool;
mempool *mempool_new(unsigned size);
void mempool_free(mempool *p);
#endif
