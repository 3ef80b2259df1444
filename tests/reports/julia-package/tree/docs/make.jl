using Documenter, Snowpack

makedocs(sitename = "Snowpack.jl", pages = ["index.md", "models.md"])
