"""The value that the parser returns."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    given: str
    particle: str
    family: str
    suffix: str = ""

    def sort_key(self) -> str:
        rest = " ".join(x for x in (self.given, self.particle) if x)
        return f"{self.family}, {rest}".lower().rstrip(", ")
