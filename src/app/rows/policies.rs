//! Policies, with every index of a policy and of its quote.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::rows::contract_indexes::ContractIndexes;
use crate::domain::policy::Policy;
use crate::domain::quote::{Quote, QuoteStatus};
use crate::store::{Read, StoreError, WriteTx, tables};

pub(in crate::app) use super::contract_indexes::registration_key;

/// Writes a policy, new or in place of the one that is stored. Its quote's row says whether it
/// is live and whose it is: where a sale changes both, the quote is put after it.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, policy: &Policy) -> Result<(), StoreError> {
    if let Some(quote) = tables::QUOTES.get(tx, &policy.uuid)? {
        let stored = of_quote(tx, &quote)?;
        let before = ContractIndexes::of(&quote, stored.as_ref());
        ContractIndexes::of(&quote, Some(policy)).replace(tx, &before)?;
    }
    tables::POLICIES.put(tx, &policy.uuid, policy)
}

/// Whether the quote of this id and status was bought; one that was not taken up may be either.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn was_bought(
    tx: &impl Read,
    quote: &Uuid,
    status: QuoteStatus,
) -> Result<bool, StoreError> {
    Ok(status.is_policy() || (status.may_be_policy() && tables::POLICIES.has(tx, quote)?))
}

/// The policy that a quote has become.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn of_quote(
    tx: &impl Read,
    quote: &Quote,
) -> Result<Option<Policy>, StoreError> {
    if quote.status.may_be_policy() {
        tables::POLICIES.get(tx, &quote.uuid)
    } else {
        Ok(None)
    }
}

/// Removes a row of the index of last days, whose policy is missing or not live.
/// No code here leaves such a row; one that is there all the same would be met in every round.
pub(in crate::app) fn remove_stale_last_day(tx: &mut WriteTx<'_>, key: &(NaiveDate, Uuid)) {
    tables::POLICY_BY_EXPIRY.delete(tx, key);
}

/// Removes a row of the index of what is to come, as [`remove_stale_last_day`].
pub(in crate::app) fn remove_stale_coming(tx: &mut WriteTx<'_>, key: &(NaiveDate, Uuid)) {
    tables::POLICY_BY_COMING.delete(tx, key);
}

/// Removes a row of the index of renewals that are due, as [`remove_stale_last_day`].
pub(in crate::app) fn remove_stale_renewal_due(tx: &mut WriteTx<'_>, key: &(NaiveDate, Uuid)) {
    tables::POLICY_BY_RENEWAL.delete(tx, key);
}
