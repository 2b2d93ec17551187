//! The answers of the page: signed fields about a form.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Fields of a form, in their order.
pub type Pairs = Vec<(String, String)>;

/// How a page ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accept,
    /// With its reason code.
    Decline(u16),
    /// The bank said yes, and a person has to look at it.
    Review,
    /// Less was authorised than the amount.
    Part,
    /// An error with its code. Nothing was taken.
    Error(u16),
    /// An error with its code, after the money was taken.
    ErrorAfterPaying(u16),
    Cancel,
    /// A word that no document has.
    Unheard,
}

impl Verdict {
    pub fn decision(self) -> &'static str {
        match self {
            Self::Accept | Self::Part => "ACCEPT",
            Self::Decline(_) => "DECLINE",
            Self::Review => "REVIEW",
            Self::Error(_) | Self::ErrorAfterPaying(_) => "ERROR",
            Self::Cancel => "CANCEL",
            Self::Unheard => "PERHAPS",
        }
    }

    pub fn code(self) -> u16 {
        match self {
            Self::Accept => 100,
            Self::Part => 110,
            Self::Review | Self::Unheard => 480,
            Self::Decline(code) | Self::Error(code) | Self::ErrorAfterPaying(code) => code,
            Self::Cancel => 0,
        }
    }
}

pub fn value<'a>(pairs: &'a Pairs, name: &str) -> &'a str {
    let found = pairs.iter().find(|(own, _)| own == name);
    found.map_or("", |(_, value)| value.as_str())
}

/// Returns the signature of the fields that `signed_field_names` lists.
pub fn signature(pairs: &Pairs, secret: &str) -> String {
    let names = value(pairs, "signed_field_names").split(',');
    let text: Vec<String> = names
        .map(|name| format!("{name}={}", value(pairs, name)))
        .collect();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(text.join(",").as_bytes());
    BASE64.encode(&mac.finalize().into_bytes())
}

/// Signs all of the fields.
pub fn signed(mut pairs: Pairs, secret: &str) -> Pairs {
    pairs.push(("signed_field_names".to_owned(), String::new()));
    let names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
    let names = names.join(",");
    pairs.last_mut().unwrap().1 = names;
    let tag = signature(&pairs, secret);
    pairs.push(("signature".to_owned(), tag));
    pairs
}

/// Returns the answer to a form. Its fields have another order for each id.
/// `token` is that of a stored card.
pub fn answer(
    form: &Pairs,
    verdict: Verdict,
    (id, token): (&str, Option<&str>),
    secret: &str,
    now: i64,
) -> Pairs {
    let time = chrono::DateTime::from_timestamp(now, 0).unwrap();
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: &str| pairs.push((name.to_owned(), value.to_owned()));
    for (name, value) in form {
        let is_about_signing = name.contains("signed_") || name == "signature";
        if !is_about_signing {
            add(&format!("req_{name}"), value);
        }
    }
    add("decision", verdict.decision());
    add("message", "Request was processed: see the decision.");
    add("added_later", "a field that no document has, yet");
    if verdict != Verdict::Cancel {
        add("transaction_id", id);
        add("reason_code", &verdict.code().to_string());
        add("req_card_number", "xxxxxxxxxxxx1111");
    }
    if matches!(verdict, Verdict::Accept | Verdict::Part) {
        let amount = value(form, "amount");
        let part = if verdict == Verdict::Part {
            "1.00"
        } else {
            amount
        };
        add("auth_amount", part);
        add("auth_code", "831000");
        add("auth_time", &time.format("%Y-%m-%dT%H%M%SZ").to_string());
    }
    if let Some(token) = token {
        add("payment_token", token);
        add("auth_trans_ref_no", super::SCHEME_ID);
        add("req_card_type", "001");
        add("req_card_expiry_date", "12-2034");
    }
    let date = time.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    add("signed_date_time", &date);
    let turn = id.bytes().map(usize::from).sum::<usize>() % pairs.len();
    pairs.rotate_left(turn);
    signed(pairs, secret)
}
