//! Handing a letter to the mailer.

use crate::app::letters::Letter;
use crate::app::{App, AppError, new_id};
use crate::domain::account::username;
use crate::integrations::mail::{MailError, Outgoing};
use crate::store::tables::{self, RefusedAddress};

impl App {
    /// Sends a letter. An address that refuses it for good is noted, and the letter isn't tried
    /// again.
    pub(in crate::app) async fn deliver(&self, to: &str, letter: &Letter) -> Result<(), AppError> {
        let now = self.clock.now();
        // The operator may mend the template: the next start reads it again.
        let rendered = self.letters.render(letter).map_err(|error| {
            AppError::Later(format!(
                "the template of this letter can't be used: {error}"
            ))
        })?;
        let mail = Outgoing {
            id: new_id(now),
            to: to.to_string(),
            subject: rendered.subject,
            html: rendered.html,
            text: rendered.text,
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
