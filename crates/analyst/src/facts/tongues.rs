//! Projects in languages and tools that were read badly once: each statement that would be wrong was made.

use super::Project;

const MIT: &str = "MIT License\n\nPermission is hereby granted, free of charge, to any person\n";

pub(super) const ALL: &[Project] = &[
    Project {
        name: "a Swift package with its manual",
        files: &[
            ("README.md", "# Plume\n\nPlume is a library that draws feathers.\n"),
            ("LICENSE", MIT),
            (
                "Package.swift",
                "// swift-tools-version:5.9\nimport PackageDescription\n\nlet package = Package(name: \"Plume\",\n    products: [.library(name: \"Plume\", targets: [\"Plume\"])],\n    targets: [.target(name: \"Plume\", path: \"Source\"), .testTarget(name: \"PlumeTests\", path: \"Tests\")])\n",
            ),
            ("Plume.podspec", "Pod::Spec.new do |s|\n  s.name = 'Plume'\n  s.version = '2.4.1'\nend\n"),
            ("Gemfile", "source 'somewhere'\ngem 'jazzy'\n"),
            (
                "Source/Plume.swift",
                "import Foundation\n\n/// Draws feathers.\npublic final class Plume {\n    public let barbs: Int = 3\n}\n",
            ),
            (
                "Source/Barb.swift",
                "import Foundation\n\nextension Error {\n    var asBarb: Int { 1 }\n}\n\npublic struct Barb {\n    let plume: Plume\n}\n",
            ),
            (
                "Source/Quill.swift",
                "import Foundation\n\n// Error Error: words in a comment.\npublic struct Quill {\n    let plume: Plume\n    let error: Error\n}\n",
            ),
            (
                "Source/Vane.swift",
                "import Foundation\n\npublic struct Vane {\n    let plume: Plume\n    let error: Error\n}\n",
            ),
            (
                "Source/Down.swift",
                "import Foundation\n\npublic struct Down {\n    let plume: Plume\n    let error: Error\n}\n",
            ),
            (
                "Tests/PlumeTests.swift",
                "import XCTest\n@testable import Plume\n\nfinal class PlumeTests: XCTestCase {\n    func testBarbs() {\n        XCTAssertEqual(Plume().barbs, 3)\n    }\n}\n",
            ),
            (
                "Tests/QuillTests.swift",
                "import Testing\n@testable import Plume\n\n@Test func quills() {\n    #expect(true)\n}\n",
            ),
            (
                "docs/index.html",
                "<html>\n<body>\n<p>One</p>\n<p>Two</p>\n<p>Three</p>\n<p>Four</p>\n<p>Five</p>\n<p>Six</p>\n<p>Seven</p>\n<p>Eight</p>\n</body>\n</html>\n",
            ),
            (
                "docs/js/search.js",
                "function find(a) {\n  return a;\n}\nfunction show(a) {\n  return a;\n}\nfunction hide(a) {\n  return a;\n}\n",
            ),
            ("watch Example/App.swift", "import Foundation\n\nstruct App {\n    let plume = 1\n}\n"),
        ],
        facts: &[
            "is the Swift package `Plume`",
            "Plume is a library that draws feathers.",
            "Written in Swift (100 %)",
            "built with Swift Package Manager",
            "Version 2.4.1 (`Plume.podspec`)",
            "`swift build`",
            "`swift test`",
            "XCTest",
            "Source/Plume.swift the library of the Swift package `Plume`",
        ],
        wrong: &[
            "Go's testing",
            "JavaScript (",
            "built with Bundler",
            "extension `Error` of",
            "`docs` (",
            "watch Example/App.swift",
        ],
    },
    Project {
        name: "an Elixir application",
        files: &[
            ("README.md", "# Kelp\n\nKelp is a library that grows forests of messages.\n"),
            ("LICENSE", MIT),
            (
                "mix.exs",
                "defmodule Kelp.MixProject do\n  use Mix.Project\n\n  @version \"1.2.0\"\n\n  def project do\n    [\n      app: :kelp,\n      version: @version\n    ]\n  end\nend\n",
            ),
            (
                "package.json",
                "{\n  \"name\": \"kelp\",\n  \"version\": \"1.2.0\",\n  \"main\": \"priv/static/kelp.js\"\n}\n",
            ),
            ("priv/static/kelp.js", "function wave() {\n  return 1;\n}\n"),
            (
                "lib/kelp.ex",
                "defmodule Kelp do\n  @moduledoc \"\"\"\n  Grows forests of messages.\n\n  More of it.\n  \"\"\"\n\n  def grow(a), do: a\n\n  def cut(a), do: a\nend\n",
            ),
            (
                "lib/kelp/frond.ex",
                "defmodule Kelp.Frond do\n  @moduledoc \"\"\"\n  What is returned by `forest[frond]`.\n  \"\"\"\n\n  defstruct [:name]\nend\n",
            ),
            (
                "test/kelp_test.exs",
                "defmodule KelpTest do\n  use ExUnit.Case\n\n  test \"grows\" do\n    assert Kelp.grow(1) == 1\n  end\n\n  describe \"cut\" do\n    test \"cuts\" do\n      assert Kelp.cut(1) == 1\n    end\n  end\nend\n",
            ),
        ],
        facts: &[
            "Elixir application `kelp` 1.2.0",
            "Tests: 2 tests in 1 file, in `test`. Framework: ExUnit",
            "lib/kelp.ex the library of the Elixir application `kelp`",
            "priv/static/kelp.js the library of the npm package `kelp`",
            "“Grows forests of messages.”",
            "forest[frond]",
            "`mix test`",
        ],
        wrong: &["kelp.js the library of the Elixir application", "forestfrond", "mix.exs “"],
    },
    Project {
        name: "a Haskell program",
        files: &[
            (
                "README.md",
                "# tern\n\nTern is a tool that checks the flight of arrows.\n\n```sh\ntern check arrows/*.txt\n~/.cabal/bin/tern lint x\ncabal test\n```\n",
            ),
            (
                "LICENSE",
                "                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007\n",
            ),
            (
                "tern.cabal",
                "cabal-version: 2.0\nname: tern\nversion: 0.3.0\nsynopsis: Checks the flight of arrows\nlicense: GPL-3\n\nexecutable tern\n  main-is: tern.hs\n\ntest-suite all\n  type: exitcode-stdio-1.0\n",
            ),
            ("tern.hs", "import Tern.Wing\n\nmain :: IO ()\nmain = fly\n"),
            (
                "src/Tern/Wing.hs",
                "-- | How wings beat.\nmodule Tern.Wing (fly) where\n\nfly :: IO ()\nfly = return ()\n\nprop_flies1 = True\nprop_flies2 = not False\nprop_flies3 :: Bool\nprop_flies3 = True\n",
            ),
            (
                "src/Tern/Tail.hs",
                "module Tern.Tail where\n\n-- | About a function.\nsteer :: Int\nsteer = 1\n",
            ),
        ],
        facts: &[
            "Haskell package `tern` 0.3.0",
            "built with Cabal",
            "Licence: GPL-3.0 (`tern.cabal` and `LICENSE`)",
            "`cabal build`",
            "`cabal test`",
            "Tests: 3 tests in 1 file",
            "program `tern`",
            "tern.hs `main`",
            "“How wings beat.”",
        ],
        wrong: &["GPL-3 (", "Check: `tern", "bin/tern lint", "About a function"],
    },
    Project {
        name: "a Haskell library",
        files: &[
            ("README.md", "# shoal\n\nshoal is a library of types for fish.\n"),
            ("LICENSE", MIT),
            (
                "shoal.cabal",
                "cabal-version: 2.0\nname: shoal\nversion: 1.2\nsynopsis: Types for fish\nlicense: MIT\n\nlibrary\n  exposed-modules: Data.Shoal\n",
            ),
            ("Setup.hs", "import Distribution.Simple\nmain = defaultMain\n"),
            ("make_list.hs", "main :: IO ()\nmain = print 1\n"),
            (
                "src/Data/Shoal.hs",
                "{- |\n   Module      : Data.Shoal\n   Copyright   : somebody\n   Stability   : alpha\n\nTypes for many fish at once.\n-}\nmodule Data.Shoal where\n\ndata Fish = Fish\n",
            ),
            (
                "test/Main.hs",
                "module Main where\n\nmain :: IO ()\nmain = defaultMain tests\n\ntests =\n  [ testCase \"swims\" swims\n  , testProperty \"turns\" turns\n  ]\n",
            ),
        ],
        facts: &[
            "shoal.cabal the library of the Haskell package `shoal`",
            "“Types for many fish at once.”",
            "Tests: 2 tests in 1 file, in `test`",
        ],
        wrong: &["Setup.hs `main`", "make_list.hs `main`", "It starts in"],
    },
    Project {
        name: "a gem with features",
        files: &[
            ("README.md", "# Loom\n\nLoom is a generator of woven pages.\n"),
            ("LICENSE", MIT),
            ("Gemfile", "source 'somewhere'\ngemspec\ngem 'shoulda'\ngem 'cucumber'\n"),
            (
                "loom.gemspec",
                "Gem::Specification.new do |s|\n  s.name = \"loom\"\n  s.version = \"1.0.0\"\n  s.summary = \"Weaves pages.\"\n  s.license = \"MIT\"\nend\n",
            ),
            (
                "Rakefile",
                "task :spec => :test\nrequire \"rake/testtask\"\nRake::TestTask.new(:test) do |test|\n  test.libs << \"lib\"\nend\n",
            ),
            ("exe/loom", "#!/usr/bin/env ruby\nrequire \"loom\"\nLoom.weave\n"),
            (
                "lib/loom.rb",
                "require \"loom/shuttle\"\n\n# Weaves pages.\nmodule Loom\n  def self.weave\n    Shuttle.new\n  end\nend\n",
            ),
            (
                "lib/loom/shuttle.rb",
                "module Loom\n  class Shuttle\n    def read(path)\n      Marshal.load(File.binread(path))\n    end\n\n    def write(path, value)\n      File.binwrite(path, Marshal.dump(value))\n    end\n  end\nend\n",
            ),
            (
                "test/test_shuttle.rb",
                "require \"helper\"\n\nclass TestShuttle < Minitest::Test\n  context \"A shuttle\" do\n    should \"fly\" do\n      assert true\n    end\n\n    should \"come back\" do\n      assert true\n    end\n  end\nend\n",
            ),
            (
                "features/weave.feature",
                "Feature: weaving\n\n  Scenario: one thread\n    Given a thread\n\n  Scenario Outline: many\n    Given <n> threads\n",
            ),
            ("features/step_definitions/steps.rb", "Given(\"a thread\") do\n  ENV[\"LOOM_STEP\"]\nend\n"),
        ],
        facts: &[
            "Ruby gem `loom`",
            "exe/loom program `loom`",
            "`rake test`",
            "Tests: 4 tests in 2 files, in `features` and `test`",
            "Cucumber (1 file)",
            "Reads back what it has stored",
        ],
        wrong: &["`rake spec`", "LOOM_STEP", "1 test in 1 file"],
    },
    Project {
        name: "a server in C tried with Tcl",
        files: &[
            ("README.md", "# Vat\n\nVat is a server that keeps values in memory.\n"),
            (
                "COPYING",
                "COPYRIGHT AND PERMISSION NOTICE\n\nPermission to use, copy, modify, and distribute this software for any purpose\nwith or without fee is hereby granted.\n\nExcept as contained in this notice, the name of a copyright holder shall not\nbe used.\n",
            ),
            (
                "CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.18 FATAL_ERROR)\nproject(vat C)\nadd_executable(vat src/vat_main.c)\n",
            ),
            (
                ".github/workflows/ci.yml",
                "name: ci\non: [push]\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - run: cmake --build build\n",
            ),
            (
                "Dockerfile",
                "FROM debian:bookworm@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nCOPY . /vat\n",
            ),
            (
                "include/vatver.h",
                "#ifndef VATVER_H\n#define VATVER_H\n#define VAT_VERSION \"8.1.0-DEV\"\n#endif\n",
            ),
            (
                "src/vat_main.c",
                "#include \"vat.h\"\n\n#ifndef UNITTESTS\n\n#ifdef _UNICODE\nint wmain(int argc, wchar_t *argv[])\n#else\nint main(int argc, char *argv[])\n#endif\n{\n  return vat_run(argc);\n}\n\n#endif\n",
            ),
            ("src/vat.h", "int vat_run(int count);\n"),
            (
                "src/vat.c",
                "#include \"vat.h\"\n\nint vat_run(int count) {\n  if(config->insecure_ok) {\n    set(CURLOPT_SSL_VERIFYPEER, 0);\n  }\n  return count;\n}\n",
            ),
            (
                "tests/unit/keys.tcl",
                "start_server {} {\n    test {A key is kept} {\n        r set a 1\n    }\n\n    test \"A key goes\" {\n        r del a\n    }\n}\n",
            ),
        ],
        facts: &[
            "Vat is a server that keeps values in memory.",
            "Licence: curl (`COPYING`)",
            "Version 8.1.0-DEV (`include/vatver.h`)",
            "Build: `cmake -B build` (`CMakeLists.txt`), `cmake --build build`",
            "CMake 3.18",
            "`debian:bookworm`",
            "src/vat_main.c `int main(int argc, char *argv[])`",
            "It starts in `src/vat_main.c`",
            "Tests: 2 tests in 1 file, in `tests`",
        ],
        wrong: &["FATAL_ERROR", "sha256", "No licence was found", "concern to look at"],
    },
    Project {
        name: "a tool of shell tried with urchin",
        files: &[
            ("README.md", "# gale\n\ngale is a version manager for winds.\n"),
            ("LICENSE", MIT),
            (
                "package.json",
                "{\n  \"name\": \"gale\",\n  \"version\": \"0.4.0\",\n  \"scripts\": { \"test\": \"urchin test\" },\n  \"devDependencies\": { \"urchin\": \"^0.0.5\" }\n}\n",
            ),
            ("gale.sh", "#!/bin/sh\n# Manages versions of winds.\n\ngale() {\n  echo \"$GALE_DIR\"\n}\n"),
            ("test/fast/gale_blows", "#!/bin/sh\n\n. ../../gale.sh\n\ngale\n"),
            ("test/fast/Running gale twice should work", "#!/bin/sh\n\n. ../../gale.sh\n\ngale && gale\n"),
            ("test/fast/setup", "#!/bin/sh\n\necho setup\n"),
            ("test/fast/teardown", "#!/bin/sh\n\necho teardown\n"),
        ],
        facts: &[
            "npm package `gale` 0.4.0",
            "Tests: 2 tests in 2 files, in `test`. Framework: urchin",
            "`npm test`",
        ],
        wrong: &["No tests were found"],
    },
];
