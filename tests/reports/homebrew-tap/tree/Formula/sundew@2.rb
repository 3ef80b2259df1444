class SundewAT2 < Formula
  desc "Count insects on sticky traps"
  homepage "https://marsh.example.org/sundew"
  url "https://downloads.example.org/sundew-2.9.4.tar.gz"
  sha256 "cc0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1dd"
  license "MIT"

  keg_only :versioned_formula
  deprecate! date: "2024-06-30", because: :unsupported

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
  end

  test do
    system bin/"sundew", "--help"
  end
end
