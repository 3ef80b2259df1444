"""Sorts the lines of a file as a catalogue would."""
import sys

from quillet import parse_name


def main() -> None:
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    for line in sorted(lines, key=lambda s: parse_name(s).sort_key()):
        print(line)


if __name__ == "__main__":
    main()
