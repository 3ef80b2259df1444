"""rainlog-report: monthly tables for the weather office."""
import argparse

from dateutil.relativedelta import relativedelta
from dateutil.parser import parse

from rainlog import store


def month_bounds(text):
    start = parse(text + "-01")
    return int(start.timestamp()), int((start + relativedelta(months=1)).timestamp())


def millimetres(ticks, mm_per_tick=0.2):
    return round(ticks * mm_per_tick, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--month", required=True)
    parser.add_argument("--store", default="/var/lib/rainlog/ticks.db")
    args = parser.parse_args()
    db = store.connect(args.store)
    start, end = month_bounds(args.month)
    print("school", millimetres(store.count(db, "school", start, end)))


if __name__ == "__main__":
    main()
