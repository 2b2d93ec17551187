//! Messages about a payment, which the provider posts to `status_url`.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::charge::transaction_report;
use super::mapping::{LINK, report};
use super::transaction::GpTransaction;
use crate::domain::payment::Payment;
use crate::integrations::payments::http_call::sanitise;
use crate::integrations::payments::{Callback, CallbackEvent, GatewayError, PaymentRef};

/// Largest unpacked message, in bytes. It is as large as the largest callback.
const LARGEST_MESSAGE: usize = 256 << 10;

/// The part of a message that names the attempt.
#[derive(Debug, Deserialize)]
pub(super) struct MessageSubject {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    status: Option<String>,
    /// The order's reference, which is also the id of our attempt.
    #[serde(default)]
    reference: Option<String>,
    #[serde(default)]
    link_data: Option<LinkData>,
}

#[derive(Debug, Deserialize)]
struct LinkData {
    /// `LNK_...`
    #[serde(default)]
    id: Option<String>,
    /// Our attempt.
    #[serde(default)]
    reference: Option<String>,
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
                _ => Err(GatewayError::Forged),
            }
        }
        _ => Err(GatewayError::Forged),
    }
}

impl MessageSubject {
    /// Reads an unpacked body.
    ///
    /// # Errors
    /// [`GatewayError::Forged`] if the body is not a JSON object, or a member has another type.
    pub(super) fn read(body: &[u8]) -> Result<Self, GatewayError> {
        let object: Map<String, Value> =
            serde_json::from_slice(body).map_err(|_| GatewayError::Forged)?;
        serde_json::from_value(object.into()).map_err(|_| GatewayError::Forged)
    }

    fn references(&self) -> impl Iterator<Item = &str> {
        let link = self.link_data.as_ref();
        let link = link.and_then(|link| link.reference.as_deref());
        link.into_iter().chain(self.reference.as_deref())
    }

    fn link(&self) -> Option<&str> {
        self.link_data.as_ref()?.id.as_deref()
    }

    /// Returns the attempt that the message names.
    pub(super) fn payment_ref(&self) -> PaymentRef {
        let mut ids = self
            .references()
            .filter_map(|text| Uuid::try_parse(text).ok());
        match (ids.next(), self.link()) {
            (Some(id), _) => PaymentRef::Attempt(id),
            (None, Some(link)) => PaymentRef::Reference(link.to_owned()),
            (None, None) => PaymentRef::Unknown,
        }
    }

    /// Returns whether each reference of the message is the attempt's, and the link too. A link that is
    /// missing in the message or in the attempt counts as equal.
    fn is_about(&self, attempt: &Payment) -> bool {
        let id = attempt.id.to_string();
        let own_link = attempt.references.get(LINK);
        let is_own = |link: &str| own_link.is_none_or(|own| own == link);
        self.references().all(|text| text == id) && self.link().is_none_or(is_own)
    }

    /// Returns the content of a verified message about `attempt`. Returns [`CallbackEvent::Unread`] if the
    /// message is about another attempt or no payment, or if its report is unclear.
    pub(super) fn event(&self, body: &[u8], attempt: &Payment) -> CallbackEvent {
        let transaction: Option<GpTransaction> = serde_json::from_slice(body).ok();
        let readable = transaction.filter(|one| one.is_sale() && self.is_about(attempt));
        let report = readable.map(|one| match attempt.instrument() {
            Some(_) => transaction_report(&one, attempt),
            None => report(&one, &attempt.references),
        });
        if let Some(Ok(report)) = report {
            return CallbackEvent::Attempt(report);
        }
        let word = |text: &Option<String>| sanitise(text.as_deref().unwrap_or_default());
        CallbackEvent::Unread {
            reference: word(&self.id),
            kind: word(&self.status),
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
            assert_eq!(refused, Err(GatewayError::Forged), "{encoding}");
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
        ];
        for (body, expected) in table {
            let subject = MessageSubject::read(body.as_bytes()).unwrap();
            assert_eq!(subject.payment_ref(), expected, "{body}");
        }
        let deep = "[".repeat(100_000);
        for body in [
            "",
            "[]",
            "null",
            "{",
            "{\"id\":1}",
            "\u{fffd}",
            deep.as_str(),
        ] {
            let refused = MessageSubject::read(body.as_bytes());
            assert_eq!(refused.err(), Some(GatewayError::Forged), "{body:.20}");
        }
        assert!(MessageSubject::read(&[0x7b, 0xff, 0x7d]).is_err());
    }
}
