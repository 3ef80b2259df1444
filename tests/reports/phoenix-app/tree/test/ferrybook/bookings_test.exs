defmodule Ferrybook.BookingsTest do
  use ExUnit.Case
  alias Ferrybook.Bookings

  test "a full boat takes nobody" do
    assert_raise Bookings.Full, fn ->
      Bookings.hold(%Ferrybook.Sailings.Sailing{id: 1, capacity: 2, booked: 2}, 1)
    end
  end
end
