//! Finds vehicles that another live policy covers already. Only a customer who may read the other
//! policy gets a notice. To other people, the notice would reveal that the vehicle is covered.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::{AppError, Caller, access};
use crate::domain::quote::registrations::registration_key;
use crate::domain::time::dates::london_date;
use crate::store::{Direction, Read, tables};

/// Returns a notice for each of `registrations` that another live policy than `own` covers at
/// `now`. Counts only policies that `caller` may read.
///
/// # Errors
/// If the store fails.
pub(in crate::app) fn already_covered(
    tx: &impl Read,
    caller: &Caller,
    registrations: &[String],
    own: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<Vec<String>, AppError> {
    let today = london_date(now);
    let mut notices = Vec::new();
    // A registration has few live policies. Requests all index lists before the code uses the first
    // list. In a write over a database, one round trip then fetches all lists.
    let found = registrations.iter().map(|registration| {
        let key = registration_key(registration);
        tables::POLICY_BY_REGISTRATION.list(tx, &key, Direction::Backward, 10)
    });
    let found = Vec::from_iter(found);
    for (registration, found) in registrations.iter().zip(found) {
        let mut covered = false;
        for ((_, uuid), ()) in found? {
            if Some(uuid) != own && !covered {
                let policy = tables::POLICIES.get(tx, &uuid)?;
                let is_live = policy.is_some_and(|policy| today <= policy.expiry);
                covered = is_live && access::may_read(tx, caller, uuid, now)?;
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
