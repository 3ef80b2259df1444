#!/bin/sh
# What does not fit must fail.
PATH=../src:$PATH
if galena '1 kg' s 2>/dev/null; then exit 1; fi
if galena '1 florp' m 2>/dev/null; then exit 1; fi
exit 0
