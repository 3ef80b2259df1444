# frozen_string_literal: true

require "test_helper"

class RulesTest < Minitest::Test
  def setup
    @rules = Ledgerline::Rules.new
    @rules.account(name: "rent", like: "*landlord*")
  end

  def test_match
    assert_equal "rent", @rules.account(transaction("To Landlord March"))
  end

  def test_no_match
    assert_equal "unsorted", @rules.account(transaction("Bakery"))
  end

  private

  def transaction(text)
    Ledgerline::Transaction.new(text: text)
  end
end
