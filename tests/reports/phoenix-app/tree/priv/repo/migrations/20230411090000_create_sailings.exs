defmodule Ferrybook.Repo.Migrations.CreateSailings do
  use Ecto.Migration

  def change do
    create table(:sailings) do
      add :date, :date
      add :departs_at, :time
      add :boat, :string
      add :capacity, :integer
      add :booked, :integer, default: 0
      timestamps()
    end
  end
end
