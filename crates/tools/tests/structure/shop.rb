# frozen_string_literal: true

# A shop that sells tea.

require 'json'
require_relative 'price'

module Tea
  # A shop.
  class Shop < Base
    attr_reader :teas

    # Opens one.
    def self.open(name, city: 'Bern', &block)
      new(name)
    end

    class << self
      def close; end
    end

    def sell(name, amount = 1, *rest)
      if name && amount
        while amount > 0
          amount -= 1
        end
      elsif amount
        case name
        when 'a' then 1
        end
      end
      return 1 unless name
    end

    private

    def hidden; end
  end
end

describe Tea do
  it 'sells tea' do
  end
end

if __FILE__ == $PROGRAM_NAME
  Tea::Shop.open('x')
end
