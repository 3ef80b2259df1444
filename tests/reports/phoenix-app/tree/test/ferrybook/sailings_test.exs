defmodule Ferrybook.SailingsTest do
  use ExUnit.Case, async: true
  alias Ferrybook.Sailings
  alias Ferrybook.Sailings.Sailing

  test "room is never negative" do
    assert Sailings.room_left(%Sailing{capacity: 80, booked: 83}) == 0
  end

  test "room is what is not booked" do
    assert Sailings.room_left(%Sailing{capacity: 80, booked: 20}) == 60
  end
end
