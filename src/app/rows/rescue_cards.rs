//! The keys of the rescue cards that devices keep.

use uuid::Uuid;

use crate::store::tables::{self, RescueCardKey, RescueCards};
use crate::store::{StoreError, WriteTx};

/// Most cards of a policy. One more takes the place of the oldest.
const MOST: usize = 10;

/// Adds a card's key to those of its policy.
pub(in crate::app) fn add(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    key: RescueCardKey,
) -> Result<(), StoreError> {
    let mut cards = tables::RESCUE_CARDS.get(tx, &policy)?.unwrap_or_default();
    cards.keys.push(key);
    let too_many = cards.keys.len().saturating_sub(MOST);
    cards.keys.drain(..too_many);
    tables::RESCUE_CARDS.put(tx, &policy, &cards)
}

/// Removes the keys for which `ends` holds; answers how many.
pub(in crate::app) fn end(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    ends: impl Fn(&RescueCardKey) -> bool,
) -> Result<usize, StoreError> {
    let Some(mut cards) = tables::RESCUE_CARDS.get(tx, &policy)? else {
        return Ok(0);
    };
    let before = cards.keys.len();
    cards.keys.retain(|key| !ends(key));
    let ended = before - cards.keys.len();
    if cards.keys.is_empty() {
        tables::RESCUE_CARDS.delete(tx, &policy);
    } else if ended > 0 {
        tables::RESCUE_CARDS.put(tx, &policy, &RescueCards { keys: cards.keys })?;
    }
    Ok(ended)
}
