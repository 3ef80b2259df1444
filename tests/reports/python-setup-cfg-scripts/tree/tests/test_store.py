import unittest

from rainlog import store


class StoreTest(unittest.TestCase):
    def setUp(self):
        self.db = store.connect(":memory:")

    def test_empty(self):
        self.assertEqual(store.count(self.db, "a", 0, 10), 0)

    def test_one(self):
        store.add(self.db, "a", 5)
        self.assertEqual(store.count(self.db, "a", 0, 10), 1)

    def test_other_gauge(self):
        store.add(self.db, "b", 5)
        self.assertEqual(store.count(self.db, "a", 0, 10), 0)
