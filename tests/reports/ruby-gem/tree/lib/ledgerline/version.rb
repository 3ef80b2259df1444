# frozen_string_literal: true

module Ledgerline
  VERSION = "2.4.0"
end
