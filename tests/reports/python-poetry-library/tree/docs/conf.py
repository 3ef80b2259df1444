project = "quillet"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.doctest"]
html_theme = "alabaster"
release = "3.4"
