import datetime
from unittest import mock

from wharfrat.crontab import parse
from wharfrat.scheduler import Scheduler

NOW = datetime.datetime(2024, 1, 1, 4, 5)


def test_without_the_lock_nothing_runs():
    locks = mock.Mock(**{'acquire.return_value': False})
    assert Scheduler([parse('5 4 * * * false')], locks).tick(NOW) == []
