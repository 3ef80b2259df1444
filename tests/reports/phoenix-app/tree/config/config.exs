import Config

config :ferrybook, ecto_repos: [Ferrybook.Repo]

config :ferrybook, FerrybookWeb.Endpoint,
  url: [host: "localhost"],
  adapter: Bandit.PhoenixAdapter,
  pubsub_server: Ferrybook.PubSub

config :ferrybook, Oban,
  repo: Ferrybook.Repo,
  queues: [default: 10, mail: 5]

import_config "#{config_env()}.exs"
