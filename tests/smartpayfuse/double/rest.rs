//! The REST API: search, details, refunds, charges of stored cards.

use serde_json::{Value, json};

use super::books::{Books, Row, pence, rfc3339};
use super::{Heard, Said, State, encryption, json_said, stored_cards, token};

pub(super) fn answer(state: &mut State, heard: &Heard) -> Said {
    if let Some(why) = token::refusal(state, heard) {
        // The reason goes to the log of a test, not to the caller.
        eprintln!("the double refuses a token: {why}");
        return json_said(
            401,
            &json!({ "response": { "rmsg": "Authentication Failed" } }),
        );
    }
    let now = (state.now)();
    let body = match state.seal {
        Some(_) if !heard.body.is_empty() => encryption::open(&heard.body),
        _ => Some(heard.body.clone()),
    };
    let Some(body) = body else {
        return invalid("INVALID_DATA", "encryptedRequest");
    };
    let given: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let path: Vec<&str> = heard.path.split('/').skip(1).collect();
    let books = &mut state.books;
    let said = match (heard.method.as_str(), path.as_slice()) {
        ("POST", ["tss", "v2", "searches"]) => search(books, &given, now),
        ("GET", ["tss", "v2", "transactions", id]) => details(books, id, now),
        ("POST", ["pts", "v2", "payments", id, "refunds"]) => refund(books, id, &given, now),
        ("POST", ["pts", "v2", "payments"]) => stored_cards::charge(books, &given, now),
        ("DELETE", ["tms", "v2", "customers", id]) => stored_cards::remove(books, id),
        _ => json_said(404, &json!({ "status": "NOT_FOUND" })),
    };
    match state.seal {
        // An empty answer is not sealed.
        _ if said.body.is_empty() => said,
        Some(seal) => encryption::seal(said, seal, now),
        None => said,
    }
}

/// Answers a search by code. A search without a time sees one day only.
fn search(books: &Books, given: &Value, now: i64) -> Said {
    let query = given["query"].as_str().unwrap_or_default();
    let mut terms = query.split(" AND ");
    let code = terms
        .next()
        .and_then(|term| term.strip_prefix("clientReferenceInformation.code:"));
    let days = match terms.next() {
        None => Some(1),
        Some(time) => time
            .strip_prefix("submitTimeUtc:[NOW/DAY-")
            .and_then(|rest| rest.strip_suffix("DAYS TO NOW/DAY+1DAY}"))
            .and_then(|days| days.parse::<i64>().ok()),
    };
    let (Some(code), Some(days)) = (code, days) else {
        return invalid("INVALID_DATA", "query");
    };
    let today = now - now.rem_euclid(86_400);
    let mut rows: Vec<&Row> = books
        .rows
        .iter()
        .filter(|row| row.code == code && now >= row.made + books.search_delay)
        .filter(|row| row.made >= today - days * 86_400 && row.made < today + 86_400)
        .collect();
    rows.reverse();
    let limit = given["limit"].as_u64().unwrap_or(2000) as usize;
    let listed: Vec<Value> = rows.iter().take(limit).map(|row| row.summary()).collect();
    let mut answer = json!({
        "searchId": "1", "query": query, "offset": 0, "limit": limit, "count": listed.len(),
        "totalCount": rows.len(), "submitTimeUtc": rfc3339(now),
    });
    if !listed.is_empty() {
        answer["_embedded"] = json!({ "transactionSummaries": listed });
    }
    json_said(201, &answer)
}

fn details(books: &Books, id: &str, now: i64) -> Said {
    match books
        .row(id)
        .filter(|row| now >= row.made + books.details_delay)
    {
        Some(row) => json_said(200, &row.details()),
        None => json_said(
            404,
            &json!({ "status": "NOT_FOUND", "reason": "NOT_FOUND" }),
        ),
    }
}

fn refund(books: &mut Books, payment: &str, given: &Value, now: i64) -> Said {
    let amount = &given["orderInformation"]["amountDetails"];
    let wanted = pence(amount["totalAmount"].as_str().unwrap_or_default());
    let code = given["clientReferenceInformation"]["code"].as_str();
    let Some(paid) = books.payments().find(|row| row.id == payment).cloned() else {
        return json_said(
            404,
            &json!({ "status": "NOT_FOUND", "reason": "NOT_FOUND" }),
        );
    };
    if let Some(reason) = books.refuses_refunds {
        return invalid(reason, "id");
    }
    if code.is_none_or(|code| code.is_empty() || code.len() > 50) {
        return invalid("MISSING_FIELD", "clientReferenceInformation.code");
    }
    if wanted <= 0 || wanted > books.left(&paid) || amount["currency"] != paid.currency.as_str() {
        return invalid(
            "INVALID_AMOUNT",
            "orderInformation.amountDetails.totalAmount",
        );
    }
    let row = Row {
        id: books.new_id(),
        code: code.unwrap_or_default().to_owned(),
        payment: Some(paid.id),
        steps: vec![("ics_credit", "SOK")],
        pence: wanted,
        currency: paid.currency,
        status: "PENDING",
        customer: None,
        is_charge: false,
        made: now,
    };
    let answer = json!({
        "id": row.id,
        "submitTimeUtc": rfc3339(now),
        "status": row.status,
        "reconciliationId": "1",
        "clientReferenceInformation": { "code": row.code },
        "refundAmountDetails": { "refundAmount": amount["totalAmount"], "currency": row.currency },
        "_links": { "void": { "method": "POST", "href": format!("/pts/v2/refunds/{}/voids", row.id) } },
    });
    books.rows.push(row);
    json_said(201, &answer)
}

pub(super) fn invalid(reason: &str, field: &str) -> Said {
    json_said(
        400,
        &json!({
            "status": "INVALID_REQUEST", "reason": reason,
            "message": "Declined - One or more fields in the request contains invalid data",
            "details": [{ "field": field, "reason": "INVALID_DATA" }],
        }),
    )
}
