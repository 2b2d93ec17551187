//! Writes underwritten answers as the next revision of a quote.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::limits::{self, ALL, Limit};
use crate::app::quotes::ownership;
use crate::app::quotes::underwrite::Assessed;
use crate::app::{App, AppError, Caller, ClientAddress, counters};
use crate::domain::quote::{self, Quote, QuoteEvent, QuoteStatus, Revision, policyholder};
use crate::domain::reference::reference;
use crate::domain::transition::Transition;
use crate::store::{WriteTx, tables};

/// The number of a quote's saves of which only the first counts for the total limit. A sale needs fewer
/// saves.
const SAVES_BEYOND_TOTAL: u32 = 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SaveOutcome {
    pub status: QuoteStatus,
    /// Number of the revision that was saved.
    pub revision: u32,
    /// Why underwriting refers or declines the answers.
    pub reason: Option<String>,
    /// Notices to the customer that need no action. The caller of [`save`] fills them in.
    pub notices: Vec<String>,
}

/// Counts a save by a caller without a log-in.
///
/// # Errors
/// [`AppError::TooMany`] above the client's limit.
pub(in crate::app) fn count_save(
    app: &App,
    caller: &Caller,
    client: &ClientAddress,
) -> Result<(), AppError> {
    if caller.logged_in().is_some() {
        return Ok(());
    }
    limits::count_here(app, Limit::Saves, &client.network(), 1)
}

/// Counts a save by a caller without a log-in for the total limit. `saved` is the number of the quote's
/// earlier saves. Only the first save and the saves after the first [`SAVES_BEYOND_TOTAL`] count. The other
/// saves may lead to a payment, so the limit must not refuse them.
///
/// # Errors
/// [`AppError::TooMany`] above the total limit.
pub(in crate::app) fn count_total_save(
    app: &App,
    caller: &Caller,
    saved: u32,
) -> Result<(), AppError> {
    if caller.logged_in().is_some() || (1..SAVES_BEYOND_TOTAL).contains(&saved) {
        return Ok(());
    }
    limits::count_here(app, Limit::TotalSaves, ALL, 1)
}

/// Returns a new quote without a revision, with a new reference.
pub(in crate::app) fn new_quote(
    tx: &mut WriteTx<'_>,
    uuid: Uuid,
    owner: Option<Uuid>,
    prefix: &str,
    assessed: &Assessed,
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let number = counters::add(tx, counters::REFERENCE, 1)?;
    Ok(Quote {
        uuid,
        reference: reference(prefix, number),
        product: assessed.product.clone(),
        status: QuoteStatus::Draft,
        reason: None,
        current: Revision::none(now),
        tokens: Vec::new(),
        resume: Vec::new(),
        document_links: Vec::new(),
        created: now,
        updated: now,
        expires: None,
        accepted: None,
        exclusion_answers: BTreeMap::new(),
        holder_name: String::new(),
        shown_to: Vec::new(),
        owner,
        mailbox: None,
        partner: None,
        origin: assessed.origin.clone(),
        renews: None,
        versions: Vec::new(),
    })
}

/// Writes `assessed` as the quote's next revision. Withdraws the acceptance.
///
/// # Errors
/// A conflict if the quote's status does not permit a save.
pub(in crate::app) fn save(
    tx: &mut WriteTx<'_>,
    quote: &mut Quote,
    assessed: &Assessed,
    now: DateTime<Utc>,
) -> Result<SaveOutcome, AppError> {
    quote.status = match quote::apply(quote.status, QuoteEvent::Saved(assessed.saved)) {
        Transition::Applied(status) => status,
        Transition::AlreadyApplied => quote.status,
        Transition::Refused(why) => return Err(AppError::conflict("not_changeable", why)),
    };
    let next = assessed.revision(quote.current.number + 1, now);
    let older = std::mem::replace(&mut quote.current, next);
    let is_first = older.number == 0;
    if !is_first {
        tables::REVISIONS.put(tx, &(quote.uuid, older.number), &older)?;
    }
    quote.reason.clone_from(&assessed.reason);
    quote.updated = now;
    quote.expires = assessed.expires;
    quote.accepted = None;
    quote.shown_to.clone_from(&assessed.shown_to);
    quote.holder_name = policyholder::name(&assessed.answers);
    quote.note_version();
    let moments = (now, assessed.mail_at);
    ownership::await_mailbox(tx, quote, assessed.username(), moments)?;
    if is_first {
        tables::QUOTES.put_new(tx, &quote.uuid, quote)?;
    } else {
        tables::QUOTES.put(tx, &quote.uuid, quote)?;
    }
    Ok(SaveOutcome {
        status: quote.status,
        revision: quote.current.number,
        reason: quote.reason.clone(),
        notices: Vec::new(),
    })
}
