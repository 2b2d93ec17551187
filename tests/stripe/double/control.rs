//! What tests and people may do to a running double: `POST /_double/...`.

use serde_json::{Value, json};

use super::faults::Fault;
use super::http::Said;
use super::params::{Refusal, needed, parsed, text};
use super::{State, json_said};

/// Does what is asked for. What there is:
///
/// - `requests`: all requests that were heard;
/// - `fail` with `call` and `fault`: the next such call goes wrong;
/// - `later`: slow refunds end, some fail, some payments are disputed, as their cards say;
/// - `dispute` with `payment_intent`, `close-dispute` with `dispute` and `won`;
/// - `fail-refund` with `refund`;
/// - `pay-out`, and `report` with `payout`, which answers the text of Stripe's report of it.
pub(super) fn answer(state: &mut State, what: &str, body: &[u8]) -> Said {
    match done(state, what, &parsed(body)) {
        Ok(answer) => json_said(200, &answer),
        Err(Refusal { status, error }) => json_said(status, &json!({ "error": error })),
    }
}

fn done(state: &mut State, what: &str, given: &Value) -> Result<Value, Refusal> {
    let now = (state.now)();
    let books = &mut state.books;
    match what {
        "requests" => Ok(state
            .seen
            .iter()
            .map(|seen| json!({ "call": seen.call, "pairs": seen.pairs }))
            .collect()),
        "fail" => {
            let fault = Fault::named(needed(given, "/fault")?);
            let fault = fault.ok_or_else(|| super::params::missing("fault", what))?;
            state.faults.add(needed(given, "/call")?, fault);
            Ok(json!({}))
        }
        "later" => {
            books.later(now);
            Ok(json!({}))
        }
        "dispute" => books.dispute(needed(given, "/payment_intent")?, now),
        "close-dispute" => books.close_dispute(
            needed(given, "/dispute")?,
            text(given, "/won") == Some("true"),
            now,
        ),
        "fail-refund" => books.fail_refund(needed(given, "/refund")?, now),
        "pay-out" => Ok(books.pay_out(now)),
        "report" => Ok(json!({ "report": books.payout_report(needed(given, "/payout")?) })),
        _ => Err(super::params::missing("way to control the double", what)),
    }
}
