#!/usr/bin/env python
import os
import re

import setuptools

NAME = 'wharfrat'
RE_META = re.compile(r'__(\w+?)__\s*=\s*(.*)')
HERE = os.path.dirname(os.path.abspath(__file__))


def parse_meta():
    """Extract metadata from the package's __init__."""
    meta = {}
    with open(os.path.join(HERE, 'lib', NAME, '__init__.py')) as fh:
        for line in fh:
            m = RE_META.match(line.strip())
            if m:
                meta[m.group(1)] = m.group(2).strip('"\'')
    return meta


def reqs(*f):
    """Read a requirements file, without comments."""
    with open(os.path.join(HERE, 'requirements', *f)) as fh:
        return [line.split('#')[0].strip() for line in fh if line.strip() and not line.startswith('-r')]


meta = parse_meta()

setuptools.setup(
    name=NAME,
    version=meta['version'],
    description=meta['description'],
    author=meta['author'],
    license=meta['license'],
    package_dir={'': 'lib'},
    packages=setuptools.find_packages('lib'),
    python_requires='>=3.9',
    install_requires=reqs('default.txt'),
    extras_require={'redis': reqs('extras', 'redis.txt'), 'postgres': reqs('extras', 'postgres.txt')},
    entry_points={'console_scripts': ['wharfrat = wharfrat.__main__:main']},
)
