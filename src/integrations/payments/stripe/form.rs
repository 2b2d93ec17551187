//! Encodes parameters in Stripe's form: names with brackets, as in `line_items[0][price_data][currency]=gbp`.

use serde_json::Value;

/// Returns the pairs of an object, in the object's order. Omits null.
pub(super) fn pairs(parameters: &Value) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    add(&mut pairs, "", parameters);
    pairs
}

fn add(pairs: &mut Vec<(String, String)>, name: &str, value: &Value) {
    let inside = |key: &str| match name {
        "" => key.to_owned(),
        outer => format!("{outer}[{key}]"),
    };
    match value {
        Value::Null => {}
        Value::Object(members) => {
            for (key, member) in members {
                add(pairs, &inside(key), member);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                add(pairs, &inside(&place.to_string()), item);
            }
        }
        Value::String(text) => pairs.push((name.to_owned(), text.clone())),
        Value::Bool(_) | Value::Number(_) => pairs.push((name.to_owned(), value.to_string())),
    }
}

/// Encodes the pairs as a request's body, or as a query.
pub(super) fn encoded(pairs: &[(String, String)]) -> String {
    // Pairs of texts can always be encoded.
    serde_urlencoded::to_string(pairs).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_nested_stands_in_brackets() {
        let pairs = pairs(&json!({
            "mode": "payment",
            "line_items": [{ "quantity": 1, "price_data": { "currency": "gbp" } }],
            "customer_email": null,
            "expand": ["payment_intent"],
            "metadata": { "a": "b c & d=é" },
        }));
        assert_eq!(
            encoded(&pairs),
            "mode=payment&line_items%5B0%5D%5Bquantity%5D=1\
             &line_items%5B0%5D%5Bprice_data%5D%5Bcurrency%5D=gbp\
             &expand%5B0%5D=payment_intent&metadata%5Ba%5D=b+c+%26+d%3D%C3%A9"
        );
    }
}
