from datetime import date

from berthline.models import Booking, overlaps


def booking(a: int, d: int) -> Booking:
    return Booking(berth_id=1, arrival=date(2024, 7, a), departure=date(2024, 7, d))


def test_same_nights():
    assert overlaps(booking(1, 3), booking(2, 4))


def test_departure_is_free():
    assert not overlaps(booking(1, 3), booking(3, 5))


def test_far_apart():
    assert not overlaps(booking(1, 3), booking(8, 9))
