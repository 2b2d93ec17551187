//! Records what a person found at the gateway about an unconfirmed refund.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::app::payments::refunds::refund_job::record_refund_outcome;
use crate::domain::payment::refund::{Refund, RefundEvent, RefundFinding, RefundLookup};
use crate::store::WriteTx;
use crate::store::tables::{REFUNDS, Task};

/// Records whether the gateway made the unconfirmed refund. If the gateway did not make the refund,
/// queues a new request, as if for the first time.
pub(in crate::app) fn record_lookup(
    tx: &mut WriteTx<'_>,
    mut refund: Refund,
    lookup: RefundLookup,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let id = refund.id;
    // A closed refund is not requested again.
    if refund.manual.is_some() && lookup.finding == RefundFinding::NotMade {
        refund.lookup = Some(lookup);
        return Ok(REFUNDS.put(tx, &id, &refund)?);
    }
    let event = match lookup.finding {
        RefundFinding::Made => RefundEvent::Done,
        RefundFinding::NotMade => {
            refund.requested = None;
            refund.reference = None;
            enqueue(tx, Task::Refund { refund: id }, now, id)?;
            RefundEvent::NotMade
        }
    };
    refund.lookup = Some(lookup);
    REFUNDS.put(tx, &id, &refund)?;
    record_refund_outcome(tx, id, event, None, now)?;
    Ok(())
}
