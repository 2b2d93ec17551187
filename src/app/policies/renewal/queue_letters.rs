//! Letters about a renewal, put into their queue.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::policies::queue_letter;
use crate::app::{AppError, rows};
use crate::domain::quote::QuoteStatus;
use crate::domain::renewal::{self, RenewalEvent};
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNews};

/// Queues the letter that tells the customer, at `due`, how a saved renewal quote was decided.
pub(in crate::app) fn queue_quote_letter(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    status: QuoteStatus,
    quote: Uuid,
    due: DateTime<Utc>,
) -> Result<(), AppError> {
    let news = match status {
        QuoteStatus::Declined | QuoteStatus::Refer => PolicyNews::NotRenewable { quote },
        _ => PolicyNews::RenewalQuoted { quote },
    };
    queue_letter(tx, policy, news, due)
}

/// Queues the letter, once, that the stored card has not paid for the renewal.
pub(in crate::app) fn queue_unpaid_letter(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut row) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(());
    };
    let refused = renewal::apply(row.renewal, RenewalEvent::CardRefused);
    let (Some(quote), Transition::Applied(status)) = (row.renewal.quote(), refused) else {
        return Ok(());
    };
    row.renewal = status;
    rows::policies::put(tx, &row)?;
    queue_letter(tx, policy, PolicyNews::CardRefused { quote }, now)
}
