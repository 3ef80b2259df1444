use proptest::prelude::*;

use super::super::Source;
use super::super::engine::{outline, outline_whole};
use super::super::grammar::Grammar;
use super::{Language, Skim};
use crate::structure::{Bodies, Heads, Limits};

const FIXTURES: &[(Language, &[u8])] = &[
    (Language::C, include_bytes!("../../../../tests/structure/fixtures/shop.c")),
    (Language::CSharp, include_bytes!("../../../../tests/structure/fixtures/shop.cs")),
    (Language::Cpp, include_bytes!("../../../../tests/structure/fixtures/shop.cpp")),
    (Language::Go, include_bytes!("../../../../tests/structure/fixtures/shop.go")),
    (Language::Java, include_bytes!("../../../../tests/structure/fixtures/shop.java")),
    (Language::JavaScript, include_bytes!("../../../../tests/structure/fixtures/shop.js")),
    (Language::Kotlin, include_bytes!("../../../../tests/structure/fixtures/shop.kt")),
    (Language::Lua, include_bytes!("../../../../tests/structure/fixtures/shop.lua")),
    (Language::Php, include_bytes!("../../../../tests/structure/fixtures/shop.php")),
    (Language::Python, include_bytes!("../../../../tests/structure/fixtures/shop.py")),
    (Language::Rust, include_bytes!("../../../../tests/structure/fixtures/shop.rs")),
    (Language::Rust, include_bytes!("../engine.rs")),
    (Language::Rust, include_bytes!("scanner.rs")),
    (Language::Rust, include_bytes!("braces.rs")),
    (Language::Rust, include_bytes!("../../table.rs")),
    (Language::Scala, include_bytes!("../../../../tests/structure/fixtures/shop.scala")),
    (Language::Swift, include_bytes!("../../../../tests/structure/fixtures/shop.swift")),
    (Language::TypeScript, include_bytes!("../../../../tests/structure/fixtures/shop.ts")),
];

/// The outlines of the short text and of the long one. Ways are counted by tokens here and by nodes there: they may differ a
/// little, and only they.
fn both(language: Language, text: &[u8]) -> [Source; 2] {
    let limits = Limits::default();
    let whole = outline_whole(Grammar::of(language), text, &limits).unwrap();
    let skim = Skim::of(language, text, Heads::Whole).unwrap();
    let mut short = outline_whole(Grammar::of(language), &skim.text, &limits).unwrap();
    skim.restore(&mut short, text);
    [short, whole].map(|mut source| {
        source.metrics.deepest_nesting = 0;
        for function in &mut source.functions {
            function.metrics.branches = 0;
            function.metrics.nesting = 0;
        }
        source
    })
}

/// Says that a text gives the same outline without its bodies, and that there were some.
#[track_caller]
fn check(language: Language, text: &str) {
    let [short, whole] = both(language, text.as_bytes());
    assert_eq!(short, whole, "{language:?}: {text}");
    assert!(!Skim::of(language, text.as_bytes(), Heads::Whole).unwrap().is_empty(), "{language:?}: {text}");
}

/// Says that a text has nothing that could be left out.
#[track_caller]
fn stays(language: Language, text: &str) {
    let skim = Skim::of(language, text.as_bytes(), Heads::Whole).unwrap();
    assert_eq!(String::from_utf8_lossy(&skim.text), text, "{language:?}");
}

#[test]
fn nothing_is_lost_with_the_bodies() {
    for (language, text) in FIXTURES {
        let [short, whole] = both(*language, text);
        assert_eq!(short, whole, "{language:?}");
    }
    let with_bodies = FIXTURES
        .iter()
        .filter(|(language, text)| !Skim::of(*language, text, Heads::Whole).unwrap().is_empty());
    assert!(12 < with_bodies.count());
}

