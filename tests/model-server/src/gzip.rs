//! Compressed bodies, written by hand: the server needs two kinds only and no compressor.

/// A gzip file that holds the bytes as they are.
pub(crate) fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut file = HEADER.to_vec();
    let mut chunks = bytes.chunks(0xffff).peekable();
    if chunks.peek().is_none() {
        file.extend_from_slice(&[1, 0, 0, 0xff, 0xff]);
    }
    while let Some(chunk) = chunks.next() {
        let length = chunk.len() as u16;
        file.push(u8::from(chunks.peek().is_none()));
        file.extend_from_slice(&length.to_le_bytes());
        file.extend_from_slice(&(!length).to_le_bytes());
        file.extend_from_slice(chunk);
    }
    let mut crc = Crc::new();
    bytes.iter().for_each(|byte| crc.add(*byte));
    finish(file, &crc, bytes.len())
}

/// A gzip file of about `size` times the same letter, a hundred and fiftieth of that in length.
///
/// What it grows into is one event without an end: `data: aaaa…`.
pub(crate) fn bomb(size: usize) -> Vec<u8> {
    const RUN: usize = 258;
    let mut bits = Bits { file: HEADER.to_vec(), current: 0, count: 0 };
    let mut crc = Crc::new();
    bits.low_first(0b011, 3);
    for byte in b"data: a" {
        bits.high_first(0x30 + u32::from(*byte), 8);
        crc.add(*byte);
    }
    let runs = size / RUN;
    for _ in 0..runs {
        // The longest run there is, at distance one.
        bits.high_first(0b1100_0101, 8);
        bits.high_first(0, 5);
        for _ in 0..RUN {
            crc.add(b'a');
        }
    }
    bits.high_first(0, 7);
    // The last bits are in a byte of their own; what is pushed after them only fills it.
    bits.low_first(0, 7);
    finish(bits.file, &crc, 7 + runs * RUN)
}

const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

fn finish(mut file: Vec<u8>, crc: &Crc, size: usize) -> Vec<u8> {
    file.extend_from_slice(&(!crc.state).to_le_bytes());
    file.extend_from_slice(&(size as u32).to_le_bytes());
    file
}

struct Bits {
    file: Vec<u8>,
    current: u8,
    count: u32,
}

impl Bits {
    fn push(&mut self, bit: u32) {
        self.current |= ((bit & 1) as u8) << self.count;
        self.count += 1;
        if self.count == 8 {
            self.file.push(self.current);
            self.current = 0;
            self.count = 0;
        }
    }

    fn low_first(&mut self, value: u32, width: u32) {
        (0..width).for_each(|at| self.push(value >> at));
    }

    fn high_first(&mut self, value: u32, width: u32) {
        (0..width).rev().for_each(|at| self.push(value >> at));
    }
}

struct Crc {
    table: [u32; 256],
    state: u32,
}

impl Crc {
    fn new() -> Crc {
        let mut table = [0_u32; 256];
        for (at, entry) in table.iter_mut().enumerate() {
            *entry = (0..8)
                .fold(at as u32, |crc, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 });
        }
        Crc { table, state: u32::MAX }
    }

    fn add(&mut self, byte: u8) {
        self.state = self.table[usize::from(self.state as u8 ^ byte)] ^ (self.state >> 8);
    }
}
