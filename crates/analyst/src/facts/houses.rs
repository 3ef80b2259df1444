//! Projects of several parts, and such as are not programs at heart, on which reports were wrong once.

use super::Project;

const MIT: &str = "MIT License\n\nPermission is hereby granted, free of charge, to any person\n";

pub(super) const ALL: &[Project] = &[
    Project {
        name: "a package of Python with programs, by setup.cfg",
        files: &[
            ("README.md", "# Post\n\nPost is a client for letters.\n"),
            ("LICENSE", MIT),
            (
                "setup.cfg",
                "[metadata]\nname = post\nversion = 2.1.0\ndescription = A client for letters\nlicense = MIT\n\n[options]\npython_requires = >=3.9\n\n[options.entry_points]\nconsole_scripts =\n    post = post.__main__:main\n    posts=post.__main__:main\n",
            ),
            ("setup.py", "from setuptools import setup\n\nsetup()\n"),
            ("post/__init__.py", "\"\"\"A client for letters.\"\"\"\n"),
            (
                "post/__main__.py",
                "import sys\n\n\ndef main():\n    sys.exit(0)\n\n\nif __name__ == \"__main__\":\n    main()\n",
            ),
            ("tests/test_post.py", "def test_post():\n    assert True\n"),
        ],
        facts: &["programs `post` and `posts`", "A client for letters", "1 test"],
        wrong: &["program `posts=post", "No licence"],
    },
    Project {
        name: "a program of Rust in a directory of its own, beside its library and samples in other languages",
        files: &[
            ("README.md", "# Lamp\n\nLamp shows files in colours.\n"),
            ("LICENSE", MIT),
            (
                "Cargo.toml",
                "[package]\nname = \"lamp\"\nversion = \"0.4.1\"\nedition = \"2024\"\nlicense = \"MIT\"\ndescription = \"Shows files in colours\"\n",
            ),
            ("src/lib.rs", "//! Colours for files.\n\npub mod paint;\n"),
            ("src/paint.rs", "/// A colour.\npub struct Colour(pub u8);\n"),
            (
                "src/bin/lamp/main.rs",
                "#![warn(missing_docs)]\n\nuse lamp::paint::Colour;\n\nfn main() {\n    let Colour(_number) = Colour(1);\n}\n",
            ),
            (
                "tests/shows.rs",
                "#[test]\nfn it_shows() {\n    assert!(true);\n}\n\n#[test]\nfn it_shows_again() {\n    assert!(true);\n}\n",
            ),
            (
                "tests/benchmarks/samples/test_arrays.py",
                "def test_one():\n    assert 1\n\n\ndef test_two():\n    assert 2\n\n\ndef test_three():\n    assert 3\n",
            ),
            ("tests/syntax/source/lisp_shebang", "#!/usr/bin/env tclsh\nputs hello\n"),
        ],
        facts: &[
            "src/bin/lamp/main.rs program `lamp`",
            "2 tests in 1 file, in `tests`",
            "Written in Rust (100 %)",
        ],
        wrong: &["5 tests", "3 tests", "Python "],
    },
    Project {
        name: "packages of pnpm with a tool for work",
        files: &[
            (
                "README.md",
                "# Reel\n\n> This is the development branch of Reel 3.\n\nReel is a tool to manage films.\n",
            ),
            ("LICENSE", MIT),
            (
                "package.json",
                "{\n  \"name\": \"@reel/repository\",\n  \"version\": \"1.0.0\",\n  \"description\": \"A tool to manage films\",\n  \"license\": \"MIT\"\n}\n",
            ),
            (
                "pnpm-workspace.yaml",
                "packages:\n  - \"packages/*\"\n\nminimumReleaseAgeExclude:\n  - \"lathe@8.2.0\"\n",
            ),
            (
                "packages/cut/package.json",
                "{\n  \"name\": \"@reel/cut\",\n  \"version\": \"2.0.0\",\n  \"description\": \"Cuts films\"\n}\n",
            ),
            (
                "packages/cut/src/index.ts",
                "import { Film } from \"@reel/film\";\n\nexport function cut(film: Film) {\n  return film;\n}\n",
            ),
            (
                "packages/cut/src/index.test.ts",
                "import { expect, it } from \"vitest\";\nimport { cut } from \"./index\";\n\nit(\"cuts\", () => {\n  expect(cut).toBeTruthy();\n});\nit(\"cuts again\", () => {\n  expect(cut).toBeTruthy();\n});\n",
            ),
            (
                "packages/film/package.json",
                "{\n  \"name\": \"@reel/film\",\n  \"version\": \"2.0.0\",\n  \"description\": \"What films are\",\n  \"main\": \"dist/film.cjs\"\n}\n",
            ),
            (
                "packages/film/src/index.ts",
                "export interface Film {\n  name: string;\n  frames: number;\n}\n",
            ),
            (
                "packages/film/scripts/schema.ts",
                "import { Film } from \"../src/index\";\n\nif (import.meta.main) {\n  console.log({} as Film);\n}\n",
            ),
        ],
        facts: &[
            "one workspace of `packages/*`.",
            "packages/film/src/index.ts the library of the npm package `@reel/film`",
            "“Cuts films”; 4 lines of code, 8 of tests",
        ],
        wrong: &["lathe@8.2.0", "It starts in `packages/film/scripts", "development branch"],
    },
    Project {
        name: "sets of sources of Kotlin",
        files: &[
            ("README.md", "# Knot\n\nKnot is a client that ties connections.\n"),
            ("LICENSE", MIT),
            (
                "settings.gradle.kts",
                "rootProject.name = \"knot-parent\"\n\ninclude(\":knot\")\ninclude(\":knot-tls\")\n",
            ),
            ("build.gradle.kts", "plugins {\n}\n"),
            ("knot/build.gradle.kts", "plugins {\n}\n"),
            (
                "knot/src/commonMain/kotlin/knot/Rope.kt",
                "package knot\n\n/** A rope, made of [strands][Strand]. */\nclass Rope(val strand: Strand)\n",
            ),
            ("knot/src/commonMain/kotlin/knot/Strand.kt", "package knot\n\n/** A strand. */\nclass Strand\n"),
            (
                "knot/src/jvmTest/kotlin/knot/TryKnot.kt",
                "package knot\n\nfun main(args: Array<String>) {\n  println(Rope(Strand()))\n}\n",
            ),
            (
                "knot/src/jvmTest/kotlin/knot/RopeTest.kt",
                "package knot\n\nimport org.junit.Test\n\nclass RopeTest {\n  @Test fun ties() {\n    Rope(Strand())\n  }\n}\n",
            ),
            (
                "knot-tls/README.md",
                "# Knot TLS\n\nThis module prints keys.\n\n```\n-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQgAAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----\n```\n",
            ),
            ("knot-tls/src/main/kotlin/knot/tls/Key.kt", "package knot.tls\n\nclass Key\n"),
        ],
        facts: &[
            "Knot is a client that ties connections.",
            "1 test in 1 file",
            "`gradle test`",
            "A rope, made of strands.",
        ],
        wrong: &["TryKnot.kt", "critical", "[strands]", "“This module prints keys.”; 0"],
    },
    Project {
        name: "a monitor in Go",
        files: &[
            ("README.md", "# Lamp\n\nLamp is a monitor for lighthouses.\n"),
            ("LICENSE", MIT),
            ("go.mod", "module example.org/lamp\n\ngo 1.25\n"),
            (
                "cmd/lamp/main.go",
                "package main\n\nimport \"example.org/lamp/light\"\n\nfunc main() { light.On() }\n",
            ),
            (
                "cmd/lampctl/main.go",
                "package main\n\nimport \"example.org/lamp/light\"\n\nfunc main() { light.On() }\n",
            ),
            (
                "light/light.go",
                "// Package light switches lights.\npackage light\n\nfunc On() {}\n\nfunc Off() {}\n",
            ),
            (
                "light/light_test.go",
                "package light\n\nimport \"testing\"\n\nfunc TestOn(t *testing.T) {\n\tOn()\n\tOff()\n\tOn()\n\tOff()\n}\n",
            ),
            ("internal/tools/go.mod", "module example.org/lamp/internal/tools\n\ngo 1.25\n"),
            ("internal/tools/tools.go", "package tools\n\nimport _ \"example.org/other\"\n"),
        ],
        facts: &[
            "cmd/lamp/main.go program `lamp`",
            "cmd/lampctl/main.go program `lampctl`",
            "The program `lamp` starts in `cmd/lamp/main.go`",
            "3 lines of code, 8 of tests",
        ],
        wrong: &["the library of the Go module `example.org/lamp/internal/tools`"],
    },
    Project {
        name: "a package that gathers its parts",
        files: &[
            ("README.md", "# Clack\n\nClack is a kit for keyboards.\n"),
            ("LICENSE", MIT),
            (
                "pyproject.toml",
                "[project]\nname = \"clack\"\nversion = \"1.0\"\n\n[build-system]\nrequires = [\"flit\"]\n",
            ),
            (
                "src/clack/__init__.py",
                "from .core import Key as Key\nfrom .keys import press as press\nfrom .sounds import click as click\n",
            ),
            (
                "src/clack/core.py",
                "class Key:\n    \"\"\"One key of [many](keys).\"\"\"\n\n    name = \"\"\n",
            ),
            ("src/clack/keys.py", "from .core import Key\n\n\ndef press(key: Key):\n    return key\n"),
            ("src/clack/sounds.py", "from .keys import press\n\n\ndef click(key):\n    return press(key)\n"),
            (
                "tests/test_keys.py",
                "from clack import press\n\n\ndef test_press():\n    assert press(1) == 1\n",
            ),
        ],
        facts: &[
            "loads `src/clack/__init__.py`, which uses",
            "`src/clack/sounds.py`; `src/clack/keys.py`; `src/clack/core.py`",
        ],
        wrong: &["imported by no other part: `src/clack/__init__.py`, `src/clack/keys.py`", "[many]"],
    },
    Project {
        name: "samples of services",
        files: &[
            (
                "README.md",
                "# Crates of Sea\n\n![logo](logo.jpg)\n\n> A curated list of samples for the sea.\n\nThese samples are a start.\n",
            ),
            ("LICENSE", "Creative Commons Legal Code\n\nCC0 1.0 Universal\n"),
            (
                "one/compose.yaml",
                "services:\n  web:\n    build: .\n    ports:\n      - 80:80\n  db:\n    image: postgres:16\n",
            ),
            (
                "one/README.md",
                "## Start\n\n```\ndocker compose up -d\n```\n\nStop and remove the containers of it\n",
            ),
            ("one/server.js", "const app = require(\"express\")();\napp.listen(80);\n"),
            (
                "one/package.json",
                "{\n  \"name\": \"web\",\n  \"version\": \"1.0.0\",\n  \"main\": \"server.js\"\n}\n",
            ),
            ("one/wave.js", "exports.wave = function () {\n  return 1;\n};\n"),
            ("one/tide.js", "exports.tide = function () {\n  return 2;\n};\n"),
            ("two/compose.yaml", "services:\n  db:\n    image: postgres:15\n"),
            ("three/compose.yaml", "services:\n  db:\n    image: redis:7\n"),
            ("four/compose.yaml", "services:\n  db:\n    image: redis:6\n"),
            ("five/compose.yaml", "services:\n  db:\n    image: mongo\n"),
            ("six/compose.yaml", "services:\n  db:\n    image: mariadb\n"),
        ],
        facts: &[
            "A curated list of samples for the sea.",
            "Licence: CC0-1.0",
            "6 files start services with Docker Compose; the images they use most are `postgres` (2 files) and `redis` (2 files)",
            "one/server.js `app.listen`",
        ],
        wrong: &["Stop and remove", "the library of the npm package `web`", "Ports: "],
    },
    Project {
        name: "a role of Ansible",
        files: &[
            ("README.md", "# Ansible Role: Buoy\n\nAn Ansible role that installs buoys on Linux.\n"),
            ("LICENSE", MIT),
            (
                "tasks/main.yml",
                "---\n- name: Load the variables.\n  include_vars: x.yml\n\n- name: Install the buoy.\n  package:\n    name: buoy\n",
            ),
            (
                "handlers/main.yml",
                "---\n- name: restart buoy\n  service:\n    name: buoy\n    state: restarted\n",
            ),
            ("defaults/main.yml", "---\nbuoy_version: 1\n"),
            ("molecule/default/converge.yml", "---\n- name: Converge\n  hosts: all\n  roles:\n    - buoy\n"),
        ],
        facts: &[
            "An Ansible role that installs buoys on Linux.",
            "`tasks/main.yml`: 2 Ansible tasks: ‘Load the variables’ and ‘Install the buoy’",
            "`handlers/main.yml`: 1 Ansible handler: ‘restart buoy’",
            "Licence: MIT",
        ],
        wrong: &["an Ansible playbook for `all`: “Converge”"],
    },
    Project {
        name: "a book of notebooks",
        files: &[
            ("README.md", "# Tides\n\nThis repository contains the whole book of tides as notebooks.\n"),
            (
                "LICENSE-TEXT",
                "Creative Commons Legal Code\n\nAttribution-NonCommercial-NoDerivs 3.0 Unported\n",
            ),
            ("LICENSE-CODE", MIT),
            ("helpers.py", "def plot(a):\n    return a\n"),
            ("second/01-Moon.ipynb", NOTEBOOK),
            ("second/02-Sun.ipynb", NOTEBOOK),
            ("second/03-Wind.ipynb", NOTEBOOK),
            ("second/04-Shore.ipynb", NOTEBOOK),
            ("notebooks/01-Moon.ipynb", NOTEBOOK),
            ("notebooks/02-Sun.ipynb", NOTEBOOK),
            ("notebooks/03-Wind.ipynb", NOTEBOOK),
            ("notebooks/04-Shore.ipynb", NOTEBOOK),
            ("notebooks/05-Part.ipynb", NOTEBOOK),
            ("notebooks/06-Part.ipynb", NOTEBOOK),
            ("notebooks/07-Part.ipynb", NOTEBOOK),
            ("notebooks/08-Part.ipynb", NOTEBOOK),
            ("notebooks/09-Part.ipynb", NOTEBOOK),
            ("notebooks/10-Part.ipynb", NOTEBOOK),
            ("notebooks/11-Part.ipynb", NOTEBOOK),
            ("notebooks/12-Part.ipynb", NOTEBOOK),
            ("notebooks/13-Part.ipynb", NOTEBOOK),
            ("notebooks/14-Part.ipynb", NOTEBOOK),
            ("notebooks/15-Part.ipynb", NOTEBOOK),
            ("notebooks/16-Part.ipynb", NOTEBOOK),
            ("notebooks/17-Part.ipynb", NOTEBOOK),
            ("notebooks/18-Part.ipynb", NOTEBOOK),
            ("notebooks/19-Part.ipynb", NOTEBOOK),
            ("notebooks/20-Part.ipynb", NOTEBOOK),
            ("notebooks/21-Part.ipynb", NOTEBOOK),
            ("notebooks/22-Part.ipynb", NOTEBOOK),
            ("notebooks/23-Part.ipynb", NOTEBOOK),
            ("notebooks/24-Part.ipynb", NOTEBOOK),
            ("notebooks/25-Part.ipynb", NOTEBOOK),
            ("notebooks/26-Part.ipynb", NOTEBOOK),
            ("notebooks/27-Part.ipynb", NOTEBOOK),
            ("notebooks/28-Part.ipynb", NOTEBOOK),
            ("notebooks/29-Part.ipynb", NOTEBOOK),
            ("notebooks/30-Part.ipynb", NOTEBOOK),
        ],
        facts: &[
            "This repository contains the whole book of tides as notebooks.",
            "CC-BY-NC-ND-3.0 (`LICENSE-TEXT`)",
            "MIT (`LICENSE-CODE`)",
            "30 notebooks: `01-Moon.ipynb`",
            "4 notebooks: `01-Moon.ipynb`, `02-Sun.ipynb`",
        ],
        wrong: &["concern to look at", "columns `01-Moon"],
    },
];

const NOTEBOOK: &str = "{\n \"cells\": [\n  {\"cell_type\": \"code\", \"metadata\": {}, \"outputs\": [], \"execution_count\": 1, \"source\": [\"import helpers\\n\", \"a = 1\\n\", \"b = 2\\n\", \"helpers.plot(a)\\n\"]},\n  {\"cell_type\": \"markdown\", \"metadata\": {}, \"source\": [\"# On water\"]}\n ],\n \"metadata\": {\"kernelspec\": {\"language\": \"python\", \"name\": \"python3\", \"display_name\": \"Python\"}},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n";
