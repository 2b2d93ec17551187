//! Parses a line of a report from its cells.

use csv::StringRecord;

use super::line::{ReportError, ReportLine};
use crate::domain::money::Pence;
use crate::domain::payment::settlement::LineKind;

/// The names of the columns in lower case, in the file's order.
pub(super) struct Columns(Vec<String>);

impl Columns {
    pub(super) fn from_heading(heading: &StringRecord) -> Self {
        Self(heading.iter().map(str::to_ascii_lowercase).collect())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|column| column == name)
    }
}

/// One line of the file, with the names of its columns.
pub(super) struct Row<'a> {
    pub(super) line_number: u64,
    pub(super) columns: &'a Columns,
    pub(super) record: &'a StringRecord,
}

impl Row<'_> {
    /// Returns the cell of a column, or `None` if the column is missing or the cell is empty.
    fn cell(&self, name: &str) -> Option<&str> {
        let index = self.columns.0.iter().position(|column| column == name)?;
        self.record.get(index).filter(|cell| !cell.is_empty())
    }

    fn fault(&self, why: String) -> ReportError {
        ReportError::Line(self.line_number, why)
    }

    pub(super) fn word(&self, is_stripe: bool) -> &str {
        let column = if is_stripe {
            "reporting_category"
        } else {
            "kind"
        };
        self.cell(column).unwrap_or_default()
    }

    pub(super) fn payout(&self, is_stripe: bool) -> Option<String> {
        let column = if is_stripe {
            "automatic_payout_id"
        } else {
            "payout"
        };
        self.cell(column).map(str::to_string)
    }

    /// Returns the amount of a cell in pounds, such as `12`, `12.3` or `-12.34`. Fails if the cell
    /// has another form.
    pub(super) fn amount(&self, name: &str) -> Result<Pence, ReportError> {
        let cell = self.cell(name).unwrap_or_default();
        pounds(cell).ok_or_else(|| {
            self.fault(format!(
                "`{name}` must be pounds such as 12.34, and is `{cell}`"
            ))
        })
    }

    /// Returns gross and fee. Fails if a cell is not an amount, or if gross less fee is not net.
    fn amounts(&self) -> Result<(Pence, Pence), ReportError> {
        let (gross, fee) = (self.amount("gross")?, self.amount("fee")?);
        let net = self.amount("net")?;
        if gross - fee != net {
            let why = format!("gross {gross} less fee {fee} is not net {net}");
            return Err(self.fault(why));
        }
        Ok((gross, fee))
    }

    pub(super) fn stripe(&self) -> Result<ReportLine, ReportError> {
        let Some(name) = self.cell("balance_transaction_id") else {
            return Err(self.fault("`balance_transaction_id` is empty".to_string()));
        };
        let currency = self.cell("currency").unwrap_or_default();
        if !currency.eq_ignore_ascii_case("gbp") {
            let why = format!(
                "the currency must be gbp, and is `{currency}`: ask for a report of gbp alone"
            );
            return Err(self.fault(why));
        }
        let (gross, fee) = self.amounts()?;
        let word = self.word(true);
        let metadata = |key: &str| {
            let named = self.columns.0.iter().zip(self.record);
            let named = named.filter(|(column, cell)| column.starts_with(key) && !cell.is_empty());
            named.map(|(_, cell)| cell.to_string()).collect::<Vec<_>>()
        };
        let mut names = metadata("refund_metadata[");
        names.extend(self.cell("source_id").map(str::to_string));
        names.extend(metadata("payment_metadata["));
        let own = ["payment_intent_id", "charge_id"].map(|column| self.cell(column));
        names.extend(own.into_iter().flatten().map(str::to_string));
        let reference = names.last().map_or(name, String::as_str).to_string();
        Ok(ReportLine {
            line_number: self.line_number,
            name: name.to_string(),
            reference,
            names,
            kind: match word {
                "charge" => LineKind::Payment,
                "refund" => LineKind::Refund,
                "refund_failure" => LineKind::RefundFailure,
                "dispute" => LineKind::Dispute,
                "dispute_reversal" => LineKind::DisputeReturned,
                "fee" | "network_cost" | "tax" => LineKind::Fee,
                _ => LineKind::Other,
            },
            word: word.to_string(),
            payout: self.payout(true),
            source: self.cell("source_id").map(str::to_string),
            gross,
            fee,
        })
    }

    pub(super) fn parse_plain(&self) -> Result<ReportLine, ReportError> {
        let (gross, fee) = self.amounts()?;
        let word = self.word(false).to_ascii_lowercase();
        let kind = match word.as_str() {
            "payment" => LineKind::Payment,
            "refund" => LineKind::Refund,
            "refund_failure" => LineKind::RefundFailure,
            "dispute" => LineKind::Dispute,
            "dispute_reversal" => LineKind::DisputeReturned,
            "fee" => LineKind::Fee,
            _ => {
                return Err(self.fault(format!(
                    "`kind` must be payment, refund, refund_failure, dispute, dispute_reversal, fee or \
                     payout, and is `{word}`"
                )));
            }
        };
        let Some(payout) = self.payout(false) else {
            return Err(self.fault("`payout` is empty".to_string()));
        };
        let reference = self.cell("reference").unwrap_or_default().to_string();
        if reference.is_empty() && kind != LineKind::Fee {
            return Err(self.fault("`reference` is empty".to_string()));
        }
        Ok(ReportLine {
            line_number: self.line_number,
            name: format!("{payout}|{word}|{reference}|{}|{}", gross.0, fee.0),
            names: vec![reference.clone()],
            reference,
            kind,
            word,
            payout: Some(payout),
            source: None,
            gross,
            fee,
        })
    }
}

/// Parses an amount in pounds with at most 12 digits before the point and at most 2 after it.
/// Returns `None` for another text.
fn pounds(cell: &str) -> Option<Pence> {
    let (sign, digits) = match cell.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, cell),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "00"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || part.len() > 2 || whole.len() > 12 {
        return None;
    }
    let pence = whole.parse::<i64>().ok()? * 100;
    let part = format!("{part:0<2}").parse::<i64>().ok()?;
    Some(Pence(sign * (pence + part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pounds_are_read_to_the_penny_or_not_at_all() {
        for (text, pence) in [
            ("12", 1200),
            ("12.3", 1230),
            ("-0.05", -5),
            ("1234.56", 123_456),
        ] {
            assert_eq!(pounds(text), Some(Pence(pence)), "{text}");
        }
        for text in [
            "", "-", ".5", "5.", "1.234", "1,000.00", "£5", "+5", "1e3", "--5", "NaN",
        ] {
            assert_eq!(pounds(text), None, "{text}");
        }
    }
}
