//! Finds the refunds that a report identifies by the gateway's references.

use std::collections::HashMap;

use crate::app::AppError;
use crate::app::accounting::report::Report;
use crate::domain::payment::settlement::LineKind;
use crate::store::Read;
use crate::store::tables::{PAYMENTS, REFUNDS};

/// Adds our refund's id to each refund line that has the gateway's reference of the refund. Reads
/// all refunds once, because no index finds a refund by its reference.
pub(super) fn add_refund_ids(tx: &impl Read, report: &mut Report) -> Result<(), AppError> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, line) in report.lines.iter().enumerate() {
        if matches!(line.kind, LineKind::Refund | LineKind::RefundFailure) {
            for name in &line.names {
                places.entry(name.clone()).or_default().push(place);
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    for row in REFUNDS.rows(tx, &()) {
        let (id, refund) = row?;
        let named = refund.reference.and_then(|own| places.get(&own));
        let Some(named) = named else {
            continue;
        };
        let payment = PAYMENTS.get(tx, &refund.payment)?;
        if payment.is_none_or(|payment| payment.provider != report.provider) {
            continue;
        }
        for place in named {
            if let Some(line) = report.lines.get_mut(*place) {
                line.names.insert(0, id.to_string());
            }
        }
    }
    Ok(())
}
