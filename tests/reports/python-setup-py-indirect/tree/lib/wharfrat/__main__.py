"""The command line: ``wharfrat run`` and ``wharfrat next``."""
import argparse

from .crontab import load
from .locks import from_url
from .scheduler import Scheduler


def main():
    parser = argparse.ArgumentParser(prog='wharfrat')
    parser.add_argument('command', choices=['run', 'next'])
    parser.add_argument('-c', '--crontab', default='/etc/wharfrat.tab')
    parser.add_argument('--locks', default='redis://localhost/0')
    args = parser.parse_args()
    scheduler = Scheduler(load(args.crontab), from_url(args.locks))
    if args.command == 'run':
        scheduler.run()
    else:
        for job in scheduler.jobs:
            print(job.command)


if __name__ == '__main__':
    main()
