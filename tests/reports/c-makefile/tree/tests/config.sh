#!/bin/sh
# A missing file is an error.
./boilerd -f -c /nowhere.ini 2>/dev/null && exit 1
exit 0
