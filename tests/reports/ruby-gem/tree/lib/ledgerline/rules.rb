# frozen_string_literal: true

require_relative "vendor/globber"

module Ledgerline
  # Sorts transactions into accounts by rules written in Ruby.
  class Rules
    # Runs the file as Ruby: load only rules that you trust.
    def self.load(path)
      new.tap { |r| r.instance_eval(File.read(path), path) }
    end

    def initialize
      @rules = []
    end

    def account(transaction = nil, name: nil, like: nil)
      return @rules << [like, name] if name

      found = @rules.find { |pattern, _| Globber.match?(pattern, transaction.text) }
      found ? found.last : "unsorted"
    end
  end
end
