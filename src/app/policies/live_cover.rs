//! Vehicles that another live policy covers already: the customer is told, and can still buy.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::rows::policies;
use crate::store::{Direction, Read, tables};

/// A notice for each of `registrations` that another policy than `own` covers today.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn already_covered(
    tx: &impl Read,
    registrations: &[String],
    own: Option<Uuid>,
    today: NaiveDate,
) -> Result<Vec<String>, AppError> {
    let mut notices = Vec::new();
    for registration in registrations {
        // A registration has few live policies: about one a year.
        let found = tables::POLICY_BY_REGISTRATION.list(
            tx,
            &policies::registration_key(registration),
            Direction::Backward,
            10,
        )?;
        let mut covered = false;
        for ((_, policy), ()) in found {
            if Some(policy) != own {
                let policy = tables::POLICIES.get(tx, &policy)?;
                covered |= policy.is_some_and(|policy| today <= policy.expiry);
            }
        }
        if covered {
            notices.push(format!(
                "{registration} already has live cover with us, so it would be covered twice. You can still \
                 go on."
            ));
        }
    }
    Ok(notices)
}
