//! Messages: signed JSON for `status_url` and `return_url`.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use super::http::exchange;
use super::{KEY, signature};

/// The form of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSON in one line; its bytes are signed.
    Plain,
    /// The same, compressed. The signature covers the unpacked bytes.
    Gzip,
    /// JSON with line breaks. The signature covers the form in one line.
    Pretty,
}

/// A message as it is sent.
#[derive(Clone, Debug)]
pub struct News {
    /// The status of its transaction.
    pub status: String,
    pub address: String,
    pub body: Vec<u8>,
    pub signature: String,
    pub is_packed: bool,
}

impl News {
    pub fn new(address: &str, message: &Value, form: Form) -> Self {
        let line = message.to_string().into_bytes();
        let signature = signature(&line, KEY);
        let body = match form {
            Form::Plain => line,
            Form::Pretty => serde_json::to_vec_pretty(message).unwrap(),
            Form::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&line).unwrap();
                encoder.finish().unwrap()
            }
        };
        Self {
            status: message["status"].as_str().unwrap_or_default().to_owned(),
            address: address.to_owned(),
            body,
            signature,
            is_packed: form == Form::Gzip,
        }
    }

    /// Returns the message's headers.
    pub fn headers(&self) -> Vec<(&str, &str)> {
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("X-GP-Signature", self.signature.as_str()),
        ];
        if self.is_packed {
            headers.push(("Content-Encoding", "gzip"));
        }
        headers
    }

    /// Sends the message. Returns the status and the body of the answer.
    pub fn post(&self) -> std::io::Result<(u16, Vec<u8>)> {
        exchange(&self.address, &self.headers(), &self.body)
    }
}
