//! The mails that wait as work: each makes its own fresh link when it is sent, so that no
//! secret lies in the store, and a mail that is tried again is a whole one.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::accounts::{holder_of, links};
use super::letters::Letter;
use super::lists::put_quote;
use super::{App, AppError, access, new_id};
use crate::domain::account::{Link, LinkUse, Profile, User, username};
use crate::domain::dates;
use crate::domain::quote::Quote;
use crate::integrations::mail::{MailError, Outgoing};
use crate::secret::Token;
use crate::store::tables::{Notice, QuoteMails, RefusedAddress};
use crate::store::{Direction, Read, WriteTx, tables};

/// Mails about quotes to one address within a day.
const QUOTE_MAILS_A_DAY: usize = 3;
/// Links for a password to one user within an hour. The earlier ones still count, so whoever
/// asks for more takes nothing from the owner.
const PASSWORD_LINKS_AN_HOUR: usize = 5;
/// For so long nothing about quotes is sent to an address that refused its mail, days.
const REFUSED_FOR: i64 = 30;

/// The addresses that a letter about a quote is on its way to: one at a time, so that each finds
/// what those before it have noted, and many at once are no more than a day's. Kept in memory: a
/// program that stops has no letter on its way.
#[derive(Default)]
pub(super) struct OnTheWay(Mutex<HashSet<String>>);

/// An address's turn, until it is dropped.
struct Turn<'a> {
    on_the_way: &'a OnTheWay,
    name: String,
}

impl OnTheWay {
    fn begin(&self, name: &str) -> Result<Turn<'_>, AppError> {
        let name = name.to_string();
        if !self.names().insert(name.clone()) {
            let why = "another letter is on its way to this address";
            return Err(AppError::Later(why.to_string()));
        }
        let on_the_way = self;
        Ok(Turn { on_the_way, name })
    }

    fn names(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.on_the_way.names().remove(&self.name);
    }
}

impl App {
    /// Mails a link that resumes a quote of `name`'s, the newest there is unless just this one
    /// was asked for, and one that sets a first password where the address has none yet. An
    /// address that is new becomes a user here.
    ///
    /// What was mailed is noted once it is: a letter that a stop cut off is written again.
    pub(super) async fn mail_quote(&self, name: &str, quote: Uuid) -> Result<(), AppError> {
        let _turn = self.quote_mails.begin(name)?;
        let now = self.clock.now();
        let name = name.to_string();
        let Some(about) = quote_to_mail(&self.store.read()?, &name, quote)? else {
            return Ok(());
        };
        let (resume, first) = (access::new_quote_token(about)?, Token::random()?);
        let (resume_hash, first_hash) = (resume.1, first.hash());
        let (key, fresh) = (name.clone(), new_id(now));
        let given = resume_hash.clone();
        let prepared = self
            .store
            .write(move |tx| {
                let Some((mut quote, user)) = to_mail(tx, &key, (quote, about), fresh, now)? else {
                    forget_asked(tx, &key, quote)?;
                    return Ok(None);
                };
                let is_first = user.password_hash.is_none();
                if is_first {
                    links::keep(tx, first_hash, user.uuid, LinkUse::FirstPassword, now)?;
                }
                quote.give_resume(given.clone());
                put_quote(tx, &quote)?;
                Ok::<_, AppError>(Some((quote, is_first)))
            })
            .await?;
        let Some((found, is_first)) = prepared else {
            return Ok(());
        };
        let product = self.products.by_hash(&found.current.product_hash)?;
        let resume = format!(
            "{}/quote/edit/{about}#resume={}",
            self.public_url,
            resume.0.expose()
        );
        let first_password = is_first.then(|| self.password_page(&first));
        let letter = match &first_password {
            Some(link) if found.status.is_policy() => Letter::FirstPassword { link },
            first_password => Letter::QuoteSaved {
                product: &product.info().product_title,
                reference: &found.reference,
                resume: &resume,
                // The last day it holds; what it runs out at may be the next one's midnight.
                holds_until: (found.expires)
                    .map(|at| dates::london_date(at - Duration::seconds(1))),
                first_password: first_password.as_deref(),
            },
        };
        let sent = self.deliver(as_typed(&found, &name), &letter).await;
        let is_sent = sent.is_ok();
        self.store
            .write(move |tx| {
                if is_sent {
                    note_mailed(tx, &name, about, &resume_hash, now)?;
                    return forget_asked(tx, &name, quote);
                }
                links::take_back(tx, first_hash)?;
                if let Some(mut quote) = tables::QUOTES.get(tx, &about)? {
                    quote.resume.retain(|hash| *hash != resume_hash);
                    put_quote(tx, &quote)?;
                }
                Ok::<_, AppError>(())
            })
            .await?;
        sent
    }

