//! Money in whole pence, written as pounds in the API.

pub mod ledger;
pub mod premium_tax;
pub mod price;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount in whole pence. It may be negative.
///
/// In JSON the amount is a number of pounds with at most two decimals. In a row of the store it is
/// whole pence. It displays as `£1,042.50`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pence(pub i64);

impl Pence {
    pub const ZERO: Self = Self(0);

    /// Returns `numerator / denominator` of this amount. Half a penny is rounded away from zero, so
    /// that a reduction and an equal increase round alike. A denominator of zero gives zero.
    pub fn fraction(self, numerator: i64, denominator: i64) -> Self {
        if denominator == 0 {
            return Self::ZERO;
        }
        let (top, bottom) = (
            i128::from(self.0) * i128::from(numerator),
            i128::from(denominator),
        );
        let rounded = (2 * top.abs() + bottom.abs()) / (2 * bottom.abs());
        let sign = if (top < 0) == (bottom < 0) { 1 } else { -1 };
        Self(i64::try_from(sign * rounded).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Pence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pence = self.0.unsigned_abs();
        let pounds = (pence / 100).to_string();
        let mut grouped = String::new();
        for (position, digit) in pounds.chars().enumerate() {
            if position > 0 && (pounds.len() - position).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}£{grouped}.{:02}", pence % 100)
    }
}

impl Add for Pence {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Pence {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Pence {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl AddAssign for Pence {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Pence {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Pence {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl Serialize for Pence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            serializer.serialize_i64(self.0)
        } else if self.0 % 100 == 0 {
            serializer.serialize_i64(self.0 / 100)
        } else {
            serializer.serialize_f64(self.0 as f64 / 100.0)
        }
    }
}

impl<'de> Deserialize<'de> for Pence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Pounds)
        } else {
            i64::deserialize(deserializer).map(Self)
        }
    }
}

struct Pounds;

impl Visitor<'_> for Pounds {
    type Value = Pence;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of pounds with at most two decimals")
    }

    fn visit_i64<E: de::Error>(self, pounds: i64) -> Result<Pence, E> {
        pounds
            .checked_mul(100)
            .map(Pence)
            .ok_or_else(|| E::custom("too much money"))
    }

    fn visit_u64<E: de::Error>(self, pounds: u64) -> Result<Pence, E> {
        let pounds = i64::try_from(pounds).map_err(|_| E::custom("too much money"))?;
        self.visit_i64(pounds)
    }

    fn visit_f64<E: de::Error>(self, pounds: f64) -> Result<Pence, E> {
        let pence = pounds * 100.0;
        if !pence.is_finite() || pence.abs() > 1e15 {
            return Err(E::custom("too much money"));
        }
        if (pence - pence.round()).abs() > 1e-4 {
            return Err(E::custom("more than two decimals"));
        }
        Ok(Pence(pence.round() as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::Pence;

    #[test]
    fn shows_pounds_and_pence() {
        assert_eq!(Pence(4250).to_string(), "£42.50");
        assert_eq!(Pence(-5).to_string(), "-£0.05");
        assert_eq!(Pence(123_456_789).to_string(), "£1,234,567.89");
    }

    #[test]
    fn goes_over_the_wire_as_pounds() {
        for (pence, json) in [(4250, "42.5"), (4200, "42"), (-1, "-0.01"), (1999, "19.99")] {
            assert_eq!(serde_json::to_string(&Pence(pence)).unwrap(), json);
            assert_eq!(serde_json::from_str::<Pence>(json).unwrap(), Pence(pence));
        }
        assert!(serde_json::from_str::<Pence>("1.005").is_err());
    }

    #[test]
    fn is_stored_as_whole_pence() {
        for pence in [4250, 0, -1, i64::MAX] {
            let stored = rmp_serde::to_vec(&Pence(pence)).unwrap();
            assert_eq!(stored, rmp_serde::to_vec(&pence).unwrap());
            assert_eq!(
                rmp_serde::from_slice::<Pence>(&stored).unwrap(),
                Pence(pence)
            );
        }
    }

    #[test]
    fn rounds_half_a_penny_away_from_zero() {
        assert_eq!(Pence(125).fraction(10, 100), Pence(13));
        assert_eq!(Pence(125).fraction(-10, 100), Pence(-13));
        assert_eq!(Pence(124).fraction(10, 100), Pence(12));
        assert_eq!(Pence(3000).fraction(12, 100), Pence(360));
        assert_eq!(Pence(3000).fraction(12, 0), Pence(0));
    }
}
