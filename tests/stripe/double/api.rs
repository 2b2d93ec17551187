//! The part of Stripe's API that the shop needs: `/v1/...`.

use serde_json::{Value, json};

use super::books::{Books, id_of, shown_session};
use super::params::{Refusal, invalid, members, needed, number, only, parsed, refusal, text};

/// The allowed parameters of a new session.
const OF_SESSIONS: [&str; 17] = [
    "customer_creation",
    "adaptive_pricing",
    "mode",
    "ui_mode",
    "submit_type",
    "locale",
    "allowed_payment_method_types",
    "line_items",
    "client_reference_id",
    "customer_email",
    "metadata",
    "payment_intent_data",
    "expires_at",
    "success_url",
    "cancel_url",
    "expand",
    "billing_address_collection",
];
const OF_CHARGES: [&str; 10] = [
    "amount",
    "confirm",
    "currency",
    "customer",
    "description",
    "metadata",
    "off_session",
    "payment_method",
    "payment_method_options",
    "allowed_payment_method_types",
];
const OF_REFUNDS: [&str; 7] = [
    "payment_intent",
    "charge",
    "amount",
    "reason",
    "metadata",
    "expand",
    "instructions_email",
];

/// A call and the state that it acts on.
pub struct Call<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub parameters: Value,
    pub now: i64,
    /// The address of the double's own pages.
    pub address: &'a str,
}

impl<'a> Call<'a> {
    pub fn new(method: &'a str, path: &'a str, given: &[u8], now: i64, address: &'a str) -> Self {
        let parameters = parsed(given);
        Self {
            method,
            path,
            parameters,
            now,
            address,
        }
    }

    pub fn answer(&self, books: &mut Books) -> Result<Value, Refusal> {
        books.grow_old(self.now);
        let parts: Vec<&str> = self.path.trim_start_matches("/v1/").split('/').collect();
        match (self.method, parts.as_slice()) {
            ("POST", ["checkout", "sessions"]) => self.begin(books),
            ("GET", ["checkout", "sessions"]) => {
                let all = books.sessions.all();
                let all: Vec<Value> = all.iter().map(|one| self.session(books, one)).collect();
                self.list(&all)
            }
            ("GET", ["checkout", "sessions", id]) => {
                let one = books.sessions.get("checkout.session", id)?;
                Ok(self.session(books, one))
            }
            ("POST", ["checkout", "sessions", id, "expire"]) => {
                let expired = books.expire(id, self.now)?;
                Ok(self.session(books, &expired))
            }
            ("GET", ["payment_intents"]) => self.list(books.intents.all()),
            ("POST", ["payment_intents"]) => self.charge_card(books),
            ("POST", ["payment_intents", id, "cancel"]) => books.cancel_intent(id, self.now),
            ("GET", ["payment_intents", id]) => {
                let intent = books.intents.get("payment_intent", id)?;
                Ok(self.intent(books, intent))
            }
            ("GET", ["payment_methods", id]) => books.methods.get("PaymentMethod", id).cloned(),
            ("POST", ["payment_methods", id, "detach"]) => books.detach_card(id),
            ("GET", ["customers"]) => self.list(books.customers.all()),
            ("GET", ["charges", id]) => books.charges.get("charge", id).cloned(),
            ("POST", ["refunds"]) => self.refund(books),
            ("GET", ["refunds"]) => self.list(books.refunds.all()),
            ("GET", ["refunds", id]) => books.refunds.get("refund", id).cloned(),
            ("GET", ["disputes"]) => self.list(books.disputes.all()),
            ("GET", ["disputes", id]) => books.disputes.get("dispute", id).cloned(),
            ("GET", ["payouts"]) => self.list(books.payouts.all()),
            ("GET", ["payouts", id]) => books.payouts.get("payout", id).cloned(),
            ("GET", ["events"]) => self.list(books.events.all()),
            ("GET", ["balance_transactions"]) => {
                let all = books.movements.all().iter();
                let wanted = text(&self.parameters, "/payout");
                let fits = |one: &&Value| {
                    let payout = books.paid_out.get(one["id"].as_str().unwrap_or_default());
                    wanted.is_none() || payout.and_then(Value::as_str) == wanted
                };
                let all: Vec<Value> = all.filter(fits).cloned().collect();
                self.list(&all)
            }
            (method, _) => {
                let message = format!("Unrecognized request URL ({method}: {}).", self.path);
                Err(refusal(404, "invalid_request_error", "", "", &message))
            }
        }
    }

