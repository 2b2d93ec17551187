//! Checks a response against the published OpenAPI document: path, method, status, content type and body.
//! Members that the document does not name are faults.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The published document as JSON Schema.
static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| as_json_schema(&serde_json::from_str(&layby::api::openapi()).unwrap()));

/// The compiled validators, by their schema.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Addresses outside the document's operations: the document itself and its page.
const BESIDE: [&str; 2] = ["/api/openapi.json", "/api/docs"];

/// The address of gateway callbacks. The document omits it, because each gateway has its own request format.
/// The response is the shop's.
const CALLBACK: (&str, &str) = ("/api/v1/gateway/", "/callback");

/// A response as it was sent.
pub struct Sent<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub status: u16,
    pub content_type: Option<&'a str>,
    pub bytes: &'a [u8],
}

/// Fails the test with the faults of a response.
#[track_caller]
pub fn assert_published(sent: &Sent) {
    let found = faults(sent);
    let body = String::from_utf8_lossy(sent.bytes);
    assert!(found.is_empty(), "{}\n{body}", found.join("\n"));
}

/// Returns the faults of a response. Responses outside the API have none.
fn faults(sent: &Sent) -> Vec<String> {
    let path = sent.path.split('?').next().unwrap();
    let documented = operation(&DOCUMENT, sent.method, path);
    let beside = BESIDE.iter().any(|beside| path.starts_with(beside));
    let callback = path.strip_prefix(CALLBACK.0);
    let is_callback = callback.is_some_and(|provider| provider.ends_with(CALLBACK.1));
    let found = match documented {
        _ if !path.starts_with("/api/") => Vec::new(),
        Some(operation) => response_faults(&operation["responses"], sent),
        None if beside => Vec::new(),
        None if is_callback => callback_faults(sent),
        None => unknown_faults(sent),
    };
    let named = |fault| format!("{} {} ({}): {fault}", sent.method, path, sent.status);
    found.into_iter().map(named).collect()
}

/// Returns the document's operation for a path. If two templates match, the one with more fixed parts wins.
fn operation<'a>(document: &'a Value, method: &str, path: &str) -> Option<&'a Value> {
    let fits = |template: &str| {
        let (wanted, given) = (template.split('/'), path.split('/'));
        wanted.clone().count() == given.clone().count()
            && wanted.zip(given).all(|(wanted, given)| {
                wanted == given || (wanted.starts_with('{') && !given.is_empty())
            })
    };
    let paths = document["paths"].as_object().unwrap().iter();
    let fitting = paths.filter(|(template, _)| fits(template));
    let best = fitting.min_by_key(|(template, _)| template.matches('{').count());
    best?.1.get(method.to_lowercase())
}

/// Checks that a path or method outside the document is refused.
fn unknown_faults(sent: &Sent) -> Vec<String> {
    if !matches!(sent.status, 404 | 405) {
        return vec!["the document doesn't have this call".to_string()];
    }
    let failure = json!({ "$ref": "#/components/schemas/Failure" });
    body_faults(&failure, sent.bytes)
}

fn callback_faults(sent: &Sent) -> Vec<String> {
    // A gateway may need a response in its own text format.
    if sent
        .content_type
        .is_some_and(|kind| kind.starts_with("text/plain"))
    {
        return Vec::new();
    }
    let named = if sent.status == 200 {
        "Data_EmptyBody"
    } else {
        "Failure"
    };
    let schema = json!({ "$ref": format!("#/components/schemas/{named}") });
    body_faults(&schema, sent.bytes)
}

fn response_faults(responses: &Value, sent: &Sent) -> Vec<String> {
    let Some(response) = responses.get(sent.status.to_string()) else {
        return vec!["the document doesn't have this status".to_string()];
    };
    let content = response["content"].as_object();
    let Some(content) = content.filter(|content| !content.is_empty()) else {
        let empty = sent.bytes.is_empty();
        return (!empty)
            .then(|| "a body where there should be none".to_string())
            .into_iter()
            .collect();
    };
    let Some(kind) = sent.content_type.filter(|kind| content.contains_key(*kind)) else {
        return vec![format!("{:?} is not its content type", sent.content_type)];
    };
    if kind.starts_with("application/json") {
        body_faults(&content[kind]["schema"], sent.bytes)
    } else {
        Vec::new()
    }
}

