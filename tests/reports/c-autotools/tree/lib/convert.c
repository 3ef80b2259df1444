/* convert.c - the lexer in front of the grammar, and galena_convert(). */
#include "galena.h"
#include "quantity.h"

#include <ctype.h>
#include <stdlib.h>

int galena_yyparse(void);

static const char *at;
quantity galena_result;

int galena_yylex(void)
{
    while (isspace((unsigned char)*at))
        at++;
    if (isdigit((unsigned char)*at) || *at == '.') {
        char *end;
        galena_result.value = strtod(at, &end);
        at = end;
        return 258;
    }
    return *at ? *at++ : 0;
}

int galena_convert(galena *g, const char *text, const char *unit, double *out)
{
    (void)g;
    (void)unit;
    at = text;
    if (galena_yyparse() != 0)
        return GALENA_SYNTAX;
    *out = galena_result.value;
    return GALENA_OK;
}
