# frozen_string_literal: true

# Globber 0.6.2 (c) 2013 T. Ueda, BSD-2-Clause. Copied, because the gem is gone.
module Globber
  VERSION = "0.6.2"

  def self.match?(pattern, text)
    File.fnmatch(pattern, text, File::FNM_CASEFOLD)
  end
end