    fn begin(&self, books: &mut Books) -> Result<Value, Refusal> {
        let given = &self.parameters;
        only(given, &OF_SESSIONS)?;
        let is = |pointer: &str, wanted: &[&str]| match text(given, pointer) {
            Some(found) if !wanted.contains(&found) => {
                Err(invalid("", &pointer[1..], "Invalid value"))
            }
            _ => Ok(()),
        };
        needed(given, "/mode")?;
        is("/mode", &["payment"])?;
        is("/ui_mode", &["hosted_page"])?;
        is(
            "/submit_type",
            &["auto", "book", "donate", "pay", "subscribe"],
        )?;
        // Otherwise Stripe offers a customer abroad another currency.
        needed(given, "/adaptive_pricing/enabled")?;
        is("/adaptive_pricing/enabled", &["false"])?;
        needed(given, "/success_url")?;
        let line = given.pointer("/line_items/0").cloned();
        let line = line.ok_or_else(|| invalid("parameter_missing", "line_items", "Missing"))?;
        needed(&line, "/price_data/product_data/name")?;
        if needed(&line, "/price_data/currency")? != "gbp" {
            return Err(invalid(
                "",
                "line_items[0][price_data][currency]",
                "Only gbp here",
            ));
        }
        let quantity = number(&line, "/quantity")?.unwrap_or(1);
        let unit = number(&line, "/price_data/unit_amount")?.unwrap_or(0);
        if unit * quantity < 30 {
            let text = "The Checkout Session's total amount must convert to at least 30 pence.";
            return Err(invalid("amount_too_small", "", text));
        }
        let ends = number(given, "/expires_at")?.unwrap_or(self.now + 86_400);
        if !(self.now + 1800..=self.now + 86_400).contains(&ends) {
            let text = "The `expires_at` timestamp must be between 30 minutes and 24 hours from \
                        Checkout Session creation.";
            return Err(invalid("", "expires_at", text));
        }
        let email = text(given, "/customer_email");
        if email.is_some_and(|email| !email.contains('@')) {
            return Err(invalid(
                "email_invalid",
                "customer_email",
                "Invalid email address",
            ));
        }
        let mode = if books.live { "live" } else { "test" };
        let id = books.id(&format!("cs_{mode}"));
        let session = json!({
            "id": id,
            "object": "checkout.session",
            "amount_subtotal": unit * quantity,
            "amount_total": unit * quantity,
            "cancel_url": text(given, "/cancel_url"),
            "client_reference_id": text(given, "/client_reference_id"),
            "client_secret": null,
            "created": self.now,
            "currency": "gbp",
            "customer": null,
            "customer_details": null,
            "customer_email": email,
            "expires_at": ends,
            "livemode": books.live,
            "locale": text(given, "/locale"),
            "metadata": members(given, "/metadata"),
            "mode": "payment",
            "payment_intent": null,
            "payment_method_types": ["card"],
            "payment_status": "unpaid",
            "status": "open",
            "submit_type": text(given, "/submit_type"),
            "success_url": text(given, "/success_url"),
            "ui_mode": "hosted_page",
            "url": format!("{}/pay/{id}", self.address),
            "_intent_data": members(given, "/payment_intent_data"),
            "_customer_creation": text(given, "/customer_creation"),
            "_name": text(&line, "/price_data/product_data/name"),
        });
        books.sessions.put(&session);
        Ok(self.session(books, &session))
    }

