//! More kinds of projects: what each kind hides where the others show it.

use super::Project;

const MIT: &str = "MIT License\n\nPermission is hereby granted, free of charge, to any person\n";

pub(super) const ALL: &[Project] = &[
    Project {
        name: "a Ruby gem in modules",
        files: &[
            ("README.md", "# Lamp\n\nLamp is a DSL for lighting rooms.\n"),
            ("VERSION", "4.2.1\n"),
            (
                "lamp.gemspec",
                "version = File.read(File.expand_path('VERSION', __dir__)).strip\nGem::Specification.new 'lamp', version do |s|\n  s.description = 'Lamp lights rooms of any size.'\n  s.license = 'MIT'\n  s.add_dependency 'rack'\nend\n",
            ),
            ("Gemfile", "gemspec\ngem 'rake'\ngem 'minitest'\n"),
            ("Rakefile", "task :test do\n  ruby 'test/base_test.rb'\nend\n"),
            ("LICENSE", MIT),
            ("lib/lamp.rb", "require 'lamp/base'\n"),
            (
                "lib/lamp/base.rb",
                "require 'rack'\n\nmodule Lamp\n  # Base class for all lamps that can be lit.\n  class Base\n    def call(env)\n      env\n    end\n\n    def light\n      true\n    end\n  end\n\n  class Shade\n    def close\n      false\n    end\n  end\nend\n",
            ),
            (
                "lib/lamp/helpers.rb",
                "module Lamp\n  # Helpers that rooms are lit with.\n  module Helpers\n    def dim(level)\n      level\n    end\n  end\nend\n",
            ),
            (
                "test/base_test.rb",
                "require 'test_helper'\nrequire \"#{engine}\"\n\nclass BaseTest < Minitest::Test\n  def test_light\n    assert true\n  end\nend\n",
            ),
        ],
        facts: &[
            "Ruby gem `lamp`",
            "Version 4.2.1 (`VERSION`)",
            "class `Base`, “Base class for all lamps that can be lit.”",
            "module `Helpers`, “Helpers that rooms are lit with.”",
            "Minitest (named in `Gemfile`)",
            "`rake test` (`Rakefile`)",
            "1 test in 1 file, in `test`",
            "lib/lamp.rb the library of the Ruby gem `lamp`",
            "Licence: MIT",
        ],
        wrong: &["#{engine}", "No tests", "No licence"],
    },
    Project {
        name: "a .NET library in namespaces",
        files: &[
            ("README.md", "# Rope\n\nRope is a library that ties things together.\n"),
            ("LICENSE.md", MIT),
            (
                "Src/Rope.slnx",
                "<Solution>\n  <Project Path=\"Rope/Rope.csproj\" />\n  <Project Path=\"Rope.Tests/Rope.Tests.csproj\" />\n</Solution>\n",
            ),
            (
                "Src/Rope/Rope.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n    <Description>Rope ties things</Description>\n  </PropertyGroup>\n</Project>\n",
            ),
            (
                "Src/Rope/Rope.cs",
                "using Rope.Fibres;\nusing Rope.Knots;\n\nnamespace Rope\n{\n    /// <summary>\n    /// Represents a rope of <see cref=\"Fibre\"/> parts.\n    /// </summary>\n    public class Line\n    {\n        public Fibre Part;\n        public Knot End;\n    }\n}\n",
            ),
            (
                "Src/Rope/Knots/Knot.cs",
                "using Rope.Fibres;\n\nnamespace Rope.Knots\n{\n    /// <summary>Holds two <c>ends</c> of a rope.</summary>\n    public class Knot\n    {\n        public Fibre Part;\n    }\n}\n",
            ),
            (
                "Src/Rope/Fibres/Fibre.cs",
                "namespace Rope.Fibres\n{\n    /// <summary>A single fibre of a rope.</summary>\n    public class Fibre\n    {\n    }\n}\n",
            ),
            (
                "Src/Rope.Tests/Rope.Tests.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <ItemGroup>\n    <PackageReference Include=\"xunit\" Version=\"2\" />\n  </ItemGroup>\n</Project>\n",
            ),
            (
                "Src/Rope.Tests/Knots/KnotTests.cs",
                "using Rope.Knots;\nusing Xunit;\n\nnamespace Rope.Tests.Knots\n{\n    public class KnotTests\n    {\n        [Fact]\n        public void Holds()\n        {\n        }\n    }\n}\n",
            ),
        ],
        facts: &[
            "Rope is a library that ties things together.",
            "Written in C#",
            "Src/Rope/Rope.csproj the library of the .NET project `Rope`",
            "class `Line`, “Represents a rope of Fibre parts.”",
            "class `Knot`, “Holds two ends of a rope.”",
            "Src/Rope/Knots uses `Src/Rope/Fibres`",
            "1 test in 1 file, in `Src/Rope.Tests`",
            "`dotnet test` in `Src`",
            "xUnit (1 file)",
        ],
        wrong: &["<see", "<c>", "Src/Rope.Tests/Knots uses", "No tests"],
    },
    Project {
        name: "a workspace named for one package",
        files: &[
            (
                "README.md",
                "# mast/core\n\n## Getting Started\n\nPlease follow the documentation at our site!\n",
            ),
            ("LICENSE", MIT),
            (
                "package.json",
                "{\n  \"private\": true,\n  \"version\": \"3.5.1\",\n  \"packageManager\": \"pnpm@9\",\n  \"scripts\": {\n    \"build\": \"node build.js\"\n  }\n}\n",
            ),
            ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n"),
            ("packages/one/package.json", "{\n  \"name\": \"@m/one\",\n  \"version\": \"3.5.1\"\n}\n"),
            ("packages/one/src/index.ts", "export function one(): number {\n  return 1\n}\n"),
            ("packages/two/package.json", "{\n  \"name\": \"@m/two\",\n  \"version\": \"3.5.1\"\n}\n"),
            (
                "packages/two/src/index.ts",
                "import { one } from '@m/one'\n\nexport function two(): number {\n  return one() + 1\n}\n",
            ),
        ],
        facts: &[
            "is a workspace of 2 npm packages: `@m/one` and `@m/two`",
            "Version 3.5.1 (`package.json`)",
            "Written in TypeScript (100 %)",
            "built with pnpm",
        ],
        wrong: &["holds 2 configuration files", "Getting Started", "Please follow"],
    },
    Project {
        name: "crates that need each other for tests alone",
        files: &[
            (
                "README.md",
                "# Reactor\n\nReactor is a runtime. It provides a few parts:\n\n* A scheduler that steals\n  work from others.\n* A clock.\n",
            ),
            ("LICENSE", MIT),
            ("Cargo.toml", "[workspace]\nmembers = [\"core-rt\", \"try-rt\"]\n"),
            (
                "core-rt/Cargo.toml",
                "[package]\nname = \"core-rt\"\nversion = \"1.53.1\"\ndescription = \"The runtime itself.\"\n\n[dev-dependencies]\ntry-rt = { path = \"../try-rt\" }\n",
            ),
            (
                "core-rt/src/lib.rs",
                "//! The runtime.\n\n/// Runs.\npub fn run() {}\n\n#[cfg(test)]\nmod tests {\n    use try_rt::check;\n\n    #[test]\n    fn runs() {\n        check();\n    }\n}\n",
            ),
            (
                "core-rt/src/entry.rs",
                "//! Makes the start of programs.\n\npub(crate) fn main(args: &str) -> String {\n    args.to_owned()\n}\n",
            ),
            (
                "try-rt/Cargo.toml",
                "[package]\nname = \"try-rt\"\nversion = \"0.4.5\"\ndescription = \"Tries the runtime.\"\n\n[dependencies]\ncore-rt = { path = \"../core-rt\" }\n",
            ),
            (
                "try-rt/src/lib.rs",
                "//! Tries.\n\nuse core_rt::run;\n\n/// Checks.\npub fn check() {\n    run();\n}\n",
            ),
        ],
        facts: &[
            "It provides a few parts: A scheduler that steals work from others; A clock",
            "try-rt try-rt uses `core-rt`",
            "core-rt/src/lib.rs the library of the Rust crate `core-rt`",
            "`cargo test` (`Cargo.toml`)",
        ],
        wrong: &["import each other", "core-rt uses `try-rt`", "fn main(args", "others.;"],
    },
    Project {
        name: "a framework that hands out clients for tests",
        files: &[
            ("README.md", "# Jug\n\nJug is a small web framework.\n"),
            ("LICENSE", MIT),
            (
                "pyproject.toml",
                "[project]\nname = \"jug\"\ndynamic = [\"version\"]\ndescription = \"A small web framework.\"\nlicense = \"MIT\"\n",
            ),
            (
                "jug/__init__.py",
                "\"\"\"A small web framework.\"\"\"\n\nfrom .app import Jug\n\nVERSION = (6, 2, 0, \"alpha\", 0)\n",
            ),
            (
                "jug/app.py",
                "class Jug:\n    \"\"\"The application that everything hangs on.\"\"\"\n\n    def test_client(self):\n        return self\n\n    def test_request_context(self):\n        return self\n",
            ),
            (
                "examples/blog/blog.py",
                "from jug import Jug\n\napp = Jug()\n\n\ndef index():\n    return \"hello\"\n",
            ),
            ("examples/blog/templates/index.html", "<h1>Blog</h1>\n<p>Words</p>\n"),
            ("CHANGES.md", "# Version 6.2.0\n\n- New things.\n"),
        ],
        facts: &[
            "Python package `jug`",
            "Version 6.2.0 alpha (`jug/__init__.py`)",
            "class `Jug`, “The application that everything hangs on.”",
            "No tests were found.",
        ],
        wrong: &["3 tests", "2 tests", "titled “Version 6.2.0”"],
    },
    Project {
        name: "a server with tests in a language of its own",
        files: &[
            ("README.md", "# Silo\n\nSilo is a server that keeps grain.\n"),
            ("LICENSE", MIT),
            ("Makefile", "all:\n\tcc -o silo src/silo.c\n\ntest:\n\t./runtest\n"),
            ("src/silo.h", "#ifndef SILO_H\n#define SILO_H\nint fill(int grains);\n#endif\n"),
            (
                "src/silo.c",
                "#include \"silo.h\"\n#include <stdlib.h>\n\nint fill(int grains) {\n    return grains;\n}\n\nint main(int argc, char **argv) {\n    return fill(os_getenv_noalloc(\"SILO_SIZE\") != 0);\n}\n",
            ),
            (
                "tests/unit.tcl",
                "set a 1\nset b 2\nset c 3\nset d 4\nset e 5\nset f 6\nset g 7\nset h 8\nset i 9\nset j 10\nset k 11\nset l 12\nset m 13\nset n 14\nset o 15\nset p 16\nset q 17\nset r 18\nset s 19\nset t 20\nset u 21\n",
            ),
        ],
        facts: &[
            "Silo is a server that keeps grain.",
            "Written in C (100 %)",
            "Tests lie in `tests` (21 lines of TCL).",
            "`make test` (`Makefile`)",
            "`SILO_SIZE` (`src/silo.c`)",
            "src/silo.c `int main(int argc, char **argv)`",
        ],
        wrong: &["No tests", "Written in TCL", "and TCL ("],
    },
    Project {
        name: "a script library that hangs functions on objects",
        files: &[
            ("README.md", "# Tray\n\nTray is a small web framework.\n"),
            ("LICENSE", MIT),
            (
                "package.json",
                "{\n  \"name\": \"tray\",\n  \"version\": \"1.0.0\",\n  \"main\": \"lib/tray.js\"\n}\n",
            ),
            (
                "lib/tray.js",
                "'use strict';\n\nvar app = require('./application');\nvar res = require('./response');\n\nmodule.exports = app;\n",
            ),
            (
                "lib/application.js",
                "'use strict';\n\nvar utils = require('./utils');\nvar app = exports = module.exports = {};\n\napp.init = function init() {\n  utils.check();\n};\n\napp.use = function use() {};\n\napp.listen = function listen() {};\n",
            ),
            (
                "lib/response.js",
                "'use strict';\n\nvar utils = require('./utils');\nvar res = module.exports = {};\n\nres.send = function send() {\n  utils.check();\n};\n\nres.json = function json() {};\n\nres.end = function end() {};\n",
            ),
            ("lib/utils.js", "'use strict';\n\nexports.check = function check() {\n  return true;\n};\n"),
        ],
        facts: &[
            "npm package `tray` 1.0.0",
            "defines object `res`",
            "defines object `app`",
            "lib/tray.js uses `lib/application.js` and `lib/response.js`",
            "Most imported: `lib/utils.js` (by 2 files",
        ],
        wrong: &[". uses `lib`"],
    },
    Project {
        name: "machines as text",
        files: &[
            (
                "README.md",
                "# Harbour infrastructure\n\nTerraform for the harbour cluster, and Ansible for its hosts.\n",
            ),
            (
                "terraform/main.tf",
                "provider \"aws\" {\n  region = var.region\n}\n\nmodule \"network\" {\n  source = \"./modules/network\"\n}\n\nresource \"aws_instance\" \"web\" {\n  ami = \"ami-123\"\n}\n",
            ),
            ("terraform/variables.tf", "variable \"region\" {\n  default = \"eu-central-1\"\n}\n"),
            ("terraform/modules/network/main.tf", "resource \"aws_vpc\" \"main\" {\n}\n"),
            ("ansible/site.yml", "---\n- name: Web servers\n  hosts: web\n  roles:\n    - nginx\n"),
            (
                "ansible/roles/nginx/tasks/main.yml",
                "---\n- name: Install nginx\n  ansible.builtin.apt:\n    name: nginx\n",
            ),
            (
                "k8s/web.yaml",
                "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: front\n",
            ),
        ],
        facts: &[
            "Terraform for the harbour cluster, and Ansible for its hosts.",
            "Infrastructure:",
            "`terraform/main.tf`: Terraform with 1 resource (`aws_instance`), the module `network` and the provider `aws`",
            "`terraform/variables.tf`: Terraform with 1 variable (`region`)",
            "the Kubernetes objects Deployment `web` and Service `front`",
            "an Ansible playbook for `web`: “Web servers”",
        ],
        wrong: &["No tests", "No licence", "It keeps 1 document"],
    },
    Project {
        name: "a handbook as a site",
        files: &[
            (
                "README.md",
                "# Sailing Handbook\n\nThe handbook of the sailing club: knots, rules and weather.\n\n```sh\npip install -r requirements.txt\nmkdocs serve\n```\n",
            ),
            ("mkdocs.yml", "site_name: Sailing Handbook\ntheme:\n  name: material\n"),
            ("requirements.txt", "mkdocs\nmkdocs-material\n"),
            ("docs/index.md", "---\ntitle: Welcome aboard\nlayout: home\n---\n\nSee [knots](knots.md).\n"),
            ("docs/knots.md", "# Knots\n\n## Bowline\n\nThe king of knots.\n"),
            ("docs/rules/lights.md", "# Lights\n\nRed is port.\n"),
            ("docs/rules/template.md", "# {title}\n\nWords.\n"),
        ],
        facts: &[
            "The handbook of the sailing club: knots, rules and weather.",
            "“Knots”",
            "“Welcome aboard”",
            "`pip install -r requirements.txt` (`README.md`)",
            "`mkdocs serve` (`README.md`)",
        ],
        wrong: &["layout: home", "TXT", "No licence", "nothing written says", "“{title}”"],
    },
    Project {
        name: "an Elixir application",
        files: &[
            ("README.md", "# Heron\n\nHeron watches ponds and tells when fish move.\n"),
            (
                "mix.exs",
                "defmodule Heron.MixProject do\n  use Mix.Project\n\n  def project do\n    [\n      app: :heron,\n      version: \"0.4.0\"\n    ]\n  end\nend\n",
            ),
            ("LICENSE", MIT),
            (
                ".gitlab-ci.yml",
                "test:\n  image: elixir\n  script:\n    - mix deps.get\n    - mix test --cover\n",
            ),
            (
                "lib/heron.ex",
                "defmodule Heron do\n  @moduledoc \"Watches ponds.\"\n  def watch, do: System.get_env(\"HERON_POND\")\nend\n",
            ),
            (
                "test/heron_test.exs",
                "defmodule HeronTest do\n  use ExUnit.Case\n  test \"watches\" do\n  end\nend\n",
            ),
        ],
        facts: &[
            "Elixir application `heron` 0.4.0",
            "Heron watches ponds and tells when fish move.",
            "Written in Elixir",
            "MIT (`LICENSE`)",
            "`mix test`",
            "`mix test --cover` (`.gitlab-ci.yml`)",
        ],
        wrong: &["No licence", "No tests were found"],
    },
    Project {
        name: "a TypeScript monorepo",
        files: &[
            (
                "README.md",
                "# Loom\n\nLoom is a build tool for the web.\n\n## Contribution\n\nSee the guide.\n",
            ),
            (
                "package.json",
                "{\n  \"name\": \"@loom/monorepo\",\n  \"private\": true,\n  \"packageManager\": \"pnpm@9.0.0\",\n  \"scripts\": {\n    \"build\": \"pnpm -r build\",\n    \"test\": \"vitest run\",\n    \"lint\": \"eslint .\"\n  },\n  \"devDependencies\": { \"vitest\": \"^2\", \"typescript\": \"^5\" }\n}\n",
            ),
            ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n"),
            ("LICENSE", MIT),
            (
                "packages/loom/package.json",
                "{\n  \"name\": \"loom\",\n  \"version\": \"6.0.0\",\n  \"description\": \"Native-speed build tool\",\n  \"bin\": { \"loom\": \"bin/loom.js\" }\n}\n",
            ),
            (
                "packages/loom/src/server.ts",
                "/**\n * The development server.\n */\n\nimport { transform } from './transform'\n\nexport class Server {\n  listen(): void {\n    transform('')\n  }\n}\n",
            ),
            (
                "packages/loom/src/transform.ts",
                "/** Turns modules into what browsers understand. */\nexport function transform(code: string): string {\n  return code\n}\n",
            ),
            (
                "packages/loom/src/server.spec.ts",
                "import { expect, test } from 'vitest'\nimport { Server } from './server'\n\ntest('listens', () => {\n  expect(Server).toBeDefined()\n})\n",
            ),
            (
                "packages/create-loom/package.json",
                "{\n  \"name\": \"create-loom\",\n  \"version\": \"6.0.0\",\n  \"description\": \"Makes new projects\"\n}\n",
            ),
            (
                "packages/create-loom/src/index.ts",
                "import { Server } from 'loom'\n\nexport const make = (): Server => new Server()\n",
            ),
        ],
        facts: &[
            "Loom is a build tool for the web.",
            "Written in TypeScript",
            "MIT (`LICENSE`)",
            "`pnpm build`",
            "`pnpm test`",
            "`pnpm lint`",
            "loom packages/loom 6.0.0: “Native-speed build tool”",
            "Native-speed build tool",
            "Makes new projects",
            "program `loom`",
            "Vitest (1 file)",
            "1 test in 1 file",
        ],
        wrong: &["npm run", "No tests"],
    },
];
