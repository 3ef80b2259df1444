ExUnit.start()
Ecto.Adapters.SQL.Sandbox.mode(Ferrybook.Repo, :manual)
