"""Fills a fresh database with piers of an invented marina."""
import random


def main() -> None:
    for pier in "ABCD":
        for n in range(12):
            print(pier, n, round(random.uniform(6, 18), 1))


if __name__ == "__main__":
    main()
