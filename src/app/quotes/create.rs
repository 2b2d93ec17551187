//! Creating a quote.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::idempotency::Key;
use crate::app::quotes::save::{SaveOutcome, new_quote, save};
use crate::app::quotes::underwrite::Submission;
use crate::app::{App, AppError, Caller, access, new_id, rows};
use crate::domain::dates;
use crate::secret::Secret;
use crate::store::{Read, tables};

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
        key: Option<Key>,
    ) -> Result<Created, AppError> {
        let now = self.clock.now();
        // The first answer is given again, even if the day or the product has changed since.
        let first = self
            .store
            .read(|tx| first_answer(tx, key.as_ref(), now))
            .await?;
        if let Some(first) = first {
            return self.answer_again(caller, first).await;
        }
        let assessed = self.underwrite(submission, now)?;
        let prefix = self
            .products
            .find(&assessed.product, dates::london_date(now))?
            .product
            .reference_prefix()
            .to_string();
        let uuid = new_id(now);
        let (fresh, fresh_hash) = access::new_quote_token(uuid)?;
        let owner = match caller {
            Caller::User { uuid, .. } => Some(*uuid),
            _ => None,
        };
        let first = self
            .store
            .write(move |tx| {
                if let Some(first) = first_answer(tx, key.as_ref(), now)? {
                    return Ok(Err(first));
                }
                let mut quote = new_quote(tx, uuid, owner, &prefix, &assessed, now)?;
                quote.give_token(fresh_hash.clone());
                let outcome = save(tx, &mut quote, &assessed, now)?;
                if let Some(key) = &key {
                    let first = Remembered {
                        uuid,
                        reference: quote.reference.clone(),
                        outcome: outcome.clone(),
                    };
                    key.remember(tx, &first, now)?;
                }
                Ok::<_, AppError>(Ok((quote.reference, outcome)))
            })
            .await?;
        let (reference, outcome) = match first {
            Ok(made) => made,
            Err(first) => return self.answer_again(caller, first).await,
        };
        Ok(Created {
            uuid,
            reference,
            consumer_token: fresh,
            outcome,
        })
    }

    /// The answer to a repeated create: the first one with a new token, unless the quote has been
    /// given to another user since.
    async fn answer_again(&self, caller: &Caller, first: Remembered) -> Result<Created, AppError> {
        let uuid = first.uuid;
        let user = match caller {
            Caller::User { uuid, .. } => Some(*uuid),
            _ => None,
        };
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
        Ok(Created {
            uuid,
            reference: first.reference,
            consumer_token: token,
            outcome: first.outcome,
        })
    }
}

/// The first answer to the same call, where it came before.
fn first_answer(
    tx: &impl Read,
    key: Option<&Key>,
    now: DateTime<Utc>,
) -> Result<Option<Remembered>, AppError> {
    key.map_or(Ok(None), |key| key.answer(tx, now))
}
