/* fasthash 1.4. Public domain. */
#include <stddef.h>
#include <stdint.h>

uint64_t fasthash64(const void *bytes, size_t length, uint64_t seed);
