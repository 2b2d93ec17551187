//! Random numbers, and ids made of them, that depend only on the seed number, the item and the time.

use chrono::{DateTime, Utc};
use rand::prelude::*;
use rand::rngs::StdRng;
use uuid::Uuid;

/// Returns a random number generator for one item, so that the item does not depend on earlier items.
pub(in crate::app) fn new_rng(seed_number: u64, kind: u64, number: u32) -> StdRng {
    let mut seed = [0; 32];
    let parts = seed_number
        .to_le_bytes()
        .into_iter()
        .chain(kind.to_le_bytes())
        .chain(u64::from(number).to_le_bytes());
    for (place, byte) in seed.iter_mut().zip(parts) {
        *place = byte;
    }
    StdRng::from_seed(seed)
}

pub(in crate::app) fn random_id(rng: &mut StdRng, time: DateTime<Utc>) -> Uuid {
    let millis = time.timestamp_millis().max(0).unsigned_abs();
    uuid::Builder::from_unix_timestamp_millis(millis, &rng.random()).into_uuid()
}

pub(in crate::app) fn user_id(seed_number: u64, number: u32) -> Uuid {
    uuid::Builder::from_random_bytes(new_rng(seed_number, 1, number).random()).into_uuid()
}
