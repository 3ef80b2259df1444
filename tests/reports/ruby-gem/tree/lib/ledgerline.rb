# frozen_string_literal: true

require "bigdecimal"
require_relative "ledgerline/version"
require_relative "ledgerline/mt940"
require_relative "ledgerline/camt"
require_relative "ledgerline/rules"

# Reads bank statements and sorts their transactions by rules.
module Ledgerline
  Transaction = Struct.new(:date, :amount, :text, keyword_init: true)

  class Error < StandardError; end

  # The transactions of a file; the format is found by looking at it.
  def self.read(path)
    text = File.read(path)
    case text
    when /\A(\{1:|:20:)/ then MT940.parse(text)
    when /camt\.053/ then Camt.parse(text)
    else raise Error, "#{path}: unknown format"
    end
  end
end