/// Two outlines of a text: where only names are asked for, and where all is, without what the first leaves out.
fn by_name_and_whole(language: Language, text: &[u8]) -> [Source; 2] {
    let names = Limits { heads: Heads::Names, ..Limits::default() };
    let [names, mut whole] =
        [names, Limits::default()].map(|limits| outline(language, text, &limits).unwrap());
    for function in &mut whole.functions {
        let same = names.functions.iter().find(|named| named.lines == function.lines);
        function.parameters = 0;
        // Ways through a list of parameters are not counted, and in short bodies they are counted otherwise.
        if let Some(same) = same {
            function.metrics = same.metrics;
            function.signature.clone_from(&same.signature);
        }
        if function.owner.is_some() && language == Language::Python {
            function.doc = same.and_then(|same| same.doc.clone());
        }
    }
    whole.metrics.deepest_nesting = names.metrics.deepest_nesting;
    whole.types.iter_mut().for_each(|kind| kind.derived = String::new());
    [names, whole]
}

#[test]
fn names_are_the_same_where_nothing_else_is_asked_for() {
    for (language, text) in FIXTURES {
        let [names, whole] = by_name_and_whole(*language, text);
        assert_eq!(names, whole, "{language:?}");
    }
    let python = "class Shop(Base):\n    \"\"\"A shop.\"\"\"\n\n    @property\n    def till(self, a=(1, 2), *, b: \"x(\" = None) -> int:\n        \"\"\"What is in it.\"\"\"\n        # Counted.\n        return self.a(1)\n\n    async def open(\n        self,\n    ):\n        await self.b\n        return 1\n\n    def short(self): pass\n\n    def test_it(self):\n        def inner(x):\n            return x + 1 + x\n        return inner\n\ndef free(a, b):\n    \"\"\"Free.\"\"\"\n    return a + b + a + b + a + b + a + b + a + b\n";
    let [names, whole] = by_name_and_whole(Language::Python, python.as_bytes());
    assert_eq!(names, whole);
    assert_eq!(names.functions.len(), 6);
    assert_eq!(
        names.functions.last().and_then(|free| free.doc.as_ref()).map(|doc| doc.text.as_str()),
        Some("Free.")
    );
    let skim = Skim::of(Language::Python, python.as_bytes(), Heads::Names).unwrap();
    let short = String::from_utf8(skim.text).unwrap();
    assert!(short.contains("    def till():\n        pass\n"), "{short}");
}

#[test]
fn methods_between_others_are_put_back_as_they_were() {
    let method = |name: &str| format!("    def {name}(self, a):\n        return a + a + a + a + a + a\n");
    let class = |methods: &[&str]| format!("class Shop:\n{}\nlast = 1\n", methods.join("\n"));
    let [one, two, three, four] = ["open", "_close", "test_it", "__len__"].map(method);
    let text = class(&[&one, &two, &three, &four]);
    let [names, whole] = by_name_and_whole(Language::Python, text.as_bytes());
    assert_eq!(names, whole);
    assert_eq!(names.tests.len(), 1);
    let short = |text: &str| {
        String::from_utf8(Skim::of(Language::Python, text.as_bytes(), Heads::Names).unwrap().text).unwrap()
    };
    assert!(!short(&text).contains("_close"), "{}", short(&text));
    // What stands above a method belongs to it, and there may be other things.
    let apart = [
        class(&[&one, "    # It closes.", &two, "    @property", &three, &four]),
        class(&[&one, "    def short(self): pass", &two, &three, "    x = 1", &four]),
        class(&[&one, &two, &three, &four, "    class Inner:", "        y = 1"]),
        format!("if one:\n{one}\n{two}\n{three}\n{four}"),
        format!("def outer():\n{one}\n{two}\n{three}\n{four}\n    return 1\n"),
        text.replace('\n', "\r\n"),
        text.replace("    def", "    async def"),
        text.replace("(self, a):", "(\n        self, a):"),
        text.replace("open(", "open[T]("),
    ];
    for text in apart {
        let [names, whole] = by_name_and_whole(Language::Python, text.as_bytes());
        assert_eq!(names, whole, "{text}");
    }
    let few = Limits { heads: Heads::Names, items: 3, ..Limits::default() };
    let cut = outline(Language::Python, text.as_bytes(), &few).unwrap();
    assert_eq!((cut.functions.len(), cut.left_out.functions), (3, 1));
}

