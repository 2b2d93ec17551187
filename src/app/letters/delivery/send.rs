//! Renders a letter and passes it to the mailer.

use crate::app::letters::Letter;
use crate::app::{App, AppError, new_id};
use crate::domain::account::username;
use crate::integrations::mail::{Attachment, MailError, Outgoing};
use crate::store::tables::{self, RefusedAddress};

/// Sends a letter without attachments; see [`send_with_files`].
///
/// # Errors
/// As [`send_with_files`].
pub(in crate::app) async fn send_letter(
    app: &App,
    to: &str,
    letter: &Letter,
) -> Result<(), AppError> {
    send_with_files(app, to, letter, Vec::new())
        .await
        .map(|_| ())
}

/// Sends a letter with attachments. Returns false if the mail server refuses a letter with these
/// attachments; the letter was not sent then. If the mail server refuses the letter permanently, stores the refusal and
/// returns no error. So a refused letter is not retried.
///
/// # Errors
/// [`AppError::ServiceUnavailable`] if the template can't be used or the mail server is
/// unavailable. Also if the store can't write a refusal.
pub(in crate::app) async fn send_with_files(
    app: &App,
    to: &str,
    letter: &Letter,
    attachments: Vec<Attachment>,
) -> Result<bool, AppError> {
    let now = app.clock.now();
    // The letter is retried, because the operator may fix the template. The next start reads the
    // template again.
    let rendered = app.letters.render(letter).map_err(|error| {
        AppError::ServiceUnavailable(format!(
            "the template of this letter can't be used: {error}"
        ))
    })?;
    let mail = Outgoing {
        id: new_id(now),
        to: to.to_string(),
        subject: rendered.subject,
        html: rendered.html,
        text: rendered.text,
        attachments,
    };
    match app.mailer.send(&mail).await {
        Ok(()) => Ok(true),
        Err(MailError::AttachmentsRefused(why)) if !mail.attachments.is_empty() => {
            tracing::warn!(mail = %mail.id, why, "the mail server refused a letter with attachments");
            Ok(false)
        }
        Err(MailError::Unavailable(why) | MailError::AttachmentsRefused(why)) => {
            Err(AppError::ServiceUnavailable(why))
        }
        Err(MailError::Refused(reason)) => {
            tracing::warn!(mail = %mail.id, reason, "a mail was refused permanently");
            let name = username(to);
            let refused = RefusedAddress { at: now, reason };
            app.store
                .write(move |tx| {
                    Ok::<_, AppError>(tables::REFUSED_ADDRESSES.put(tx, &name, &refused)?)
                })
                .await
                .map(|()| true)
        }
    }
}
