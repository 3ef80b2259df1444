defmodule FerrybookWeb.Endpoint do
  use Phoenix.Endpoint, otp_app: :ferrybook

  socket "/live", Phoenix.LiveView.Socket
  plug Plug.Static, at: "/", from: :ferrybook, only: ~w(assets favicon.ico)
  plug Plug.Parsers, parsers: [:urlencoded, :json], json_decoder: Jason
  plug FerrybookWeb.Router
end
