defmodule Ferrybook.Sailings.Sailing do
  use Ecto.Schema

  schema "sailings" do
    field :date, :date
    field :departs_at, :time
    field :boat, :string
    field :capacity, :integer
    field :booked, :integer, default: 0
    timestamps()
  end
end
