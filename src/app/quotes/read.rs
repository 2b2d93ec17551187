//! Reads a quote or a policy, with all that its reader needs.

use std::sync::Arc;

use uuid::Uuid;

use crate::app::access::{self, Ownership};
use crate::app::partners::{self, price_notice};
use crate::app::policies::cover::live_cover::already_covered;
use crate::app::products::ProductRegistry;
use crate::app::quotes::newer_price::newer_price_notice;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, Caller};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::money::price::{Basis, Per};
use crate::domain::policy::{Policy, term};
use crate::domain::product::Product;
use crate::domain::quote::registrations::registrations;
use crate::domain::quote::{Quote, QuoteStatus, Revision};
use crate::store::{Read, tables};

/// A quote with all that its reader needs.
pub struct QuoteView {
    pub quote: Quote,
    /// The quote's status at the time of reading.
    pub status: QuoteStatus,
    /// Whether the quote can be bought at the time of reading.
    pub buyable: bool,
    /// The policy's revision, if the quote has a newer revision.
    pub sold: Option<Revision>,
    /// The product that rated [`Self::revision`].
    pub product: Arc<Product>,
    /// Whether the price is for the whole term or for one day of a trip without dates.
    pub basis: Basis,
    /// The policy, after the purchase.
    pub policy: Option<Policy>,
    /// Notices to the reader that need no action. Empty for a policy.
    pub notices: Vec<String>,
    /// The account of the quote, as far as the reader may know it.
    pub ownership: Ownership,
}

impl QuoteView {
    /// Returns the policy's revision, or the newest revision of a quote that is no policy.
    #[must_use]
    pub fn revision(&self) -> &Revision {
        self.sold.as_ref().unwrap_or(&self.quote.current)
    }
}

/// Reads a quote or a policy.
///
/// # Errors
/// As [`access::quote_of`].
pub async fn read_quote(app: &App, caller: &Caller, uuid: Uuid) -> Result<QuoteView, AppError> {
    app.store
        .read(|tx| view_for(&app.clock, &app.config, &app.products, tx, caller, uuid))
        .await
}

/// Runs [`read_quote`] within a transaction.
pub(in crate::app) fn view_for(
    clock: &Clock,
    config: &Config,
    products: &ProductRegistry,
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
) -> Result<QuoteView, AppError> {
    let quote = access::quote_of(tx, caller, uuid, clock.now())?;
    view(clock, config, products, tx, quote, caller.logged_in())
}

/// Returns a quote or a policy for the caller. If the quote can be continued, adds a notice about a newer
/// price and notices about existing cover. A notice about existing cover names a registration that another
/// live policy covers. The caller gets this notice only if the caller may read the other policy.
///
/// # Errors
/// As [`access::quote_of`].
pub async fn open_quote(app: &App, caller: &Caller, uuid: Uuid) -> Result<QuoteView, AppError> {
    app.store
        .read(|tx| {
            let mut view = view_for(&app.clock, &app.config, &app.products, tx, caller, uuid)?;
            if view.status.can_continue() {
                let quote = &view.quote;
                let registrations = registrations(&view.product, &quote.current.answers);
                let covered =
                    already_covered(tx, caller, &registrations, quote.renews, app.clock.now())?;
                view.notices.extend(newer_price_notice(
                    &app.clock,
                    &app.products,
                    quote,
                    app.clock.now(),
                ));
                view.notices.extend(covered);
            }
            Ok(view)
        })
        .await
}

/// Returns a quote as [`open_quote`] does. If the quote can be bought, stores that the caller was shown the
/// newest revision. The caller can then accept the newest revision without its number.
///
/// # Errors
/// As [`access::quote_of`].
pub async fn show_quote(app: &App, caller: &Caller, uuid: Uuid) -> Result<QuoteView, AppError> {
    let view = open_quote(app, caller, uuid).await?;
    let (number, readers) = (view.quote.current.number, caller.reader_keys());
    if !view.buyable || view.quote.is_shown_to(&readers) {
        return Ok(view);
    }
    let stored = app.store.write(move |tx| {
        if let Some(mut quote) = tables::QUOTES.get(tx, &uuid)?
            && quote.current.number == number
        {
            readers.iter().for_each(|reader| quote.note_shown(reader));
            tables::QUOTES.put(tx, &quote.uuid, &quote)?;
        }
        Ok::<_, AppError>(())
    });
    // The caller gets the quote even if the write fails. An acceptance then has to name the revision.
    if let Err(error) = stored.await {
        let error = error.log_text();
        tracing::warn!(error, quote = %uuid, "the reader of a quote can't be stored");
    }
    Ok(view)
}

/// Returns `quote` for its reader: the logged-in `user`, or a reader without a log-in. The caller has checked
/// the reader's access.
pub(in crate::app) fn view(
    clock: &Clock,
    config: &Config,
    products: &ProductRegistry,
    tx: &impl Read,
    quote: Quote,
    user: Option<Uuid>,
) -> Result<QuoteView, AppError> {
    let now = clock.now();
    let policy = tables::policy_of(tx, &quote)?;
    let sold = match &policy {
        Some(policy) if policy.revision != quote.current.number => {
            Some(revision_of(tx, &quote, policy.revision)?)
        }
        _ => None,
    };
    let in_force = sold.as_ref().unwrap_or(&quote.current);
    let product = products.by_hash(tx, &in_force.product_hash)?;
    let basis = in_force.price.as_ref().map_or(Basis::Term, |price| {
        term::price_basis(&product, &in_force.answers, price)
    });
    let by = partners::partner(config, &quote).filter(|_| policy.is_none());
    let shown_for = match by {
        Some(_) => first_shown_for(products, tx, &quote)?,
        None => (Per::Year, basis),
    };
    let notice = by.and_then(|by| price_notice(&quote, by, shown_for, basis));
    Ok(QuoteView {
        notices: notice.into_iter().collect(),
        ownership: access::ownership_for(tx, &quote, user)?,
        status: quote.status_at(now),
        buyable: quote.is_buyable(now),
        quote,
        sold,
        product,
        basis,
        policy,
    })
}

/// Returns the period and the basis of the quote's first price, which the partner showed.
fn first_shown_for(
    products: &ProductRegistry,
    tx: &impl Read,
    quote: &Quote,
) -> Result<(Per, Basis), AppError> {
    let first = revision_of(tx, quote, 1)?;
    let Some(price) = &first.price else {
        return Ok((Per::Year, Basis::Term));
    };
    let product = products.by_hash(tx, &first.product_hash)?;
    Ok((
        price.per,
        term::price_basis(&product, &first.answers, price),
    ))
}
