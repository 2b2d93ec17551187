//! Quotes and the policies that they became. Both rows have the same uuid. Their index rows depend on
//! both rows: a policy is found by its registrations only while its quote is live. So writing either row
//! updates the index rows of both.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::domain::policy::Policy;
use crate::domain::quote::list::ListEntry;
use crate::domain::quote::registrations::registration_key;
use crate::domain::quote::{Quote, QuoteStatus, Revision};
use crate::store::table::{Index, IndexRows};
use crate::store::{Read, StoreError, Table};

/// Quotes and their status.
pub const QUOTES: Table<Uuid, Quote> = Table::new(10, "quotes", 1).indexed(|rows, _, quote| {
    let policy = policy_of(rows.tx, quote)?;
    add_index_rows(rows, quote, policy.as_ref())
});
/// The older revisions of a quote, by number.
pub const REVISIONS: Table<(Uuid, u32), Revision> =
    Table::new(11, "revisions", 1).belongs_to(|(quote, _), _| QUOTES.key(quote));
/// The list entry of each quote of a user. The uuids sort by creation time.
pub const QUOTE_BY_OWNER: Index<(Uuid, Uuid), ListEntry> = Table::new(13, "quote_by_owner", 1);
/// Quotes in no account, by the mail address whose user may claim them. Bought and not-taken-up quotes are
/// left out.
pub const UNCLAIMED_BY_NAME: Index<(String, Uuid)> = Table::new(14, "unclaimed_by_name", 1);
/// Quotes that can be bought, by the time their price expires.
pub const QUOTE_BY_EXPIRY: Index<(DateTime<Utc>, Uuid)> = Table::new(18, "quote_by_expiry", 1);
/// Quotes with a retention period, by the UTC day of their last save; see [`Quote::is_deleted_in_time`].
pub const QUOTE_BY_SAVED: Index<(NaiveDate, Uuid)> = Table::new(19, "quote_by_saved", 1);

/// Policies by the uuid of their quote. The quote's row has the policy's status. A sale puts the policy
/// before the quote, so that each bought quote has a policy.
pub const POLICIES: Table<Uuid, Policy> = Table::new(20, "policies", 1)
    .shares_indexes(|rows, uuid, policy| match QUOTES.get(rows.tx, uuid)? {
        Some(quote) => add_index_rows(rows, &quote, policy),
        None => Ok(()),
    })
    .belongs_to(|uuid, _| QUOTES.key(uuid));
/// Live policies by their registration marks.
pub const POLICY_BY_REGISTRATION: Index<(String, Uuid)> =
    Table::new(21, "policy_by_registration", 1);
/// Live policies by their last day.
pub const POLICY_BY_EXPIRY: Index<(NaiveDate, Uuid)> = Table::new(24, "policy_by_expiry", 1);
/// Live policies whose renewal is still to be quoted, by the day from which that quote is due. Policies
/// with a scheduled end are left out.
pub const POLICY_BY_RENEWAL: Index<(NaiveDate, Uuid)> = Table::new(25, "policy_by_renewal", 1);
/// Live policies by the next day of an agreed change or cancellation.
pub const POLICY_BY_SCHEDULED_DAY: Index<(NaiveDate, Uuid)> =
    Table::new(28, "policy_by_scheduled_day", 1);
/// Policies and not-taken-up quotes in no account, by the mail address whose user may claim them.
pub const POLICY_BY_MAILBOX: Index<(String, Uuid)> = Table::new(29, "policy_by_mailbox", 1);
/// Live policies by their reference.
pub const POLICY_BY_REFERENCE: Index<(String, Uuid)> = Table::new(80, "policy_by_reference", 1);

/// Returns the policy that a quote became. Returns `None` if the quote became no policy.
///
/// # Errors
/// If the store fails.
pub fn policy_of(tx: &(impl Read + ?Sized), quote: &Quote) -> Result<Option<Policy>, StoreError> {
    if quote.status.may_be_policy() {
        POLICIES.get(tx, &quote.uuid)
    } else {
        Ok(None)
    }
}

/// Returns whether the quote of this id and status was bought. The status "not taken up" does not decide
/// this, so the function looks up the policy.
///
/// # Errors
/// If the store fails.
pub fn was_bought(tx: &impl Read, quote: &Uuid, status: QuoteStatus) -> Result<bool, StoreError> {
    Ok(status.is_policy() || (status.may_be_policy() && POLICIES.has(tx, quote)?))
}

/// Adds every index row of a quote and its policy.
fn add_index_rows(
    rows: &mut IndexRows<'_>,
    quote: &Quote,
    policy: Option<&Policy>,
) -> Result<(), StoreError> {
    let uuid = quote.uuid;
    let policy = policy.filter(|_| quote.status.may_be_policy());
    if let Some(owner) = quote.owner {
        rows.add(&QUOTE_BY_OWNER, &(owner, uuid), &quote.list_entry(policy))?;
    } else if let Some(mailbox) = quote.mailbox.clone() {
        let index = if quote.status.may_be_policy() {
            &POLICY_BY_MAILBOX
        } else {
            &UNCLAIMED_BY_NAME
        };
        rows.add(index, &(mailbox, uuid), &())?;
    }
    if let Some(expires) = quote.expires.filter(|_| quote.status == QuoteStatus::Quote) {
        rows.add(&QUOTE_BY_EXPIRY, &(expires, uuid), &())?;
    }
    if quote.is_deleted_in_time() {
        rows.add(&QUOTE_BY_SAVED, &(quote.saved_on(), uuid), &())?;
    }
    match policy {
        Some(policy) if quote.status == QuoteStatus::Live => add_live(rows, quote, policy),
        _ => Ok(()),
    }
}

/// Adds the index rows of a live policy.
fn add_live(rows: &mut IndexRows<'_>, quote: &Quote, policy: &Policy) -> Result<(), StoreError> {
    let uuid = quote.uuid;
    for registration in &policy.registrations {
        let key = (registration_key(registration), uuid);
        rows.add(&POLICY_BY_REGISTRATION, &key, &())?;
    }
    let reference = (quote.reference.clone(), uuid);
    rows.add(&POLICY_BY_REFERENCE, &reference, &())?;
    rows.add(&POLICY_BY_EXPIRY, &(policy.expiry, uuid), &())?;
    // A policy that ends before its last day has no renewal.
    if policy.scheduled_end.is_none()
        && let Some(due) = policy.renewal.due()
    {
        rows.add(&POLICY_BY_RENEWAL, &(due, uuid), &())?;
    }
    if let Some(day) = policy.next_scheduled_day() {
        rows.add(&POLICY_BY_SCHEDULED_DAY, &(day, uuid), &())?;
    }
    Ok(())
}
