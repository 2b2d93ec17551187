//! Letters about an account. The job that sends a letter also creates its link. So the store has
//! only the hash of the link's secret, and a retried letter has a new link.

use chrono::Duration;
use uuid::Uuid;

use crate::app::accounts::{links, registered_user, user_named};
use crate::app::letters::delivery::recipient::user_of_address;
use crate::app::letters::{Letter, LetterEvent, delivery};
use crate::app::quotes::ownership::find_waiting;
use crate::app::{App, AppError, new_id, page_addresses};
use crate::domain::account::{Link, LinkUse, username};
use crate::secret::Token;
use crate::store::tables::{self, Notice};

/// The maximum number of password links of one purpose that one user gets within an hour. A new
/// link does not end earlier links, so that another person's requests can't disable the owner's
/// link.
const PASSWORD_LINKS_AN_HOUR: usize = 5;

/// Mails a link that sets a password. Mails nothing if the address has no user and is in no
/// unclaimed quote or policy. Mails nothing if the user got [`PASSWORD_LINKS_AN_HOUR`] links of the
/// same purpose within the last hour.
pub(in crate::app) async fn mail_password(app: &App, name: &str) -> Result<(), AppError> {
    let now = app.clock.now();
    let (name, new_user_id) = (name.to_string(), new_id(now));
    let token = Token::random()?;
    let hash = token.hash();
    let prepared = app
        .store
        .write(move |tx| {
            let user = match (user_named(tx, &name)?, find_waiting(tx, &name)?) {
                (Some(user), _) => Some(user),
                (None, Some(quote)) => Some(user_of_address(tx, &name, &quote, new_user_id, now)?),
                (None, None) => None,
            };
            let Some(user) = user else { return Ok(None) };
            let good_for = match user.password_hash {
                Some(_) => LinkUse::ResetPassword,
                None => LinkUse::FirstPassword,
            };
            let is_recent =
                |link: &Link| link.good_for == good_for && now < link.created + Duration::hours(1);
            let links = links::user_links(tx, user.uuid)?;
            let recent = links.iter().filter(|(_, link)| is_recent(link)).count();
            if recent >= PASSWORD_LINKS_AN_HOUR {
                return Ok(None);
            }
            links::insert_link(tx, hash, user.uuid, good_for.clone(), now)?;
            Ok::<_, AppError>(user.profile.email_primary.map(|to| (to, good_for)))
        })
        .await?;
    let Some((to, good_for)) = prepared else {
        return Ok(());
    };
    let link = password_page(&app.public_url, &token);
    let event = match good_for {
        LinkUse::FirstPassword => LetterEvent::FirstPassword { link },
        _ => LetterEvent::ResetPassword { link },
    };
    deliver_link(app, &to, event, hash).await
}

/// Mails a link that confirms a user's new address. If another account with a password has this
/// address, mails a link that sets that account's password instead. The user who requested the
/// change does not learn of that account. Mails nothing if the request was withdrawn.
pub(in crate::app) async fn mail_confirmation(app: &App, user: Uuid) -> Result<(), AppError> {
    let now = app.clock.now();
    let token = Token::random()?;
    let hash = token.hash();
    let prepared = app
        .store
        .write(move |tx| {
            let user = tables::USERS.get(tx, &user)?.ok_or(AppError::NotFound)?;
            let Some(address) = user.email_pending else {
                return Ok(None);
            };
            let (user, good_for) = match registered_user(tx, &username(&address))? {
                Some(holder) => (holder.uuid, LinkUse::ResetPassword),
                None => {
                    let address = address.clone();
                    (user.uuid, LinkUse::ConfirmAddress { address })
                }
            };
            links::insert_link(tx, hash, user, good_for.clone(), now)?;
            Ok::<_, AppError>(Some((address, good_for)))
        })
        .await?;
    let Some((to, good_for)) = prepared else {
        return Ok(());
    };
    let event = match good_for {
        LinkUse::ConfirmAddress { .. } => LetterEvent::ConfirmAddress {
            link: page_addresses::confirm_email(&app.public_url, token.expose()),
        },
        _ => LetterEvent::AddressTaken {
            link: password_page(&app.public_url, &token),
        },
    };
    deliver_link(app, &to, event, hash).await
}

/// Mails a warning or confirmation without a link.
pub(in crate::app) async fn mail_notice(
    app: &App,
    to: &str,
    notice: Notice,
) -> Result<(), AppError> {
    let password_page = page_addresses::retrieve_password(&app.public_url);
    let event = match notice {
        Notice::PasswordChanged => LetterEvent::PasswordChanged { password_page },
        Notice::AddressChangeAsked => LetterEvent::AddressChangeAsked { password_page },
        Notice::AddressChanged => LetterEvent::AddressChanged,
    };
    delivery::send_letter(app, to, &Letter::from(event)).await
}

/// Sends a letter with a link. If sending fails, deletes the link, so that the link does not count
/// towards the hourly limit.
async fn deliver_link(
    app: &App,
    to: &str,
    event: LetterEvent,
    hash: [u8; 32],
) -> Result<(), AppError> {
    let sent = delivery::send_letter(app, to, &Letter::from(event)).await;
    if sent.is_err() {
        app.store
            .write(move |tx| Ok::<_, AppError>(tables::LINKS.delete(tx, &hash)?))
            .await?;
    }
    sent
}

pub(in crate::app) fn password_page(public_url: &str, token: &Token) -> String {
    page_addresses::reset_password(public_url, token.expose())
}
