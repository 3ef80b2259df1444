/* galena.h - compute with quantities with units.
 *
 *   galena *g = galena_open(NULL);
 *   double v;
 *   if (galena_convert(g, "3 ft", "m", &v) == GALENA_OK) ...
 */
#ifndef GALENA_H
#define GALENA_H

typedef struct galena galena;

enum { GALENA_OK, GALENA_SYNTAX, GALENA_UNKNOWN, GALENA_DIMENSION };

galena *galena_open(const char *units_file);
void galena_close(galena *g);

/* Convert the quantity in TEXT to UNIT. */
int galena_convert(galena *g, const char *text, const char *unit, double *out);

const char *galena_error(const galena *g);

#endif
