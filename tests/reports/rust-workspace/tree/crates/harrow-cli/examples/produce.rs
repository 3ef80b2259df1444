//! Publishes a line of standard input per message.
fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        println!("publish {line}");
    }
}