proptest! {
    /// Whatever stands in a class, in whatever order.
    #[test]
    fn classes_are_the_same_by_name_and_whole(parts in prop::collection::vec(0_usize..10, 0..14)) {
        let part = |(number, kind): (usize, &usize)| match kind {
            0..=3 => format!("    def name{number}(self, a):\n        return a + a + a + a + a\n\n"),
            4 => format!("    def test_{number}(self):\n        \"\"\"Says so.\"\"\"\n        if a:\n            return a\n        return b\n"),
            5 => "    # A comment\n".to_owned(),
            6 => "    @staticmethod\n".to_owned() + &format!("    def _own{number}():\n        for a in b:\n            yield a + a\n"),
            7 => format!("    value{number} = 1\n\n\n"),
            8 => format!("    class Inner{number}:\n        def inner(self):\n            return 1 + 1 + 1 + 1 + 1 + 1\n"),
            _ => format!("class Other{number}:\n    \"\"\"Another.\"\"\"\n"),
        };
        let text: String = parts.iter().enumerate().map(part).collect();
        let text = format!("class First:\n    x = 1\n\n{text}");
        let [names, whole] = by_name_and_whole(Language::Python, text.as_bytes());
        prop_assert_eq!(names, whole, "{}", text);
    }
}

const FILLER: &str = "a = b + c; call(a, b); call(b, c); call(c, a); d = a;";

#[test]
fn strings_and_comments_do_not_end_a_body() {
    check(
        Language::CSharp,
        &format!(
            "class A {{\n void F() {{\n var s = @\"a\"\"}}\" + $\"{{x[\"}}\"]}} }}\"; // }}\n {FILLER}\n }}\n void G() {{}}\n}}\n"
        ),
    );
    check(
        Language::CSharp,
        &format!("class A {{\n int P {{ get {{ {FILLER} return a; }} }}\n void G() {{}}\n}}\n"),
    );
    check(
        Language::Php,
        "<?php\nclass A {\n function f() {\n $s = <<<END\n }\n END;\n # it's }\n $t = 'x\n }';\n return $s . $t . $s;\n }\n function g() {}\n}\n",
    );
    check(
        Language::Lua,
        "local function f()\n local s = [[ end ]] -- end\n --[==[ end\n end ]==]\n local t = 'end' .. \"end\"\n if s then return 4 // 2 end\nend\nlocal function g() end\n",
    );
    check(
        Language::Kotlin,
        &format!(
            "fun f() {{\n val s = \"${{x[\"}}\"]}} }}\" + \"\"\"}}\"\"\"\n {FILLER}\n}}\nfun g() {{}}\n"
        ),
    );
    check(
        Language::Swift,
        &format!(
            "func f() {{\n let s = \"\\(x[\"}}\"]) }}\"\n let t = #\"}}\"#\n {}\n}}\nfunc g() {{}}\n",
            FILLER.replace(';', "\n")
        ),
    );
    check(
        Language::Scala,
        &format!(
            "object A {{\n def f() = {{\n val s = s\"${{x(\"}}\")}} }}\"\n val c = '}}'\n {}\n }}\n def g() = 1\n}}\n",
            FILLER.replace(';', "\n")
        ),
    );
    check(
        Language::JavaScript,
        &format!(
            "function f() {{\n const s = `a ${{x({{b: `}}`}})}} }}`;\n {FILLER}\n}}\nfunction g() {{}}\n"
        ),
    );
}

