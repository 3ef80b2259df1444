defmodule Ferrybook.Application do
  @moduledoc false
  use Application

  @impl true
  def start(_type, _args) do
    children = [
      Ferrybook.Repo,
      {Phoenix.PubSub, name: Ferrybook.PubSub},
      {Oban, Application.fetch_env!(:ferrybook, Oban)},
      FerrybookWeb.Endpoint
    ]

    Supervisor.start_link(children, strategy: :one_for_one, name: Ferrybook.Supervisor)
  end
end
