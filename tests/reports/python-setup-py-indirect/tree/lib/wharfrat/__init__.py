"""Run scheduled jobs on many machines, each job on one of them."""
__version__ = '0.18.3'
__author__ = 'Fenna de Wit'
__description__ = 'Distributed cron: scheduled jobs on many machines, each run once.'
__license__ = 'BSD-2-Clause'

from .scheduler import Scheduler  # noqa: E402

__all__ = ['Scheduler']
