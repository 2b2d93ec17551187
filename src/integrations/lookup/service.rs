//! Calls look-up services with a limit on the answer's size. Logs nothing.

use reqwest::RequestBuilder;
use serde_json::Value;

/// Largest accepted answer, in bytes.
const LARGEST: usize = 2 << 20;

/// A JSON answer: its status and its body.
pub(super) type Answer = (u16, Value);

/// Calls a service. The error omits the address, which may contain a registration mark or a
/// postcode.
pub(super) async fn call(request: RequestBuilder) -> Result<Answer, String> {
    let failed = |error: reqwest::Error| error.without_url().to_string();
    let mut answer = request.send().await.map_err(failed)?;
    let status = answer.status().as_u16();
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(failed)? {
        if body.len() + part.len() > LARGEST {
            return Err("its answer is too large".to_owned());
        }
        body.extend_from_slice(&part);
    }
    // Only the status of an error matters. Its body need not be JSON.
    let body = match serde_json::from_slice(&body) {
        Ok(body) => body,
        Err(_) if !(200..300).contains(&status) => Value::Null,
        Err(_) => return Err("its answer isn't JSON".to_owned()),
    };
    Ok((status, body))
}

/// Returns a text of an answer, in one line of at most `max_length` characters. Returns `None` if
/// the text is missing or empty.
pub(super) fn text(object: &Value, name: &str, max_length: usize) -> Option<String> {
    let value = object.get(name)?.as_str()?;
    let words: Vec<_> = value.split_whitespace().collect();
    let line = words.join(" ");
    let line: String = line
        .chars()
        .filter(|c| !c.is_control())
        .take(max_length)
        .collect();
    (!line.is_empty()).then_some(line)
}
