#ifndef QUANTITY_H
#define QUANTITY_H

/* Exponents of metre, kilogram, second, ampere, kelvin, mole, candela. */
typedef struct { double value; signed char dim[7]; } quantity;

int quantity_same_dim(const quantity *a, const quantity *b);
quantity quantity_mul(quantity a, quantity b);
int quantity_add(quantity a, quantity b, quantity *out);

#endif