    /// Mails a link that sets a password, if the address is a user's or quotes wait for it.
    pub(super) async fn mail_password(&self, name: &str) -> Result<(), AppError> {
        let now = self.clock.now();
        let (name, fresh) = (name.to_string(), new_id(now));
        let token = Token::random()?;
        let hash = token.hash();
        let prepared = self
            .store
            .write(move |tx| {
                let waiting = tables::UNCLAIMED_BY_NAME.list(tx, &name, Direction::Backward, 1)?;
                let user = match (tables::USER_BY_NAME.get(tx, &name)?, waiting.first()) {
                    (Some(user), _) => tables::USERS.get(tx, &user)?,
                    (None, Some(((_, quote), ()))) => match tables::QUOTES.get(tx, quote)? {
                        Some(quote) => Some(user_of_address(tx, &name, &quote, fresh, now)?),
                        None => None,
                    },
                    (None, None) => None,
                };
                let Some(user) = user else { return Ok(None) };
                let good_for = match user.password_hash {
                    Some(_) => LinkUse::ResetPassword,
                    None => LinkUse::FirstPassword,
                };
                let is_recent = |link: &Link| {
                    link.good_for == good_for && now < link.created + Duration::hours(1)
                };
                let links = links::of_user(tx, user.uuid)?;
                let recent = links.iter().filter(|(_, link)| is_recent(link)).count();
                if recent >= PASSWORD_LINKS_AN_HOUR {
                    return Ok(None);
                }
                links::keep(tx, hash, user.uuid, good_for.clone(), now)?;
                Ok::<_, AppError>(user.profile.email_primary.map(|to| (to, good_for)))
            })
            .await?;
        let Some((to, good_for)) = prepared else {
            return Ok(());
        };
        let link = &self.password_page(&token);
        let letter = match good_for {
            LinkUse::FirstPassword => Letter::FirstPassword { link },
            _ => Letter::ResetPassword { link },
        };
        self.deliver_link(&to, &letter, hash).await
    }

    /// Mails a link to a user's new address; whoever has an account there already hears so
    /// instead, and the asker learns nothing.
    pub(super) async fn mail_confirmation(&self, user: Uuid) -> Result<(), AppError> {
        let now = self.clock.now();
        let token = Token::random()?;
        let hash = token.hash();
        let prepared = self
            .store
            .write(move |tx| {
                let user = tables::USERS.get(tx, &user)?.ok_or(AppError::NotFound)?;
                let Some(address) = user.email_pending else {
                    return Ok(None);
                };
                let (user, good_for) = match holder_of(tx, &username(&address))? {
                    Some(holder) => (holder.uuid, LinkUse::ResetPassword),
                    None => {
                        let address = address.clone();
                        (user.uuid, LinkUse::ConfirmAddress { address })
                    }
                };
                links::keep(tx, hash, user, good_for.clone(), now)?;
                Ok::<_, AppError>(Some((address, good_for)))
            })
            .await?;
        let Some((to, good_for)) = prepared else {
            return Ok(());
        };
        let confirm = format!("{}/confirm-email#{}", self.public_url, token.expose());
        let reset = self.password_page(&token);
        let letter = match good_for {
            LinkUse::ConfirmAddress { .. } => Letter::ConfirmAddress { link: &confirm },
            _ => Letter::AddressTaken { reset: &reset },
        };
        self.deliver_link(&to, &letter, hash).await
    }

