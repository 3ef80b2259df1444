"""Reads crontabs: five fields or @hourly, and a command."""
from dataclasses import dataclass

SHORT = {'@hourly': '0 * * * *', '@daily': '0 0 * * *'}


@dataclass(frozen=True)
class Job:
    minute: str
    hour: str
    command: str

    def due(self, now):
        return self.minute in ('*', str(now.minute)) and self.hour in ('*', str(now.hour))


def parse(line):
    for short, full in SHORT.items():
        line = line.replace(short, full)
    fields = line.split(None, 5)
    if len(fields) < 6:
        raise ValueError(f'no job: {line!r}')
    return Job(fields[0], fields[1], fields[5])


def load(path):
    with open(path) as fh:
        return [parse(line) for line in fh if line.strip() and not line.startswith('#')]
