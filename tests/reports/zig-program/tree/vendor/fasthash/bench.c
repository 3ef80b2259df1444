#include "fasthash.h"
#include <stdio.h>

int main(void)
{
    static char bytes[1 << 20];
    printf("%llx\n", (unsigned long long)fasthash64(bytes, sizeof bytes, 1));
    return 0;
}
