from wharfrat.crontab import parse
from wharfrat.locks import from_url


def test_second_machine_does_not_get_it():
    a, b = from_url('redis://localhost/9'), from_url('redis://localhost/9')
    job = parse('@hourly beat')
    assert a.acquire('k', job) and not b.acquire('k', job)
