# frozen_string_literal: true

require "rexml/document"

module Ledgerline
  # Parses CAMT.053, the XML format of statements.
  module Camt
    def self.parse(text)
      REXML::Document.new(text).get_elements("//Ntry").map do |e|
        Transaction.new(
          date: e.elements["BookgDt/Dt"]&.text,
          amount: BigDecimal(e.elements["Amt"].text),
          text: e.elements["AddtlNtryInf"]&.text.to_s
        )
      end
    end
  end
end
