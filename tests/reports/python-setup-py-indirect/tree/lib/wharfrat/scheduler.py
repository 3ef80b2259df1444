"""The scheduler: wakes every minute, runs the jobs whose lock it gets."""
import datetime
import subprocess
import time


class Scheduler:
    """Runs jobs of a crontab under locks that all machines share."""

    def __init__(self, jobs, locks):
        self.jobs = jobs
        self.locks = locks

    def tick(self, now):
        ran = []
        for job in self.jobs:
            key = f'{job.command}@{now:%Y%m%d%H%M}'
            if job.due(now) and self.locks.acquire(key, job):
                subprocess.Popen(job.command, shell=True)
                ran.append(job)
        return ran

    def run(self):
        while True:
            self.tick(datetime.datetime.now())
            time.sleep(60 - datetime.datetime.now().second)
