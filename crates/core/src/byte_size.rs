//! A number of bytes, as people read it.

use std::fmt;

/// A number of bytes; displays 1024-based with one decimal: `512 B`, `1.5 KB`, `2.0 GB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteSize(pub u64);

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KB", "MB", "GB", "TB", "PB", "EB"];
        if self.0 < 1024 {
            return f.pad(&format!("{} B", self.0));
        }
        // Tenths are counted in whole numbers, so that no value is shown as "1024.0 KB".
        let mut tenths = u128::from(self.0) * 10;
        let mut unit = 0;
        tenths = (tenths + 512) / 1024;
        while tenths >= 10_240 && unit + 1 < UNITS.len() {
            tenths = (tenths + 512) / 1024;
            unit += 1;
        }
        f.pad(&format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit]))
    }
}

#[cfg(test)]
mod tests {
    use super::ByteSize;

    #[track_caller]
    fn check(bytes: u64, expected: &str) {
        assert_eq!(ByteSize(bytes).to_string(), expected);
    }

    #[test]
    fn sizes_read_well() {
        check(0, "0 B");
        check(512, "512 B");
        check(1023, "1023 B");
        check(1024, "1.0 KB");
        check(1536, "1.5 KB");
        check(1024 * 1024 - 1, "1.0 MB");
        check(1 << 40, "1.0 TB");
        check(u64::MAX, "16.0 EB");
    }

    #[test]
    fn sizes_can_be_aligned() {
        assert_eq!(format!("[{:>8}]", ByteSize(10)), "[    10 B]");
    }
}
