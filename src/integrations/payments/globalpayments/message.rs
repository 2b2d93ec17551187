//! Messages about a payment, which the provider posts to `status_url`.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::Value;
use uuid::Uuid;

use super::charge::transaction_report;
use super::mapping::{LINK, is_second_payment, report};
use super::transaction::GpTransaction;
use crate::domain::payment::{Payment, UnreadMessage};
use crate::integrations::payments::http_call::sanitise;
use crate::integrations::payments::{Callback, CallbackEvent, GatewayError, PaymentRef};

/// Largest unpacked message, in bytes. It is as large as the largest callback.
const LARGEST_MESSAGE: usize = 256 << 10;

/// The part of a message that names the attempt.
#[derive(Debug)]
pub(super) struct MessageSubject {
    id: Option<String>,
    status: Option<String>,
    /// The references of the link and of the order. Each is the id of our attempt.
    references: Vec<String>,
    /// `LNK_...`
    link: Option<String>,
}

/// Returns the body of a callback, unpacked if it is compressed.
///
/// # Errors
/// [`GatewayError::Forged`] for an unknown compression, and for a body that is too large or damaged.
pub(super) fn unpack<'a>(callback: &Callback<'a>) -> Result<Cow<'a, [u8]>, GatewayError> {
    match callback.header("content-encoding").trim() {
        "" | "identity" => Ok(Cow::Borrowed(callback.body)),
        // Assumption: the signature covers the unpacked body, as in the official plugin.
        name if name.eq_ignore_ascii_case("gzip") => {
            let mut body = Vec::new();
            let mut unpacked = GzDecoder::new(callback.body).take(LARGEST_MESSAGE as u64 + 1);
            match unpacked.read_to_end(&mut body) {
                Ok(length) if length <= LARGEST_MESSAGE => Ok(Cow::Owned(body)),
                _ => Err(GatewayError::Forged("it can't be unpacked".to_owned())),
            }
        }
        _ => Err(GatewayError::Forged(
            "it is packed in another way".to_owned(),
        )),
    }
}

impl MessageSubject {
    /// Reads an unpacked body. A member of another type becomes a text, which equals no reference. A body
    /// that isn't JSON names no attempt.
    pub(super) fn read(body: &[u8]) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |pointer: &str| match body.pointer(pointer)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let references = ["/link_data/reference", "/reference"];
        Self {
            id: text("/id"),
            status: text("/status"),
            references: references.into_iter().filter_map(text).collect(),
            link: text("/link_data/id"),
        }
    }

    /// Returns the attempt that the message names.
    pub(super) fn payment_ref(&self) -> PaymentRef {
        let references = self.references.iter();
        let mut ids = references.filter_map(|text| Uuid::try_parse(text).ok());
        match (ids.next(), &self.link) {
            (Some(id), _) => PaymentRef::Attempt(id),
            (None, Some(link)) => PaymentRef::Reference(link.clone()),
            (None, None) => PaymentRef::Unknown,
        }
    }

    /// Returns whether each reference of the message is the attempt's, and the link too. A link that is
    /// missing in the message or in the attempt counts as equal.
    fn is_about(&self, attempt: &Payment) -> bool {
        let id = attempt.id.to_string();
        let own_link = attempt.references.get(LINK);
        let is_own = |link: &String| own_link.is_none_or(|own| own == link);
        self.references.iter().all(|text| *text == id) && self.link.as_ref().is_none_or(is_own)
    }

    /// Returns the content of a verified message about `attempt`. Returns [`CallbackEvent::Unread`] if the
    /// message is about another attempt or no payment, if its report is unclear, or for a second payment.
    pub(super) fn event(&self, body: &[u8], attempt: &Payment) -> CallbackEvent {
        let transaction: Option<GpTransaction> = serde_json::from_slice(body).ok();
        let readable = transaction.filter(|one| one.is_sale() && self.is_about(attempt));
        let report = readable.as_ref().map(|one| match attempt.instrument() {
            Some(_) => transaction_report(one, attempt),
            None => report(one, &attempt.references),
        });
        if let Some(Ok(report)) = report {
            return CallbackEvent::Attempt(report);
        }
        let word = |text: &Option<String>| sanitise(text.as_deref().unwrap_or_default());
        let is_second = readable.is_some_and(|one| is_second_payment(&one, &attempt.references));
        CallbackEvent::Unread {
            reference: word(&self.id),
            kind: if is_second {
                UnreadMessage::SECOND_PAYMENT.to_owned()
            } else {
                word(&self.status)
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn unpacked(encoding: &str, body: &[u8]) -> Result<Vec<u8>, GatewayError> {
        let headers = BTreeMap::from([("content-encoding".to_owned(), encoding.to_owned())]);
        let callback = Callback {
            body,
            headers: &headers,
        };
        unpack(&callback).map(Cow::into_owned)
    }

    fn packed(body: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_packed_message_is_unpacked_up_to_a_limit() {
        let body = br#"{"id":"TRN_1"}"#;
        for encoding in ["", "identity"] {
            assert_eq!(unpacked(encoding, body), Ok(body.to_vec()));
        }
        for encoding in ["gzip", "GZIP"] {
            assert_eq!(unpacked(encoding, &packed(body)), Ok(body.to_vec()));
        }
        assert!(unpacked("gzip", &packed(&vec![b' '; LARGEST_MESSAGE])).is_ok());
        let forged = [
            ("gzip", body.to_vec()),
            ("gzip", packed(body)[..12].to_vec()),
            ("gzip", packed(&vec![b' '; LARGEST_MESSAGE + 1])),
            ("gzip", packed(&vec![b' '; 10 << 20])),
            ("br", body.to_vec()),
            ("gzip, gzip", packed(&packed(body))),
        ];
        for (encoding, body) in forged {
            let refused = unpacked(encoding, &body);
            assert!(
                matches!(refused, Err(GatewayError::Forged(_))),
                "{encoding}"
            );
        }
    }

    #[test]
    fn a_message_names_our_attempt_or_its_link() {
        let id = "019a0000-0000-7000-8000-000000000001";
        let attempt = PaymentRef::Attempt(id.parse().unwrap());
        let link = PaymentRef::Reference("LNK_1".to_owned());
        let table = [
            (
                format!(r#"{{"link_data":{{"reference":"{id}"}}}}"#),
                attempt.clone(),
            ),
            (
                format!(r#"{{"reference":"{id}","link_data":null}}"#),
                attempt,
            ),
            (
                r#"{"reference":"order 7","link_data":{"id":"LNK_1"}}"#.to_owned(),
                link,
            ),
            (r#"{"reference":null}"#.to_owned(), PaymentRef::Unknown),
            (r#"{"id":1}"#.to_owned(), PaymentRef::Unknown),
            ("[".repeat(100_000), PaymentRef::Unknown),
        ];
        for (body, expected) in table {
            let subject = MessageSubject::read(body.as_bytes());
            assert_eq!(subject.payment_ref(), expected, "{body:.20}");
        }
    }
}
