from unittest import mock

import pytest

from wharfrat import crontab


def test_five_fields():
    assert crontab.parse('5 4 * * * backup').command == 'backup'


def test_hourly():
    assert crontab.parse('@hourly beat').minute == '0'


def test_nonsense():
    with pytest.raises(ValueError):
        crontab.parse('hello')


def test_due():
    now = mock.Mock(minute=5, hour=4)
    assert crontab.parse('5 4 * * * backup').due(now)
