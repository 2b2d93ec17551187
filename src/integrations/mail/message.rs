//! A letter as mail programs read it: its headers and its two versions.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use lettre::Address;
use lettre::message::header::{ContentTransferEncoding, ContentType, Header};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox, Message, MultiPart, SinglePart};
use uuid::Uuid;

use super::{MailError, Outgoing};
use crate::config::Sender;
use crate::domain::uk::email;

/// The longest line a mail may have, without its end (RFC 5322).
const LONGEST_LINE: usize = 998;

/// The characters that a letter may have while it is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    /// ASCII only. Other characters are quoted, so that every mail server can pass them on.
    SevenBit,
    /// UTF-8 as it is, which people can read in the file.
    EightBit,
}

/// A letter that is ready to go.
pub(super) struct EncodedLetter {
    /// Its number.
    pub(super) id: Uuid,
    /// When it was written.
    pub(super) written: DateTime<Utc>,
    /// Who it comes from.
    pub(super) from: Address,
    /// Who it goes to.
    pub(super) to: Address,
    /// All of it.
    pub(super) bytes: Vec<u8>,
}

/// Makes messages of letters.
pub(super) struct Maker {
    from: Mailbox,
    host: String,
}

impl Maker {
    pub(super) fn new(from: &Sender, host: &str) -> Result<Self, MailError> {
        let address = from.address.parse().map_err(|_| {
            MailError::Later("the address of mail.from can't be written to".to_owned())
        })?;
        Ok(Self {
            from: Mailbox::new(Some(one_line(&from.name)), address),
            host: host.to_owned(),
        })
    }

    pub(super) fn make(&self, mail: &Outgoing, wire: Wire) -> Result<EncodedLetter, MailError> {
        let refused = || MailError::Refused("the address is none that mail can reach".to_owned());
        // Our own check of addresses is stricter: no quotes, no spaces, ASCII only.
        let to = email::check(&mail.to).ok_or_else(refused)?;
        let to: Address = to.parse().map_err(|_| refused())?;
        let written = written_at(mail.id);
        // "=_" can't occur in quoted text, and nobody can guess the id of a letter to come.
        let parts = MultiPart::alternative()
            .boundary(format!("=_{}", mail.id.simple()))
            .build()
            .singlepart(part(ContentType::TEXT_PLAIN, &mail.text, wire)?)
            .singlepart(part(ContentType::TEXT_HTML, &mail.html, wire)?);
        let message = Message::builder()
            .message_id(Some(format!("<{}@{}>", mail.id, self.host)))
            .date(SystemTime::from(written))
            .from(self.from.clone())
            .to(Mailbox::new(None, to.clone()))
            .subject(one_line(&mail.subject))
            .header(AutoSubmitted)
            .multipart(parts)
            .map_err(|error| MailError::Refused(format!("the letter can't be made: {error}")))?;
        Ok(EncodedLetter {
            id: mail.id,
            written,
            from: self.from.email.clone(),
            to,
            bytes: message.formatted(),
        })
    }
}

/// When a letter was written, as its id tells. Tried again days later, it is still of that day.
fn written_at(id: Uuid) -> DateTime<Utc> {
    id.get_timestamp()
        .and_then(|time| {
            let (seconds, nanos) = time.to_unix();
            DateTime::from_timestamp(seconds.try_into().ok()?, nanos)
        })
        .unwrap_or_else(Utc::now)
}

/// One version of the letter. Where possible its text is not quoted, since quoting would break
/// links over several lines.
fn part(kind: ContentType, text: &str, wire: Wire) -> Result<SinglePart, MailError> {
    let text = text.replace("\r\n", "\n").replace(['\r', '\0'], " ");
    let short = text.lines().all(|line| line.len() <= LONGEST_LINE);
    let body = if short && text.is_ascii() {
        as_it_is(&text, ContentTransferEncoding::SevenBit)
    } else if short && wire == Wire::EightBit {
        as_it_is(&text, ContentTransferEncoding::EightBit)
    } else {
        Body::new_with_encoding(text, ContentTransferEncoding::QuotedPrintable)
            .map_err(|_| MailError::Refused("the letter can't be quoted".to_owned()))?
    };
    Ok(SinglePart::builder().content_type(kind).body(body))
}

/// The library would quote lines of more than 76 characters, which many a link has.
fn as_it_is(text: &str, encoding: ContentTransferEncoding) -> Body {
    Body::dangerous_pre_encoded(text.replace('\n', "\r\n").into_bytes(), encoding)
}

/// The text for a header: line breaks become spaces, so that it can't begin another header.
fn one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
    text.replace(breaks, " ").trim().to_owned()
}

/// Says that a program wrote this, so that no other program answers (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}
