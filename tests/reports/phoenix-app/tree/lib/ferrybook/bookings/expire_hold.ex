defmodule Ferrybook.Bookings.ExpireHold do
  use Oban.Worker, queue: :default

  @impl true
  def perform(%Oban.Job{args: %{"sailing_id" => id, "seats" => seats}}) do
    Ferrybook.Repo.query!("update sailings set booked = booked - $1 where id = $2", [seats, id])
    :ok
  end
end
