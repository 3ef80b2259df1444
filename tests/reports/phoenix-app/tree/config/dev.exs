import Config

config :ferrybook, Ferrybook.Repo,
  username: "postgres",
  password: "postgres",
  hostname: "localhost",
  database: "ferrybook_dev"

config :ferrybook, FerrybookWeb.Endpoint,
  http: [ip: {127, 0, 0, 1}, port: 4000],
  debug_errors: true
