//! Encodes keys as bytes that sort as the keys do.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use uuid::Uuid;

/// A key, or a part of a key, whose bytes sort as the keys do.
pub trait Key: Sized {
    /// Appends the key's bytes.
    fn write(&self, out: &mut Vec<u8>);
    /// Reads the key from the front of `bytes`. Returns `None` if `bytes` do not begin with such a key.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(count)?;
    *bytes = tail;
    Some(head)
}

impl Key for () {
    fn write(&self, _: &mut Vec<u8>) {}
    fn read(_: &mut &[u8]) -> Option<Self> {
        Some(())
    }
}

impl Key for u32 {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_be_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(Self::from_be_bytes(take(bytes, 4)?.try_into().ok()?))
    }
}

impl Key for Uuid {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Self::from_slice(take(bytes, 16)?).ok()
    }
}

impl Key for [u8; 32] {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes, 32)?.try_into().ok()
    }
}

/// Milliseconds since 1970, with the sign bit inverted so that earlier times sort first.
impl Key for DateTime<Utc> {
    fn write(&self, out: &mut Vec<u8>) {
        let ordered = self.timestamp_millis().cast_unsigned() ^ (1 << 63);
        out.extend_from_slice(&ordered.to_be_bytes());
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let ordered = u64::from_be_bytes(take(bytes, 8)?.try_into().ok()?);
        Self::from_timestamp_millis((ordered ^ (1 << 63)).cast_signed())
    }
}

/// Days of the common era, with the sign bit inverted so that earlier days sort first.
impl Key for NaiveDate {
    fn write(&self, out: &mut Vec<u8>) {
        let ordered = self.num_days_from_ce().cast_unsigned() ^ (1 << 31);
        ordered.write(out);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let ordered = u32::read(bytes)?;
        Self::from_num_days_from_ce_opt((ordered ^ (1 << 31)).cast_signed())
    }
}

/// A text ends with a zero byte, so that the text sorts before its extensions. Zero bytes inside are
/// dropped, because no text that is a key may contain a zero byte.
impl Key for String {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.bytes().filter(|byte| *byte != 0));
        out.push(0);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == 0)?;
        let text = take(bytes, end)?;
        take(bytes, 1)?;
        Self::from_utf8(text.to_vec()).ok()
    }
}

impl<A: Key, B: Key> Key for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::read(bytes)?, B::read(bytes)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(key: &impl Key) -> Vec<u8> {
        let mut out = Vec::new();
        key.write(&mut out);
        out
    }

    #[test]
    fn keys_sort_as_what_they_stand_for() {
        let before = DateTime::from_timestamp_millis(-1).unwrap();
        let after = DateTime::from_timestamp_millis(1).unwrap();
        assert!(bytes(&before) < bytes(&after));
        assert!(bytes(&"ab".to_string()) < bytes(&"abc".to_string()));
        assert!(bytes(&("ab".to_string(), 9u32)) < bytes(&("abc".to_string(), 1u32)));
        assert!(bytes(&2u32) < bytes(&256u32));
    }

    #[test]
    fn keys_read_back() {
        let key = ("ann@example.org".to_string(), Uuid::from_u128(7));
        let written = bytes(&key);
        assert_eq!(<(String, Uuid)>::read(&mut written.as_slice()), Some(key));
        assert_eq!(Uuid::read(&mut [1u8, 2].as_slice()), None);
    }
}
