"""Runs the scheduler inside another program."""
from wharfrat import Scheduler
from wharfrat.crontab import load
from wharfrat.locks import from_url


def main():
    Scheduler(load('jobs.tab'), from_url('redis://localhost/0')).run()


if __name__ == '__main__':
    main()
