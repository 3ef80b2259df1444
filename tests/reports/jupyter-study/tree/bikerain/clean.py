"""Brings counts and weather together, hour by hour."""
import pandas as pd

BROKEN = {7: ("2021-03-01", "2021-06-30")}


def without_broken(counts: pd.DataFrame) -> pd.DataFrame:
    """Drops what broken counters said."""
    for counter, (start, end) in BROKEN.items():
        bad = (counts["counter"] == counter) & counts["hour"].between(start, end)
        counts = counts[~bad]
    return counts


def hourly(counts_path: str, weather_path: str) -> pd.DataFrame:
    """One row an hour and counter, with the weather of that hour."""
    counts = without_broken(pd.read_csv(counts_path, parse_dates=["hour"]))
    weather = pd.read_csv(weather_path, sep=";", decimal=",", skiprows=1, parse_dates=["hour"])
    joined = counts.merge(weather, on="hour")
    joined["weekday"] = joined["hour"].dt.dayofweek
    return joined
