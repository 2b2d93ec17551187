//! Commands of tests and people to a running double: `POST /_double/...` with a JSON body.

use serde_json::{Value, json};

use super::api::text;
use super::faults::Fault;
use super::http::Said;
use super::{State, json_said};

/// Runs a command. The commands are:
///
/// - `requests`: returns all received requests;
/// - `fail` with `call` and `fault`: makes the next such call fail;
/// - `end-tokens`: ends every token;
/// - `reverse` with `transaction`: takes a payment back;
/// - `transactions`: returns all transactions.
pub(super) fn answer(state: &mut State, what: &str, body: &[u8]) -> Said {
    let given: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let now = (state.now)();
    let done = match what {
        "requests" => {
            let seen = state.seen.iter();
            Some(
                seen.map(|seen| json!({ "call": seen.call, "body": seen.body }))
                    .collect(),
            )
        }
        "fail" => Fault::named(text(&given, "/fault")).map(|fault| {
            state.faults.add(text(&given, "/call"), fault);
            json!({})
        }),
        "end-tokens" => {
            state.tokens.clear();
            Some(json!({}))
        }
        "reverse" => state.books.reverse(text(&given, "/transaction"), now).ok(),
        "transactions" => Some(state.books.transactions.clone().into()),
        _ => None,
    };
    done.map_or_else(
        || json_said(404, &json!({})),
        |answer| json_said(200, &answer),
    )
}
