#!/bin/sh
# The curve at some temperatures.
fail=0
t() { got=$(./boilerd -p "$1"); [ "$got" = "$2" ] || { echo "curve $1: $got, not $2"; fail=1; }; }
t 20 20.0
t 0 48.0
t -30 60.0
exit $fail
