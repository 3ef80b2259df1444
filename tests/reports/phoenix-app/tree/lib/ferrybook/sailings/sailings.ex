defmodule Ferrybook.Sailings do
  @moduledoc "The timetable, and how much room each sailing has left."

  import Ecto.Query
  alias Ferrybook.Repo
  alias Ferrybook.Sailings.Sailing

  def on(date), do: Repo.all(from s in Sailing, where: s.date == ^date, order_by: s.departs_at)

  def room_left(%Sailing{capacity: capacity, booked: booked}), do: max(capacity - booked, 0)
end
