defmodule Ferrybook.Repo do
  use Ecto.Repo, otp_app: :ferrybook, adapter: Ecto.Adapters.Postgres
end
