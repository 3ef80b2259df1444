from portal.letters import letter

SAMPLE = "AKIAIOSFODNN7EXAMPLE"
PASSWORD = "correct-horse-battery-staple-9"


def test_names_of_letters_are_no_keys():
    assert SAMPLE not in (letter.__doc__ or "")
