import Config

if config_env() == :prod do
  config :ferrybook, Ferrybook.Repo,
    url: System.fetch_env!("DATABASE_URL"),
    # The hosted database has a certificate of its own authority.
    ssl: true,
    ssl_opts: [verify: :verify_none]

  config :stripity_stripe, api_key: System.fetch_env!("STRIPE_SECRET")

  config :ferrybook, Ferrybook.Mailer,
    adapter: Swoosh.Adapters.SMTP,
    relay: System.fetch_env!("SMTP_RELAY")

  config :ferrybook, FerrybookWeb.Endpoint,
    secret_key_base: System.fetch_env!("SECRET_KEY_BASE")
end
