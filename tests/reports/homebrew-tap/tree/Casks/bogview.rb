cask "bogview" do
  version :latest
  sha256 :no_check

  url "https://downloads.example.org/Bogview.dmg"
  name "Bogview"
  desc "Viewer for what peatlog wrote"
  homepage "https://marsh.example.org/bogview"

  app "Bogview.app"
end
