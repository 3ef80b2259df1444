class Reedbed < Formula
  desc "Models the water level of a reed bed"
  homepage "https://marsh.example.org/reedbed"
  url "https://downloads.example.org/reedbed-1.8.0.tar.gz"
  sha256 "1f0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "netcdf"

  def install
    system "cmake", "-S", ".", "-B", "build", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/reedbed --version")
  end
end
