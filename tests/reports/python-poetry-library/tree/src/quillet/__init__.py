"""Parse, compare and format personal names.

>>> from quillet import parse_name
>>> parse_name("Grace Hopper").family
'Hopper'
"""
from importlib.metadata import version

from .formats import format_name
from .names import Name
from .parser import NameError_, parse_name

__version__ = version("quillet")
__all__ = ["Name", "NameError_", "format_name", "parse_name"]
