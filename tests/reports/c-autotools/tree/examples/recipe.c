/* Scales a recipe; shows how to use the library. */
#include <galena.h>
#include <stdio.h>

int main(void)
{
    galena *g = galena_open(NULL);
    double grams;
    if (galena_convert(g, "2.5 oz", "g", &grams) == GALENA_OK)
        printf("flour %.0f g\n", grams);
    galena_close(g);
    return 0;
}
