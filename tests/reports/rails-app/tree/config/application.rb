require_relative "boot"

require "rails/all"

Bundler.require(*Rails.groups)

module Commonplace
  VERSION = "2024.3"

  class Application < Rails::Application
    config.load_defaults 7.1
    config.active_job.queue_adapter = :sidekiq
    config.time_zone = "Europe/Dublin"
  end
end
