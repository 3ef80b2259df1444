# frozen_string_literal: true

module Ledgerline
  # Parses MT940, the SWIFT format of statements.
  module MT940
    LINE = /^:61:(\d{6})\d{0,4}(C|D)([\d,]+)/

    def self.parse(text)
      text.scan(LINE).map do |date, sign, amount|
        value = BigDecimal(amount.tr(",", "."))
        Transaction.new(date: "20#{date}", amount: sign == "D" ? -value : value, text: "")
      end
    end
  end
end
