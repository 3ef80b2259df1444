"""rainlog-fix: marks ticks of a span as bad."""
import argparse

from rainlog import store


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gauge")
    parser.add_argument("start", type=int)
    parser.add_argument("end", type=int)
    args = parser.parse_args()
    db = store.connect("/var/lib/rainlog/ticks.db")
    db.execute("UPDATE ticks SET bad = 1 WHERE gauge = ? AND at BETWEEN ? AND ?", (args.gauge, args.start, args.end))
    db.commit()


if __name__ == "__main__":
    main()
