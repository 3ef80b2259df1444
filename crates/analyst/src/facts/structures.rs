//! How projects are built: where they begin, what they turn on, layers, parts by what they do. Each statement that would
//! be wrong was made once.

use super::Project;

pub(super) const ALL: &[Project] = &[
    Project {
        name: "a framework that ships its tests' tools",
        files: &[
            ("README.md", "# Pier\n\nPier is a framework for harbours.\n"),
            ("LICENSE", "Licensed under Apache 2.0: http://www.apache.org/licenses/LICENSE-2.0\n"),
            (
                "pyproject.toml",
                "[project]\nname = \"pier\"\nversion = \"1.0\"\ndescription = \"A framework for harbours.\"\n\n[build-system]\nrequires = [\"setuptools\"]\n",
            ),
            ("pier/__init__.py", "from pier import conf\n"),
            (
                "pier/__main__.py",
                "\"\"\"Starts pier.\"\"\"\n\nfrom pier.core import management\n\nmanagement.run()\n",
            ),
            ("pier/conf.py", "\"\"\"The settings of a harbour.\"\"\"\n\nNAME = \"pier\"\n"),
            ("pier/core/__init__.py", ""),
            (
                "pier/core/management.py",
                "\"\"\"Commands for those who keep a harbour.\"\"\"\n\nfrom pier import conf\nfrom pier.test.client import Client\n\n\nclass Command:\n    \"\"\"One command.\"\"\"\n\n    def run(self):\n        return Client(conf.NAME)\n",
            ),
            (
                "pier/core/shell.py",
                "\"\"\"A shell for those who keep a harbour.\"\"\"\n\nimport sys\n\nexec(sys.stdin.read(), globals())\n",
            ),
            (
                "pier/config.py",
                "\"\"\"Reads settings.\"\"\"\n\n\ndef load(path):\n    with open(path) as file:\n        exec(compile(file.read(), path, \"exec\"), {})\n",
            ),
            ("pier/test/__init__.py", "\"\"\"The test framework of pier.\"\"\"\n"),
            (
                "pier/test/client.py",
                "\"\"\"A client that plays a ship.\"\"\"\n\nfrom pier import conf\n\n\nclass Client:\n    \"\"\"Plays a ship.\"\"\"\n\n    def test_wind(self):\n        return conf.NAME\n",
            ),
            (
                "tests/test_client.py",
                "import unittest\n\nfrom pier.test.client import Client\n\n\nclass ClientTests(unittest.TestCase):\n    def test_it(self):\n        self.assertTrue(Client())\n",
            ),
        ],
        facts: &[
            "Licence: Apache-2.0 (`LICENSE`)",
            "1 test in 1 file, in `tests`",
            "They import `pier/test`",
            "pier/test “The test framework of pier.”",
            "starts in `pier/__main__.py`, which uses `pier/core/management.py`",
            "`pier/conf.py` (by 3 files: “The settings of a harbour.”)",
        ],
        wrong: &["`tests` and `pier/test`", "concern to look at", "concerns to look at", "×)"],
    },
    Project {
        name: "a program in layers",
        files: &[
            ("README.md", "# Grip\n\nGrip finds words in files.\n"),
            ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
            (
                "Cargo.toml",
                "[package]\nname = \"grip\"\nversion = \"0.1.0\"\nlicense = \"MIT\"\n\n[[bin]]\nname = \"gp\"\npath = \"crates/core/main.rs\"\n\n[workspace]\nmembers = [\"crates/walk\", \"crates/glob\"]\n\n[dependencies]\ngrip-walk = { path = \"crates/walk\" }\n",
            ),
            (
                "crates/core/main.rs",
                "//! The program.\n\nuse crate::{\n    flags::Flags,\n    search::find,\n};\n\nmod flags;\nmod search;\n\nfn main() {\n    find(Flags);\n}\n",
            ),
            ("crates/core/flags.rs", "//! What can be asked.\n\n/// All flags.\npub struct Flags;\n"),
            (
                "crates/core/search.rs",
                "//! Finds words.\n\nuse super::flags::Flags;\nuse grip_walk::Step;\n\npub fn find(_: Flags) -> Step {\n    Step\n}\n",
            ),
            (
                "crates/walk/Cargo.toml",
                "[package]\nname = \"grip-walk\"\nversion = \"0.2.0\"\ndescription = \"Walks directories.\"\n\n[dependencies]\ngrip-glob = { path = \"../glob\" }\n",
            ),
            (
                "crates/walk/src/lib.rs",
                "//! Walks directories.\n\nuse grip_glob::Glob;\n\npub struct Step;\n\npub fn walk(_: Glob) {}\n",
            ),
            (
                "crates/glob/Cargo.toml",
                "[package]\nname = \"grip-glob\"\nversion = \"0.3.0\"\ndescription = \"Matches globs.\"\n",
            ),
            (
                "crates/glob/src/lib.rs",
                "//! Matches globs.\n\npub struct Glob;\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn it_matches() {}\n}\n",
            ),
        ],
        facts: &[
            "The program `gp` starts in `crates/core/main.rs`, which uses `crates/core/flags.rs` and `crates/core/search.rs`",
            "It lies in 3 layers, each using only those named after it: `crates/core`; `crates/walk`; `crates/glob`.",
            "grip-walk crates/walk 0.2.0: “Walks directories.”",
            "uses `crates/glob`; used by `crates/core`",
        ],
        wrong: &[
            "the Rust crate `grip-walk` 0.2.0: “Walks",
            "used by 1 other part",
            "imports none of the others",
        ],
    },
    Project {
        name: "a workspace named for a package of another name",
        files: &[
            (
                "README.md",
                "# core\n\n## Getting started\n\nPlease follow the documentation at kiln.example!\n",
            ),
            (
                ".github/contributing.md",
                "# Contributing\n\nThe packages:\n\n- `fire`: Lights and feeds the fire.\n- `ash`: Carries the ash away.\n- `kiln`: The whole of it in one.\n",
            ),
            ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
            (
                "package.json",
                "{\n  \"private\": true,\n  \"version\": \"3.5.0\",\n  \"packageManager\": \"pnpm@9.0.0\",\n  \"scripts\": {\n    \"check\": \"tsc --noEmit\",\n    \"test\": \"vitest\"\n  },\n  \"devDependencies\": {\n    \"vitest\": \"^2\"\n  }\n}\n",
            ),
            ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n"),
            (
                "packages/kiln/package.json",
                "{\n  \"name\": \"kiln\",\n  \"version\": \"3.5.0\",\n  \"description\": \"Burns clay into pots of any size.\",\n  \"main\": \"index.js\"\n}\n",
            ),
            ("packages/kiln/index.js", "const fire = require('@kiln/fire')\nmodule.exports = fire\n"),
            (
                "packages/kiln/src/index.ts",
                "import { compile } from './compile'\n\nexport function run(text: string) {\n  const { code } = compile(text)\n  return new Function(code)()\n}\n\nexport function build(text: string) {\n  const code = compile(text)\n  return code\n}\n",
            ),
            (
                "packages/kiln/src/compile.ts",
                "export function compile(text: string) {\n  return { code: text }\n}\n",
            ),
            (
                "packages/fire/package.json",
                "{\n  \"name\": \"@kiln/fire\",\n  \"version\": \"3.5.0\",\n  \"main\": \"index.js\"\n}\n",
            ),
            (
                "packages/fire/index.js",
                "const ash = require('@kiln/ash')\nexports.light = function () {\n  return ash\n}\n",
            ),
            (
                "packages/fire/__tests__/fire.spec.ts",
                "import { light } from '../index'\n\ndescribe('fire', () => {\n  it('burns', () => {\n    light()\n  })\n})\n",
            ),
            (
                "packages/ash/package.json",
                "{\n  \"name\": \"@kiln/ash\",\n  \"version\": \"3.5.0\",\n  \"main\": \"index.js\"\n}\n",
            ),
            ("packages/ash/index.js", "exports.carry = function () {}\n"),
        ],
        facts: &[
            "a workspace of 3 npm packages around `kiln` 3.5.0 (`packages/kiln`): “Burns clay into pots of any size.”",
            "Install: `pnpm install` (`package.json`)",
            "Check: `pnpm check` (`package.json`)",
            "@kiln/fire packages/fire “Lights and feeds the fire.”",
            "@kiln/ash packages/ash “Carries the ash away.”",
            "It lies in 3 layers, each using only those named after it: `packages/kiln`; `packages/fire`; `packages/ash`.",
        ],
        wrong: &["Please follow the documentation", "Test: `pnpm check`"],
    },
    Project {
        name: "a solution of projects that refer to each other",
        files: &[
            ("README.md", "# Ore\n\nOre is a small mapper for rows.\n"),
            ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
            ("version.json", "{\n  \"version\": \"2.1\",\n  \"assemblyVersion\": \"2.0.0.0\"\n}\n"),
            (
                "Ore.slnx",
                "<Solution>\n  <Project Path=\"Ore/Ore.csproj\" />\n  <Project Path=\"tests/Ore.Tests/Ore.Tests.csproj\" />\n</Solution>\n",
            ),
            (
                "Build.csproj",
                "<Project Sdk=\"Microsoft.Build.Traversal/2.0.24\">\n  <ItemGroup>\n    <ProjectReference Include=\"Ore*/*.csproj\" />\n  </ItemGroup>\n</Project>\n",
            ),
            (
                "Ore/Ore.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <Description>Maps rows.</Description>\n  </PropertyGroup>\n</Project>\n",
            ),
            (
                "Ore/Mapper.cs",
                "namespace Ore;\n\n/// <summary>Maps rows to objects.</summary>\npublic class Mapper\n{\n    public int Map() { return 1; }\n}\n",
            ),
            (
                "Ore.Sql/Ore.Sql.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <Description>Builds queries.</Description>\n  </PropertyGroup>\n  <ItemGroup>\n    <ProjectReference Include=\"..\\Ore\\Ore.csproj\" />\n  </ItemGroup>\n</Project>\n",
            ),
            (
                "Ore.Sql/Builder.cs",
                "namespace Ore.Sql;\n\npublic class Builder\n{\n    public Mapper Made() { return new Mapper(); }\n}\n",
            ),
            (
                "Ore.Web/Ore.Web.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <Description>Shows rows.</Description>\n  </PropertyGroup>\n  <ItemGroup>\n    <ProjectReference Include=\"..\\Ore.Sql\\Ore.Sql.csproj\" />\n  </ItemGroup>\n</Project>\n",
            ),
            ("Ore.Web/Page.cs", "namespace Ore.Web;\n\npublic class Page\n{\n}\n"),
            (
                "tests/Ore.Tests/Ore.Tests.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <ItemGroup>\n    <PackageReference Include=\"xunit\" />\n    <ProjectReference Include=\"..\\..\\Ore\\Ore.csproj\" />\n  </ItemGroup>\n</Project>\n",
            ),
            (
                "tests/Ore.Tests/MapperTests.cs",
                "using Xunit;\n\npublic class MapperTests\n{\n    [Fact]\n    public void Maps() { }\n}\n",
            ),
        ],
        facts: &[
            "Ore is a small mapper for rows.",
            "Version 2.1 (`version.json`)",
            "It lies in 3 layers, each using only those named after it: `Ore.Web`; `Ore.Sql`; `Ore`.",
            "They import `Ore`.",
        ],
        wrong: &["project `Build`", "Build.csproj"],
    },
    Project {
        name: "a server in one directory, with a map of its files",
        files: &[
            (
                "README.md",
                "Ember\n=====\n\nEmber keeps values in memory.\n\nSource layout\n---\n\n* `src`: contains the server, written in C.\n* `utils`: holds scripts for developers.\n\nserver.c\n---\n\nThis is where the server starts. Then it waits.\n\nnet.c\n---\n\nPeople often ask why.\n",
            ),
            ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
            (
                "CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.16)\nproject(ember C)\nset(EMBER_VERSION_MAJOR 0)\nset(EMBER_VERSION_MINOR 13)\nset(EMBER_VERSION_PATCH 2)\nset(EMBER_VERSION_PRERELEASE \"-dev\") # for packagers\n",
            ),
            ("src/server.h", "struct server {\n  int port;\n};\n"),
            (
                "src/server.c",
                "#include \"server.h\"\n#include \"net.h\"\n\nint main(int argc, char **argv) {\n  return listen_on(6);\n}\n",
            ),
            ("src/net.h", "#include \"server.h\"\n\nint listen_on(int port);\n"),
            (
                "src/net.c",
                "#include \"net.h\"\n#include \"server.h\"\n\n/* Listens on a port. */\nint listen_on(int port) {\n  return port;\n}\n",
            ),
        ],
        facts: &[
            "Ember keeps values in memory.",
            "Version 0.13.2-dev (`CMakeLists.txt`)",
            "src/server.c “This is where the server starts.”",
            "It starts in `src/server.c`, which uses `src/server.h` and `src/net.h`",
            "`src/server.h` (by 3 files",
        ],
        wrong: &["People often ask why", "Version 255"],
    },
    Project {
        name: "a header library",
        files: &[
            ("README.md", "# Mint\n\nMint is a library that formats text.\n"),
            ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
            ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.8)\nproject(MINT CXX)\n"),
            (
                "include/mint/base.h",
                "// The version in the form major * 10000 + minor * 100 + patch.\n#define MINT_VERSION 120201\n\n/// The parts of text.\nclass view {\n public:\n  int size;\n};\n",
            ),
            (
                "include/mint/color.h",
                "#include \"base.h\"\n\n/// A colour of text.\nclass color {\n public:\n  int red;\n};\n",
            ),
            ("src/mint.cc", "#include \"mint/color.h\"\n\nint red() { return 1; }\n"),
            (
                "support/README",
                "This directory contains build support files such as\n\n* CMake modules\n* Build scripts\n",
            ),
            ("support/release.py", "\"\"\"Makes a release.\"\"\"\n\nprint(1)\n"),
        ],
        facts: &["Version 12.2.1 (`include/mint/base.h`)", "such as CMake modules; Build scripts"],
        wrong: &["120201", "such as”"],
    },
    Project {
        name: "a script that one sources",
        files: &[
            ("README.md", "# wheel\n\nwheel is a manager of wheels for any shell.\n"),
            ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
            (
                "wheel.sh",
                "# Manages wheels from any shell.\n\nWHEEL_HOME=\"${WHEEL_HOME:-$HOME/.wheel}\"\n\nwheel_fetch() {\n  curl \"${WHEEL_MIRROR:-https://wheels.example}/x\"\n  echo \"${BASH_VERSION-}\"\n}\n\nwheel() {\n  wheel_fetch \"$@\"\n}\n",
            ),
            ("completion.bash", "# Completes the names of wheels.\n\ncomplete -W 'a b' wheel\n"),
            (
                ".github/workflows/check.yml",
                "name: check\non: [push]\njobs:\n  check:\n    runs-on: ubuntu-latest\n    steps:\n      - run: shellcheck --version\n      - run: shellcheck wheel.sh\n",
            ),
        ],
        facts: &[
            "Written in Shell (100 %)",
            "`WHEEL_MIRROR` (`wheel.sh`)",
            "Check: `shellcheck wheel.sh`",
            "wheel is a manager of wheels for any shell.",
        ],
        wrong: &["shellcheck --version", "`WHEEL_HOME`", "`BASH_VERSION`", "BASH ("],
    },
    Project {
        name: "packages at the end of a long way",
        files: &[
            ("README.md", "# Clinic\n\nClinic is an application for animals.\n"),
            ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
            (
                "pom.xml",
                "<project>\n  <groupId>org.example</groupId>\n  <artifactId>clinic</artifactId>\n  <version>1.0</version>\n</project>\n",
            ),
            (
                "src/main/java/org/example/samples/clinic/Clinic.java",
                "package org.example.samples.clinic;\n\nimport org.example.samples.clinic.owner.Owner;\n\n/** Starts the clinic. */\npublic class Clinic {\n  public static void main(String[] args) {\n    new Owner();\n  }\n}\n",
            ),
            (
                "src/main/java/org/example/samples/clinic/owner/Owner.java",
                "package org.example.samples.clinic.owner;\n\nimport org.example.samples.clinic.model.Person;\n\n/** Somebody who has an animal. */\npublic class Owner extends Person {\n}\n",
            ),
            (
                "src/main/java/org/example/samples/clinic/model/Person.java",
                "package org.example.samples.clinic.model;\n\n/** Somebody with a name. */\npublic class Person {\n}\n",
            ),
        ],
        facts: &[
            "Below, `…/clinic` stands for `src/main/java/org/example/samples/clinic`.",
            "`…/clinic`; `…/clinic/owner`; `…/clinic/model`",
            "It starts in `…/clinic/Clinic.java`, which uses `…/clinic/owner/Owner.java`, and that uses `…/clinic/model/Person.java`",
        ],
        wrong: &["`src/main/java/org/example/samples/clinic/owner`"],
    },
];