#[test]
fn what_belongs_into_an_outline_stays() {
    stays(
        Language::CSharp,
        &format!("class A {{\n void F() {{\n int Inner(int a) {{ return a; }}\n {FILLER}\n }}\n}}\n"),
    );
    stays(
        Language::CSharp,
        &format!("class A {{\n void F() {{\n int Inner(int a) => a;\n {FILLER}\n }}\n}}\n"),
    );
    stays(
        Language::Php,
        &format!("<?php\nfunction f() {{\n function inner() {{}}\n {}\n}}\n", FILLER.replace("a", "$a")),
    );
    stays(
        Language::Php,
        "<?php\nfunction f() {\n require_once __DIR__ . '/a/very/long/path/to/some/file.php';\n}\n",
    );
    stays(
        Language::Lua,
        "local function f()\n local m = require('a.very.long.module.name.indeed')\n return m.x + m.y\nend\n",
    );
    stays(
        Language::Lua,
        "describe('x', function()\n local helper = function() return 1 end\n return helper() + helper() + helper()\nend)\n",
    );
    stays(
        Language::Rust,
        "fn f() {\n    use std::collections::BTreeMap;\n    let map = BTreeMap::new();\n    map.len()\n}\n",
    );
    stays(Language::TypeScript, &format!("function f() {{\n type Local = string;\n {FILLER}\n}}\n"));
    stays(Language::JavaScript, &format!("run(() => {{\n const helper = () => 1;\n {FILLER}\n}});\n"));
}

#[test]
fn names_that_look_like_words_do_not_keep_a_body() {
    check(
        Language::TypeScript,
        &format!("function f() {{\n const type = x.type; if (/a/.test(x.test(y))) {{}}\n {FILLER}\n}}\n"),
    );
    check(
        Language::JavaScript,
        &format!("function f() {{\n run(function () {{ {FILLER} }});\n {FILLER}\n}}\n"),
    );
    check(
        Language::Php,
        "<?php\nfunction f() {\n $x = Foo::class; $y = $a->class;\n run(function () use ($x) { return $x; });\n}\n",
    );
    check(
        Language::Lua,
        "function f()\n local helper = function() return 1 end\n return helper() + helper() + helper()\nend\n",
    );
    check(
        Language::Rust,
        "fn f() {\n    let g: fn(u32) -> u32 = double;\n    let all = left.union(&right);\n    g(all.len())\n}\n",
    );
}

#[test]
fn types_without_functions_are_left_out_like_bodies() {
    check(
        Language::TypeScript,
        &format!(
            "interface A {{\n {}\n}}\nenum B {{\n {}\n}}\n",
            "name: string;\n".repeat(9),
            "One = 1,\n".repeat(9)
        ),
    );
    check(
        Language::Rust,
        &format!(
            "/// A.\npub struct A {{\n{}}}\n\nimpl A {{\n    fn f() {{}}\n}}\n",
            "    /// Doc.\n    pub name: fn(u8) -> u8,\n".repeat(9)
        ),
    );
    check(
        Language::Go,
        &format!(
            "package a\n\ntype A struct {{\n{}}}\n\nfunc f() {{}}\n",
            "\tName string // name\n".repeat(9)
        ),
    );
}

/// A text that its skim makes wrong is read whole.
#[test]
fn a_skim_that_makes_errors_is_not_believed() {
    let text =
        format!("<?php\nclass A {{\n function f() {{\n $x = \"{{$y}}\";\n {}\n", "$a = $b;\n".repeat(20));
    let limits = Limits::default();
    let whole = Limits { bodies: Bodies::Read, ..Limits::default() };
    let [short, long] =
        [&limits, &whole].map(|limits| outline(Language::Php, text.as_bytes(), limits).unwrap());
    assert!(long.has_errors);
    assert_eq!(short, long);
}

