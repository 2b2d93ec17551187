//! Letters to customers: handed to a mail server, or kept in a folder where there is none.

mod folder;
mod message;
mod smtp;

use std::path::Path;

use uuid::Uuid;

use crate::config;

/// A letter that waits to be sent.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Its id. Sent twice, it is the same letter: it keeps its `Message-ID`, its file name in the
    /// folder, and its date where the id has a time (version 7).
    pub id: Uuid,
    /// The address it goes to.
    pub to: String,
    /// What it is about, in one line.
    pub subject: String,
    /// What it says, as a web page.
    pub html: String,
    /// What it says, as plain text.
    pub text: String,
}

/// Why a letter was not sent. The texts are for logs and records: they hold no address and
/// nothing of the letter.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum MailError {
    /// It can't be delivered to this address, and trying again is of no use.
    #[error("{0}")]
    Refused(String),
    /// Trying again may succeed.
    #[error("{0}")]
    Later(String),
}

/// Sends letters.
pub struct Mailer {
    message: message::Maker,
    way: Way,
}

/// How letters leave.
enum Way {
    Folder(folder::Folder),
    Smtp(Box<smtp::Server>),
}

impl Mailer {
    /// The mailer that the settings ask for. `data` is the server's data folder.
    ///
    /// # Errors
    /// When the folder can't be made, or the certificates of `mail.smtp.ca_file` not read.
    pub fn new(config: &config::Mail, data: &Path) -> Result<Self, MailError> {
        let way = match &config.smtp {
            Some(smtp) => Way::Smtp(Box::new(smtp::Server::new(smtp, &config.host)?)),
            None => Way::Folder(folder::Folder::make(&data.join("mail"))?),
        };
        let message = message::Maker::new(&config.from, &config.host)?;
        Ok(Self { message, way })
    }

    /// Sends a letter, and comes back when the mail server has answered for it or the file is
    /// on the disk.
    ///
    /// # Errors
    /// [`MailError::Refused`] when trying again is of no use, [`MailError::Later`] otherwise.
    pub async fn send(&self, mail: &Outgoing) -> Result<(), MailError> {
        match &self.way {
            Way::Folder(folder) => {
                let letter = self.message.make(mail, message::Wire::EightBit)?;
                folder.keep(letter).await
            }
            Way::Smtp(server) => {
                let letter = self.message.make(mail, message::Wire::SevenBit)?;
                server.send(&letter).await
            }
        }
    }
}
