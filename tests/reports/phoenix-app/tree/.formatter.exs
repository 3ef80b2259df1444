[
  import_deps: [:ecto, :ecto_sql, :phoenix],
  inputs: ["*.{ex,exs}", "{config,lib,test}/**/*.{ex,exs}"]
]
