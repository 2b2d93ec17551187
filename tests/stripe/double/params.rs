//! Parameters in Stripe's form, `a[0][b]=c`, and its errors about some.

use serde_json::{Map, Value, json};

/// The reason of a refusal: the status, and Stripe's error.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub status: u16,
    pub error: Value,
}

pub fn refusal(status: u16, kind: &str, code: &str, param: &str, message: &str) -> Refusal {
    let mut error = Map::new();
    error.insert("type".to_owned(), json!(kind));
    for (name, value) in [("code", code), ("param", param), ("message", message)] {
        if !value.is_empty() {
            error.insert(name.to_owned(), json!(value));
        }
    }
    let error = Value::Object(error);
    Refusal { status, error }
}

pub fn invalid(code: &str, param: &str, message: &str) -> Refusal {
    refusal(400, "invalid_request_error", code, param, message)
}

pub fn missing(what: &str, id: &str) -> Refusal {
    let message = format!("No such {what}: '{id}'");
    refusal(
        404,
        "invalid_request_error",
        "resource_missing",
        "id",
        &message,
    )
}

/// Parses a form or a query as one object.
pub fn parsed(text: &[u8]) -> Value {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(text).unwrap_or_default();
    let mut root = json!({});
    for (name, value) in pairs {
        let mut place = &mut root;
        for key in name.split(['[', ']']).filter(|key| !key.is_empty()) {
            if !place.is_object() {
                *place = json!({});
            }
            let members = place.as_object_mut().unwrap();
            place = members.entry(key).or_insert(Value::Null);
        }
        *place = json!(value);
    }
    root
}

/// Refuses parameters that Stripe doesn't have.
pub fn only(parameters: &Value, known: &[&str]) -> Result<(), Refusal> {
    let unknown = parameters.as_object().into_iter().flatten();
    match unknown
        .map(|(name, _)| name)
        .find(|name| !known.contains(&name.as_str()))
    {
        Some(name) => {
            let message = format!("Received unknown parameter: {name}");
            Err(invalid("parameter_unknown", name, &message))
        }
        None => Ok(()),
    }
}

pub fn text<'a>(parameters: &'a Value, pointer: &str) -> Option<&'a str> {
    parameters.pointer(pointer).and_then(Value::as_str)
}

pub fn needed<'a>(parameters: &'a Value, pointer: &str) -> Result<&'a str, Refusal> {
    let name = pointer.trim_start_matches('/').replace('/', ".");
    let message = format!("Missing required param: {name}.");
    text(parameters, pointer).ok_or_else(|| invalid("parameter_missing", &name, &message))
}

pub fn number(parameters: &Value, pointer: &str) -> Result<Option<i64>, Refusal> {
    let name = pointer.trim_start_matches('/').replace('/', ".");
    let message = format!("Invalid integer: {name}");
    text(parameters, pointer)
        .map(|text| {
            text.parse()
                .map_err(|_| invalid("parameter_invalid_integer", &name, &message))
        })
        .transpose()
}

/// Returns the members of a nested object, such as metadata, or an empty object if it is absent.
pub fn members(parameters: &Value, pointer: &str) -> Value {
    parameters
        .pointer(pointer)
        .cloned()
        .unwrap_or_else(|| json!({}))
}
