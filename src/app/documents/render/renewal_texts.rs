//! Builds the data of the renewal notice.

use crate::app::documents::owner::{DocumentSubject, addressee};
use crate::app::documents::render::plan_texts;
use crate::app::policies::{self, renewals};
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, documents};
use crate::documents::data::{Amount, RenewalNotice, format_long};
use crate::domain::document::Document;
use crate::domain::quote::Quote;
use crate::domain::time::dates::london_date;
use crate::store::{Read, tables};

/// Returns the data of a renewal notice for the renewal quote `quote`.
pub(in crate::app) fn renewal_notice(
    app: &App,
    tx: &impl Read,
    document: &Document,
    subject: &DocumentSubject,
    quote: Quote,
) -> Result<RenewalNotice, AppError> {
    let number = quote.current.number;
    let next = documents::subject(&app.products, tx, quote.clone(), Some(number))?;
    let policy = policies::policy_unchecked(app, tx, document.policy)?;
    let renewal = renewals::comparison(&app.clock, &app.products, tx, &policy, quote)?;
    let price = renewal.price.ok_or(AppError::NotFound)?;
    let differences = renewal.differences.iter().map(|difference| Amount {
        label: difference.label.to_string(),
        amount: difference.amount.to_string(),
        note: None,
    });
    let plan = policy.renewal_plan.filter(|_| renewal.charge_on.is_some());
    Ok(RenewalNotice {
        head: documents::subject_head(
            app,
            document.kind.title(),
            subject,
            london_date(document.created),
        ),
        to: addressee(subject),
        price_last_year: renewal.price_last_year.to_string(),
        price: price.to_string(),
        price_new_customer: renewal.price_new_customer.map(|price| price.to_string()),
        in_account: subject.quote.owner.is_some(),
        differences: differences.collect(),
        starts: format_long(renewal.starts),
        last_day: format_long(renewal.last_day),
        auto_renew: renewal.auto_renew,
        charge_on: renewal.charge_on.map(format_long),
        payments: plan.map_or_else(Vec::new, |plan| plan_texts::payments(&plan, false)),
        cover: next.cover(),
    })
}

/// Returns the renewal quote of a notice, with the notice's revision as the current revision.
/// Returns `None` if that revision has no price.
pub(in crate::app) fn quote_of_notice(
    tx: &impl Read,
    document: &Document,
) -> Result<Option<Quote>, AppError> {
    let renewal_id = document.subject_id.ok_or(AppError::NotFound)?;
    let quote = tables::QUOTES.get(tx, &renewal_id)?;
    let mut quote = quote.ok_or(AppError::NotFound)?;
    if let Some(number) = document.subject_revision {
        quote.current = revision_of(tx, &quote, number)?;
    }
    Ok(Some(quote).filter(|quote| quote.current.price.is_some()))
}
