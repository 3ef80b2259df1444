//! The projects.

use super::Project;

const MIT: &str = "MIT License\n\nCopyright (c) 2024 Somebody\n\nPermission is hereby granted, free of charge, to any person\n";

pub(super) const ALL: &[Project] = &[
    Project {
        name: "a Python library",
        files: &[
            (
                "README.rst",
                "Kettle\n======\n\nSee the docs for more.\n\nKettle is a small task queue for boiling jobs.\n\n.. code-block:: text\n\n    $ pip install kettle\n",
            ),
            (
                "pyproject.toml",
                "[project]\nname = \"kettle\"\nversion = \"1.4.0\"\ndescription = \"A small task queue.\"\nlicense = \"BSD-3-Clause\"\nrequires-python = \">=3.10\"\ndependencies = [\"click>=8\", \"redis\"]\n\n[project.scripts]\nkettle = \"kettle.cli:main\"\n\n[dependency-groups]\ntests = [\"pytest\"]\n\n[build-system]\nrequires = [\"hatchling\"]\n\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n",
            ),
            (
                "LICENSE.txt",
                "Redistribution and use in source and binary forms, with or without\nmodification\n\nNeither the name of the copyright holder\n",
            ),
            ("tox.ini", "[tox]\nenvlist = py312,style\n\n[testenv]\ncommands = pytest\n"),
            (
                ".github/workflows/tests.yml",
                "name: tests\non: [push]\njobs:\n  tests:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: uv run tox run\n      - run: ruff check src\n",
            ),
            ("src/kettle/__init__.py", "from .queue import Queue\nfrom .cli import main\n"),
            (
                "src/kettle/queue.py",
                "import os\n\nimport redis\n\n\nclass Queue:\n    \"\"\"Holds the jobs that wait to be boiled.\"\"\"\n\n    def push(self, job):\n        self.jobs.append(job)\n\n    def pop(self):\n        return self.jobs.pop(0)\n\n\nURL = os.environ.get(\"KETTLE_REDIS_URL\")\n",
            ),
            (
                "src/kettle/cli.py",
                "\"\"\"The command line of kettle.\"\"\"\n\nimport click\n\nfrom .queue import Queue\n\n\ndef main():\n    Queue().pop()\n\n\nif __name__ == \"__main__\":\n    main()\n",
            ),
            (
                "tests/test_queue.py",
                "import pytest\n\nfrom kettle.queue import Queue\n\n\ndef test_push():\n    assert Queue()\n\n\ndef test_pop():\n    assert Queue()\n",
            ),
            ("tests/static/index.html", "<h1>Hello World!</h1>\n"),
        ],
        facts: &[
            "Python package `kettle` 1.4.0",
            "A small task queue.",
            "Kettle is a small task queue for boiling jobs.",
            "Written in Python",
            "Licence: BSD-3-Clause (`pyproject.toml` and `LICENSE.txt`)",
            "program `kettle`",
            "`tox` (`tox.ini`)",
            "`uv run tox run`",
            "`ruff check src`",
            "`pip install kettle`",
            "Python >=3.10",
            "class `Queue`, “Holds the jobs that wait to be boiled.”",
            "2 tests in 1 file, in `tests`",
            "pytest (1 file)",
            "`KETTLE_REDIS_URL`",
            "Redis",
            "src/kettle/__init__.py the library",
        ],
        wrong: &["See the docs", "No licence", "No tests", "and BSD (", "`tests/static` holds tests"],
    },
    Project {
        name: "a Node web framework",
        files: &[
            (
                "Readme.md",
                "# Trolley\n\n[![npm](https://x/y.svg)](https://x)\n\n**We're excited to announce Trolley 3, a new release!**\n\nTrolley is a minimal web framework for Node.js.\n\n## Installation\n\n```console\n$ npm install trolley\n```\n",
            ),
            (
                "package.json",
                "{\n  \"name\": \"trolley\",\n  \"version\": \"3.0.1\",\n  \"description\": \"Minimal web framework\",\n  \"license\": \"MIT\",\n  \"main\": \"lib/index.js\",\n  \"bin\": { \"trolley\": \"bin/trolley.js\" },\n  \"engines\": { \"node\": \">= 18\" },\n  \"scripts\": {\n    \"lint\": \"eslint .\",\n    \"test\": \"mocha test/\",\n    \"test-ci\": \"nyc npm test\"\n  },\n  \"dependencies\": {\n    \"debug\": \"^4\",\n    \"qs\": \"^6\"\n  },\n  \"devDependencies\": { \"mocha\": \"^10\" }\n}\n",
            ),
            ("LICENSE", MIT),
            (
                "lib/index.js",
                "'use strict'\n\nconst app = require('./application')\nconst router = require('./router')\nmodule.exports = app\n",
            ),
            (
                "lib/application.js",
                "/**\n * The application: it owns the settings and the router.\n */\n\nconst qs = require('qs')\nconst router = require('./router')\n\nfunction listen () {\n  return process.env.TROLLEY_PORT\n}\nexports.listen = listen\n",
            ),
            (
                "lib/router.js",
                "/**\n * Finds the handler of a path.\n */\n\nconst qs = require('qs')\n\nfunction handle (path) {\n  return path\n}\nexports.handle = handle\n",
            ),
            (
                "test/app.test.js",
                "const app = require('../lib/application')\n\ndescribe('app', function () {\n  it('listens', function () {})\n})\n",
            ),
        ],
        facts: &[
            "npm package `trolley` 3.0.1",
            "Minimal web framework",
            "Trolley is a minimal web framework for Node.js.",
            "Written in JavaScript",
            "Licence: MIT (`package.json` and `LICENSE`)",
            "`npm test`",
            "`npm run lint`",
            "lib/index.js the library of the npm package `trolley`",
            "program `trolley`",
            "Node.js >= 18",
            "Mocha",
            "`TROLLEY_PORT`",
            "`qs` (2 files)",
        ],
        wrong: &["excited to announce", "No tests", "MIT (`package.json`) and MIT"],
    },
    Project {
        name: "a Rust workspace",
        files: &[
            (
                "README.md",
                "finder (fd)\n-----------\nfinder is a line-oriented tool that finds\nfiles.\n\nDual-licensed under MIT or the UNLICENSE.\n",
            ),
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"crates/walk\", \"crates/cli\"]\n\n[workspace.package]\nlicense = \"Unlicense OR MIT\"\n",
            ),
            ("LICENSE-MIT", MIT),
            ("UNLICENSE", "This is free and unencumbered software released into the public domain.\n"),
            (
                "crates/walk/Cargo.toml",
                "[package]\nname = \"finder-walk\"\nversion = \"0.2.0\"\ndescription = \"Walks directories in parallel.\"\n",
            ),
            (
                "crates/walk/src/lib.rs",
                "//! Walks directories in parallel.\n\n/// One step of a walk.\npub struct Step {\n    pub depth: usize,\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a_step_is_small() {}\n}\n",
            ),
            (
                "crates/cli/Cargo.toml",
                "[package]\nname = \"finder\"\nversion = \"0.2.0\"\ndescription = \"Finds files from the command line.\"\n\n[[bin]]\nname = \"fd\"\npath = \"src/main.rs\"\n\n[dependencies]\nfinder-walk = { path = \"../walk\" }\n",
            ),
            (
                "crates/cli/src/main.rs",
                "//! The program.\n\nuse finder_walk::Step;\n\nfn main() {\n    let _ = std::env::var(\"FINDER_THREADS\");\n}\n",
            ),
        ],
        facts: &[
            "finder is a line-oriented tool that finds files.",
            "Written in Rust",
            "Unlicense OR MIT",
            "`cargo build`",
            "`cargo test`",
            "finder-walk",
            "Walks directories in parallel.",
            "Finds files from the command line.",
            "program `fd`",
            "crates/cli/src/main.rs",
            "uses `crates/walk`",
            "1 test in 1 file",
            "`FINDER_THREADS`",
        ],
        wrong: &["No licence", "Dual-licensed under MIT or the UNLICENSE.”", "import each other"],
    },
    Project {
        name: "a Go service",
        files: &[
            ("README.md", "# ferry\n\nferry is a server that carries messages between harbours.\n"),
            (
                "LICENSE",
                "                                 Apache License\n                           Version 2.0, January 2004\n",
            ),
            (
                "go.mod",
                "module example.org/ferry\n\ngo 1.22\n\nrequire (\n\tgithub.com/jackc/pgx/v5 v5.5.0\n\tgithub.com/stretchr/testify v1.9.0\n)\n",
            ),
            ("Makefile", "build:\n\tgo build ./...\n\ntest:\n\tgo test ./...\n\nlint:\n\tgo vet ./...\n"),
            (
                "Dockerfile",
                "FROM golang:1.22 AS build\nRUN go build -o /ferry ./cmd/ferry\nFROM alpine:3.20\nEXPOSE 8080\nCMD [\"/ferry\"]\n",
            ),
            (
                "docker-compose.yml",
                "services:\n  db:\n    image: postgres:16\n  ferry:\n    build: .\n    ports:\n      - \"8080:8080\"\n",
            ),
            (
                "cmd/ferry/main.go",
                "// Command ferry starts the server.\npackage main\n\nimport (\n\t\"os\"\n\n\t\"example.org/ferry/internal/harbour\"\n)\n\nfunc main() {\n\tharbour.Open(os.Getenv(\"FERRY_DSN\"))\n}\n",
            ),
            (
                "internal/harbour/harbour.go",
                "// Package harbour keeps messages until somebody takes them.\npackage harbour\n\n// Harbour keeps messages.\ntype Harbour struct{ dsn string }\n\n// Open opens a harbour.\nfunc Open(dsn string) *Harbour { return &Harbour{dsn} }\n",
            ),
            (
                "internal/harbour/harbour_test.go",
                "package harbour\n\nimport \"testing\"\n\nfunc TestOpen(t *testing.T) {}\n",
            ),
        ],
        facts: &[
            "Go module `example.org/ferry`",
            "ferry is a server that carries messages between harbours.",
            "Written in Go",
            "Apache-2.0",
            "`make test` (`Makefile`)",
            "`make build` (`Makefile`)",
            "`go test ./...`",
            "cmd/ferry/main.go",
            "Package harbour keeps messages until somebody takes them.",
            "`db` (postgres:16)",
            "`8080`",
            "`FERRY_DSN`",
            "Go 1.22",
            "1 test in 1 file",
            "Go's testing",
            "PostgreSQL",
        ],
        wrong: &["No tests", "No licence"],
    },
    Project {
        name: "a Spring application",
        files: &[
            (
                "README.md",
                "# Stables\n\n## Diagrams\n\nSee the presentation here: slides.\n\n## Run\n\nStables is a Spring Boot application that manages horses.\n\n```bash\n./mvnw spring-boot:run\n```\n",
            ),
            (
                "pom.xml",
                "<?xml version=\"1.0\"?>\n<project>\n  <parent>\n    <groupId>org.springframework.boot</groupId>\n    <artifactId>spring-boot-starter-parent</artifactId>\n    <version>3.3.0</version>\n  </parent>\n  <groupId>org.stables</groupId>\n  <artifactId>stables</artifactId>\n  <version>2.0.0</version>\n  <properties>\n    <java.version>17</java.version>\n  </properties>\n  <dependencies>\n    <dependency>\n      <groupId>org.springframework.boot</groupId>\n      <artifactId>spring-boot-starter-web</artifactId>\n    </dependency>\n    <dependency>\n      <groupId>com.h2database</groupId>\n      <artifactId>h2</artifactId>\n    </dependency>\n  </dependencies>\n  <build><plugins><plugin>\n    <artifactId>spring-boot-maven-plugin</artifactId>\n  </plugin></plugins></build>\n</project>\n",
            ),
            ("mvnw", "#!/bin/sh\nexec java\n"),
            (
                "src/main/java/org/stables/StablesApplication.java",
                "package org.stables;\n\nimport org.stables.horse.Horse;\n\n/** Starts the stables. */\npublic class StablesApplication {\n    public static void main(String[] args) {\n        new Horse();\n    }\n}\n",
            ),
            (
                "src/main/java/org/stables/horse/Horse.java",
                "package org.stables.horse;\n\n/**\n * A horse with its name and its box.\n */\npublic class Horse {\n    String name;\n    String box;\n}\n",
            ),
            (
                "src/main/resources/static/site.css",
                "a { color: red; }\nb { color: red; }\nc { color: red; }\nd { color: red; }\ne { color: red; }\nf { color: red; }\ng { color: red; }\nh { color: red; }\ni { color: red; }\nj { color: red; }\nk { color: red; }\nl { color: red; }\n",
            ),
            (
                "src/test/java/org/stables/HorseTest.java",
                "package org.stables;\n\nimport org.junit.jupiter.api.Test;\nimport org.stables.horse.Horse;\n\nclass HorseTest {\n    @Test\n    void neighs() {}\n}\n",
            ),
        ],
        facts: &[
            "Maven project `stables` 2.0.0",
            "Stables is a Spring Boot application that manages horses.",
            "Written in Java",
            "`./mvnw package`",
            "`./mvnw test`",
            "`./mvnw spring-boot:run`",
            "Java 17",
            "StablesApplication.java",
            "A horse with its name and its box.",
            "JUnit",
            "1 test in 1 file, in `src/test`",
            "No licence was found",
            "H2",
        ],
        wrong: &["Written in CSS", "See the presentation", "No tests"],
    },
    Project {
        name: "a Ruby gem",
        files: &[
            (
                "README.md",
                "# Lantern\n\nLantern is a DSL for lighting web pages with little effort.\n\n```ruby\nget '/' do\nend\n```\n\n```shell\ngem install lantern\nbundle exec rake test\n```\n",
            ),
            (
                "lantern.gemspec",
                "Gem::Specification.new do |s|\n  s.name = 'lantern'\n  s.version = '2.1.0'\n  s.description = 'Lights web pages.'\n  s.summary = \"#{s.description}.\"\n  s.license = 'MIT'\n  s.required_ruby_version = '>= 3.0'\n  s.add_dependency 'rack', '~> 3'\nend\n",
            ),
            ("Gemfile", "source 'https://rubygems.org'\ngemspec\ngem 'rake'\ngem 'minitest'\n"),
            ("Rakefile", "task :test do\n  ruby 'test/lantern_test.rb'\nend\n\ntask default: :test\n"),
            ("LICENSE", MIT),
            ("lib/lantern.rb", "# frozen_string_literal: true\n\nrequire 'lantern/base'\n"),
            (
                "lib/lantern/base.rb",
                "require 'rack'\n\nmodule Lantern\n  # The light that every page inherits from.\n  class Base\n    def call(env)\n      env\n    end\n  end\nend\n",
            ),
            (
                "test/lantern_test.rb",
                "require 'minitest/autorun'\nrequire 'lantern/base'\n\nclass LanternTest < Minitest::Test\n  def test_light\n    assert true\n  end\nend\n",
            ),
        ],
        facts: &[
            "Ruby gem `lantern` 2.1.0",
            "Lantern is a DSL for lighting web pages with little effort.",
            "Written in Ruby",
            "Licence: MIT",
            "`rake test` (`Rakefile`)",
            "`bundle install`",
            "Ruby >= 3.0",
            "Minitest",
            "1 test in 1 file, in `test`",
            "lib/lantern.rb",
            "`rack`",
        ],
        wrong: &["#{", "No tests", "frozen_string_literal"],
    },
    Project {
        name: "a PHP application",
        files: &[
            ("README.md", "# Diary\n\nDiary is a personal relationship manager.\n\n## Docs\n\nSee there.\n"),
            (
                "composer.json",
                "{\n    \"name\": \"diaryhq/diary\",\n    \"description\": \"Diary is a personal relationship manager.\",\n    \"license\": \"AGPL-3.0-or-later\",\n    \"require\": {\n        \"php\": \"^8.2\",\n        \"laravel/framework\": \"^11\",\n        \"predis/predis\": \"^2\"\n    },\n    \"require-dev\": { \"phpunit/phpunit\": \"^10\" },\n    \"scripts\": {\n        \"test\": [\"phpunit\"]\n    }\n}\n",
            ),
            (
                "package.json",
                "{\n  \"private\": true,\n  \"scripts\": {\n    \"dev\": \"vite\",\n    \"build\": \"vite build\"\n  },\n  \"dependencies\": { \"vue\": \"^3\" }\n}\n",
            ),
            ("yarn.lock", "# yarn lockfile v1\n"),
            ("LICENSE.md", "GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007\n"),
            (".env.example", "APP_KEY=\nDB_CONNECTION=mysql\n"),
            (
                "app/Models/Contact.php",
                "<?php\n\nnamespace App\\Models;\n\n/**\n * Somebody whom the user knows.\n */\nclass Contact\n{\n    public function name()\n    {\n        return env('DIARY_NAME');\n    }\n}\n",
            ),
            (
                "tests/Unit/ContactTest.php",
                "<?php\n\nnamespace Tests\\Unit;\n\nuse PHPUnit\\Framework\\TestCase;\n\nclass ContactTest extends TestCase\n{\n    public function test_name()\n    {\n        $this->assertTrue(true);\n    }\n}\n",
            ),
        ],
        facts: &[
            "PHP package `diaryhq/diary`",
            "Diary is a personal relationship manager.",
            "Written in PHP",
            "AGPL-3.0-or-later (`composer.json` and `LICENSE.md`)",
            "Laravel",
            "Vue",
            "`composer test`",
            "`yarn build`",
            "`yarn dev`",
            "`APP_KEY`",
            "PHPUnit",
            "Somebody whom the user knows.",
            "Redis",
        ],
        wrong: &["GNU AFFERO", "AGPL-3.0 (", "npm run"],
    },
    Project {
        name: "a C server",
        files: &[
            (
                "README.md",
                "This README is just a quick start document.\n\nWhat is Larder?\n---------------\n\nLarder is a data structure server that keeps things cold.\n\nBuilding Larder\n---------------\n\n    % make\n    % make test\n",
            ),
            (
                "COPYING",
                "Redistribution and use in source and binary forms, with or without\nmodification, are permitted\n",
            ),
            (
                "Makefile",
                "all:\n\tcd src && $(MAKE) all\n\ntest:\n\t./runtest\n\ninstall:\n\tcp src/larder /usr/bin\n",
            ),
            (
                "src/server.c",
                "/* The server: accepts clients and answers them. */\n\n#include \"server.h\"\n#include \"dict.h\"\n\nint main(int argc, char **argv) {\n    return dictSize();\n}\n",
            ),
            (
                "src/server.h",
                "/* What all files share. */\n#include \"dict.h\"\n\nstruct server { int port; };\n",
            ),
            (
                "src/dict.c",
                "/* Hash tables that grow step by step. */\n\n#include \"dict.h\"\n\nint dictSize(void) { return 0; }\n",
            ),
            ("src/dict.h", "/* Hash tables: the interface. */\n\nint dictSize(void);\n"),
            ("deps/lua/lua.c", "#include \"lua.h\"\nint main(void) { return 0; }\n"),
            ("deps/lua/lua.h", "int lua;\n"),
            ("tests/unit.tcl", "test {PING} {\n}\n"),
        ],
        facts: &[
            "Larder is a data structure server that keeps things cold.",
            "Written in C",
            "BSD-2-Clause (`COPYING`)",
            "`make` (`Makefile`",
            "`make test` (`Makefile`",
            "src/server.c",
            "int main(int argc, char **argv)",
            "Hash tables that grow step by step.",
            "The server: accepts clients and answers them.",
        ],
        wrong: &["This README is just", "No licence", "deps/lua/lua.c `int main"],
    },
    Project {
        name: "a C++ header library",
        files: &[
            (
                "README.md",
                "# strand\n\n- [Design goals](#design)\n- [Sponsors](#sponsors)\n\n## Design\n\nThere are many string libraries out there.\n\n## Overview\n\nstrand is a string library for modern C++.\n",
            ),
            (
                "CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.5)\nproject(strand VERSION 1.2.3 LANGUAGES CXX)\nenable_testing()\nadd_library(strand INTERFACE)\n",
            ),
            ("LICENSE.MIT", MIT),
            (
                "include/strand/strand.hpp",
                "#pragma once\n\n#include \"strand/detail.hpp\"\n\nnamespace strand {\n/// A string that shares its bytes.\nclass rope {\npublic:\n    int size() const;\n};\n}\n",
            ),
            (
                "include/strand/detail.hpp",
                "#pragma once\n\nnamespace strand::detail {\n/// Counts users of bytes.\nstruct counter { int users; };\n}\n",
            ),
            (
                "tests/unit.cpp",
                "#include \"doctest.h\"\n#include \"strand/strand.hpp\"\n\nTEST_CASE(\"size\") {}\n",
            ),
        ],
        facts: &[
            "CMake project `strand` 1.2.3",
            "strand is a string library for modern C++.",
            "Written in C++",
            "MIT (`LICENSE.MIT`)",
            "`cmake --build build`",
            "`ctest --test-dir build`",
            "A string that shares its bytes.",
            "include/strand",
        ],
        wrong: &["There are many string libraries", "No licence"],
    },
    Project {
        name: "a .NET solution",
        files: &[
            ("README.md", "# Projector\n\nProjector is a media server.\n"),
            (
                "LICENSE",
                "                    GNU GENERAL PUBLIC LICENSE\n                       Version 2, June 1991\n",
            ),
            (
                "Projector.sln",
                "Microsoft Visual Studio Solution File\nProject(\"{FAE0}\") = \"Projector.Server\", \"Projector.Server\\Projector.Server.csproj\", \"{1}\"\nEndProject\nProject(\"{FAE0}\") = \"Projector.Tests\", \"tests\\Projector.Tests\\Projector.Tests.csproj\", \"{2}\"\nEndProject\n",
            ),
            (
                "Projector.Server/Projector.Server.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk.Web\">\n  <PropertyGroup>\n    <TargetFramework>net9.0</TargetFramework>\n    <OutputType>Exe</OutputType>\n  </PropertyGroup>\n  <ItemGroup>\n    <PackageReference Include=\"Serilog\" Version=\"4.0\" />\n  </ItemGroup>\n</Project>\n",
            ),
            (
                "Projector.Server/Program.cs",
                "using System;\n\nnamespace Projector.Server;\n\n/// <summary>\n/// Starts the server.\n/// </summary>\npublic static class Program\n{\n    public static void Main(string[] args)\n    {\n    }\n}\n",
            ),
            (
                "tests/Projector.Tests/Projector.Tests.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <ItemGroup>\n    <PackageReference Include=\"xunit\" Version=\"2.9\" />\n  </ItemGroup>\n</Project>\n",
            ),
            (
                "tests/Projector.Tests/ProgramTests.cs",
                "using Xunit;\n\nnamespace Projector.Tests;\n\npublic class ProgramTests\n{\n    [Fact]\n    public void Starts()\n    {\n    }\n}\n",
            ),
        ],
        facts: &[
            "Projector is a media server.",
            "Written in C#",
            "GPL-2.0 (`LICENSE`)",
            "`dotnet build`",
            "`dotnet test`",
            "Projector.Server",
            "Projector.Server/Program.cs",
            "xUnit",
            "1 test in 1 file",
            "Projector.Server Projector.Server `Program.cs` (class `Program`, “Starts the server.”)",
        ],
        wrong: &["GNU GENERAL", "No tests"],
    },
];
