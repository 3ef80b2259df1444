import unittest

from . import fold


class FoldTest(unittest.TestCase):
    def test_umlaut(self):
        self.assertEqual(fold("Müller"), "Muller")

    def test_plain(self):
        self.assertEqual(fold("abc"), "abc")
