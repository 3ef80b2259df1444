import Config

config :ferrybook, Ferrybook.Repo,
  username: "postgres",
  password: "postgres",
  database: "ferrybook_test",
  pool: Ecto.Adapters.SQL.Sandbox

config :ferrybook, Oban, testing: :inline
