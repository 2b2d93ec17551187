//! Cards that the double keeps, and their charges.

use serde_json::{Value, json};

use super::books::{Books, Row, pence, rfc3339};
use super::rest::invalid;
use super::{Said, json_said};

impl Books {
    /// Keeps a card. Returns its token.
    pub fn keep_card(&mut self) -> String {
        let token = format!("F45FB3E443AC3C57E053{:012}", self.customers.len() + 1);
        self.customers.push(token.clone());
        token
    }

    /// Returns the payments of stored cards that took money.
    pub fn charges(&self) -> impl Iterator<Item = &Row> {
        self.payments().filter(|row| row.is_charge)
    }
}

/// Charges a stored card without its holder.
pub(super) fn charge(books: &mut Books, given: &Value, now: i64) -> Said {
    let text = |pointer: &str| given.pointer(pointer).and_then(Value::as_str).unwrap_or("");
    let initiator = "/processingInformation/authorizationOptions/initiator";
    let flag = |name: &str| given.pointer(name) == Some(&json!(true));
    let option = |name: &str| format!("{initiator}/{name}");
    if !flag("/processingInformation/capture") || !flag(&option("storedCredentialUsed")) {
        return invalid("MISSING_FIELD", "processingInformation.capture");
    }
    let by_merchant = option("merchantInitiatedTransaction");
    let reason = text(&format!("{by_merchant}/reason"));
    let indicator = text("/processingInformation/commerceIndicator");
    let is_known = match indicator {
        "recurring" => ["1", "7", "8"].contains(&reason),
        "install" => ["1", "9"].contains(&reason),
        "internet" => ["1", "10"].contains(&reason),
        _ => false,
    };
    let first = text(&format!("{by_merchant}/previousTransactionId"));
    if text(&option("type")) != "merchant" || !is_known || first != super::SCHEME_ID {
        return invalid("INVALID_DATA", "processingInformation.authorizationOptions");
    }
    let customer = text("/paymentInformation/customer/id");
    if !books.customers.iter().any(|own| own == customer) {
        return invalid("INVALID_DATA", "paymentInformation.customer.id");
    }
    let amount = text("/orderInformation/amountDetails/totalAmount");
    let currency = text("/orderInformation/amountDetails/currency");
    let code = text("/clientReferenceInformation/code");
    if pence(amount) <= 0 || currency != "GBP" || code.is_empty() || code.len() > 50 {
        return invalid("INVALID_DATA", "orderInformation.amountDetails.totalAmount");
    }
    let declined = books.declines_charges;
    let is_refused = books.refuses_charges;
    let row = Row {
        id: books.new_id(),
        code: code.to_owned(),
        payment: None,
        steps: match declined {
            _ if is_refused => vec![("ics_auth", "DINVALIDDATA")],
            Some(_) => vec![("ics_auth", "DCARDREFUSED")],
            None => vec![("ics_auth", "SOK"), ("ics_bill", "SOK")],
        },
        pence: pence(amount),
        currency: currency.to_owned(),
        status: if is_refused || declined.is_some() {
            "DECLINED"
        } else {
            "PENDING"
        },
        customer: None,
        is_charge: true,
        made: now,
    };
    let mut answer = json!({
        "id": row.id,
        "submitTimeUtc": rfc3339(now),
        "status": "AUTHORIZED",
        "clientReferenceInformation": { "code": code },
        "orderInformation": { "amountDetails": {
            "authorizedAmount": amount, "currency": currency,
        } },
        "processorInformation": { "approvalCode": "831000", "responseCode": "00" },
    });
    if let Some((reason, advice)) = declined {
        answer["status"] = json!("DECLINED");
        answer["errorInformation"] = json!({ "reason": reason, "message": "Decline" });
        answer["orderInformation"] = json!({ "amountDetails": { "currency": currency } });
        answer["processorInformation"] = json!({ "responseCode": "05" });
        if let Some(advice) = advice {
            answer["processorInformation"]["merchantAdvice"] = json!({ "code": advice });
        }
    }
    books.rows.push(row);
    if is_refused {
        return invalid("INVALID_DATA", "processingInformation.commerceIndicator");
    }
    json_said(201, &answer)
}

/// Removes a stored card.
pub(super) fn remove(books: &mut Books, token: &str) -> Said {
    let before = books.customers.len();
    books.customers.retain(|own| own != token);
    if books.customers.len() == before {
        return json_said(
            404,
            &json!({ "status": "NOT_FOUND", "reason": "NOT_FOUND" }),
        );
    }
    Said {
        status: 204,
        headers: Vec::new(),
        body: Vec::new(),
    }
}
