//! Whose a quote is. It belongs to no account until the owner of its mail address sets a password,
//! or its visitor logs in and adopts it. Then every token and mailed link from before stops working.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::access::{self, Caller};
use crate::app::work::queue::enqueue;
use crate::app::{App, AppError, new_id, rows};
use crate::domain::account::username;
use crate::domain::quote::Quote;
use crate::secret::Secret;
use crate::store::tables::{self, Task};
use crate::store::{Direction, WriteTx};

/// Most quotes that a user takes over in one write, the newest first. A job gives the user
/// the rest, so that one write stays short however often an address was typed.
const TAKEN_AT_ONCE: usize = 100;

impl App {
    /// Gives the quote of the caller's token to the logged-in user, if the user's mail address was
    /// typed into it.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] without a token that counts, [`AppError::NotFound`] where
    /// nobody is logged in, a refusal for another mail address.
    pub async fn adopt_quote(&self, caller: &Caller, uuid: Uuid) -> Result<(), AppError> {
        let now = self.clock.now();
        let user = match caller {
            Caller::Visitor {
                user: Some(user), ..
            } => *user,
            Caller::Nobody | Caller::Stranger => return Err(AppError::Unauthenticated),
            Caller::Visitor { .. } | Caller::User { .. } => return Err(AppError::NotFound),
        };
        let caller = caller.clone();
        self.store
            .write(move |tx| {
                let mut quote = access::quote_of(tx, &caller, uuid, now)?;
                if quote.owner == Some(user) {
                    return Ok(());
                }
                let known = tables::USERS.get(tx, &user)?.ok_or(AppError::NotFound)?;
                let own = known.profile.email_primary.as_deref().map(username);
                if quote.owner.is_some() || own.is_none() || own != quote.mailbox {
                    return Err(AppError::refused(
                        "other_address",
                        "This quote was made with another email address.",
                    ));
                }
                take_over(tx, &mut quote, user)
            })
            .await
    }

    /// A token for the quote that a mailed link resumes.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a link that doesn't count.
    pub async fn resume_quote(&self, secret: &str) -> Result<(Uuid, Secret), AppError> {
        let now = self.clock.now();
        let (uuid, shown) = access::resume_link(secret).ok_or(AppError::NotFound)?;
        let (token, hash) = access::new_quote_token(uuid)?;
        self.store
            .write(move |tx| {
                let mut quote = access::resumed(tx, uuid, &shown, now)?;
                quote.give_token(hash.clone());
                Ok::<_, AppError>(rows::quotes::put(tx, &quote)?)
            })
            .await?;
        Ok((uuid, token))
    }

    /// Gives the user the rest of the quotes with this mail address, while it is still theirs.
    pub(in crate::app) async fn take_over_rest(
        &self,
        name: &str,
        user: Uuid,
    ) -> Result<(), AppError> {
        let (now, name) = (self.clock.now(), name.to_string());
        let job = new_id(now);
        self.store
            .write(move |tx| {
                if tables::USER_BY_NAME.get(tx, &name)? == Some(user) {
                    take_over_all(tx, &name, user, job, now)?;
                }
                Ok::<_, AppError>(())
            })
            .await
    }
}

/// Sets the mail address, given as a user name, whose owner may take over a quote that nobody owns
/// yet, and queues a letter with its link for `mail_at`. The caller puts the quote.
pub(in crate::app) fn await_mailbox(
    tx: &mut WriteTx<'_>,
    quote: &mut Quote,
    name: Option<String>,
    mail_at: Option<DateTime<Utc>>,
) -> Result<(), AppError> {
    if quote.owner.is_some() || name == quote.mailbox {
        return Ok(());
    }
    quote.mailbox.clone_from(&name);
    if let (Some(name), Some(mail_at)) = (name, mail_at) {
        let quote = quote.uuid;
        enqueue(tx, Task::MailQuote { name, quote }, mail_at, quote)?;
    }
    Ok(())
}

/// Gives the user every quote without an owner that has the mail address `name`.
pub(in crate::app) fn take_over_all(
    tx: &mut WriteTx<'_>,
    name: &String,
    user: Uuid,
    job: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let waiting = tables::UNCLAIMED_BY_NAME.list(tx, name, Direction::Backward, TAKEN_AT_ONCE)?;
    for ((_, quote), ()) in &waiting {
        if let Some(mut quote) = tables::QUOTES.get(tx, quote)? {
            take_over(tx, &mut quote, user)?;
        }
    }
    if waiting.len() == TAKEN_AT_ONCE {
        let name = name.clone();
        enqueue(tx, Task::TakeOverQuotes { name, user }, now, job)?;
    }
    Ok(())
}

fn take_over(tx: &mut WriteTx<'_>, quote: &mut Quote, user: Uuid) -> Result<(), AppError> {
    if quote.owner.is_some() {
        return Ok(());
    }
    quote.mailbox = None;
    quote.take_over(user);
    Ok(rows::quotes::put(tx, quote)?)
}
