"""Locks in PostgreSQL: a row per key."""
import psycopg


class PostgresLocks:
    def __init__(self, url):
        self.connection = psycopg.connect(url, autocommit=True)

    def acquire(self, key, job):
        sql = 'INSERT INTO wharfrat_locks (key) VALUES (%s) ON CONFLICT DO NOTHING'
        return self.connection.execute(sql, (key,)).rowcount == 1
