# frozen_string_literal: true

require "test_helper"

class MT940Test < Minitest::Test
  def test_credit
    assert_equal 12.5, Ledgerline::MT940.parse(":61:240301C12,50NTRF\n").first.amount
  end

  def test_debit
    assert_equal(-3, Ledgerline::MT940.parse(":61:240301D3,00NTRF\n").first.amount)
  end

  def test_nothing
    assert_empty Ledgerline::MT940.parse("")
  end
end
