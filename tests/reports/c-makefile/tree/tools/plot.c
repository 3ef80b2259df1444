/* Prints a table of the curve for gnuplot; cc tools/plot.c curve.c -lm */
#include <stdio.h>

#include "../boilerd.h"

int main(void)
{
    struct config c = { "", 1.4, 20, 3, 60 };
    for (int t = -20; t <= 20; t++)
        printf("%d %.1f\n", t, curve_flow(&c, t, 0));
    return 0;
}
