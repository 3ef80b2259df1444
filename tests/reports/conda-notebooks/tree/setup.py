from setuptools import find_packages, setup

setup(name="kelpcover", packages=find_packages("src"), package_dir={"": "src"}, version="0.1.0")
