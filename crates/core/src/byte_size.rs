//! A number of bytes, as people read it.

use std::fmt;
use std::str::FromStr;

/// A number of bytes; displays 1024-based with one decimal: `512 B`, `1.5 KB`, `2.0 GB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteSize(pub u64);

impl ByteSize {
    /// The size in the largest unit that expresses it exactly: `1 GiB`, `1536 KiB`, `1000 B`.
    ///
    /// Unlike `Display` it loses nothing, so that reading it back gives the same size.
    pub fn exact(self) -> String {
        const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let whole_units = if self.0 == 0 { 0 } else { self.0.trailing_zeros() as usize / 10 };
        format!("{} {}", self.0 >> (10 * whole_units), UNITS[whole_units])
    }
}

/// A text that is no size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a size (hint: write a number of bytes, or a number with a unit, like `512 MB` or `1.5 GiB`)")]
pub struct NotASize;

impl FromStr for ByteSize {
    type Err = NotASize;

    /// Reads `4096`, `512 MB`, `1.5GiB`, `10k`.
    ///
    /// All units count in steps of 1024, with and without the `i`, because that is how sizes are shown: a
    /// size copied from a report means the same when it is typed.
    fn from_str(text: &str) -> Result<Self, NotASize> {
        let text = text.trim();
        let number_len = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(number_len);
        let unit = unit.trim_start().to_ascii_lowercase();
        let prefix = unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit);
        let power = match prefix {
            "" if unit != "ib" => 0,
            "k" => 1,
            "m" => 2,
            "g" => 3,
            "t" => 4,
            "p" => 5,
            "e" => 6,
            _ => return Err(NotASize),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        // More decimals than this make no difference to a number of bytes that fits.
        if fraction.is_empty() || 18 < fraction.len() {
            return Err(NotASize);
        }
        let whole: u64 = whole.parse().map_err(|_| NotASize)?;
        let fraction_value: u64 = fraction.parse().map_err(|_| NotASize)?;
        let unit = 1_u128 << (10 * power);
        let fraction_bytes = u128::from(fraction_value) * unit / 10_u128.pow(fraction.len() as u32);
        u64::try_from(u128::from(whole) * unit + fraction_bytes).map(Self).map_err(|_| NotASize)
    }
}

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

    #[track_caller]
    fn reads(text: &str, expected: Option<u64>) {
        assert_eq!(text.parse().ok(), expected.map(ByteSize), "{text:?}");
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        reads("0", Some(0));
        reads("4096", Some(4096));
        reads(" 12 B ", Some(12));
        reads("10k", Some(10_240));
        reads("512 MB", Some(512 << 20));
        reads("512MiB", Some(512 << 20));
        reads("1.5 gib", Some(3 << 29));
        reads("15.5 EB", Some(31 << 59));
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "MB", "-1", "1,5 GB", "1.", ".5", "1.2.3", "1 XB", "1 ib", "1 Bk", "16 EB", "1e3"] {
            reads(text, None);
        }
    }

    #[test]
    fn an_exact_size_reads_back_as_itself() {
        for (bytes, expected) in
            [(0, "0 B"), (1000, "1000 B"), (1024, "1 KiB"), (1536 << 10, "1536 KiB"), (1 << 30, "1 GiB")]
        {
            assert_eq!(ByteSize(bytes).exact(), expected);
            reads(expected, Some(bytes));
        }
        reads(&ByteSize(u64::MAX).exact(), Some(u64::MAX));
    }

    #[test]
    fn sizes_can_be_aligned() {
        assert_eq!(format!("[{:>8}]", ByteSize(10)), "[    10 B]");
    }
}
