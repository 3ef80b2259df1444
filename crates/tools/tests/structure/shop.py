#!/usr/bin/env python3
"""A shop that sells tea.

More words about it.
"""
from __future__ import annotations
import os, sys as system
from .price import Price, Tax
from ..stock import *

__all__ = ["Shop", "open_shop"]


@dataclass
class Shop(Base):
    """A shop."""

    class Meta:
        ordering = ["name"]

    @property
    @cached(key="secret")
    def price(self, *, password="hunter2") -> Price:
        # Why not.
        """What it costs."""
        return 1

    async def sell(self, a, b=1, *rest, **more):
        if a and b or rest:
            for x in [y for y in b if y]:
                try:
                    pass
                except ValueError:
                    pass
        elif b:
            with open("x") as f:
                pass


# Opens a shop.
def open_shop(
    name: str,
    city: str = "Bern",
) -> Shop:
    def inner(): ...
    return Shop()


def _hidden(): pass


def test_sells():
    assert True


if __name__ == "__main__":
    open_shop("x")
