from quillet import format_name, parse_name


def test_catalogue():
    assert format_name(parse_name("Grace Hopper")) == "Hopper, Grace"


def test_citation():
    assert format_name(parse_name("Grace Brewster Hopper"), "citation") == "Hopper GB"


def test_sort_key():
    assert parse_name("Ada").sort_key() == "ada"
