//! File names that everyone knows, in lower case.

use luminos_core::scan::Category::{self, Archive, Config, Data, Document, Source};

/// Names that also stand for longer ones: `LICENSE-MIT`, `Dockerfile.dev`, `.env.local`.
pub(super) const FAMILIES: &[(Category, &str)] = &[
    (
        Document,
        "readme license licence copying copyright notice authors contributors maintainers changelog changes
         unlicense patents contributing",
    ),
    (
        Config,
        "makefile gnumakefile bsdmakefile kconfig kbuild cmakelists dockerfile containerfile jenkinsfile
         vagrantfile gemfile requirements constraints .env .flake8 .clang-format",
    ),
    (Data, "sha1sums sha256sums sha512sums md5sums checksums"),
    (Archive, "vmlinuz initrd initramfs"),
];

/// Names that stand for themselves. Those whose extension tells the same are not repeated here.
pub(super) const NAMES: &[(Category, &str)] = &[
    (
        Document,
        "credits thanks acknowledgements acknowledgments history news todo install installing hacking
         security support governance roadmap faq bugs porting release releases upgrading code_of_conduct
         announce announcement about manual release_notes relnotes whatsnew errata disclaimer eula warranty
         legal",
    ),
    // Build descriptions.
    (
        Config,
        "meson.build meson_options.txt buck justfile .justfile rakefile guardfile capfile podfile cartfile
         fastfile appfile matchfile brewfile berksfile thorfile tiltfile earthfile caddyfile procfile
         snakefile sconstruct sconscript wscript jamfile jamroot pipfile go.mod go.sum go.work go.work.sum
         manifest.in runtime.txt robots.txt pom.xml build.xml ivy.xml web.xml androidmanifest.xml
         makefile.pl build.pl cpanfile dune dune-project opam cabal.project build.gradle.kts
         settings.gradle.kts build.sbt project.clj deps.edn shadow-cljs.edn package.swift package.resolved
         description namespace conanfile.txt manifest codeowners owners doxyfile",
    ),
    // Settings of tools and of the machine. What ends in `rc`, `ignore` or `config` needs no mention.
    (
        Config,
        ".gitattributes .gitmodules .gitkeep .keep .mailmap .git-blame-ignore-revs .hgtags .hgsub
         .hgsubstate .editorconfig .flaskenv .clang-tidy .clangd .python-version .ruby-version .node-version
         .tool-versions .java-version .terraform-version .go-version .rspec .bash_login .bash_logout
         .bash_aliases .profile .zshenv .zprofile .zlogin .login .logout .emacs .pgpass .gdbinit .lldbinit
         .ctags .htaccess .htpasswd .xresources .xdefaults .xsession .xprofile .mailcap .dircolors .hushlogin
         .buildpacks .bazelversion .sbtopts .jvmopts .luacov .busted .ghci .ocamlformat .ocp-indent .merlin
         .rprofile .renviron .lintr .jupyter .style.yapf .nojekyll .watchmanconfig .codespellrc
         hosts passwd group shadow fstab crontab sudoers inittab exports resolv.conf sshd_config ssh_config
         known_hosts authorized_keys gitconfig config vimrc bashrc zshrc inputrc profile environment",
    ),
    (Source, "configure gradlew mvnw bootstrap autogen pkgbuild apkbuild install-sh"),
    (
        Data,
        "tags gtags etags .ds_store thumbs.db desktop.ini commit_editmsg fetch_head orig_head packed-refs
         wtmp utmp btmp lastlog syslog",
    ),
    (Archive, "vmlinux bzimage zimage"),
];
