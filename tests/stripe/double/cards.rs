//! Stripe's test cards, by their last four digits. Any expiry date and security code is valid.

/// A card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card([u8; 4]);

impl Card {
    pub const VISA: Self = Self(*b"4242");
    /// Declined by the bank.
    pub const DECLINED: Self = Self(*b"0002");
    /// A refund to this card is pending at first.
    pub const SLOW_REFUND: Self = Self(*b"7726");
    /// A refund to this card succeeds and fails later.
    pub const FAILED_REFUND: Self = Self(*b"5126");
    /// Disputed later.
    pub const DISPUTED: Self = Self(*b"0259");

    /// Returns a card by its number, or by the number's last four digits.
    pub fn ending(number: Option<&str>) -> Self {
        let digits = number
            .unwrap_or_default()
            .bytes()
            .filter(u8::is_ascii_digit);
        let digits: Vec<u8> = digits.collect();
        let last = digits.last_chunk::<4>();
        last.map_or(Self::DECLINED, |last| Self(*last))
    }

    pub fn last_four(self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Returns Stripe's decline code, also of cards that are declined after a challenge.
    pub fn declined(self) -> Option<&'static str> {
        Some(match &self.0 {
            b"0002" | b"1629" => "generic_decline",
            b"9995" | b"3178" => "insufficient_funds",
            b"9987" => "lost_card",
            b"9979" => "stolen_card",
            b"0069" => "expired_card",
            b"0127" => "incorrect_cvc",
            b"0119" => "processing_error",
            _ => return None,
        })
    }

    /// Checks whether its bank asks the customer for a confirmation.
    pub fn is_challenged(self) -> bool {
        matches!(&self.0, b"3184" | b"3155" | b"3220" | b"1629" | b"3178")
    }

    pub fn refunds_slowly(self) -> bool {
        self == Self::SLOW_REFUND
    }

    pub fn refund_fails(self) -> bool {
        self == Self::FAILED_REFUND
    }

    pub fn is_disputed(self) -> bool {
        self == Self::DISPUTED
    }
}
