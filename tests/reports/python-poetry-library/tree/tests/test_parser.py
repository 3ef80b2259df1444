import pytest

from quillet import NameError_, parse_name


def test_two_words():
    assert parse_name("Grace Hopper").family == "Hopper"


def test_particle():
    assert parse_name("Ludwig van Beethoven", lang="de").particle == "van"


def test_particle_of_another_language():
    assert parse_name("Ludwig van Beethoven", lang="en").particle == ""


def test_suffix():
    assert parse_name("Sammy Davis Jr.").suffix == "Jr."


def test_empty():
    with pytest.raises(NameError_):
        parse_name("  ")
