"""What all notebooks need: helpers for the notebooks."""

__version__ = "0.0.0"
