//! For `layby stop-charging`: ends the charges of a policy's card at once.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::AppError;
use crate::app::payments::remove_unused;
use crate::domain::payment::FollowUp;
use crate::domain::policy::Policy;
use crate::domain::quote::Quote;
use crate::store::tables::{POLICIES, POLICY_BY_REFERENCE, QUOTES};
use crate::store::{Direction, Read, Store, WriteTx};

/// An order to stop the charges of a policy's card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChargingStop {
    /// The policy's reference.
    pub policy: String,
    pub by: String,
    pub why: String,
}

/// Removes the card from a live policy, and switches automatic renewal off. Returns a line for the operator. It
/// names the earlier or the next policy if that still charges the card. A charge that was sent already still
/// counts. The next payment of a plan then fails at once, with a letter.
///
/// # Errors
/// A refusal if there is no such live policy, if its charges are stopped already, or if a text is missing or long.
pub async fn stop_charging(
    store: &Store,
    order: &ChargingStop,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let stopped = FollowUp::new(&order.by, &order.why, now).map_err(refusal)?;
    let policy = order.policy.clone();
    store
        .write(move |tx| stop(tx, &policy, stopped.clone()))
        .await
}

fn stop(tx: &mut WriteTx<'_>, typed: &str, stopped: FollowUp) -> Result<String, AppError> {
    let (quote, mut policy) = live_policy(tx, typed)?;
    let number = quote.reference;
    // A gateway may report the card after the purchase. It is not stored then.
    let card = policy.instrument.take();
    if card.is_none() && policy.charging_stopped.is_some() {
        return Err(refusal(format!("no card is charged for {number}")));
    }
    let now = stopped.at;
    policy.auto_renew = false;
    policy.charging_stopped = Some(stopped);
    POLICIES.put(tx, &policy.uuid, &policy)?;
    let other = match card {
        Some(card) => remove_unused(tx, &policy, card, now)?,
        None => None,
    };
    let done = format!("the card of {number} is not charged any more");
    Ok(match other {
        Some(other) => {
            let other = other.reference;
            format!(
                "{done} for it, but {other} still charges it: stop that too if the caller wants it"
            )
        }
        None => done,
    })
}

/// Returns the live policy with the reference that an operator typed.
///
/// # Errors
/// A refusal if there is none.
pub(super) fn live_policy(tx: &impl Read, typed: &str) -> Result<(Quote, Policy), AppError> {
    let number = typed.trim().to_uppercase();
    let found = POLICY_BY_REFERENCE.list(tx, &number, Direction::Forward, 1)?;
    if let Some(((_, id), ())) = found.first()
        && let Some(own) = QUOTES.get(tx, id)?.zip(POLICIES.get(tx, id)?)
    {
        return Ok(own);
    }
    Err(refusal(format!("there is no live policy {number}")))
}

pub(super) fn refusal(why: String) -> AppError {
    AppError::rule("refused", why)
}
