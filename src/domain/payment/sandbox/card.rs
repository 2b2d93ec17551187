//! The sandbox gateway's test cards, and the card form.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::domain::product::form::errors::FieldErrors;

/// The behaviour of a test card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestCard {
    Pays,
    Declined,
    NoFunds,
    /// The card requires a challenge.
    Challenge,
    /// The card pays, and the callback arrives five seconds late.
    Late,
    /// The card pays, and no callback arrives.
    Silent,
    /// The card pays, and two callbacks arrive at once.
    Twice,
    /// The card pays, and a refund takes half a minute.
    SlowRefund,
    /// The card pays, and refunds are refused.
    RefundRefused,
    /// The card pays, and a later charge of the stored card is declined.
    DeclinedLater,
    /// The card pays, and the cardholder disputes the payment a minute later.
    Disputed,
}

/// Every test card and its number.
pub const TEST_CARDS: [(&str, TestCard); 11] = [
    ("4242424242424242", TestCard::Pays),
    ("4000000000000002", TestCard::Declined),
    ("4000000000009995", TestCard::NoFunds),
    ("4000002760003184", TestCard::Challenge),
    ("4000000000000077", TestCard::Late),
    ("4000000000000085", TestCard::Silent),
    ("4000000000000093", TestCard::Twice),
    ("4000000000007726", TestCard::SlowRefund),
    ("4000000000005126", TestCard::RefundRefused),
    ("4000000000000341", TestCard::DeclinedLater),
    ("4000000000000259", TestCard::Disputed),
];

/// The card form, as posted.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CardForm {
    /// Card number, spaces allowed.
    pub card_number: String,
    /// `MM/YY` or `MM/YYYY`. The slash is optional, because a phone's number keyboard lacks it.
    pub expiry: String,
    /// Three digits.
    pub cvc: String,
    /// Name on the card.
    pub cardholder: String,
    /// `pass` or `fail`, from the challenge.
    pub challenge: String,
}

impl CardForm {
    /// Returns the entered test card.
    ///
    /// # Errors
    /// Returns an error for each invalid field.
    pub fn card(&self, today: NaiveDate) -> Result<TestCard, FieldErrors> {
        let mut errors = FieldErrors::default();
        let number: String = self
            .card_number
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '-')
            .collect();
        let card = TEST_CARDS
            .iter()
            .find(|(candidate, _)| *candidate == number)
            .map(|(_, card)| *card);
        if card.is_none() {
            errors.add(
                "card_number",
                "Enter one of the sandbox's test card numbers, such as 4242 4242 4242 4242.",
            );
        }
        if !is_future(&self.expiry, today) {
            errors.add(
                "expiry",
                "Enter an expiry date in the future, such as 12/30.",
            );
        }
        if self.cvc.len() != 3 || !self.cvc.bytes().all(|byte| byte.is_ascii_digit()) {
            errors.add("cvc", "Enter the three digits on the back of the card.");
        }
        let cardholder = self.cardholder.trim();
        if cardholder.is_empty() || cardholder.chars().count() > 100 {
            errors.add("cardholder", "Enter the name on the card.");
        }
        match card {
            Some(card) if errors.is_empty() => Ok(card),
            _ => Err(errors),
        }
    }
}

fn is_future(expiry: &str, today: NaiveDate) -> bool {
    let Some((month, year)) = month_and_year(expiry) else {
        return false;
    };
    (1..=12).contains(&month) && (year, month) >= (today.year(), today.month())
}

/// Returns the month and the full year of `MM/YY`, `MM/YYYY`, or four or six digits without the
/// slash. Returns `None` for other texts.
fn month_and_year(expiry: &str) -> Option<(u32, i32)> {
    let expiry = expiry.trim();
    let (month, year) = match expiry.split_once('/') {
        Some((month, year)) => (month.trim(), year.trim()),
        None => expiry.split_at_checked(2)?,
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if month.len() != 2 || !digits(month) || !digits(year) {
        return None;
    }
    let year: i32 = match year.len() {
        2 => 2000 + year.parse::<i32>().ok()?,
        4 => year.parse().ok()?,
        _ => return None,
    };
    Some((month.parse().ok()?, year))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(number: &str) -> CardForm {
        CardForm {
            card_number: number.to_string(),
            expiry: "11/26".to_string(),
            cvc: "123".to_string(),
            cardholder: "Ann O’Neill".to_string(),
            challenge: String::new(),
        }
    }

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 21).unwrap()
    }

    #[test]
    fn test_cards_are_known_with_and_without_spaces() {
        assert_eq!(
            form("4242 4242 4242 4242").card(today()),
            Ok(TestCard::Pays)
        );
        assert_eq!(form("4000000000000093").card(today()), Ok(TestCard::Twice));
    }

    #[test]
    fn every_fault_of_a_card_form_is_named() {
        let errors = CardForm {
            card_number: "4111 1111 1111 1111".to_string(),
            expiry: "10/26".to_string(),
            cvc: "12".to_string(),
            ..CardForm::default()
        }
        .card(today())
        .unwrap_err();
        assert_eq!(
            errors.0.keys().collect::<Vec<_>>(),
            ["card_number", "expiry", "cvc", "cardholder"]
        );
        for expiry in [
            "13/30", "1/30", "1330", "ab/cd", "00/30", "", "130", "12/030", "12/+1", "+1/30",
            "1é30", "12//30", "1026", "10/2026",
        ] {
            assert!(!is_future(expiry, today()), "{expiry}");
        }
    }

    #[test]
    fn an_expiry_may_be_typed_with_or_without_a_slash() {
        for expiry in [
            "1230",
            "12/30",
            "12/2030",
            "122030",
            " 12 / 30 ",
            "0130",
            "11/26",
            "1126",
        ] {
            assert!(is_future(expiry, today()), "{expiry}");
        }
    }
}
