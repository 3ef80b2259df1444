defmodule FerrybookWeb.TimetableLive do
  use Phoenix.LiveView

  def mount(_params, _session, socket) do
    {:ok, assign(socket, sailings: Ferrybook.Sailings.on(Date.utc_today()))}
  end

  def render(assigns) do
    ~H"""
    <li :for={sailing <- @sailings}><%= sailing.boat %> <%= sailing.departs_at %></li>
    """
  end
end
