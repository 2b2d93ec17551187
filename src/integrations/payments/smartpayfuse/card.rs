//! The card that Fuse keeps after a payment.

use super::answer::PageAnswer;
use super::transaction::FuseTransaction;
use crate::domain::payment::{CardExpiry, CardOnFile, Keys};

/// Name of a card's token: the id of a customer in the Token Management Service.
pub(super) const CUSTOMER: &str = "customer";
pub(super) const MASTERCARD: &str = "Mastercard";

/// Returns the card of a verified answer, or `None` if Fuse keeps none.
///
/// Assumption: `auth_trans_ref_no` is the scheme's id of the payment.
pub(super) fn answered_card(answer: &PageAnswer) -> Option<CardOnFile> {
    let token = answer.get("payment_token")?;
    let number = answer.get("req_card_number").unwrap_or_default();
    let expiry = answer.get("req_card_expiry_date").unwrap_or_default();
    let (month, year) = expiry.split_once('-').unwrap_or_default();
    Some(CardOnFile {
        tokens: customer(token),
        scheme_reference: answer.get("auth_trans_ref_no").map(str::to_owned),
        brand: answer.get("req_card_type").and_then(brand),
        last_four: last_four(number),
        expiry: card_expiry(month, year),
    })
}

impl FuseTransaction {
    /// Returns the card that Fuse keeps. Only the details of a transaction have it.
    pub(super) fn stored_card(&self) -> Option<CardOnFile> {
        let method = self.payment_information.as_ref()?;
        let holder = method.customer.as_ref()?;
        let token = holder.customer_id.as_ref().or(holder.id.as_ref())?;
        let card = method.card.clone().unwrap_or_default();
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let processor = self.processor_information.as_ref();
        Some(CardOnFile {
            tokens: customer(token),
            scheme_reference: processor.and_then(|info| info.network_transaction_id.clone()),
            brand: card.r#type.as_deref().and_then(brand),
            last_four: last_four(&text(&card.suffix)),
            expiry: card_expiry(&text(&card.expiration_month), &text(&card.expiration_year)),
        })
    }
}

fn customer(token: &str) -> Keys {
    Keys([(CUSTOMER.to_owned(), token.to_owned())].into())
}

/// Returns the name of a card type of Cybersource's.
fn brand(code: &str) -> Option<String> {
    let name = match code {
        "001" => "Visa",
        "002" => MASTERCARD,
        "003" => "American Express",
        "024" | "042" => "Maestro",
        _ => return None,
    };
    Some(name.to_owned())
}

fn last_four(number: &str) -> Option<String> {
    let digits = number.get(number.len().checked_sub(4)?..)?;
    let is_number = digits.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| digits.to_owned())
}

fn card_expiry(month: &str, year: &str) -> Option<CardExpiry> {
    let month = month
        .parse()
        .ok()
        .filter(|month| (1..=12).contains(month))?;
    let year = year
        .parse()
        .ok()
        .filter(|year| (2000..2100).contains(year))?;
    Some(CardExpiry { month, year })
}
