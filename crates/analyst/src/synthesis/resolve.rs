//! Which file of the target an import means, as each language writes it.

use std::collections::{BTreeMap, BTreeSet};

/// Finds the files that imports mean.
pub(super) struct Resolver<'a> {
    files: BTreeSet<&'a str>,
    dirs: BTreeSet<&'a str>,
    by_name: BTreeMap<&'a str, Vec<&'a str>>,
    /// What manifests declare: the directory, the kind and the name of each package.
    modules: &'a [(String, String, String)],
}

impl<'a> Resolver<'a> {
    pub(super) fn new(paths: &'a [String], modules: &'a [(String, String, String)]) -> Self {
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut dirs = BTreeSet::new();
        for path in paths {
            let mut above = path.as_str();
            by_name.entry(path.rsplit('/').next().unwrap_or_default()).or_default().push(path);
            while let Some((dir, _)) = above.rsplit_once('/') {
                if !dirs.insert(dir) {
                    break;
                }
                above = dir;
            }
        }
        Self { files: paths.iter().map(String::as_str).collect(), dirs, by_name, modules }
    }

    /// What stands for a file in the graph: the file, or its package where a language imports those.
    pub(super) fn node_of(path: &str) -> &str {
        if path.ends_with(".go") || path.ends_with(".cs") { dir_of(path) } else { path }
    }

    /// What an import in a file means; `None` for what lies outside the target.
    pub(super) fn resolve(&self, path: &str, module: &str) -> Option<String> {
        match path.rsplit_once('.')?.1 {
            "py" | "pyi" => self.python(path, module),
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "vue" => self.ecmascript(path, module),
            "go" => self.go(module),
            "rs" => self.rust(path, module),
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "m" => self.c(path, module),
            "java" | "kt" | "scala" => {
                let place = module.trim_end_matches(".*").replace('.', "/");
                ["java", "kt", "scala"].iter().find_map(|ending| self.only(&format!("{place}.{ending}")))
            }
            "cs" => self.dotnet(module),
            "php" => self.php(module),
            "lua" => {
                let place = module.replace('.', "/");
                self.only(&format!("{place}.lua")).or_else(|| self.only(&format!("{place}/init.lua")))
            }
            "rb" => {
                let near = joined(dir_of(path), module).map(|place| format!("{place}.rb"));
                near.filter(|place| self.files.contains(place.as_str()))
                    .or_else(|| self.only(&format!("lib/{}.rb", module.trim_end_matches(".rb"))))
            }
            _ => None,
        }
    }

    /// The only file whose path ends so.
    fn only(&self, end: &str) -> Option<String> {
        let named = self.by_name.get(end.rsplit('/').next()?)?;
        let is_it = |path: &&&str| {
            path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let mut found = named.iter().filter(is_it);
        let first = found.next()?;
        found.next().is_none().then(|| (*first).to_owned())
    }

    fn file(&self, place: &str, endings: &[&str]) -> Option<String> {
        endings
            .iter()
            .map(|ending| format!("{place}{ending}").trim_start_matches('/').to_owned())
            .find(|path| self.files.contains(path.as_str()))
    }

    /// Namespaces of .NET lie in directories of their names, below the project that has the first part of the name.
    fn dotnet(&self, module: &str) -> Option<String> {
        let below = |name: &str| {
            let rest = module.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with('.')).then(|| rest.replace('.', "/"))
        };
        let projects = self.modules.iter().filter(|(_, kind, _)| kind == ".NET project");
        let found = projects.filter_map(|(dir, _, name)| Some((name.len(), dir, below(name)?)));
        let (_, dir, rest) = found.max_by_key(|(length, dir, _)| (*length, std::cmp::Reverse(dir.len())))?;
        let place = format!("{dir}{rest}");
        self.dirs.contains(place.as_str()).then_some(place)
    }

