import pandas as pd

from bikerain.clean import without_broken


def frame(counter, hour):
    return pd.DataFrame({"counter": [counter], "hour": pd.to_datetime([hour]), "bicycles": [3]})


def test_broken_counters_are_dropped():
    assert without_broken(frame(7, "2021-04-01 08:00")).empty


def test_others_stay():
    assert len(without_broken(frame(6, "2021-04-01 08:00"))) == 1
