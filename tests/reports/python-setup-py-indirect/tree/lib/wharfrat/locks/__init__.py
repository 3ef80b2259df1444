"""Locks that several machines share."""


def from_url(url):
    """The lock store of a URL."""
    scheme = url.split(':', 1)[0]
    if scheme == 'redis':
        from .redis import RedisLocks
        return RedisLocks(url)
    if scheme == 'postgresql':
        from .postgres import PostgresLocks
        return PostgresLocks(url)
    raise ValueError(f'no lock store: {url}')
