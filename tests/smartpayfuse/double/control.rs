//! Commands of tests and people to a running double: `POST /_double/...`.

use serde_json::{Value, json};

use super::answers::{Pairs, value};
use super::{Fault, Said, State, json_said};

/// Runs a command. The commands are:
///
/// - `requests`: returns all received REST calls;
/// - `fail` with `call` and `fault`: makes the next such call fail;
/// - `delay` with `seconds`: a search finds a row only so long after it was made;
/// - `transmit`: sends the day's batch;
/// - `status` with `id` and `status`: changes a transaction, such as to `VOIDED` or `FAILED`;
/// - `rows`: returns all transactions.
pub(super) fn answer(state: &mut State, what: &str, body: &[u8]) -> Said {
    let given: Pairs = serde_urlencoded::from_bytes(body).unwrap_or_default();
    let get = |name: &str| value(&given, name);
    let answer = match what {
        "requests" => {
            let seen = state.seen.iter();
            seen.map(|seen| json!({ "call": seen.call, "body": seen.body, "token": seen.token }))
                .collect()
        }
        "fail" => match Fault::named(get("fault")) {
            Some(fault) => {
                state.faults.add(get("call"), fault);
                json!({})
            }
            None => return json_said(400, &json!({ "error": "no such fault" })),
        },
        "delay" => {
            state.books.search_delay = get("seconds").parse().unwrap_or(0);
            json!({})
        }
        "transmit" => {
            state.books.transmit();
            json!({})
        }
        "status" => {
            let known = ["VOIDED", "REVERSED", "FAILED", "CANCELLED", "TRANSMITTED"];
            let status = known.into_iter().find(|known| *known == get("status"));
            let row = state.books.row(get("id")).is_some();
            let (Some(status), true) = (status, row) else {
                return json_said(400, &json!({ "error": "no such transaction or status" }));
            };
            state.books.change(get("id"), |row| row.status = status);
            json!({})
        }
        "rows" => state.books.rows.iter().map(super::Row::details).collect(),
        _ => return json_said(404, &json!({ "error": "no such command" })),
    };
    json_said(200, &answer)
}
