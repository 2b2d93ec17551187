//! Rules for values, beyond their TOML type: functions for serde's `deserialize_with`. The error of a rule
//! is the phrase that follows "must be". The error never repeats the value, which may be a secret.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use toml::Value;

use super::address::{WebOrigin, is_own_path};
use crate::secret::Secret;

/// Reads a value with `read`, which returns `None` if the value breaks the rule. Returns `rule` as the
/// error then.
pub(super) fn deserialize_with_rule<'de, D: Deserializer<'de>, T>(
    from: D,
    rule: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, D::Error> {
    let value = Value::deserialize(from).ok();
    let found = value.as_ref().and_then(read);
    found.ok_or_else(|| D::Error::custom(rule))
}

/// Declares rules. Each rule has a name, a result type, the text of the requirement, and a function that
/// reads the value.
macro_rules! rules {
    ($($name:ident: $out:ty, $wanted:expr, $read:expr;)+) => {$(
        pub(super) fn $name<'de, D: serde::Deserializer<'de>>(from: D) -> Result<$out, D::Error> {
            $crate::config::rules::deserialize_with_rule(from, $wanted, $read)
        }
    )+};
}
pub(super) use rules;

rules! {
    not_blank: String, "text that is not empty",
        |value| text_where(value, |text| !text.trim().is_empty());
    link: String, "an https:// address, or a path of this website",
        |value| text_where(value, |text| is_own_path(text) || is_https(text));
    picture: String, "a path of this website such as /badge.svg, or a data:image/ address",
        |value| text_where(value, is_picture);
    word_or_empty: String, "empty, or a name without blanks and commas",
        |value| text_where(value, |text| text.chars().all(|c| c.is_ascii_graphic() && c != ','));
    secret_or_empty: Secret, "empty, or a key without blanks",
        |value| text_where(value, |text| text.chars().all(|c| c.is_ascii_graphic())).map(Secret::from);
    api_url_or_empty: String, "empty, or an https:// address (or http:// on this machine), without a slash at its end",
        |value| text_where(value, |text| {
            text.is_empty() || is_callable(text) && !text.ends_with('/')
        });
    picture_or_empty: String,
        "empty, a path of this website such as /badge.svg, or a data:image/ address",
        |value| text_where(value, |text| text.is_empty() || is_picture(text));
}

/// Reads a whole number within bounds, both included.
pub(super) fn number_between<'de, const FROM: i64, const TO: i64, T, D>(
    from: D,
) -> Result<T, D::Error>
where
    T: TryFrom<i64>,
    D: Deserializer<'de>,
{
    let rule = format!("a whole number from {FROM} to {TO}");
    deserialize_with_rule(from, &rule, |value| {
        let number = value.as_integer()?;
        let fits = (FROM..=TO).contains(&number);
        T::try_from(number).ok().filter(|_| fits)
    })
}

/// Reads any text; the empty text is `None`.
pub(super) fn optional_text<'de, T: From<String>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    let read = |text: &str| Some(T::from(text.to_owned()));
    deserialize_with_rule(from, "text", |value| or_empty(value, read))
}

/// Returns whether `text` is an https address, or an http address of this machine, without query and
/// fragment. Nobody on the network can read a call to such an address.
pub(super) fn is_callable(text: &str) -> bool {
    let is_private = WebOrigin::parse(text).is_some_and(|origin| origin.is_private());
    is_private && !text.contains(['?', '#'])
}

/// Reads a size in bytes, such as `64 MiB`.
pub(super) fn size(value: &Value) -> Option<u64> {
    let (number, unit) = value.as_str()?.trim().split_once(' ')?;
    let unit: u64 = match unit.trim() {
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

/// Reads the name of a variant of an enum.
pub(super) fn by_name<T: DeserializeOwned>(value: &Value) -> Option<T> {
    value.clone().try_into().ok()
}

pub(super) fn text_where(value: &Value, fits: impl Fn(&str) -> bool) -> Option<String> {
    let text = value.as_str().filter(|text| fits(text));
    text.map(str::to_owned)
}

/// Reads a text with `read`; the empty text is `Some(None)`.
pub(super) fn or_empty<T>(value: &Value, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    match value.as_str()? {
        "" => Some(None),
        text => read(text).map(Some),
    }
}

/// Reads each text of a list with `read`.
pub(super) fn each<T>(value: &Value, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let items = value.as_array()?.iter();
    items.map(|item| read(item.as_str()?)).collect()
}

pub(super) fn is_https(text: &str) -> bool {
    WebOrigin::parse(text).is_some_and(|origin| origin.is_https())
}

fn is_picture(text: &str) -> bool {
    is_own_path(text) || text.starts_with("data:image/")
}
