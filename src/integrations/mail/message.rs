//! Encodes letters as e-mails: headers and two versions of the text.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use lettre::Address;
use lettre::message::header::{ContentTransferEncoding, ContentType, Header};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox, Message, MultiPart, SinglePart};
use uuid::Uuid;

use super::{Attachment, MailError, Outgoing};
use crate::config::Sender;
use crate::domain::uk::email;

/// Longest line of a mail, without its end (RFC 5322).
const LONGEST_LINE: usize = 998;

/// The characters of a letter during transport.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    /// ASCII only. Other characters are quoted, so that every mail server can relay the letter.
    SevenBit,
    /// Plain UTF-8, which people can read in a file.
    EightBit,
}

pub(super) struct EncodedLetter {
    pub(super) id: Uuid,
    /// Time in the letter's `Date` header.
    pub(super) written: DateTime<Utc>,
    pub(super) from: Address,
    pub(super) to: Address,
    /// The whole message.
    pub(super) bytes: Vec<u8>,
    pub(super) has_attachments: bool,
}

pub(super) struct Maker {
    from: Mailbox,
    host: String,
}

impl Maker {
    pub(super) fn new(from: &Sender, host: &str) -> Result<Self, MailError> {
        let address = from.address.parse().map_err(|_| {
            MailError::Unavailable("the address of mail.from can't be written to".to_owned())
        })?;
        Ok(Self {
            from: Mailbox::new(Some(one_line(&from.name)), address),
            host: host.to_owned(),
        })
    }

    pub(super) fn make(&self, mail: &Outgoing, wire: Wire) -> Result<EncodedLetter, MailError> {
        let refused = || MailError::Refused("the address is none that mail can reach".to_owned());
        // Our own check of addresses is stricter than the library's: no quotes, no spaces, ASCII
        // only.
        let to = email::check(&mail.to).ok_or_else(refused)?;
        let to: Address = to.parse().map_err(|_| refused())?;
        let written = written_at(mail.id);
        // The boundary must not occur in a text. Quoted text can't contain "=_", and nobody can
        // guess the id of a future letter.
        let texts = MultiPart::alternative()
            .boundary(format!("=_{}", mail.id.simple()))
            .build()
            .singlepart(part(ContentType::TEXT_PLAIN, &mail.text, wire)?)
            .singlepart(part(ContentType::TEXT_HTML, &mail.html, wire)?);
        let parts = if mail.attachments.is_empty() {
            texts
        } else {
            let whole = MultiPart::mixed().boundary(format!("=_files_{}", mail.id.simple()));
            let mut whole = whole.build().multipart(texts);
            for attachment in &mail.attachments {
                whole = whole.singlepart(file(attachment)?);
            }
            whole
        };
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
            has_attachments: !mail.attachments.is_empty(),
        })
    }
}

/// Returns the time in a letter's id, so that a repeated call with this id sends the same date.
/// Returns the current time if the id has none.
fn written_at(id: Uuid) -> DateTime<Utc> {
    id.get_timestamp()
        .and_then(|time| {
            let (seconds, nanos) = time.to_unix();
            DateTime::from_timestamp(seconds.try_into().ok()?, nanos)
        })
        .unwrap_or_else(Utc::now)
}

/// Encodes one version of the letter. Avoids quoting if possible, because quoting breaks links over
/// lines.
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

fn file(attachment: &Attachment) -> Result<SinglePart, MailError> {
    let kind = ContentType::parse(attachment.media_type)
        .map_err(|_| MailError::Refused("an attachment has no media type".to_owned()))?;
    let name = FileName(one_line(&attachment.file_name).replace('"', "'"));
    let part = SinglePart::builder().content_type(kind).header(name);
    Ok(part.body(attachment.content.to_vec()))
}

/// The header with the ASCII name of an attachment. The library would split a long name into parameters that
/// not every mail program joins.
#[derive(Clone)]
struct FileName(String);

impl Header for FileName {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Content-Disposition")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self(String::new()))
    }

    fn display(&self) -> HeaderValue {
        let value = format!("attachment;\r\n filename=\"{}\"", self.0);
        HeaderValue::dangerous_new_pre_encoded(Self::name(), value.clone(), value)
    }
}

/// Returns a body without quoting. The library would quote lines longer than 76 characters, such as links.
fn as_it_is(text: &str, encoding: ContentTransferEncoding) -> Body {
    Body::dangerous_pre_encoded(text.replace('\n', "\r\n").into_bytes(), encoding)
}

/// Returns the text for a header. Line breaks and control characters become spaces, so that a text
/// can't begin another header.
fn one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
    text.replace(breaks, " ").trim().to_owned()
}

/// A header that marks the letter as automatic, so that no program replies (RFC 3834).
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
