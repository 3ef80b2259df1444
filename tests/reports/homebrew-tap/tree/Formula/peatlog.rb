class Peatlog < Formula
  include Language::Python::Virtualenv

  desc "Read cores of peat"
  homepage "https://marsh.example.org/peatlog"
  url "https://downloads.example.org/peatlog-0.31.2.tar.gz"
  sha256 "aa0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1bb"
  license "MIT"
  head "https://git.example.org/marsh/peatlog.git", branch: "main"

  depends_on "python@3.12"

  def install
    virtualenv_install_with_resources
  end

  test do
    (testpath/"core.txt").write "0 12.5\n10 11.8\n"
    assert_match "2 layers", shell_output("#{bin}/peatlog summary core.txt")
  end
end