    /// Charges a stored card without its holder.
    fn charge_card(&self, books: &mut Books) -> Result<Value, Refusal> {
        let given = &self.parameters;
        only(given, &OF_CHARGES)?;
        let customer = needed(given, "/customer")?.to_owned();
        let method = needed(given, "/payment_method")?.to_owned();
        for flag in ["/confirm", "/off_session"] {
            if needed(given, flag)? != "true" {
                return Err(invalid("", &flag[1..], "Only off-session charges here"));
            }
        }
        let usage = text(
            given,
            "/payment_method_options/card/stored_credential_usage",
        );
        if usage.is_some_and(|usage| !["recurring", "installment", "unscheduled"].contains(&usage))
        {
            return Err(invalid("", "payment_method_options", "Invalid usage"));
        }
        if books.refuses_charges {
            return Err(invalid("", "currency", "Your account can't accept this."));
        }
        let card = books.methods.get("PaymentMethod", &method)?;
        if card["customer"] != customer.as_str() {
            let text = "The customer does not have this payment method attached.";
            return Err(invalid("", "payment_method", text));
        }
        let amount = number(given, "/amount")?.unwrap_or(0);
        let metadata = members(given, "/metadata");
        let description = json!(text(given, "/description"));
        books.charge_card(
            (&customer, &method),
            amount,
            (metadata, description),
            self.now,
        )
    }

    /// Returns an intent as this call asks for it, with its card and its charge if they are expanded.
    fn intent(&self, books: &Books, intent: &Value) -> Value {
        let mut shown = intent.clone();
        let expand = self.parameters.get("expand").and_then(Value::as_object);
        for name in expand
            .into_iter()
            .flatten()
            .filter_map(|(_, name)| name.as_str())
        {
            let shelf = match name {
                "payment_method" => &books.methods,
                _ => &books.charges,
            };
            if let Some(id) = intent[name].as_str() {
                shown[name] = shelf.get(name, id).unwrap().clone();
            }
        }
        shown
    }

    fn refund(&self, books: &mut Books) -> Result<Value, Refusal> {
        let given = &self.parameters;
        only(given, &OF_REFUNDS)?;
        let intent = needed(given, "/payment_intent")?;
        let reason = text(given, "/reason");
        let reasons = ["duplicate", "fraudulent", "requested_by_customer"];
        if reason.is_some_and(|reason| !reasons.contains(&reason)) {
            return Err(invalid("", "reason", "Invalid reason"));
        }
        let about = (members(given, "/metadata"), json!(reason));
        books.refund(intent, number(given, "/amount")?, about, self.now)
    }

    /// Returns a session as this call asks for it, with its whole payment if that is expanded.
    fn session(&self, books: &Books, session: &Value) -> Value {
        let mut shown = shown_session(session);
        let expand = self.parameters.get("expand").and_then(Value::as_object);
        let mut wanted = expand
            .into_iter()
            .flatten()
            .filter_map(|(_, name)| name.as_str());
        if wanted.any(|name| name.trim_start_matches("data.") == "payment_intent")
            && let Some(id) = session["payment_intent"].as_str()
            && let Ok(intent) = books.intents.get("payment_intent", id)
        {
            shown["payment_intent"] = intent.clone();
        }
        shown
    }

    /// Returns a page of a list, newest first, of the objects that match the call's filters.
    fn list(&self, all: &[Value]) -> Result<Value, Refusal> {
        let given = &self.parameters;
        let limit = number(given, "/limit")?.unwrap_or(10);
        if !(1..=100).contains(&limit) {
            return Err(invalid(
                "parameter_invalid_integer",
                "limit",
                "From 1 to 100",
            ));
        }
        let (from, to) = (
            number(given, "/created/gte")?,
            number(given, "/created/lte")?,
        );
        let fits = |one: &&Value| {
            let created = one["created"].as_i64().unwrap_or(0);
            let same = |name: &str| match text(given, &format!("/{name}")) {
                Some(wanted) => one[name] == wanted,
                None => true,
            };
            from.is_none_or(|from| created >= from)
                && to.is_none_or(|to| created <= to)
                && ["payment_intent", "charge", "status", "type", "customer"]
                    .iter()
                    .all(|name| same(name))
        };
        let mut rest: Vec<Value> = all.iter().rev().filter(fits).cloned().collect();
        if let Some(after) = text(given, "/starting_after") {
            let place = rest.iter().position(|one| id_of(one) == after);
            rest.drain(..place.map_or(rest.len(), |place| place + 1));
        }
        let limit = usize::try_from(limit).unwrap();
        let has_more = rest.len() > limit;
        rest.truncate(limit);
        Ok(json!({ "object": "list", "data": rest, "has_more": has_more, "url": self.path }))
    }
}
