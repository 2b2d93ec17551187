//! Saves new answers as the next revision of a quote.

use uuid::Uuid;

use crate::app::lookups::{self, reuse_lookups};
use crate::app::policies::{self, renewals};
use crate::app::quotes::ownership::limit_letter;
use crate::app::quotes::read::open_quote;
use crate::app::quotes::revisions::stale;
use crate::app::quotes::save::{SaveOutcome, count_save, count_total_save, save};
use crate::app::quotes::underwrite::{Submission, reuse_offer, underwrite};
use crate::app::{App, AppError, Caller, ClientAddress, access};
use crate::domain::policy::adjustment::changed_answers;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::{self, Quote, QuoteEvent, Saved};
use crate::domain::transition::Transition;
use crate::store::Read;

/// The revision on which a save is based, and the page that saves.
#[derive(Clone, Debug, Default)]
pub struct SavedFrom {
    /// The revision that the client has read. If `None`, a save may overwrite a newer revision.
    pub revision: Option<u32>,
    /// The page of the website that saves.
    pub path: Option<String>,
}

/// Saves new answers as the next revision.
///
/// # Errors
/// [`AppError::Invalid`] with every wrong field. [`AppError::TooMany`] above a rate limit. A conflict if
/// `from.revision` is not the newest revision, or if the quote can't be changed any more.
/// [`AppError::InsufficientStorage`] while the disk is short of space. [`AppError::Malformed`] for another
/// product than the quote's. As [`access::quote_of`].
pub async fn update_quote(
    app: &App,
    caller: &Caller,
    client: &ClientAddress,
    uuid: Uuid,
    mut submission: Submission,
    from: SavedFrom,
) -> Result<SaveOutcome, AppError> {
    count_save(app, caller, client)?;
    let now = app.clock.now();
    let read_revision = from.revision;
    // The caller's access is checked before the answers, and again in the transaction.
    let (stored, renews, offered) = app
        .store
        .read(|tx| {
            let stored = access::quote_of(tx, caller, uuid, now)?;
            // An unreadable policy matters only if the quote can be changed.
            let renews = renewed_by(app, tx, &stored);
            let offered = app.products.by_hash(tx, &stored.current.product_hash);
            Ok::<_, AppError>((stored, renews, offered))
        })
        .await?;
    if let Transition::Refused(why) = quote::apply(stored.status, QuoteEvent::Saved(Saved::Draft)) {
        return Err(AppError::conflict("not_changeable", why));
    }
    if read_revision.is_some_and(|read| read != stored.current.number) {
        return Err(stale());
    }
    app.disk_space.ensure()?;
    if submission.product != stored.product {
        return Err(AppError::Malformed(
            "product_identifier is not the quote's product.".to_string(),
        ));
    }
    // A quote keeps its campaign, so that a later save doesn't change its price.
    submission
        .origin
        .tracking
        .clone_from(&stored.origin.tracking);
    if stored.is_renewal() {
        let product = &app
            .products
            .find(&stored.product, app.clock.today())?
            .product;
        let current_answers = &stored.current.answers;
        submission.answers =
            changed_answers::keep_locked(product, current_answers, submission.answers);
        submission.renews = renews?;
    }
    let lookups =
        lookups::load_lookups_of_quote(&app.store, &app.products, &mut submission, now).await?;
    let offer = offered
        .ok()
        .and_then(|offered| reuse_offer(&app.config, &offered, &stored, &submission, now));
    let mut assessed = match offer {
        Some(offer) => offer,
        None => underwrite(&app.config, &app.products, submission, now)?,
    };
    count_total_save(app, caller, stored.current.number)?;
    assessed.path = from.path;
    assessed.shown_to = caller.reader_keys();
    let before = stored.current.lookups_for(&assessed.registrations);
    let product = &app
        .products
        .find(&assessed.product, app.clock.today())?
        .product;
    assessed.lookups = reuse_lookups(product, &assessed.answers, lookups, before);
    if stored.owner.is_none() {
        limit_letter(app, client, &mut assessed, stored.mailbox.as_ref()).await?;
    }
    let saver = caller.clone();
    let mut outcome = app
        .store
        .write(move |tx| {
            let mut quote = access::quote_of(tx, &saver, uuid, now)?;
            if read_revision.is_some_and(|read| read != quote.current.number) {
                return Err(stale());
            }
            if quote.owner.is_none() && assessed.username() != quote.mailbox {
                let own = match &saver {
                    Caller::Visitor { token, .. } => Some(token.as_str()),
                    _ => None,
                };
                quote.revoke_links(own);
            }
            let outcome = save(tx, &mut quote, &assessed, now)?;
            // The delay of the letter leaves time for further saves.
            if let (Some(policy), Some(due)) = (quote.renews, assessed.mail_at) {
                renewals::queue_quote_letter(tx, policy, outcome.status, uuid, due)?;
            }
            Ok::<_, AppError>(outcome)
        })
        .await?;
    // The caller gets the notices that a reader of the quote gets.
    match open_quote(app, caller, uuid).await {
        Ok(opened) => outcome.notices = opened.notices,
        // The quote is saved. The next reader of the quote gets the notices.
        Err(error) => tracing::warn!(
            error = error.log_text(),
            quote = %uuid,
            "the notices of a saved quote can't be read"
        ),
    }
    Ok(outcome)
}

/// Returns the answers of the policy that a quote renews, with a scheduled change applied. Returns `None`
/// if the quote is no renewal.
pub(in crate::app) fn renewed_by(
    app: &App,
    tx: &impl Read,
    renewal: &Quote,
) -> Result<Option<Answers>, AppError> {
    let follows = renewal
        .renews
        .map(|policy| policies::policy_unchecked(app, tx, policy));
    Ok(follows
        .transpose()?
        .map(|context| context.scheduled_answers().clone()))
}
