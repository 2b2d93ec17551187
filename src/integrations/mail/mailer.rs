//! Sends letters to a mail server or into a folder.

use std::path::Path;

use crate::config;
use crate::integrations::mail::outgoing::{MailError, Outgoing};
use crate::integrations::mail::{folder, message, smtp};

pub struct Mailer {
    message: message::Maker,
    transport: Transport,
}

impl Mailer {
    /// Builds the mailer of the settings. `data` is the server's data folder.
    ///
    /// # Errors
    /// Fails if the sender's address is invalid, or the folder can't be created. Also fails if the
    /// certificates of `mail.smtp.ca_file` can't be read, or TLS can't be set up.
    pub fn new(config: &config::MailSettings, data: &Path) -> Result<Self, MailError> {
        let way = match &config.smtp {
            Some(smtp) => Transport::Smtp(Box::new(smtp::SmtpServer::new(smtp, &config.host)?)),
            None => Transport::Folder(folder::MailFolder::make(&data.join("mail"))?),
        };
        let message = message::Maker::new(&config.from, &config.host)?;
        Ok(Self {
            message,
            transport: way,
        })
    }

    /// Sends a letter. Returns after the mail server has accepted the letter, or the file is
    /// durable.
    ///
    /// # Errors
    /// Returns [`MailError::Refused`] if a retry is useless, and [`MailError::Unavailable`] if a
    /// retry may succeed.
    pub async fn send(&self, mail: &Outgoing) -> Result<(), MailError> {
        match &self.transport {
            Transport::Folder(folder) => {
                let letter = self.message.make(mail, message::Wire::EightBit)?;
                folder.write_letter(letter).await
            }
            Transport::Smtp(server) => {
                let letter = self.message.make(mail, message::Wire::SevenBit)?;
                server.send(&letter).await
            }
        }
    }

    /// Logs in at the mail server and sends nothing. Does nothing without a mail server.
    ///
    /// # Errors
    /// If the mail server can't be used.
    pub async fn check(&self) -> Result<(), MailError> {
        match &self.transport {
            Transport::Folder(_) => Ok(()),
            Transport::Smtp(server) => server.check().await,
        }
    }
}

enum Transport {
    Folder(folder::MailFolder),
    Smtp(Box<smtp::SmtpServer>),
}
