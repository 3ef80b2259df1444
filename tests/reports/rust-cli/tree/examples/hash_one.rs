//! Prints the hash twinfind would use for one file.
fn main() {
    let path = std::env::args().nth(1).expect("a file");
    println!("{}", blake3::hash(&std::fs::read(path).unwrap()));
}
