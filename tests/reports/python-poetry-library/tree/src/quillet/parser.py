"""The parser: splits a string into particle, given, family and suffix."""
from __future__ import annotations

from ._vendor.asciifold import fold
from .names import Name

PARTICLES = {
    "de": {"van", "von", "zu"},
    "nl": {"van", "de", "der", "den"},
    "fr": {"de", "du", "la"},
}
SUFFIXES = {"jr", "jr.", "sr", "sr.", "ii", "iii"}


class NameError_(ValueError):
    """The string holds no name."""


def parse_name(text: str, lang: str = "en") -> Name:
    """Parse ``text`` by the customs of ``lang``."""
    words = text.split()
    if not words:
        raise NameError_("empty")
    suffix = words.pop() if len(words) > 1 and words[-1].lower() in SUFFIXES else ""
    family = words.pop()
    particles = PARTICLES.get(lang, set())
    cut = len(words)
    while cut and fold(words[cut - 1]).lower() in particles:
        cut -= 1
    return Name(" ".join(words[:cut]), " ".join(words[cut:]), family, suffix)
