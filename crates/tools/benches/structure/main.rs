//! probe
#![allow(
    clippy::all,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason
)]
use std::path::*;
fn walk(d: &Path, out: &mut Vec<PathBuf>) {
    for e in std::fs::read_dir(d).unwrap() {
        let p = e.unwrap().path();
        if p.is_symlink() {
            continue;
        }
        if p.is_dir() { walk(&p, out) } else { out.push(p) }
    }
}
fn main() {
    let mut files = vec![];
    for t in ["django", "go", "neovim", "rust"] {
        walk(&Path::new("/tmp/trees").join(t), &mut files);
    }
    files.sort();
    let langs: Vec<(&str, tree_sitter::Language)> = vec![
        ("rs", tree_sitter_rust::LANGUAGE.into()),
        ("py", tree_sitter_python::LANGUAGE.into()),
        ("js", tree_sitter_javascript::LANGUAGE.into()),
        ("go", tree_sitter_go::LANGUAGE.into()),
        ("c", tree_sitter_c::LANGUAGE.into()),
        ("ts", tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
        ("lua", tree_sitter_lua::LANGUAGE.into()),
        ("sh", tree_sitter_bash::LANGUAGE.into()),
        ("kt", tree_sitter_kotlin_ng::LANGUAGE.into()),
        ("swift", tree_sitter_swift::LANGUAGE.into()),
        ("scala", tree_sitter_scala::LANGUAGE.into()),
        ("sql", tree_sitter_sequel::LANGUAGE.into()),
        ("html", tree_sitter_html::LANGUAGE.into()),
        ("css", tree_sitter_css::LANGUAGE.into()),
        ("java", tree_sitter_java::LANGUAGE.into()),
        ("cs", tree_sitter_c_sharp::LANGUAGE.into()),
        ("cpp", tree_sitter_cpp::LANGUAGE.into()),
        ("rb", tree_sitter_ruby::LANGUAGE.into()),
        ("php", tree_sitter_php::LANGUAGE_PHP.into()),
    ];
    for (ext, lang) in langs {
        let mut p = tree_sitter::Parser::new();
        p.set_language(&lang).unwrap();
        let mut total = 0usize;
        let mut nodes = 0usize;
        let mut t = std::time::Duration::ZERO;
        let mut tw = t;
        let mut td = t;
        let mut calls = 0u64;
        let mut worst = 0f64;
        for f in files.iter().filter(|f| f.extension().is_some_and(|e| e == ext)) {
            let b = std::fs::read(f).unwrap();
            if total > 12_000_000 || b.len() > 500_000 {
                continue;
            }
            let s = std::time::Instant::now();
            let mut c = 0u64;
            let mut cb = |_: &tree_sitter::ParseState| {
                c += 1;
                std::ops::ControlFlow::Continue(())
            };
            let tree = p
                .parse_with_options(
                    &mut |i, _| &b[i.min(b.len())..],
                    None,
                    Some(tree_sitter::ParseOptions::new().progress_callback(&mut cb)),
                )
                .unwrap();
            t += s.elapsed();
            calls += c;
            if b.len() > 2000 {
                worst = worst.max(c as f64 / b.len() as f64);
            }
            let s = std::time::Instant::now();
            let mut cur = tree.walk();
            let mut x = 0u64;
            'o: loop {
                nodes += 1;
                x += u64::from(cur.node().kind_id());
                if cur.goto_first_child() {
                    continue;
                }
                loop {
                    if cur.goto_next_sibling() {
                        break;
                    }
                    if !cur.goto_parent() {
                        break 'o;
                    }
                }
            }
            std::hint::black_box(x);
            tw += s.elapsed();
            total += b.len();
            drop(cur);
            let s = std::time::Instant::now();
            drop(tree);
            td += s.elapsed();
        }
        let mb = total as f64 / 1e6;
        println!(
            "{ext}: abi {} {mb:.1} MB parse {:.1} MB/s walk {:.1} MB/s drop {:.1} nodes/B {:.2} calls/kB {:.2} worst/kB {:.2}",
            lang.abi_version(),
            mb / t.as_secs_f64(),
            mb / tw.as_secs_f64(),
            mb / td.as_secs_f64(),
            nodes as f64 / total as f64,
            calls as f64 / total as f64 * 1000.0,
            worst * 1000.0
        );
    }
}
