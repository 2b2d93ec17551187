//! Tries the mail server of the settings, for an operator.

use chrono::{DateTime, Utc};

use crate::app::{AppError, new_id};
use crate::config::Config;
use crate::integrations::mail::{MailError, Mailer, Outgoing};

/// Logs in at the mail server and sends nothing. Does nothing without a mail server.
///
/// # Errors
/// If the mail server can't be used.
pub async fn check_mail_server(config: &Config) -> Result<(), AppError> {
    if config.mail.smtp.is_none() {
        return Ok(());
    }
    let mailer = Mailer::new(&config.mail, &config.server.data).map_err(unavailable)?;
    mailer.check().await.map_err(unavailable)
}

/// Sends a letter to `address`, or writes it to the folder of letters.
///
/// # Errors
/// If the letter can't be sent.
pub async fn send_test_letter(
    config: &Config,
    address: String,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let mailer = Mailer::new(&config.mail, &config.server.data).map_err(unavailable)?;
    let text = "This letter shows that the shop can send mail.";
    let letter = Outgoing {
        id: new_id(now),
        to: address,
        subject: format!("A test from {}", config.site.brand),
        html: format!("<p>{text}</p>\n"),
        text: format!("{text}\n"),
        attachments: Vec::new(),
    };
    mailer.send(&letter).await.map_err(unavailable)
}

fn unavailable(error: MailError) -> AppError {
    AppError::ServiceUnavailable(error.to_string())
}