    /// Mails a word of warning or confirmation.
    pub(super) async fn mail_notice(&self, to: &str, notice: Notice) -> Result<(), AppError> {
        let letter = match notice {
            Notice::PasswordChanged => Letter::PasswordChanged,
            Notice::AddressChangeAsked => Letter::AddressChangeAsked,
            Notice::AddressChanged => Letter::AddressChanged,
        };
        self.deliver(to, &letter).await
    }

    /// Sends a letter with a link; one that didn't go out leaves no link behind, so that
    /// the next try is not one too many.
    async fn deliver_link(
        &self,
        to: &str,
        letter: &Letter<'_>,
        hash: [u8; 32],
    ) -> Result<(), AppError> {
        let sent = self.deliver(to, letter).await;
        if sent.is_err() {
            self.store
                .write(move |tx| links::take_back(tx, hash))
                .await?;
        }
        sent
    }

    fn password_page(&self, token: &Token) -> String {
        format!("{}/reset-password?aid={}", self.public_url, token.expose())
    }

    /// Sends a letter. An address that refuses it for good is noted, and that is that.
    pub(super) async fn deliver(&self, to: &str, letter: &Letter<'_>) -> Result<(), AppError> {
        let now = self.clock.now();
        let written = letter.write(&self.config.site, &self.public_url);
        let mail = Outgoing {
            id: new_id(now),
            to: to.to_string(),
            subject: written.subject,
            html: written.html,
            text: written.text,
        };
        match self.mailer.send(&mail).await {
            Ok(()) => Ok(()),
            Err(MailError::Later(why)) => Err(AppError::Later(why)),
            Err(MailError::Refused(reason)) => {
                tracing::warn!(mail = %mail.id, reason, "a mail was refused for good");
                let name = username(to);
                let refused = RefusedAddress { at: now, reason };
                self.store
                    .write(move |tx| {
                        Ok::<_, AppError>(tables::REFUSED_ADDRESSES.put(tx, &name, &refused)?)
                    })
                    .await
            }
        }
    }
}

/// The quote that a letter called for by `quote` is about: itself where it was asked for, or
/// else the newest that waits for the mailbox of `name`.
fn quote_to_mail(tx: &impl Read, name: &String, quote: Uuid) -> Result<Option<Uuid>, AppError> {
    let mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    if mails.asked.contains(&quote) {
        return Ok(Some(quote));
    }
    let newest = tables::UNCLAIMED_BY_NAME.list(tx, name, Direction::Backward, 1)?;
    Ok(newest.first().map(|((_, newest), ())| *newest))
}

