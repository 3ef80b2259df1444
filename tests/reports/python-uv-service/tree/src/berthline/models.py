"""Tables."""
from datetime import date

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Berth(Base):
    __tablename__ = "berths"
    id: Mapped[int] = mapped_column(primary_key=True)
    pier: Mapped[str]
    length_m: Mapped[float]
    depth_m: Mapped[float]


class Booking(Base):
    __tablename__ = "bookings"
    id: Mapped[int] = mapped_column(primary_key=True)
    berth_id: Mapped[int] = mapped_column(ForeignKey("berths.id"))
    arrival: Mapped[date]
    departure: Mapped[date]


def overlaps(a: Booking, b: Booking) -> bool:
    """Whether two bookings of one berth share a night."""
    return a.arrival < b.departure and b.arrival < a.departure
