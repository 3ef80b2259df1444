#!/usr/bin/env python3
"""Prints a label for a drawer."""
import sys


def main():
    text = " ".join(sys.argv[1:]) or "?"
    with open("/dev/usb/lp0", "wb") as printer:
        printer.write(b"\x1b@" + text.encode() + b"\n\x0c")


if __name__ == "__main__":
    main()