fn body_faults(schema: &Value, bytes: &[u8]) -> Vec<String> {
    let Ok(body) = serde_json::from_slice::<Value>(bytes) else {
        return vec!["the body is no JSON".to_string()];
    };
    let errors = validator(schema);
    let errors = errors.iter_errors(&body);
    errors
        .map(|error| format!("{} at `{}`", error, error.instance_path()))
        .collect()
}

/// Returns the validator of a schema. The schema may refer to the document's schemas.
fn validator(schema: &Value) -> Arc<Validator> {
    let key = schema.to_string();
    let mut known = VALIDATORS.lock().unwrap();
    let compile = || {
        let whole = json!({ "allOf": [schema], "components": DOCUMENT["components"] });
        let options = jsonschema::options().should_validate_formats(true);
        Arc::new(options.build(&whole).unwrap())
    };
    known.entry(key).or_insert_with(compile).clone()
}

/// Translates an OpenAPI 3.0 schema to JSON Schema. A nullable value may be null, and an object has only the
/// members that it names.
fn as_json_schema(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(as_json_schema).collect(),
        Value::Object(members) => {
            let mut converted: Map<String, Value> = members
                .iter()
                .map(|(name, value)| (name.clone(), as_json_schema(value)))
                .collect();
            let closed = converted.get("type") == Some(&json!("object"))
                && !converted.contains_key("additionalProperties");
            if closed {
                converted.insert("additionalProperties".to_string(), json!(false));
            }
            match converted.remove("nullable") {
                Some(Value::Bool(true)) => json!({ "anyOf": [converted, { "type": "null" }] }),
                _ => Value::Object(converted),
            }
        }
        other => other.clone(),
    }
}

/// Each kind of planted mistake is found.
mod tests {
    use super::*;

    fn wrong(status: u16, path: &str, body: &Value) -> Vec<String> {
        faults(&Sent {
            method: "GET",
            path,
            status,
            content_type: Some("application/json; charset=utf-8"),
            bytes: body.to_string().as_bytes(),
        })
    }

    const STATUSES: &str = "/api/v1/quote/statuses";

    const CALLED: &str = "/api/v1/gateway/sandbox/callback";

    fn status(id: u32) -> Value {
        json!({ "data": [{ "status_id": id, "status_title": "Quote" }] })
    }

    #[test]
    fn a_right_answer_has_no_faults() {
        let failure = json!({ "message": "", "error": "", "code": "malformed" });
        for (code, path, body) in [
            (200, STATUSES, status(1)),
            (200, CALLED, json!({ "data": {} })),
            (400, CALLED, failure),
        ] {
            assert_eq!(wrong(code, path, &body), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn a_planted_mistake_is_found() {
        let mut more = status(1);
        more["data"][0]["extra"] = json!(1);
        let planted = [
            (200, STATUSES, more, "extra"),
            (200, STATUSES, status(77), "77"),
            (
                200,
                STATUSES,
                json!({ "data": [{ "status_id": 1 }] }),
                "status_title",
            ),
            (
                200,
                STATUSES,
                json!({ "data": [{ "status_id": "1", "status_title": "" }] }),
                "\"1\"",
            ),
            (200, STATUSES, json!({ "data": null }), "null"),
            (418, STATUSES, status(1), "status"),
            (200, "/api/v1/nothing", status(1), "call"),
            (404, "/api/v1/nothing", status(1), "data"),
            (
                200,
                "/api/v1/gateway/nothing",
                json!({ "data": {} }),
                "call",
            ),
            (200, CALLED, json!({ "data": { "bought": true } }), "/data"),
            (400, CALLED, json!({ "data": {} }), "data"),
            (
                422,
                STATUSES,
                json!({ "message": "", "code": "x" }),
                "error",
            ),
        ];
        for (code, path, body, named) in planted {
            let found = wrong(code, path, &body).join("\n");
            assert!(found.contains(named), "{code} {path} {body}: {found:?}");
        }
    }

    #[test]
    fn a_wrong_content_type_is_found() {
        let body = status(1).to_string();
        let sent = Sent {
            method: "GET",
            path: STATUSES,
            status: 200,
            content_type: Some("text/plain"),
            bytes: body.as_bytes(),
        };
        assert_eq!(faults(&sent).len(), 1);
    }
}
