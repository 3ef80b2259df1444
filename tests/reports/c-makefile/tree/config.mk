VERSION = 0.8
PREFIX = /usr/local
CFLAGS = -std=c11 -Wall -Wextra -O2 -DVERSION=\"$(VERSION)\"
LDLIBS = -lm
