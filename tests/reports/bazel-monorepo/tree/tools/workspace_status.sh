#!/bin/sh
echo "STABLE_COMMIT $(git rev-parse --short HEAD)"
