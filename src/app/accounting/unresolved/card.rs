//! Lists the policies whose renewal needs a stored card of a gateway without keys in the settings.

use crate::app::AppError;
use crate::app::accounting::unresolved::row::{UnresolvedRow, number};
use crate::domain::money::Pence;
use crate::domain::payment::Instrument;
use crate::domain::policy::Policy;
use crate::domain::quote::QuoteStatus;
use crate::store::Read;
use crate::store::tables::{INSTRUMENTS, PLANS, POLICIES, QUOTES};

/// Returns a row for each live policy that renews by a card of no gateway in `serviced`. A policy with a row for
/// its plan has no second row.
pub(super) fn card_rows(
    tx: &impl Read,
    serviced: &[&'static str],
) -> Result<Vec<UnresolvedRow>, AppError> {
    let mut found = Vec::new();
    for row in POLICIES.rows(tx, &()) {
        let (_, policy) = row?;
        let Some(card) = renewal_card(tx, &policy)? else {
            continue;
        };
        if serviced.contains(&card.gateway.as_str()) || has_open_plan(tx, &policy)? {
            continue;
        }
        found.push(UnresolvedRow {
            what: "card".to_string(),
            id: Some(card.id),
            policy: number(tx, policy.uuid)?,
            gateway: card.gateway,
            reference: None,
            amount: Pence::ZERO,
            since: card.consent.at,
            facts: "The policy renews by this card, and the settings have no keys of the card's gateway."
                .to_string(),
            to_do: "Put the keys back into the settings. If they are gone for good, ask the customer to renew on the \
                    website, and end the charges with `layby stop-charging`."
                .to_string(),
        });
    }
    Ok(found)
}

/// Returns the card by which a live policy renews automatically.
fn renewal_card(tx: &impl Read, policy: &Policy) -> Result<Option<Instrument>, AppError> {
    let card = policy.instrument.filter(|_| policy.auto_renew);
    let card = card
        .map(|card| INSTRUMENTS.get(tx, &card))
        .transpose()?
        .flatten();
    let Some(card) = card.filter(|card| card.removed.is_none()) else {
        return Ok(None);
    };
    let quote = QUOTES.get(tx, &policy.uuid)?;
    let is_live = quote.is_some_and(|quote| quote.status == QuoteStatus::Live);
    Ok(is_live.then_some(card))
}

fn has_open_plan(tx: &impl Read, policy: &Policy) -> Result<bool, AppError> {
    let plan = PLANS.get(tx, &policy.uuid)?;
    Ok(plan.is_some_and(|plan| plan.due(chrono::NaiveDate::MAX) > Pence::ZERO))
}
