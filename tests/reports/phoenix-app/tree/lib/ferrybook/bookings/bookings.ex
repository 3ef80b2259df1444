defmodule Ferrybook.Bookings do
  @moduledoc "Holds, payments and cancellations."

  defmodule Full do
    @moduledoc "Raised when a sailing has no room left."
    defexception message: "no room left"
  end

  alias Ferrybook.Sailings

  @doc "Holds seats for fifteen minutes, until they are paid."
  def hold(sailing, seats) do
    if Sailings.room_left(sailing) < seats, do: raise(Full)
    %{sailing_id: sailing.id, seats: seats}
    |> Ferrybook.Bookings.ExpireHold.new(schedule_in: 900)
    |> Oban.insert()
  end

  def pay(booking, source) do
    Stripe.PaymentIntent.create(%{amount: booking.cents, currency: "eur", payment_method: source})
  end
end