#[test]
fn ways_are_counted_by_tokens_as_by_nodes() {
    for (language, body) in [
        (
            Language::Rust,
            "fn f() {\n if a && b { for c in d { while e {} } } else if g || h { match i { 1 => {}, _ => {} } }\n let k = || 1;\n}\n",
        ),
        (
            Language::Go,
            "package a\nfunc f() {\n if a := b; a && c {\n for {\n switch {\n case d:\n case e:\n }\n }\n } else if g {\n }\n}\n",
        ),
        (
            Language::C,
            "int f(void) {\n if (a && b) { for (;;) { switch (c) { case 1: case 2: break; } } } else if (d == 'x' || e) { while (g ? h : i) {} }\n}\n",
        ),
        (
            Language::Python,
            "def f():\n    if a and b:\n        for c in d:\n            try:\n                pass\n            except E:\n                if g: pass\n    elif h:\n        with i: pass\n",
        ),
        (
            Language::Lua,
            "function f()\n if a and b then\n for i = 1, 2 do\n while c do x() end\n end\n elseif d or e then\n repeat y() until z\n end\nend\n",
        ),
        (
            Language::Php,
            "<?php\nfunction f() {\n if ($a && $b) { foreach ($c as $d) { while ($e) {} } } elseif ($g || $h) { switch ($i) { case 1: case 2: break; } }\n return $a ? $b : $c?->d;\n}\n",
        ),
        (
            Language::CSharp,
            "class A {\n void F() {\n if (a && b) { foreach (var c in d) { while (e) {} } } else if (g || h) { try { x?.y(); } catch (E) {} }\n }\n}\n",
        ),
    ] {
        let limits = Limits::default();
        let whole = outline_whole(Grammar::of(language), body.as_bytes(), &limits).unwrap();
        let skim = Skim::of(language, body.as_bytes(), Heads::Whole).unwrap();
        let mut short = outline_whole(Grammar::of(language), &skim.text, &limits).unwrap();
        skim.restore(&mut short, body.as_bytes());
        assert_eq!(short.functions[0].metrics, whole.functions[0].metrics, "{language:?}");
        assert_eq!(skim.cuts.len(), 1, "{language:?}");
    }
}

/// Statements that no body is harmed by, per language with braces and semicolons.
fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("x = 1;".to_owned()),
        Just("call(\"} {\", 'a');".to_owned()),
        Just("// } don't\n".to_owned()),
        Just("/* { ' \" */".to_owned()),
        Just("if (x) { y = 2; } else { z(); }".to_owned()),
        Just("while (a && b) { c(); }".to_owned()),
        Just("\n\n".to_owned()),
        "[a-z]{3,9}".prop_map(|name| format!("{name}_(1, 2);")),
    ]
}

proptest! {
    #[test]
    fn any_body_may_be_left_out(
        bodies in prop::collection::vec(prop::collection::vec(statement(), 0..12), 1..5),
    ) {
        for (language, before, head, after) in [
            (Language::C, "", "int f", ""),
            (Language::Java, "class A {\n", "void f", "}\n"),
            (Language::CSharp, "class A {\n", "void f", "}\n"),
            (Language::JavaScript, "", "function f", ""),
            (Language::TypeScript, "", "function f", ""),
        ] {
            let mut text = before.to_owned();
            for (index, body) in bodies.iter().enumerate() {
                text.push_str(&format!("{head}{index}() {{\n{}\n}}\n", body.join("\n")));
            }
            text.push_str(after);
            let [short, whole] = both(language, text.as_bytes());
            prop_assert_eq!(short, whole, "{:?}: {}", language, text);
        }
    }

    /// Whatever the text is, each line of the short one stands for one of the long one, or for those that were left out.
    #[test]
    fn lines_are_accounted_for(
        pieces in prop::collection::vec(
            prop_oneof![
                Just("{"), Just("}"), Just("\n"), Just("function "), Just("fn f()"), Just("def f():\n  "), Just("end\n"),
                Just("\""), Just("'"), Just("`"), Just("${"), Just("[["), Just("]]"), Just("--"), Just("<<<A\n"), Just("@\""),
                Just("#"), Just("//"), Just("/*"), Just("*/"), Just("("), Just(")"), Just("="), Just("=>"), Just("class A "),
                Just("interface B "), Just("some words that fill a line of the body;\n"), Just("\\("), Just("\"\"\""), Just("é"),
            ],
            0..60,
        ),
    ) {
        let text = pieces.concat() + "\n";
        for (language, _) in FIXTURES {
            let text = if *language == Language::Php { format!("<?php\n{text}") } else { text.clone() };
            for heads in [Heads::Whole, Heads::Names] {
                let Some(skim) = Skim::of(*language, text.as_bytes(), heads) else { continue };
                let newlines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
                let cut: u32 = skim.cuts.iter().map(|cut| cut.lines).sum();
                prop_assert_eq!(newlines(&skim.text) + cut as usize, newlines(text.as_bytes()), "{:?}", language);
                prop_assert!(skim.cuts.is_sorted_by_key(|cut| cut.line), "{:?}", language);
            }
        }
    }
}