/// The quote `about` and its address's user, if a letter called for by `quote` is due: unless a
/// newer one spoke for it, the day's letters are used up, or the address takes none.
fn to_mail(
    tx: &mut WriteTx<'_>,
    name: &String,
    (quote, about): (Uuid, Uuid),
    fresh: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<(Quote, User)>, AppError> {
    let mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    let today = mails.sent.iter().filter(|at| is_within_a_day(**at, now));
    let refused = tables::REFUSED_ADDRESSES.get(tx, name)?;
    let is_refused = refused.is_some_and(|refused| now < refused.at + Duration::days(REFUSED_FOR));
    let is_asked = about == quote && mails.asked.contains(&quote);
    let is_told = !is_asked && told(tx, &mails)?.is_some_and(|newest| newest >= quote);
    if is_refused || is_told || today.count() >= QUOTE_MAILS_A_DAY {
        return Ok(None);
    }
    let found = tables::QUOTES.get(tx, &about)?;
    // Claimed or given another address meanwhile, it is no longer this mailbox's.
    let found = found.filter(|found| found.owner.is_none() && found.mailbox.as_ref() == Some(name));
    let Some(found) = found else {
        return Ok(None);
    };
    let user = user_of_address(tx, name, &found, fresh, now)?;
    // What was bought is in the account, and who has one needs no link to it.
    let is_needed = !found.status.is_policy() || user.password_hash.is_none();
    Ok(is_needed.then_some((found, user)))
}

/// Notes that the link to just `quote` was asked for; a letter about a newer one doesn't speak
/// for it.
pub(super) fn note_asked(tx: &mut WriteTx<'_>, name: &String, quote: Uuid) -> Result<(), AppError> {
    let mut mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    if !mails.asked.contains(&quote) {
        mails.asked.push(quote);
        tables::QUOTE_MAILS.put(tx, name, &mails)?;
    }
    Ok(())
}

/// What was asked for is on its way, or will never be.
fn forget_asked(tx: &mut WriteTx<'_>, name: &String, quote: Uuid) -> Result<(), AppError> {
    if let Some(mut mails) = tables::QUOTE_MAILS.get(tx, name)?
        && mails.asked.contains(&quote)
    {
        mails.asked.retain(|asked| *asked != quote);
        tables::QUOTE_MAILS.put(tx, name, &mails)?;
    }
    Ok(())
}

/// The newest quote that was mailed about, while the link in that letter counts: a quote that
/// had another address in between has ended it.
fn told(tx: &impl Read, mails: &QuoteMails) -> Result<Option<Uuid>, AppError> {
    let (Some(newest), Some(link)) = (mails.newest, &mails.link) else {
        return Ok(mails.newest);
    };
    let quote = tables::QUOTES.get(tx, &newest)?;
    let counts = quote.is_some_and(|quote| quote.resume.contains(link));
    Ok(counts.then_some(newest))
}

/// Notes a letter that went out about `quote`, with the link of this hash.
fn note_mailed(
    tx: &mut WriteTx<'_>,
    name: &String,
    quote: Uuid,
    link: &str,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let mut mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    mails.sent.retain(|at| is_within_a_day(*at, now));
    mails.sent.push(now);
    if told(tx, &mails)?.is_none_or(|newest| newest <= quote) {
        mails.newest = Some(quote);
        mails.link = Some(link.to_string());
    }
    tables::QUOTE_MAILS.put(tx, name, &mails)?;
    Ok(())
}

fn is_within_a_day(at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now < at + Duration::days(1)
}

/// The address of the mailbox `name` as it was typed into the quote, whose newest answers may
/// name another.
fn as_typed<'a>(quote: &'a Quote, name: &'a str) -> &'a str {
    let typed = quote.current.answers.text("email_primary");
    typed
        .filter(|typed| username(typed) == name)
        .unwrap_or(name)
}

/// The user of an address; a new address becomes a user without a password. The names typed
/// into the quote wait until the mailbox has claimed it.
fn user_of_address(
    tx: &mut WriteTx<'_>,
    name: &String,
    quote: &Quote,
    fresh: Uuid,
    now: DateTime<Utc>,
) -> Result<User, AppError> {
    if let Some(user) = tables::USER_BY_NAME.get(tx, name)?
        && let Some(user) = tables::USERS.get(tx, &user)?
    {
        return Ok(user);
    }
    let user = User {
        uuid: fresh,
        password_hash: None,
        profile: Profile {
            email_primary: Some(as_typed(quote, name).to_string()),
            ..Profile::default()
        },
        marketing: false,
        email_pending: None,
        created: now,
    };
    tables::USER_BY_NAME.put(tx, name, &user.uuid)?;
    tables::USERS.put(tx, &user.uuid, &user)?;
    Ok(user)
}
