# frozen_string_literal: true

require_relative "lib/ledgerline/version"

Gem::Specification.new do |spec|
  spec.name = "ledgerline"
  spec.version = Ledgerline::VERSION
  spec.authors = ["Odile Marchetti"]
  spec.summary = "Read bank statements and sort transactions by rules"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"
  spec.metadata["rubygems_mfa_required"] = "true"

  spec.files = Dir["lib/**/*.rb", "exe/*", "README.md", "LICENSE.txt", "CHANGELOG.md"]
  spec.bindir = "exe"
  spec.executables = ["ledgerline"]

  spec.add_dependency "bigdecimal"
  spec.add_dependency "rexml", "~> 3.3"
end
