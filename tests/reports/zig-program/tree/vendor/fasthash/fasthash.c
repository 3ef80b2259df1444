/* fasthash 1.4. Public domain. */
#include "fasthash.h"

uint64_t fasthash64(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t hash = seed ^ (length * 0x880355f21e6d1965ULL);
    while (length--) {
        hash ^= *at++;
        hash *= 0x100000001b3ULL;
    }
    return hash;
}
