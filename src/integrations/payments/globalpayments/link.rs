//! Links: the hosted page of one attempt.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::client::{GlobalPaymentsClient, GpCall, in_path};
use super::error::GpError;
use super::transaction::GpStatus;
use crate::domain::money::Pence;
use crate::domain::payment::payer::to_ascii;
use crate::domain::payment::{Currency, Payer};

/// Time from the start of an attempt to the end of its link. The provider allows 24 hours, and keeps an
/// idempotency key for 24 hours. One hour less allows for a difference between the clocks.
pub(super) const LINK_LIFETIME: TimeDelta = TimeDelta::hours(23);
/// The country of the payer's address: the website takes British addresses.
const PAYER_COUNTRY: &str = "GB";
/// Longest name and description of a link, and longest name and line of an address, in characters.
pub(super) const MAX_TEXT: usize = 50;
/// Longest postcode, in characters.
const MAX_POSTCODE: usize = 16;

/// The content of a new link.
#[derive(Clone, Debug)]
pub struct LinkOrder {
    /// Our attempt.
    pub payment: Uuid,
    /// When the attempt was stored.
    pub started: DateTime<Utc>,
    pub amount: Pence,
    pub currency: Currency,
    pub description: String,
    pub payer: Payer,
    /// Whether the payer agreed that the provider keeps the card.
    pub keeps_card: bool,
    /// The shop's page after paying.
    pub return_url: String,
    /// The address for messages.
    pub status_url: String,
    /// The shop's page for a customer who doesn't pay.
    pub cancel_url: String,
}

/// A link's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GpLinkStatus {
    /// The link can be paid.
    Active,
    Inactive,
    Closed,
    Expired,
    Paid,
    /// An unknown status.
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, Deserialize)]
pub struct GpLink {
    /// `LNK_...`
    pub id: String,
    pub status: GpLinkStatus,
    /// The page's address.
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    transactions: Option<LinkTransactions>,
}

#[derive(Clone, Debug, Deserialize)]
struct LinkTransactions {
    #[serde(default)]
    transaction_list: Option<Vec<LinkTransaction>>,
}

#[derive(Clone, Debug, Deserialize)]
struct LinkTransaction {
    status: GpStatus,
}

#[derive(Deserialize)]
struct LinkList {
    #[serde(default)]
    links: Vec<Value>,
}

impl GpLink {
    /// Returns whether the provider may have a payment of the link. The status of the link and of its
    /// transactions decides. A paid link has no payment if one transaction was reversed and no other
    /// transaction may be paid.
    pub(super) fn may_have_money(&self) -> bool {
        let list = self.transactions.as_ref();
        let list = list.and_then(|all| all.transaction_list.as_deref());
        let list = list.unwrap_or_default();
        let is_idle = |one: &LinkTransaction| {
            matches!(
                one.status,
                GpStatus::Initiated
                    | GpStatus::Declined
                    | GpStatus::Rejected
                    | GpStatus::Failed
                    | GpStatus::Cancelled
                    | GpStatus::Reversed
            )
        };
        let is_reversed = |one: &LinkTransaction| one.status == GpStatus::Reversed;
        let is_unclear = match self.status {
            GpLinkStatus::Paid => !list.iter().any(is_reversed),
            status => status == GpLinkStatus::Other,
        };
        is_unclear || !list.iter().all(is_idle)
    }
}

impl GlobalPaymentsClient {
    /// Returns the link of an order. Repeated and interrupted calls create one link.
    ///
    /// # Errors
    /// If the provider refuses the link, or its answer isn't clear. [`GpError::Missing`] if the attempt is
    /// older than [`LINK_LIFETIME`] and has no link.
    pub async fn begin(&self, order: &LinkOrder, now: DateTime<Utc>) -> Result<GpLink, GpError> {
        let has_key = now - order.started < LINK_LIFETIME;
        if has_key {
            // Assumption: for a repeated key, the provider returns its first answer or an error for a
            // duplicate. The body may differ.
            match self.post("/links", &self.body(order), order.payment).await {
                Err(GpError::Duplicate { .. }) => {}
                answer => return answer,
            }
        }
        match self.find_link(order.payment).await? {
            Some(found) => Ok(found),
            None if has_key => Err(GpError::Unknown("the link isn't listed yet".to_owned())),
            // The provider may have forgotten the key. A request with this key could create a second link.
            None => Err(GpError::Missing("it was never begun".to_owned())),
        }
    }

    /// Returns a link.
    ///
    /// # Errors
    /// [`GpError::Missing`] if the link doesn't exist or `id` is invalid. Other errors if the answer isn't
    /// clear.
    pub async fn link(&self, id: &str) -> Result<GpLink, GpError> {
        self.get(&format!("/links/{}", in_path(id)?)).await
    }

