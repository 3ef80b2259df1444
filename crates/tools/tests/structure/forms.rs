//! What is said of files that are no programs.

use insta::assert_snapshot;
use luminos_tools::structure::{ColumnKind, Outline};

use super::{read, typed};

#[test]
fn cargo() {
    let text = r#"[package]
name = "shop"
version = "1.2.3"
edition = "2024"
description = "A shop that sells tea"
license = "MIT"

[[bin]]
name = "till"
path = "src/till.rs"

[features]
green = []

[dependencies]
serde = { version = "1", features = ["derive"] }
tea = "0.3"
cups = { path = "../cups" }

[dev-dependencies]
insta = "1"

[target.'cfg(unix)'.dependencies]
libc = "0.2"
"#;
    assert_snapshot!(read("Cargo.toml", text), @r#"
    Manifest of Cargo, 5 dependencies, 0 scripts
    2 name: shop
    3 version: 1.2.3
    5 description: A shop that sells tea
    6 licence: MIT
    4 edition: 2024
    13 feature: green = []
    Entry points:
    9 bin till
    Dependencies:
    16 serde 1
    17 tea 0.3
    18 cups ../cups
    21 insta 1 (dev)
    24 libc 0.2 (cfg(unix))
    "#);
}

#[test]
fn npm() {
    let text = r#"{
  "name": "shop", // as people write it
  "version": "1.2.3",
  "description": "A shop that sells tea",
  "license": "MIT",
  "main": "index.js",
  "bin": {"till": "bin/till.js"},
  "engines": {"node": ">=20"},
  "scripts": {"test": "jest --ci", "build": "tsc"},
  "dependencies": {"left-pad": "^1.0.0"},
  "devDependencies": {"jest": "29"},
}
"#;
    assert_snapshot!(read("package.json", text), @r#"
    Manifest of npm, 2 dependencies, 2 scripts
    2 name: shop
    3 version: 1.2.3
    4 description: A shop that sells tea
    5 licence: MIT
    8 node: >=20
    Entry points:
    6 main index.js
    7 bin till = bin/till.js
    Scripts:
    9 test: jest --ci
    9 build: tsc
    Dependencies:
    10 left-pad ^1.0.0
    11 jest 29 (dev)
    "#);
}

#[test]
fn pip() {
    let text = r#"# What the shop needs.
-r base.txt
requests[socks]>=2.31,<3 ; python_version > "3.8"
tea==1.0  # the leaf
"#;
    assert_snapshot!(read("requirements.txt", text), @r#"
    Manifest of pip, 2 dependencies, 0 scripts
    2 includes: base.txt
    Dependencies:
    3 requests >=2.31,<3
    4 tea ==1.0
    "#);
}

#[test]
fn pyproject() {
    let text = r#"[project]
name = "shop"
version = "1.2.3"
description = "A shop that sells tea"
license = { text = "MIT" }
requires-python = ">=3.11"
dependencies = ["requests>=2", "tea[green]==1; sys_platform == 'linux'"]

[project.optional-dependencies]
dev = ["pytest"]

[project.scripts]
till = "shop.till:main"

[tool.pytest.ini_options]
addopts = "-q"
"#;
    assert_snapshot!(read("pyproject.toml", text), @r#"
    Manifest of Python packaging, 3 dependencies, 0 scripts
    2 name: shop
    3 version: 1.2.3
    4 description: A shop that sells tea
    5 licence: MIT
    6 requires-python: >=3.11
    15 configures: pytest
    Entry points:
    13 till = shop.till:main
    Dependencies:
    7 requests >=2
    7 tea ==1
    10 pytest (dev)
    "#);
}

#[test]
fn go_modules() {
    let text = r#"module example.com/shop

go 1.22

require (
	example.com/tea v1.2.3
	example.com/cup v0.1.0 // indirect
)

require example.com/pot v2.0.0+incompatible
"#;
    assert_snapshot!(read("go.mod", text), @r#"
    Manifest of Go modules, 3 dependencies, 0 scripts
    1 name: example.com/shop
    3 go: 1.22
    Dependencies:
    6 example.com/tea v1.2.3
    7 example.com/cup v0.1.0 (indirect)
    10 example.com/pot v2.0.0+incompatible
    "#);
}

#[test]
fn bundler() {
    let text = r#"source "https://rubygems.org"
ruby "3.3.0"
gem "rails", "~> 7.1", require: false
group :development, :test do
  gem "rspec" # for 'rake spec'
end
gem 'tea', '#1' # "the" one
# gem "coffee"
"#;
    assert_snapshot!(read("Gemfile", text), @r#"
    Manifest of Bundler, 3 dependencies, 0 scripts
    1 source: https://rubygems.org
    2 ruby: 3.3.0
    Dependencies:
    3 rails ~> 7.1
    5 rspec (development, test)
    7 tea #1
    "#);
}

#[test]
fn dotnet() {
    let text = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFrameworks Condition="'$(Few)'==''">net8.0;net6.0</TargetFrameworks>
    <OutputType>Exe</OutputType>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Tea" Version="1.2.3" />
  </ItemGroup>
</Project>
"#;
    assert_snapshot!(read("shop.csproj", text), @r#"
    Manifest of .NET, 1 dependency, 0 scripts
    1 sdk: Microsoft.NET.Sdk
    3 TargetFrameworks: net8.0;net6.0
    4 OutputType: Exe
    Dependencies:
    7 Tea 1.2.3
    "#);
}

#[test]
fn cmake() {
    let text = r#"cmake_minimum_required(VERSION 3.20)
project(shop VERSION 1.2.3 DESCRIPTION "A shop that sells tea"
        LANGUAGES CXX)
find_package(Tea 1.0 REQUIRED)
add_library(stock
  stock.cpp  # all of it
)
add_executable(till till.cpp)
add_subdirectory(tests)
"#;
    assert_snapshot!(read("CMakeLists.txt", text), @r#"
    Manifest of CMake, 1 dependency, 0 scripts
    2 name: shop
    2 version: 1.2.3
    2 description: A shop that sells tea
    1 cmake: VERSION 3.20
    Entry points:
    5 library stock
    8 executable till
    Members:
    9 tests
    Dependencies:
    4 Tea 1.0
    "#);
}

#[test]
fn make() {
    let text = r#"CC := gcc
.PHONY: all
all: till  ## Everything
till: till.o
	@$(CC) -o $@ $^
%.o: %.c
	$(CC) -c $<
clean:
	rm -f *.o
"#;
    assert_snapshot!(read("Makefile", text), @r#"
    Manifest of Make, 0 dependencies, 3 scripts
    Scripts:
    3 all
    4-5 till: $(CC) -o $@ $^
    8-9 clean: rm -f *.o
    "#);
}

#[test]
fn gradle() {
    let text = r#"plugins {
    id("org.springframework.boot") version "3.2.0"
    kotlin("jvm") version "1.9"
}
group = "com.example"
version = "1.2.3"
dependencies {
    implementation("com.example:tea:1.0")
    testImplementation(libs.junit)
}
tasks.register("brew") { }
"#;
    assert_snapshot!(read("build.gradle.kts", text), @r#"
    Manifest of Gradle, 2 dependencies, 1 script
    6 version: 1.2.3
    2 plugin: org.springframework.boot 3.2.0
    3 plugin: jvm 1.9
    5 group: com.example
    Scripts:
    11 brew
    Dependencies:
    8 com.example:tea 1.0
    9 libs.junit (test)
    "#);
}

#[test]
fn composer() {
    let text = r#"{"name": "company/shop", "description": "A shop", "license": "MIT", "require": {"php": ">=8.2", "monolog/monolog": "^3"}, "scripts": {"test": ["phpunit", "phpstan"]}, "autoload": {"psr-4": {"Company\\": "src/"}}}
"#;
    assert_snapshot!(read("composer.json", text), @r#"
    Manifest of Composer, 2 dependencies, 1 script
    1 name: company/shop
    1 description: A shop
    1 licence: MIT
    1 namespace: Company\ in src/
    Scripts:
    1 test: phpunit && phpstan
    Dependencies:
    1 php >=8.2
    1 monolog/monolog ^3
    "#);
}

#[test]
fn dockerfile() {
    let text = r#"# syntax=docker/dockerfile:1
ARG VERSION=1
FROM rust:${VERSION} AS build
WORKDIR /src
ENV PASSWORD=hunter2 TOKEN="a b"
RUN apt-get update && \
    # A comment between.
    apt-get install -y make
COPY . .
FROM debian:stable-slim
COPY --from=build /src/till /till
EXPOSE 8080 9090/udp
ENTRYPOINT ["/till"]
"#;
    assert_snapshot!(read("Dockerfile", text), @r#"
    Dockerfile, 2 stages
    3-10 from rust:${VERSION} as build
      4 WORKDIR /src
      6 RUN apt-get update && apt-get install -y make
      9 COPY . .
    10-13 from debian:stable-slim
      11 COPY --from=build /src/till /till
    Ports:
    12 8080
    12 9090/udp
    Variables:
    2 VERSION
    5 PASSWORD
    5 TOKEN
    Starts:
    13 ENTRYPOINT ["/till"]
    "#);
}

#[test]
fn compose() {
    let text = r#"services:
  web:
    build: .
    ports:
      - "8080:80"
    environment:
      DB_PASSWORD: hunter2
    depends_on: [db]
  db:
    image: postgres:16
    environment:
      - POSTGRES_PASSWORD=hunter2
"#;
    assert_snapshot!(read("docker-compose.yml", text), @r#"
    Compose file, 2 services
    2-8 web; built from .; ports 8080:80; needs db; variables DB_PASSWORD
    9-12 db; image postgres:16; variables POSTGRES_PASSWORD
    "#);
}

#[test]
fn gitlab() {
    let text = r#"stages: [build, test]
variables:
  TOKEN: secret
.hidden:
  script: echo
build:
  stage: build
  image: rust:1
  script:
    - cargo build
    - cargo test
"#;
    assert_snapshot!(read(".gitlab-ci.yml", text), @r#"
    GitLab pipeline, 1 job
    stages: build, test
    6-11 job build (build)
      10 cargo build
      11 cargo test
    "#);
}

#[test]
fn environment() {
    let text = r#"# Secrets
export DB_URL=postgres://u:hunter2@db
EMPTY=
not a variable
"#;
    assert_snapshot!(read(".env", text), @r#"
    Environment, 2 variables, 1 without a value; values are not shown
    2 DB_URL
    3 EMPTY
    "#);
}

#[test]
fn yaml() {
    let text = r#"server: &server
  host: localhost
  ports: [80, 443]
  password: "hunter2"
copy: *server
list:
  - name: a
    on: true
"#;
    assert_snapshot!(read("settings.yaml", text), @r#"
    YAML: map of 3
    1-4 server: map of 3
    2 server.host: text
    3 server.ports: list of 2
    4 server.password: text
    5 copy: nothing
    6-8 list: list of 1
    7 list[].name: text
    8 list[].on: boolean
    "#);
}

#[test]
fn toml() {
    let text = r#"title = "x"
when = 2024-05-17
[server]
ports = [80, 443]
[[user]]
name = "anna"
"#;
    assert_snapshot!(read("settings.toml", text), @r#"
    TOML: map of 4
    1 title: text
    2 when: moment
    3 server: map of 1
    4 server.ports: list of 2
    5 user: list of 1
    6 user[].name: text
    "#);
}

#[test]
fn restructured_text() {
    let text = r#"Tea shop
========

.. image:: cup.png

A shop that sells tea to people who like it very much.

Install
-------

Run make.
"#;
    assert_snapshot!(read("notes.rst", text), @r#"
    Document, 22 words, 2 headings, 0 links
    6 says: A shop that sells tea to people who like it very much.
    Headings:
    1 # Tea shop
    8 ## Install
    "#);
}

#[test]
fn github_workflow() {
    assert_snapshot!(read("workflow.yml", include_bytes!("fixtures/workflow.yml")), @r#"
    GitHub workflow «Tests», 2 jobs
    on: push, pull_request
    9-18 job Run the tests (ubuntu-latest)
      13 uses actions/checkout@v4
      14-18 Build: cargo build; cargo test
    19-20 job reuse
      19-20 ./.github/workflows/other.yml
    "#);
}

#[test]
fn maven() {
    assert_snapshot!(read("pom.xml", include_bytes!("fixtures/pom.xml")), @r#"
    Manifest of Maven, 1 dependency, 0 scripts
    5 name: com.example:shop
    4 version: 1.2
    6 description: A shop that sells tea & cups
    7 licence: MIT
    8 java.version: 21
    Members:
    9 till
    9 stock
    Dependencies:
    11 org.junit:junit 5.1 (test)
    "#);
}

#[test]
fn notebook() {
    assert_snapshot!(read("shop.ipynb", include_bytes!("fixtures/shop.ipynb")), @r#"
    Notebook in python, 2 code cells (1 with output), 1 text cell
    3 says: How much tea was sold in which month of the year.
    Headings:
    3 # Tea sales
    Code cells:
    4-5 import pandas as pd (2 lines)
    "#);
}

#[test]
fn table() {
    assert_snapshot!(read("shop.csv", include_bytes!("fixtures/shop.csv")), @r#"
    Table, 4 rows, 5 columns, with header
    1 row with more or fewer cells than the first
    day: date from 2024-01-01 to 2024-02-11, 4 different
    tea: text, 3 different
    cups: integer from 1 to 12, 3 different, 1 missing
    price: decimal from 2.5 to 4, 3 different, 1 missing
    paid: boolean, 2 different, 1 missing
    "#);
}

#[test]
fn markdown() {
    assert_snapshot!(read("shop.md", include_bytes!("fixtures/shop.md")), @r#"
    Document, 22 words, 3 headings, 6 links
    9-10 says: A shop that sells tea to people who like it.
    Headings:
    4 # Tea shop
    12 ## Install
    18 ## Setext heading
    Code: sh ×1, plain ×1
    Links:
    6 image build → https://ci.example/badge.svg
    6  → https://ci.example
    7 image docs → https://docs.example/badge.svg
    7  → https://docs.example
    9 tea → https://tea.example
    23 image cup → cup.png
    "#);
}

#[test]
fn zip() {
    assert_snapshot!(read("shop.zip", include_bytes!("fixtures/shop.zip")), @r#"
    Archive (zip), 3 entries, 51 bytes unpacked
    teas/
    teas/green.txt (50 bytes)
    ../escape.txt (1 bytes)
    "#);
}

#[test]
fn tar_in_gzip() {
    assert_snapshot!(read("shop.tar.gz", include_bytes!("fixtures/shop.tar.gz")), @r#"
    Archive (tar.gz), 3 entries, 51 bytes unpacked
    teas/
    teas/green.txt (50 bytes)
    teas/longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong.txt (1 bytes)
    "#);
}

#[test]
fn pdf() {
    assert_snapshot!(read("shop.pdf", include_bytes!("fixtures/shop.pdf")), @r#"
    PDF, 3 pages
    title: Tea (green)
    author: Anna
    "#);
}

#[test]
fn png() {
    assert_snapshot!(read("shop.png", include_bytes!("fixtures/shop.png")), @r#"
    PNG picture, 3×2
    "#);
}

#[test]
fn jpeg_with_date() {
    assert_snapshot!(read("shop.jpg", include_bytes!("fixtures/shop.jpg")), @r#"
    JPEG picture, 640×480, taken 2024:05:17 10:31:07, Teacam 1
    "#);
}

/// The numbers are those that SQLite itself gave when the file was made.
#[test]
fn sqlite() {
    let Outline::Database(database) = typed("shop.sqlite", include_bytes!("fixtures/shop.sqlite")) else {
        panic!()
    };
    let tables: Vec<(&str, Option<u64>, usize)> =
        database.tables.iter().map(|table| (table.name.as_str(), table.rows, table.columns.len())).collect();
    assert_eq!(
        tables,
        [("teas", Some(120), 3), ("pairs", Some(40), 2), ("cheap", None, 0), ("wide", Some(0), 60)]
    );
    assert_eq!(database.tables[0].columns, ["id integer", "full name text", "price numeric(10,2)"]);
    assert_eq!((database.indices, database.triggers), (1, 0));
}

#[test]
fn tables_without_a_header() {
    let Outline::Table(table) = typed("a.csv", "1;2.5;x\n2;3;y\n") else { panic!() };
    assert_eq!((table.delimiter, table.has_header, table.rows), (';', false, 2));
    let kinds: Vec<ColumnKind> = table.columns.iter().map(|column| column.kind).collect();
    assert_eq!(kinds, [ColumnKind::Integer, ColumnKind::Decimal, ColumnKind::Text]);
}

/// What is on disk can be read back: outlines are kept between runs.
#[test]
fn outlines_survive_json() {
    for (name, bytes) in [
        ("shop.rs", include_bytes!("fixtures/shop.rs").as_slice()),
        ("shop.csv", include_bytes!("fixtures/shop.csv")),
        ("shop.sqlite", include_bytes!("fixtures/shop.sqlite")),
        ("pom.xml", include_bytes!("fixtures/pom.xml")),
        ("workflow.yml", include_bytes!("fixtures/workflow.yml")),
    ] {
        let outline = typed(name, bytes);
        let json = serde_json::to_string(&outline).unwrap();
        assert_eq!(serde_json::from_str::<Outline>(&json).unwrap(), outline, "{json}");
    }
}

#[test]
fn secrets_are_not_repeated() {
    for (name, text) in [
        (".env", "TOKEN=hunter2\n"),
        ("a.yaml", "password: hunter2\n"),
        ("a.json", "{\"password\": \"hunter2\"}"),
        ("a.toml", "password = \"hunter2\"\n"),
        ("a.xml", "<a password=\"hunter2\">hunter2</a>"),
        ("Dockerfile", "FROM a\nENV PASSWORD=hunter2\nARG TOKEN=hunter2\n"),
        ("compose.yml", "services:\n  a:\n    environment:\n      - P=hunter2\n      - Q=hunter2\n"),
        ("a.py", "def f(password='hunter2'): pass\n"),
        ("a.ts", "function f(password: string = `hunter2`) {}\n"),
        ("a.go", "package a\nconst Password = \"hunter2\"\n"),
        ("a.sql", "CREATE TABLE a (b TEXT DEFAULT 'hunter2');\n"),
    ] {
        let outline = typed(name, text);
        let json = serde_json::to_string(&outline).unwrap();
        assert!(!json.contains("hunter2"), "{name}: {json}");
    }
}
