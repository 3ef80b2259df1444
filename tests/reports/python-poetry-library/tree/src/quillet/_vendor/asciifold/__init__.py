"""Fold Unicode text to ASCII."""
import unicodedata

__version__ = "0.9.2"
__license__ = "BSD-3-Clause"


def fold(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
