import unittest

from rainlog.report import millimetres, month_bounds


class ReportTest(unittest.TestCase):
    def test_millimetres(self):
        self.assertEqual(millimetres(7), 1.4)

    def test_month(self):
        start, end = month_bounds("2024-02")
        self.assertEqual(end - start, 29 * 86400)