    fn python(&self, path: &str, module: &str) -> Option<String> {
        const ENDINGS: &[&str] = &[".py", "/__init__.py", ".pyi"];
        let name = module.trim_start_matches('.');
        let mut steps: Vec<&str> = name.split('.').filter(|step| !step.is_empty()).collect();
        let dots = module.len() - name.len();
        if 0 < dots {
            let mut base = dir_of(path);
            for _ in 1..dots {
                base = dir_of(base);
            }
            // The last step may be a name of the module before it.
            let place = |steps: &[&str]| {
                std::iter::once(base).chain(steps.iter().copied()).collect::<Vec<_>>().join("/")
            };
            let whole = self.file(&place(&steps), ENDINGS);
            return whole
                .or_else(|| self.file(&place(&steps[..steps.len().checked_sub(1)?.max(1)]), ENDINGS));
        }
        // From the place of the outermost package: the target, or a directory that holds sources.
        let fewest = steps.len().min(2);
        while fewest <= steps.len() && !steps.is_empty() {
            let place = steps.join("/");
            let roots = ["", "src/", "lib/", "python/"];
            if let Some(found) = roots.iter().find_map(|root| self.file(&format!("{root}{place}"), ENDINGS)) {
                return Some(found);
            }
            // A script sees what lies beside it; a module of a package does not.
            let is_script = !self.files.contains(format!("{}/__init__.py", dir_of(path)).as_str());
            if is_script && let Some(found) = self.file(&format!("{}/{place}", dir_of(path)), ENDINGS) {
                return Some(found);
            }
            steps.pop();
        }
        None
    }

    fn ecmascript(&self, path: &str, module: &str) -> Option<String> {
        if module.starts_with('.') {
            let place = joined(dir_of(path), module)?;
            let bare = place.strip_suffix(".js").unwrap_or(&place).to_owned();
            let endings =
                ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", "/index.ts", "/index.tsx", "/index.js"];
            return self.file(&place, &endings).or_else(|| self.file(&bare, &endings));
        }
        self.declared("npm package", |name| {
            module == name || module.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
        })
    }

    fn go(&self, module: &str) -> Option<String> {
        let place = |(dir, kind, name): &(String, String, String)| {
            let below = match name.as_str() {
                _ if kind != "Go module" => return None,
                // The standard library is imported without a name before it.
                "std" => module,
                name => module.strip_prefix(name)?.strip_prefix('/').or((module == name).then_some(""))?,
            };
            let place = format!("{dir}/{below}");
            let place = place.trim_matches('/');
            (place.is_empty() || self.dirs.contains(place)).then(|| place.to_owned())
        };
        self.modules.iter().filter_map(place).max_by_key(String::len)
    }

    /// A class lies in a file of its name; how much of its namespace stands in the path is up to the project.
    fn php(&self, module: &str) -> Option<String> {
        let steps: Vec<&str> = module.trim_start_matches('\\').split('\\').collect();
        let most = steps.len().saturating_sub(1).min(3);
        let is_home = |found: &String, from: usize| {
            // A directory that is called like what was dropped is where it would lie.
            let dropped = &steps[..from];
            let is_called = |dir: &str, step: &str| {
                dir.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case(step))
            };
            dropped.iter().all(|step| {
                let has_dir = self.dirs.iter().any(|dir| is_called(dir, step));
                !has_dir || dir_of(found).split('/').any(|name| name.eq_ignore_ascii_case(step))
            })
        };
        (0..most).find_map(|from| {
            self.only(&format!("{}.php", steps[from..].join("/")))
                .filter(|found| from == 0 || is_home(found, from))
        })
    }

    fn rust(&self, path: &str, module: &str) -> Option<String> {
        let steps: Vec<&str> = module.split("::").map(str::trim).collect();
        let first = *steps.first()?;
        let own = match path.rsplit('/').next()? {
            "lib.rs" | "main.rs" | "mod.rs" => dir_of(path).to_owned(),
            _ => path.strip_suffix(".rs")?.to_owned(),
        };
        let (home, rest) = match first {
            "crate" => (self.crate_root(path)?.to_owned(), &steps[1..]),
            "self" => (own, &steps[1..]),
            "super" => {
                let ups = steps.iter().take_while(|step| **step == "super").count();
                let mut home = own.as_str();
                for _ in 0..ups {
                    home = dir_of(home);
                }
                (home.to_owned(), &steps[ups..])
            }
            name => {
                // Modules of its own come before crates of the same name.
                let is_own = self.module(&own, name).is_some();
                let is_declared =
                    || self.declared("Rust crate", |declared| declared.replace('-', "_") == name);
                if !is_own {
                    return is_declared();
                }
                (own, &steps[..])
            }
        };
        (1..=rest.len()).rev().find_map(|end| self.module(&home, &rest[..end].join("/")))
    }

    fn module(&self, home: &str, name: &str) -> Option<String> {
        self.file(&format!("{home}/{name}"), &[".rs", "/mod.rs"])
    }

    /// The directory that the crate of a file begins in.
    fn crate_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut dir = dir_of(path);
        loop {
            let holds = |name: &str| self.files.contains(format!("{dir}/{name}").trim_start_matches('/'));
            if holds("lib.rs") || holds("main.rs") {
                return Some(dir);
            }
            if dir.is_empty() {
                return None;
            }
            dir = dir_of(dir);
        }
    }

    fn c(&self, path: &str, module: &str) -> Option<String> {
        let near = joined(dir_of(path), module).filter(|place| self.files.contains(place.as_str()));
        near.or_else(|| self.only(module))
    }

    /// The directory of a package that is declared in the target under another name than its path.
    fn declared(&self, kind: &str, is_it: impl Fn(&str) -> bool) -> Option<String> {
        let found = self.modules.iter().find(|(dir, of, name)| of == kind && !dir.is_empty() && is_it(name));
        found.map(|(dir, _, _)| dir.clone())
    }
}

fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// A relative path from a directory; `None` if it leads out of the target.
fn joined(dir: &str, relative: &str) -> Option<String> {
    let mut steps: Vec<&str> = dir.split('/').filter(|step| !step.is_empty()).collect();
    for step in relative.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop()?;
            }
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn resolved(path: &str, module: &str, expected: Option<&str>) {
        let paths = [
            "shop/__init__.py",
            "shop/cart/models.py",
            "shop/cart/__init__.py",
            "web/src/app.ts",
            "web/src/api/index.ts",
            "cmd/run/main.go",
            "pkg/queue/queue.go",
            "crates/core/src/lib.rs",
            "crates/core/src/plan.rs",
            "crates/core/src/plan/tier.rs",
            "crates/rg/main.rs",
            "crates/rg/flags/mod.rs",
            "include/wheel/hub.h",
            "lua/nvim/lsp.lua",
            "app/src/main/java/org/wheel/Hub.java",
        ]
        .map(str::to_owned);
        let module_of =
            |dir: &str, kind: &str, name: &str| (dir.to_owned(), kind.to_owned(), name.to_owned());
        let modules = [
            module_of("", "Go module", "example.org/wheel"),
            module_of("crates/core", "Rust crate", "wheel-core"),
        ];
        let resolver = Resolver::new(&paths, &modules);
        assert_eq!(resolver.resolve(path, module).as_deref(), expected, "{path}: {module}");
    }

    #[test]
    fn imports_mean_files_as_each_language_has_it() {
        resolved("shop/views.py", "shop.cart.models", Some("shop/cart/models.py"));
        resolved("shop/views.py", "shop.cart.models.Cart", Some("shop/cart/models.py"));
        resolved("shop/views.py", ".cart", Some("shop/cart/__init__.py"));
        resolved("shop/__init__.py", ".cart.models.total", Some("shop/cart/models.py"));
        resolved("shop/__init__.py", ".cart.total", Some("shop/cart/__init__.py"));
        resolved("shop/__init__.py", ".total", None);
        resolved("shop/cart/models.py", "..", Some("shop/__init__.py"));
        resolved("shop/views.py", "os.path", None);
        resolved("web/src/app.ts", "./api", Some("web/src/api/index.ts"));
        resolved("web/src/api/index.ts", "../app.js", Some("web/src/app.ts"));
        resolved("web/src/app.ts", "react", None);
        resolved("cmd/run/main.go", "example.org/wheel/pkg/queue", Some("pkg/queue"));
        resolved("cmd/run/main.go", "fmt", None);
        resolved("crates/core/src/lib.rs", "crate::plan::Tier", Some("crates/core/src/plan.rs"));
        resolved("crates/core/src/lib.rs", "wheel_core::plan", Some("crates/core"));
        resolved("crates/core/src/lib.rs", "plan::Tier", Some("crates/core/src/plan.rs"));
        resolved("crates/core/src/plan/tier.rs", "super::super::plan::X", Some("crates/core/src/plan.rs"));
        resolved("crates/core/src/plan.rs", "self::tier::Tier", Some("crates/core/src/plan/tier.rs"));
        resolved("crates/rg/main.rs", "crate::flags::Args", Some("crates/rg/flags/mod.rs"));
        resolved("crates/rg/main.rs", "flags", Some("crates/rg/flags/mod.rs"));
        resolved("src/x.c", "wheel/hub.h", Some("include/wheel/hub.h"));
        resolved("src/x.c", "stdio.h", None);
        resolved("lua/x.lua", "nvim.lsp", Some("lua/nvim/lsp.lua"));
        resolved("a/B.java", "org.wheel.Hub", Some("app/src/main/java/org/wheel/Hub.java"));
        resolved("web/src/app.ts", "../../../../x", None);
    }
}
