//! The API's document, OpenAPI 3.0: poem's document, completed with the parts that poem cannot express.

use serde_json::{Map, Value, json};

/// Returns the document `spec`, completed, as JSON that ends with a line feed.
pub fn complete(spec: &str) -> String {
    let mut document = serde_json::from_str(spec).unwrap_or_default();
    complete_value(&mut document);
    format!("{document:#}\n")
}

/// Completes every schema and parameter within `value`.
fn complete_value(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(complete_value),
        Value::Object(members) => {
            complete_schema(members);
            complete_key(members);
            members.values_mut().for_each(complete_value);
        }
        _ => {}
    }
}

/// Adds the limits of unsigned numbers. Replaces the format `naive-date` by `date` (RFC 3339, full-date).
fn complete_schema(schema: &mut Map<String, Value>) {
    let largest = match schema.get("format").and_then(Value::as_str) {
        Some("naive-date") => {
            schema.insert("format".to_string(), json!("date"));
            return;
        }
        Some("uint8") => Some(u64::from(u8::MAX)),
        Some("uint32") => Some(u64::from(u32::MAX)),
        Some("uint64") => None,
        _ => return,
    };
    schema.entry("minimum").or_insert(json!(0));
    if let Some(largest) = largest {
        schema.entry("maximum").or_insert(json!(largest));
    }
}

/// Adds the rules of an `Idempotency-Key`, see [`crate::app::IdempotencyKey`].
fn complete_key(parameter: &mut Map<String, Value>) {
    if parameter.get("name") != Some(&json!("Idempotency-Key")) {
        return;
    }
    if let Some(Value::Object(schema)) = parameter.get_mut("schema") {
        schema.insert("minLength".to_string(), json!(8));
        schema.insert("maxLength".to_string(), json!(200));
        schema.insert("pattern".to_string(), json!("^[!-~]+$"));
    }
}
