# Package

version       = "1.1.0"
author        = "Aino Lehtimäki"
description   = "Plans the games of a league so that everybody meets everybody"
license       = "MIT"
srcDir        = "src"
bin           = @["roundel"]

# Dependencies

requires "nim >= 1.6.10"
requires "cligen >= 1.6.0"
requires "ical >= 0.20.1"

task docs, "Make the documentation":
  exec "nim doc --project --outdir:htmldocs src/roundel.nim"
