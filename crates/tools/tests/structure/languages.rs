//! What is said of the same little shop in every language.

use insta::assert_snapshot;

use super::read;

#[test]
fn bash() {
    assert_snapshot!(read("shop.sh", include_bytes!("fixtures/shop.sh")), @r#"
    shell, 31 lines (22 of code), 2 imports, 2 functions
    2 says: Sells tea.
    Entry points:
    1 #!/bin/bash
    Imports:
    7 source ./price.sh
    8 . "$HOME/.env"
    Types and functions:
    11-23 sell() — Sells one tea.
    25-29 function close_shop
    "#);
}

#[test]
fn c() {
    assert_snapshot!(read("shop.c", include_bytes!("fixtures/shop.c")), @r#"
    C, 47 lines (34 of code), 2 imports, 6 types, 4 functions
    1 says: A shop that sells tea.
    Entry points:
    47 int main(int argc, char **argv)
    Imports:
    4 #include <stdio.h>
    5 #include "price.h"
    Types and functions:
    7 macro TWICE
    9-11 struct Tea
    14-18 struct shop — A shop.
    20 type Shop
    21 type callback
    22 enum state
    26 extern void elsewhere(void)
    30-38 int sell(struct shop *shop, const char *name) — Sells one tea.
    40-45 static const char * helper(void)
    47 int main(int argc, char **argv)
    "#);
}

#[test]
fn cpp() {
    assert_snapshot!(read("shop.cpp", include_bytes!("fixtures/shop.cpp")), @r#"
    C++, 47 lines (32 of code), 2 imports, 6 types, 10 functions, 1 test
    1 says: A shop that sells tea.
    Entry points:
    47 int main()
    Imports:
    3 #include <vector>
    4 #include "shop.hpp"
    Types and functions:
    6-33 namespace tea::shop
    9-17 class Ware (in tea::shop) — Something that can be sold.
    11 Ware: virtual ~Ware() = default
    12 Ware: virtual int price() const = 0
    13 Ware: Ware &operator=(const Ware &other)
    20-26 struct Shop : public Ware (in tea::shop) — A shop.
    22 Shop: explicit Shop(std::vector<T> teas) : teas_(std::move(teas))
    23 Shop: int price() const override
    24 type value_type (in Shop)
    28-29 tea::shop: template <typename T> T twice(T value)
    31 enum State (in tea::shop)
    35 namespace (anonymous)
    35 (anonymous): int hidden()
    38-43 tea::shop::Till: int tea::shop::Till::sell(const std::string &name, int amount) — Sells one.
    45 TEST(ShopTest, SellsTea) [test]
    47 int main()
    "#);
}

#[test]
fn csharp() {
    assert_snapshot!(read("shop.cs", include_bytes!("fixtures/shop.cs")), @r#"
    C#, 37 lines (26 of code), 3 imports, 5 types, 6 functions, 1 test
    Entry points:
    31 static void Main(string[] args)
    Imports:
    1 using System;
    2 using static System.Math;
    3 using Tea = Company.Tea;
    Types and functions:
    5-37 namespace Company.Shop
    10-32 class Shop<T> : Base, IDisposable where T : IWare (in Company.Shop) — A shop that sells tea.
    15 Shop: public Shop(string name)
    18-24 Shop: public async Task<T> Sell(string name, int amount = 1, params int[] rest) — Sells one tea.
    26 Shop: public int Twice(int x)
    28-29 Shop: public void SellsTea() [test]
    31 Shop: static void Main(string[] args)
    34 private interface IWare (in Company.Shop)
    34 IWare: int Price()
    35 enum State (in Company.Shop)
    36 record Pair (in Company.Shop)
    "#);
}

#[test]
fn css() {
    assert_snapshot!(read("shop.css", include_bytes!("fixtures/shop.css")), @r#"
    CSS, 5 lines (4 of code), 1 import
    1 says: Colours of the shop.
    Imports:
    2 @import url("base.css");
    "#);
}

#[test]
fn go() {
    assert_snapshot!(read("shop.go", include_bytes!("fixtures/shop.go")), @r#"
    Go, 45 lines (30 of code), 3 imports, 3 types, 5 functions, 1 test
    6 package main
    3 says: Package main sells tea.
    Entry points:
    42 func main()
    Imports:
    9 "fmt"
    10 tea "example.com/tea/v2"
    11 _ "embed"
    Types and functions:
    15-17 struct Shop — Shop is a shop.
    21 interface Ware — Ware can be sold.
    22 private type state
    26-38 Shop: func (s *Shop[T]) Sell(name string, a, b int, rest ...int) (int, error) — Sell sells one tea.
    40 func open()
    42 func main()
    44 func TestSell(t *testing.T) [test]
    45 func Testament()
    "#);
}

#[test]
fn html() {
    assert_snapshot!(read("shop.html", include_bytes!("fixtures/shop.html")), @r#"
    HTML, 11 lines (10 of code), 2 imports
    5 title Tea
    2 says: The page of a shop that sells tea.
    Imports:
    6 <link rel="stylesheet" href="shop.css">
    7 <script src="shop.js">
    "#);
}

#[test]
fn java() {
    assert_snapshot!(read("shop.java", include_bytes!("fixtures/shop.java")), @r#"
    Java, 40 lines (24 of code), 2 imports, 4 types, 5 functions, 1 test
    4 package com.example.shop
    Entry points:
    39 public static void main(String[] args)
    Imports:
    6 import java.util.List;
    7 import static java.util.Map.*;
    Types and functions:
    14-40 class Shop<T extends Ware> extends Base implements Closeable — A shop that sells tea.
    18 Shop: public Shop(List<T> teas)
    21-30 Shop: public T sell(String name, int... amounts) throws IOException — Sells one tea.
    32 private interface Ware (in Shop)
    32 Ware: int price()
    33 private enum State (in Shop)
    34 private record Pair(int a, int b) (in Shop)
    36-37 Shop: void sellsTea() [test]
    39 Shop: public static void main(String[] args)
    "#);
}

#[test]
fn javascript() {
    assert_snapshot!(read("shop.js", include_bytes!("fixtures/shop.js")), @r#"
    JavaScript, 41 lines (27 of code), 4 imports, 1 type, 10 functions, 2 tests
    4 says: A shop that sells tea.
    Entry points:
    1 #!/usr/bin/env node
    41 if (require.main === module)
    Imports:
    7 const fs = require('fs')
    8 const { join } = require("path")
    9 import price, { tax } from './price.js';
    10 export * from './stock';
    Types and functions:
    13-22 class Shop extends Base — A shop.
    15 Shop: static open = async (name)
    17-20 Shop: async sell(name, amount = "…") — Sells one tea.
    21 Shop: get size()
    25 const add = (a, b) — Adds two.
    27 export default function ()
    28 export const sub = function (a, b)
    30 function* teas()
    32 exports.mul = function (a, b)
    33 Shop: Shop.prototype.close = function ()
    37 function inner()
    Tests:
    37 sells tea
    38 is closed
    "#);
}

#[test]
fn kotlin() {
    assert_snapshot!(read("shop.kt", include_bytes!("fixtures/shop.kt")), @r#"
    Kotlin, 41 lines (32 of code), 2 imports, 5 types, 8 functions, 1 test
    3 package com.example.shop
    1 says: A shop that sells tea.
    Entry points:
    36 fun main()
    Imports:
    5 import java.util.*
    6 import com.example.tea.Tea as Leaf
    Types and functions:
    9-26 class Shop — A shop.
    12-20 Shop: fun sell(name: String, amount: Int = 1): Leaf? — Sells one tea.
    21 Shop: fun twice(x: Int)
    22 Shop: private fun hidden()
    24 Shop: fun open()
    28-30 interface Ware
    29 Ware: fun price(): Int
    31 enum State
    32-33 object Till
    34 fun String.steep(): String
    36 fun main()
    38-41 class ShopTest
    39-40 ShopTest: fun `sells tea`() [test]
    "#);
}

#[test]
fn lua() {
    assert_snapshot!(read("shop.lua", include_bytes!("fixtures/shop.lua")), @r#"
    Lua, 29 lines (18 of code), 1 import, 4 functions, 1 test
    1 says: A shop that sells tea.
    Imports:
    4 require("json")
    Types and functions:
    9-17 M: function M.sell(name, amount, ...) — Sells one tea.
    19 M: function M:close()
    21 M: M.open = function(name)
    23 local function hidden()
    Tests:
    26 sells tea
    "#);
}

#[test]
fn php() {
    assert_snapshot!(read("shop.php", include_bytes!("fixtures/shop.php")), @r#"
    PHP, 39 lines (24 of code), 3 imports, 4 types, 5 functions, 1 test
    8 package Company\Shop
    3 says: A shop that sells tea.
    Imports:
    10 use Company\Tea\{Green, Black};
    11 use Psr\Log\LoggerInterface as Logger;
    12 require_once __DIR__ . '/price.php'
    Types and functions:
    17-34 class Shop extends Base implements Ware — A shop.
    22 Shop: public function __construct(private string $name = "…")
    25-30 Shop: public static function sell(string $name, int ...$rest): ?Tea — Sells one tea.
    32 Shop: private function hidden()
    33 Shop: public function testSells() [test]
    36 interface Ware
    37 trait Talks
    38 enum State
    39 function open_shop()
    "#);
}

#[test]
fn python() {
    assert_snapshot!(read("shop.py", include_bytes!("fixtures/shop.py")), @r#"
    Python, 57 lines (40 of code), 5 imports, 2 types, 6 functions, 1 test
    2 says: A shop that sells tea.
    Entry points:
    1 #!/usr/bin/env python3
    56-57 if __name__ == "__main__"
    Imports:
    6 from __future__ import annotations
    7 import os, sys as system
    8 from .price import Price, Tax
    9 from ..stock import *
    Types and functions:
    14-37 class Shop(Base) — A shop.
    18-19 class Meta (in Shop)
    21-26 Shop: def price(self, *, password="…") -> Price — What it costs.
    28-37 Shop: async def sell(self, a, b=1, *rest, **more)
    41-46 def open_shop(name: str, city: str = "…") -> Shop — Opens a shop.
    45 open_shop: def inner()
    49 def _hidden()
    52-53 def test_sells() [test]
    "#);
}

#[test]
fn ruby() {
    assert_snapshot!(read("shop.rb", include_bytes!("fixtures/shop.rb")), @r#"
    Ruby, 48 lines (34 of code), 2 imports, 2 types, 4 functions, 1 test
    3 says: A shop that sells tea.
    Entry points:
    46-48 if __FILE__ == $PROGRAM_NAME
    Imports:
    5 require 'json'
    6 require_relative 'price'
    Types and functions:
    8-39 module Tea
    10-38 class Shop < Base (in Tea) — A shop.
    14-16 Shop: def self.open(name, city: "…", &block) — Opens one.
    19 Shop: def close
    22-33 Shop: def sell(name, amount = 1, *rest)
    37 Shop: def hidden
    Tests:
    42-43 sells tea
    "#);
}

#[test]
fn rust() {
    assert_snapshot!(read("shop.rs", include_bytes!("fixtures/shop.rs")), @r#"
    Rust, 55 lines (36 of code), 3 imports, 5 types, 6 functions, 1 test
    1 says: A shop that sells tea.
    Entry points:
    49 fn main()
    Imports:
    5 use std::collections::{BTreeMap, HashMap as Map};
    6 use crate::price::Price;
    7 mod price;
    Types and functions:
    12-16 struct Shop<T> — A shop.
    18 private enum State
    21-26 trait Ware — Something that can be sold.
    24 Ware: fn price(&self) -> Price — What it costs.
    25 Ware: fn name(&self) -> &str
    30-39 Shop: pub fn sell(&mut self, name: &str, amount: u32) -> Option<T> — Sells one tea.
    43 Shop as Drop: fn drop(&mut self)
    47 private macro tea
    49 fn main()
    51-55 private module tests
    53-54 tests: fn sells_tea() [test]
    "#);
}

#[test]
fn scala() {
    assert_snapshot!(read("shop.scala", include_bytes!("fixtures/shop.scala")), @r#"
    Scala, 23 lines (17 of code), 2 imports, 5 types, 5 functions
    2 package com.example.shop
    1 says: A shop that sells tea.
    Entry points:
    21 object Main extends App
    23 def main(args: Array[String]): Unit
    Imports:
    4 import scala.collection.mutable
    5 import com.example.tea.{Green, Black}
    Types and functions:
    8-18 class Shop[T <: Ware](val name: String = "…") extends Base with Ware — A shop.
    11-15 Shop: def sell(name: String, amount: Int = 1)(implicit ctx: Context): Option[T] — Sells one tea.
    16 Shop: private def hidden()
    17 Shop: def abstractly: Int
    20 trait Ware
    20 Ware: def price: Int
    21 object Main extends App
    22 class Pair
    23 object Other
    23 Other: def main(args: Array[String]): Unit
    "#);
}

#[test]
fn sql() {
    assert_snapshot!(read("shop.sql", include_bytes!("fixtures/shop.sql")), @r#"
    SQL, 18 lines (11 of code), 2 types, 1 function
    1 says: A shop that sells tea.
    Types and functions:
    4-8 table shop.teas (id INTEGER, name TEXT, price NUMERIC(10, 2)) — All teas.
    12 view cheap
    14-16 CREATE FUNCTION twice(x integer) RETURNS integer
    "#);
}

#[test]
fn swift() {
    assert_snapshot!(read("shop.swift", include_bytes!("fixtures/shop.swift")), @r#"
    Swift, 28 lines (20 of code), 2 imports, 7 types, 6 functions, 1 test
    1 says: A shop that sells tea.
    Imports:
    3 import Foundation
    4 import struct Tea.Leaf
    Types and functions:
    7-20 class Shop<T: Ware>: Base — A shop.
    10 Shop: public init(name: String = "…") — Opens one.
    12-18 Shop: public func sell(_ name: String, amount: Int = 1) throws -> T? — Sells one tea.
    19 Shop: private func hidden()
    22 protocol Ware
    22 Ware: func price() -> Int
    23 struct Pair
    24 enum State
    25 extension Shop
    25 Shop: func close()
    26 type Teas
    28 class ShopTests: XCTestCase
    28 ShopTests: func testSells() [test]
    "#);
}

#[test]
fn tsx() {
    assert_snapshot!(read("shop.tsx", include_bytes!("fixtures/shop.tsx")), @r#"
    TSX, 11 lines (7 of code), 1 import, 1 type, 2 functions
    Imports:
    1 import React, { useState } from "react";
    Types and functions:
    3 private type Props
    6-9 export const Button: React.FC<Props> = ({ name }) — A button that sells tea.
    11 export default function App()
    "#);
}

#[test]
fn typescript() {
    assert_snapshot!(read("shop.ts", include_bytes!("fixtures/shop.ts")), @r#"
    TypeScript, 32 lines (22 of code), 2 imports, 7 types, 8 functions
    4 says: A shop that sells tea.
    Imports:
    6 import type { Price } from "./price";
    7 import fs = require("fs");
    Types and functions:
    10 interface Ware<T> — What can be sold.
    11 type Teas
    12 enum State
    13 private module tea
    13 tea: export function steep(): void
    14 namespace Inner
    14 class Cup (in Inner)
    16-27 class Shop<T extends Ware<Price>> implements Base
    19 Shop: constructor(private name: string, other?: number)
    21-24 Shop: public async sell(ware: T, ...rest: unknown[]): Promise<T | undefined> — Sells.
    25 Shop: abstract close(): void
    26 Shop: handle = (event: Event): void
    29 export const open = async <T,>(name: string): Promise<Shop<any>>
    31 export function over(a: string): void
    32 export function over(a: any): void
    "#);
}

#[test]
fn a_type_may_be_called_like_a_part_of_other_words() {
    let said = read("shop.py", "class s(Base): pass\nclass ss(clas, metaclass=Tea):\n    pass\n");
    assert!(said.contains("1 class s(Base)\n2-3 class ss(clas, metaclass=Tea)\n"), "{said}");
}

/// Comments that are about what follows are not about the file, and lines drawn across the page are about nothing.
#[test]
fn comments_belong_to_what_they_are_about() {
    let text = "'use strict';\n\n/**\n * Module dependencies.\n * @private\n */\n\nvar tea = require('tea')('x');\n\n\
                /**\n * Starts the shop.\n */\n\napp.init = function init() {};\nfunction close() {}\n";
    assert_snapshot!(read("shop.js", text), @r#"
    JavaScript, 15 lines (4 of code), 1 import, 2 functions
    Imports:
    8 var tea = require('tea')
    Types and functions:
    14 app: app.init = function init() — Starts the shop.
    15 function close()
    "#);
    let text = "#include <tea.h>\n\n/* Sells tea to those who ask for it. */\nint sold;\n\n\
                /* ------------- types ------------- */\nstruct tea { int price; };\n";
    assert_snapshot!(read("shop.c", text), @r#"
    C, 7 lines (3 of code), 1 import, 1 type
    Imports:
    1 #include <tea.h>
    Types and functions:
    7 struct tea
    "#);
    assert_snapshot!(read("shop.rb", "# external dependencies\nrequire 'tea'\n\nclass None < Error; end\n"), @r#"
    Ruby, 4 lines (2 of code), 1 import, 1 type
    Imports:
    2 require 'tea'
    Types and functions:
    4 class None < Error
    "#);
}
