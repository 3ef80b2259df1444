fn main() {
    let block = vec![0u8; 1 << 20];
    let t = std::time::Instant::now();
    for _ in 0..100 {
        std::hint::black_box(blake3::hash(&block));
    }
    println!("{:?}", t.elapsed() / 100);
}
