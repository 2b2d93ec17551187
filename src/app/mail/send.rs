//! The mails that wait as work: each makes its own fresh link when it is sent, so that no
//! secret lies in the store, and a mail that is tried again is a whole one.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use crate::app::accounts::{holder_of, links};
use crate::app::mail::letters::Letter;
use crate::app::{App, AppError, new_id, rows};
use crate::domain::account::{Link, LinkUse, Profile, User, username};
use crate::domain::quote::Quote;
use crate::integrations::mail::{MailError, Outgoing};
use crate::secret::Token;
use crate::store::tables::{Notice, RefusedAddress};
use crate::store::{Direction, WriteTx, tables};

/// Links for a password to one user within an hour. The earlier ones still count, so whoever
/// asks for more takes nothing from the owner.
const PASSWORD_LINKS_AN_HOUR: usize = 5;
impl App {
    /// Mails a link that sets a password, if the address is a user's or quotes wait for it.
    pub(in crate::app) async fn mail_password(&self, name: &str) -> Result<(), AppError> {
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
    pub(in crate::app) async fn mail_confirmation(&self, user: Uuid) -> Result<(), AppError> {
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
    pub(in crate::app) async fn mail_notice(
        &self,
        to: &str,
        notice: Notice,
    ) -> Result<(), AppError> {
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
                .write(move |tx| Ok::<_, AppError>(rows::links::delete(tx, hash)?))
                .await?;
        }
        sent
    }

    pub(in crate::app) fn password_page(&self, token: &Token) -> String {
        format!("{}/reset-password?aid={}", self.public_url, token.expose())
    }

    /// Sends a letter. An address that refuses it for good is noted, and that is that.
    pub(in crate::app) async fn deliver(
        &self,
        to: &str,
        letter: &Letter<'_>,
    ) -> Result<(), AppError> {
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
                        Ok::<_, AppError>(rows::mails::put_refused(tx, &name, &refused)?)
                    })
                    .await
            }
        }
    }
}

/// The address of the mailbox `name` as it was typed into the quote, whose newest answers may
/// name another.
pub(in crate::app) fn as_typed<'a>(quote: &'a Quote, name: &'a str) -> &'a str {
    let typed = quote.current.answers.text("email_primary");
    typed
        .filter(|typed| username(typed) == name)
        .unwrap_or(name)
}

/// The user of an address; a new address becomes a user without a password. The names typed
/// into the quote wait until the mailbox has claimed it.
pub(in crate::app) fn user_of_address(
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
    rows::users::put(tx, &user)?;
    Ok(user)
}
