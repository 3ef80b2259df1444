# frozen_string_literal: true

require "test_helper"
require "tempfile"

class ReadTest < Minitest::Test
  def test_unknown_format
    Tempfile.create do |f|
      assert_raises(Ledgerline::Error) { Ledgerline.read(f.path) }
    end
  end

  def test_version
    refute_nil Ledgerline::VERSION
  end
end
