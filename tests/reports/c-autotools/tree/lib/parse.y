/* parse.y - the grammar of quantities. */
%{
#include "quantity.h"
int yylex(void);
void yyerror(const char *message);
%}
%define api.prefix {galena_yy}
%union { quantity q; }
%token <q> NUMBER UNIT
%left '+' '-'
%left '*' '/'
%type <q> sum product
%%
sum: product
   | sum '+' product { if (!quantity_add($1, $3, &$$)) YYERROR; }
   ;
product: NUMBER
   | NUMBER UNIT { $$ = quantity_mul($1, $2); }
   | product '*' UNIT { $$ = quantity_mul($1, $3); }
   ;
%%
