require "sidekiq/web"

Rails.application.routes.draw do
  root "tools#index"

  resources :tools, only: %i[index show] do
    resources :loans, only: %i[create]
  end
  resources :loans, only: %i[index update]

  mount Sidekiq::Web => "/sidekiq" if Rails.env.development?
end
