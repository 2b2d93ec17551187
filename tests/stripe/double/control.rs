//! Commands of tests and people to a running double: `POST /_double/...`.

use serde_json::{Value, json};

use super::faults::Fault;
use super::http::Said;
use super::params::{Refusal, needed, parsed, text};
use super::{State, json_said};

/// Runs a command. The commands are:
///
/// - `requests`: returns all received requests;
/// - `fail` with `call` and `fault`: makes the next such call fail;
/// - `later`: completes slow refunds, fails some, and disputes some payments, as their cards require;
/// - `dispute` with `payment_intent`, `close-dispute` with `dispute` and `won`;
/// - `fail-refund` with `refund`;
/// - `pay-out`, and `report` with `payout`, which returns the text of Stripe's report of it.
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