    /// Searches for the link of an attempt by our reference.
    ///
    /// # Errors
    /// If the answer isn't clear, or the link can't be read.
    pub async fn find_link(&self, payment: Uuid) -> Result<Option<GpLink>, GpError> {
        let list: LinkList = self.get(&format!("/links?reference={payment}")).await?;
        let reference = payment.to_string();
        let is_own = |row: &Value| row.get("reference").is_some_and(|text| *text == *reference);
        let own = list.links.into_iter().find(is_own);
        let own = own.map(serde_json::from_value).transpose();
        own.map_err(|_| GpError::Unknown("a listed link can't be read".to_owned()))
    }

    /// Ends a link, and returns the link afterwards. The customer may have paid before the call.
    ///
    /// Assumption: the status `INACTIVE` ends a link. If the assumption is wrong, the returned link may
    /// still be active.
    ///
    /// # Errors
    /// [`GpError::Missing`] if the link doesn't exist or `id` is invalid. Other errors if the answer isn't
    /// clear.
    pub async fn end_link(&self, id: &str) -> Result<GpLink, GpError> {
        let change = json!({ "status": "INACTIVE" });
        let call = GpCall {
            method: Method::PATCH,
            path: &format!("/links/{}", in_path(id)?),
            body: Some(&change),
            idempotency_key: None,
        };
        // The provider refuses to change a link that has ended. Its answer may also be lost. Each case reads
        // the link to get the link's real status.
        match self.call::<Value>(&call).await {
            Ok(_) | Err(GpError::Refused(_) | GpError::Unknown(_)) => self.link(id).await,
            Err(error) => Err(error),
        }
    }

    fn body(&self, order: &LinkOrder) -> Value {
        let text = |text: &str| to_ascii(text, MAX_TEXT);
        let ends = (order.started + LINK_LIFETIME).to_rfc3339_opts(SecondsFormat::Secs, true);
        let app = self.app();
        // Requests no exemption from authentication. The bank decides about a challenge.
        let method = json!({
            "authentications": { "preference": "NO_PREFERENCE" },
            "storage_mode": order.keeps_card.then_some("ON_SUCCESS"),
        });
        let mut body = json!({
            "account_name": app.account,
            "type": "HOSTED_PAYMENT_PAGE",
            "usage_mode": "SINGLE",
            "usage_limit": "1",
            "shippable": "NO",
            "reference": order.payment,
            "name": text(&order.description),
            "description": text(&order.description),
            "expiration_date": ends,
            "order": {
                "amount": order.amount.0.to_string(),
                "currency": order.currency.code(),
                "reference": order.payment,
                "transaction_configuration": {
                    "channel": "CNP",
                    "country": app.country,
                    "capture_mode": "AUTO",
                    "allowed_payment_methods": ["CARD"],
                    // The customer pays the amount in pounds that our page showed.
                    "currency_conversion_mode": "NO",
                },
                "payment_method_configuration": method,
            },
            "payer": payer(&order.payer),
            "notifications": {
                "return_url": order.return_url,
                "status_url": order.status_url,
                "cancel_url": order.cancel_url,
            },
        });
        remove_nulls(&mut body);
        body
    }
}

/// The payer of a link. The member `status` states that the provider has no record of the payer.
#[derive(Serialize)]
struct LinkPayer<'a> {
    status: &'static str,
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<&'a str>,
    language: &'static str,
    mobile_phone: Option<Value>,
    billing_address: Option<Value>,
}

/// Returns the payer's known details. Omits an address without a line or without a postcode.
fn payer(payer: &Payer) -> Value {
    let text = |text: &Option<String>, max| {
        let ascii = text.as_deref().map(|text| to_ascii(text, max));
        ascii.filter(|ascii| !ascii.is_empty())
    };
    let address = json!({
        "line_1": text(&payer.address_line, MAX_TEXT),
        "city": text(&payer.town, MAX_TEXT),
        "postal_code": text(&payer.postcode, MAX_POSTCODE),
        "country": PAYER_COUNTRY,
    });
    let has_address = payer.address_line.is_some() && payer.postcode.is_some();
    let payer = LinkPayer {
        status: "NEW",
        first_name: text(&payer.first_name, MAX_TEXT),
        last_name: text(&payer.last_name, MAX_TEXT),
        email: payer.email.as_deref(),
        language: "EN",
        mobile_phone: payer.phone.as_deref().and_then(phone),
        billing_address: has_address.then_some(address),
    };
    json!(payer)
}

pub(super) fn remove_nulls(value: &mut Value) {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
        members.values_mut().for_each(remove_nulls);
    }
}

/// Splits a phone number in E.164 into its country code and the rest. Returns `None` for an invalid
/// number.
fn phone(number: &str) -> Option<Value> {
    let number = phonenumber::parse(None, number).ok()?;
    Some(json!({
        "country_code": number.country().code().to_string(),
        "subscriber_number": number.national().to_string(),
    }))
}
