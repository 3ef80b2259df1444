"""Ticks of rain gauges: collect, correct, tabulate."""

__version__ = "2.3.0"
