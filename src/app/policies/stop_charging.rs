//! For `layby stop-charging`: ends the charges of a policy's card at once.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::AppError;
use crate::domain::payment::FollowUp;
use crate::store::tables::{POLICIES, POLICY_BY_REFERENCE, QUOTES};
use crate::store::{Direction, Store, WriteTx};

/// The longest text of who stopped the charges, or why, in characters.
const MAX_TEXT: usize = 200;

/// An order to stop the charges of a policy's card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChargingStop {
    /// The policy's reference.
    pub policy: String,
    pub by: String,
    pub why: String,
}

/// Removes the card from a live policy, and switches automatic renewal off. Returns a line for the operator. A
/// charge that was sent already still counts. The next payment of a plan then fails at once, with a letter.
///
/// # Errors
/// A refusal if there is no such live policy, if its charges are stopped already, or if a text is missing or long.
pub async fn stop_charging(
    store: &Store,
    order: &ChargingStop,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    for (name, text) in [("--by", &order.by), ("--why", &order.why)] {
        let length = text.trim().chars().count();
        if length == 0 || MAX_TEXT < length {
            return Err(refusal(format!("{name} has 1 to {MAX_TEXT} characters")));
        }
    }
    let order = order.clone();
    store.write(move |tx| stop(tx, &order, now)).await
}

fn stop(
    tx: &mut WriteTx<'_>,
    order: &ChargingStop,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let number = order.policy.trim().to_uppercase();
    let found = POLICY_BY_REFERENCE.list(tx, &number, Direction::Forward, 1)?;
    let policy = found.first().map(|((_, policy), ())| *policy);
    let policy = policy
        .map(|id| POLICIES.get(tx, &id))
        .transpose()?
        .flatten();
    let Some(mut policy) = policy else {
        return Err(refusal(format!("there is no live policy {number}")));
    };
    // A gateway may report the card after the purchase. It is not stored then.
    if policy.instrument.take().is_none() && policy.charging_stopped.is_some() {
        return Err(refusal(format!("no card is charged for {number}")));
    }
    policy.auto_renew = false;
    policy.charging_stopped = Some(FollowUp {
        by: order.by.trim().to_owned(),
        why: order.why.trim().to_owned(),
        at: now,
    });
    POLICIES.put(tx, &policy.uuid, &policy)?;
    let quote = QUOTES.get(tx, &policy.uuid)?;
    let number = quote.map_or(number, |quote| quote.reference);
    Ok(format!("the card of {number} is not charged any more"))
}

fn refusal(why: String) -> AppError {
    AppError::rule("refused", why)
}
