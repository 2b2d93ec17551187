//! Ids that are computed from a row's subject. A write or a job that runs twice finds the first row
//! by such an id. With a random id it would add a second row.

use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

/// Returns the id of `parts`. The length of each part is hashed too, so `a`, `bc` and `ab`, `c`
/// have different ids.
#[must_use]
pub fn id_from_parts(parts: &[&[u8]]) -> Uuid {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    id_from_hash(hash.finalize().into())
}

/// Returns the id of a SHA-256 hash: its first 16 bytes, with the version and variant bits of a
/// UUID.
#[must_use]
pub fn id_from_hash(hash: [u8; 32]) -> Uuid {
    let mut bytes = [0; 16];
    bytes
        .iter_mut()
        .zip(hash)
        .for_each(|(byte, hashed)| *byte = hashed);
    Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_parts_are_the_same_id_and_others_are_not() {
        assert_eq!(id_from_parts(&[b"a", b"bc"]), id_from_parts(&[b"a", b"bc"]));
        assert_ne!(id_from_parts(&[b"a", b"bc"]), id_from_parts(&[b"ab", b"c"]));
    }
}
