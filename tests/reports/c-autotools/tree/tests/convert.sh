#!/bin/sh
# Conversions whose result is known.
set -e
PATH=../src:$PATH
test "$(galena '3 ft' m)" = 0.9144
test "$(galena '2 kWh + 300 kJ' MJ)" = 7.5
