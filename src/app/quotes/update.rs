//! Saving new answers as the next revision of a quote.

use uuid::Uuid;

use crate::app::lookups::carry_on;
use crate::app::policies::renewals;
use crate::app::quotes::revisions::stale;
use crate::app::quotes::save::{SaveOutcome, save};
use crate::app::quotes::underwrite::Submission;
use crate::app::{App, AppError, Caller, Client, access};
use crate::domain::policy::adjustment::changed_answers;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::{self, Quote, QuoteEvent, Saved};
use crate::domain::transition::Transition;
use crate::store::Read;

/// What the saver of a quote says besides the answers.
#[derive(Clone, Debug, Default)]
pub struct SavedFrom {
    /// The revision they had read; without it the last write wins.
    pub revision: Option<u32>,
    /// The page of the website they save from.
    pub path: Option<String>,
}

impl App {
    /// Saves new answers as the next revision.
    ///
    /// # Errors
    /// As [`App::create_quote`], and a conflict when the quote was changed since.
    pub async fn update_quote(
        &self,
        caller: &Caller,
        client: &Client,
        uuid: Uuid,
        mut submission: Submission,
        from: SavedFrom,
    ) -> Result<SaveOutcome, AppError> {
        self.count_save(caller, client)?;
        let now = self.clock.now();
        let read_revision = from.revision;
        // The right to change the quote is checked before its answers, and again in the
        // transaction.
        let (known, renews, offered) = self
            .store
            .read(|tx| {
                let known = access::quote_of(tx, caller, uuid, now)?;
                // A policy that can't be read matters only where the quote may be changed.
                let renews = self.renewed_by(tx, &known);
                let offered = self.products.by_hash(tx, &known.current.product_hash);
                Ok::<_, AppError>((known, renews, offered))
            })
            .await?;
        if let Transition::Refused(why) =
            quote::apply(known.status, QuoteEvent::Saved(Saved::Draft))
        {
            return Err(AppError::conflict("not_changeable", why));
        }
        if read_revision.is_some_and(|read| read != known.current.number) {
            return Err(stale());
        }
        self.disk_space.ensure()?;
        if submission.product != known.product {
            return Err(AppError::Malformed(
                "product_identifier is not the quote's product.".to_string(),
            ));
        }
        // A quote keeps the campaign it came from, so that saving again doesn't change its price.
        submission
            .origin
            .tracking
            .clone_from(&known.origin.tracking);
        if known.is_renewal() {
            let product = &self.products.find(&known.product, self.today())?.product;
            let kept = &known.current.answers;
            submission.answers = changed_answers::keep_locked(product, kept, submission.answers);
            submission.renews = renews?;
        }
        let lookups = self.take_lookups_of_quote(&mut submission, now).await?;
        let kept = offered
            .ok()
            .and_then(|offered| self.keep_offer(&offered, &known, &submission, now));
        let mut assessed = match kept {
            Some(kept) => kept,
            None => self.underwrite(submission, now)?,
        };
        self.count_total_save(caller, known.current.number)?;
        assessed.path = from.path;
        assessed.shown_to = caller.readers();
        let before = known.current.lookups_about(&assessed.registrations);
        let product = &self.products.find(&assessed.product, self.today())?.product;
        assessed.lookups = carry_on(product, &assessed.answers, lookups, before);
        if known.owner.is_none() {
            self.limit_letter(client, &mut assessed, known.mailbox.as_ref())
                .await?;
        }
        let saver = caller.clone();
        let mut outcome = self
            .store
            .write(move |tx| {
                let mut quote = access::quote_of(tx, &saver, uuid, now)?;
                if read_revision.is_some_and(|read| read != quote.current.number) {
                    return Err(stale());
                }
                if quote.owner.is_none() && assessed.username() != quote.mailbox {
                    let kept = match &saver {
                        Caller::Visitor { token, .. } => Some(token.as_str()),
                        _ => None,
                    };
                    quote.forget_mailbox(kept);
                }
                let outcome = save(tx, &mut quote, &assessed, now)?;
                // The letter with the new price waits a while, in case the customer saves again.
                if let (Some(policy), Some(due)) = (quote.renews, assessed.mail_at) {
                    renewals::queue_quote_letter(tx, policy, outcome.status, uuid, due)?;
                }
                Ok::<_, AppError>(outcome)
            })
            .await?;
        // The notices that the next reader gets, with the one about the partner's price.
        match self.open_quote(caller, uuid).await {
            Ok(opened) => outcome.notices = opened.notices,
            // The quote is saved, and its next reader gets the notices.
            Err(error) => tracing::warn!(
                error = error.log_text(),
                quote = %uuid,
                "the notices of a saved quote can't be read"
            ),
        }
        Ok(outcome)
    }

    /// The answers in force of the policy that a quote renews.
    pub(in crate::app) fn renewed_by(
        &self,
        tx: &impl Read,
        renewal: &Quote,
    ) -> Result<Option<Answers>, AppError> {
        let follows = renewal
            .renews
            .map(|policy| self.policy_unchecked(tx, policy));
        Ok(follows
            .transpose()?
            .map(|context| context.answers_to_come().clone()))
    }
}
