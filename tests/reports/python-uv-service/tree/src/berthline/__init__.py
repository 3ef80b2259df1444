"""Berth bookings for marinas."""
from berthline.__about__ import __version__

__all__ = ["__version__"]
