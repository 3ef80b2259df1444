defmodule FerrybookWeb.Router do
  use Phoenix.Router
  import Phoenix.LiveView.Router

  pipeline :browser do
    plug :accepts, ["html"]
    plug :fetch_session
    plug :protect_from_forgery
  end

  scope "/", FerrybookWeb do
    pipe_through :browser

    live "/", TimetableLive
    live "/sailings/:id/book", BookLive
    get "/office/manifest/:id", ManifestController, :show
  end
end
