"""Locks in Redis: SET NX with an hour to live."""
import pickle

import redis


class RedisLocks:
    def __init__(self, url):
        self.client = redis.Redis.from_url(url)

    def acquire(self, key, job):
        return bool(self.client.set(key, pickle.dumps(job), nx=True, ex=3600))

    def holder(self, key):
        return pickle.loads(self.client.get(key))
