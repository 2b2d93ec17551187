//! Creating a quote.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::idempotency::{IdempotencyKey, Once};
use crate::app::policies::live_cover::already_covered;
use crate::app::quotes::save::{SaveOutcome, new_quote, save};
use crate::app::quotes::underwrite::Submission;
use crate::app::{App, AppError, Caller, access, new_id, rows};
use crate::domain::dates;
use crate::secret::Secret;
use crate::store::{WriteTx, tables};

/// What a create answers.
#[derive(Clone, Debug)]
pub struct Created {
    /// The new quote's id.
    pub uuid: Uuid,
    /// Number the customer sees.
    pub reference: String,
    /// The token with which its visitor reads and changes it.
    pub consumer_token: Secret,
    /// What the save made of it.
    pub outcome: SaveOutcome,
}

/// What is kept of a create with an `Idempotency-Key`.
#[derive(Serialize, Deserialize)]
struct Remembered {
    uuid: Uuid,
    reference: String,
    outcome: SaveOutcome,
}

impl App {
    /// Saves a new quote and answers the visitor's token for it.
    ///
    /// # Errors
    /// [`AppError::Invalid`] with every field at fault, [`AppError::NotFound`] for an
    /// unknown product, a conflict for a key used for another request.
    pub async fn create_quote(
        &self,
        caller: &Caller,
        submission: Submission,
        key: Option<IdempotencyKey>,
    ) -> Result<Created, AppError> {
        let now = self.clock.now();
        let (owner, creator) = (caller.user(), caller.clone());
        let uuid = new_id(now);
        let (token, token_hash) = access::new_quote_token(uuid)?;
        let created = self
            .once(key, now, async {
                self.require_room()?;
                let assessed = self.underwrite(submission, now)?;
                let product = self
                    .products
                    .find(&assessed.product, dates::london_date(now))?;
                let prefix = product.product.reference_prefix().to_string();
                Ok(move |tx: &mut WriteTx<'_>| {
                    let mut quote = new_quote(tx, uuid, owner, &prefix, &assessed, now)?;
                    quote.give_token(token_hash.clone());
                    let mut outcome = save(tx, &mut quote, &assessed, now)?;
                    if quote.status.goes_on() {
                        let marks = &assessed.registrations;
                        outcome.notices = already_covered(tx, &creator, marks, None, now)?;
                    }
                    Ok(Remembered {
                        uuid,
                        reference: quote.reference,
                        outcome,
                    })
                })
            })
            .await?;
        match created {
            Once::First(made) => Ok(made.with(token)),
            Once::Repeated(first) => self.answer_again(caller, first).await,
        }
    }

    /// The answer to a repeated create: the first one with a new token, unless the quote has been
    /// given to another user since.
    async fn answer_again(&self, caller: &Caller, first: Remembered) -> Result<Created, AppError> {
        let uuid = first.uuid;
        let user = caller.user();
        let (token, hash) = access::new_quote_token(uuid)?;
        self.store
            .write(move |tx| {
                let quote = tables::QUOTES.get(tx, &uuid)?;
                let mut quote = quote
                    .filter(|quote| quote.owner == user)
                    .ok_or(AppError::NotFound)?;
                quote.give_token(hash.clone());
                rows::quotes::put(tx, &quote)?;
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(first.with(token))
    }
}

impl Remembered {
    fn with(self, consumer_token: Secret) -> Created {
        Created {
            uuid: self.uuid,
            reference: self.reference,
            consumer_token,
            outcome: self.outcome,
        }
    }
}
