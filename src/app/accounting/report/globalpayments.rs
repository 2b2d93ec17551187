//! Parses the settlement reports of Global Payments: JSON answers of the GP API.
//!
//! The official libraries of Global Payments read the same members. An amount is a text with the
//! number of pence. No source defines the sign of an amount. So the kind of an entry decides the
//! sign.

use serde::Deserialize;

use super::line::{Report, ReportError, ReportLine};
use crate::config::GatewayName;
use crate::domain::money::Pence;
use crate::domain::payment::settlement::LineKind;

/// The status of money that the bank has received.
const FUNDED: &str = "FUNDED";

/// An answer to `/settlement/transactions`, `/settlement/disputes` or `/settlement/deposits`.
#[derive(Deserialize)]
struct SettlementReport {
    transactions: Option<Vec<SettledTransaction>>,
    disputes: Option<Vec<SettledDispute>>,
    deposits: Option<Vec<Deposit>>,
}

#[derive(Deserialize)]
struct SettledTransaction {
    id: Option<String>,
    status: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    amount: Option<String>,
    currency: Option<String>,
    reference: Option<String>,
    /// The payment of a refund.
    parent_resource_id: Option<String>,
    deposit_id: Option<String>,
    deposit_status: Option<String>,
}

#[derive(Deserialize)]
struct SettledDispute {
    id: Option<String>,
    status: Option<String>,
    stage: Option<String>,
    /// `DEBIT` if the money was taken, `CREDIT` if the money was returned.
    funding_type: Option<String>,
    amount: Option<String>,
    currency: Option<String>,
    deposit_id: Option<String>,
    transaction: Option<DisputedTransaction>,
}

#[derive(Deserialize)]
struct DisputedTransaction {
    reference: Option<String>,
}

/// A transfer between Global Payments and the shop's bank.
#[derive(Deserialize)]
struct Deposit {
    id: Option<String>,
    status: Option<String>,
    /// `CREDIT` if the bank received the money, `DEBIT` if the money was taken from the bank.
    funding_type: Option<String>,
    amount: Option<String>,
    currency: Option<String>,
    sales: Option<DepositPart>,
    refunds: Option<DepositPart>,
    disputes: Option<DepositDisputes>,
    discounts: Option<DepositPart>,
    tax: Option<DepositPart>,
    fees: Option<DepositPart>,
}

#[derive(Deserialize)]
struct DepositDisputes {
    chargebacks: Option<DepositPart>,
    reversals: Option<DepositPart>,
}

#[derive(Deserialize)]
struct DepositPart {
    amount: Option<String>,
}

/// Parses a report. An entry's line number is its place in the file.
///
/// # Errors
/// If the text is no such report. If an entry has no id, no valid amount, or a currency other than
/// GBP. If a deposit is neither a credit nor a debit, or is not the sum of its parts.
pub(super) fn read(text: &str) -> Result<Report, ReportError> {
    let file: SettlementReport = serde_json::from_str(text).map_err(|error| {
        let why = format!("it is no settlement report of Global Payments: {error}");
        ReportError::File(why)
    })?;
    if file.transactions.is_none() && file.disputes.is_none() && file.deposits.is_none() {
        let why =
            "a settlement report of Global Payments has `transactions`, `disputes` or `deposits`";
        return Err(ReportError::File(why.to_string()));
    }
    let mut report = Report::new(GatewayName::GlobalPayments.name());
    let mut numbers = 1..;
    for (transaction, number) in file.transactions.into_iter().flatten().zip(&mut numbers) {
        report.lines.push(transaction.line(Place(number))?);
    }
    for (dispute, number) in file.disputes.into_iter().flatten().zip(&mut numbers) {
        report.lines.push(dispute.line(Place(number))?);
    }
    for (deposit, number) in file.deposits.into_iter().flatten().zip(&mut numbers) {
        deposit.add_to(&mut report, Place(number))?;
    }
    Ok(report)
}

/// The place of an entry in the file, counted from 1.
#[derive(Clone, Copy)]
struct Place(u64);

impl Place {
    fn fault(self, why: String) -> ReportError {
        ReportError::Line(self.0, why)
    }

    fn id(self, id: Option<String>) -> Result<String, ReportError> {
        filled(id).ok_or_else(|| self.fault("`id` is missing".to_string()))
    }

    fn check_currency(self, currency: Option<String>) -> Result<(), ReportError> {
        let currency = currency.unwrap_or_default();
        if currency.eq_ignore_ascii_case("gbp") {
            return Ok(());
        }
        Err(self.fault(format!(
            "the currency must be GBP, and is `{currency}`: ask for a report of the account in pounds"
        )))
    }

    /// Returns an amount without its sign. A missing or empty amount is zero.
    fn amount(self, amount: Option<String>) -> Result<Pence, ReportError> {
        let amount = amount.unwrap_or_default();
        let digits = amount.strip_prefix('-').unwrap_or(&amount);
        let is_number = (1..=14).contains(&digits.len());
        let is_number = is_number && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && !amount.is_empty() {
            let why = format!("`amount` must be pence such as 1234, and is `{amount}`");
            return Err(self.fault(why));
        }
        Ok(Pence(digits.parse().unwrap_or(0)))
    }

    /// Returns the amount of an entry. Fails if the amount is missing or invalid.
    fn required_amount(self, amount: Option<String>) -> Result<Pence, ReportError> {
        let amount = filled(amount).ok_or_else(|| self.fault("`amount` is missing".to_string()))?;
        self.amount(Some(amount))
    }

    fn part(self, part: Option<DepositPart>) -> Result<Pence, ReportError> {
        self.amount(part.and_then(|part| part.amount))
    }
}

/// Returns a text that is not empty.
fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

impl SettledTransaction {
    fn line(self, place: Place) -> Result<ReportLine, ReportError> {
        let id = place.id(self.id)?;
        place.check_currency(self.currency)?;
        let amount = place.required_amount(self.amount)?;
        let word = self.kind.unwrap_or_default();
        let (kind, gross) = match word.as_str() {
            "SALE" => (LineKind::Payment, amount),
            "REFUND" => (LineKind::Refund, -amount),
            _ => (LineKind::Other, amount),
        };
        let is_funded = |status: &Option<String>| status.as_deref() == Some(FUNDED);
        let is_paid_out = is_funded(&self.status)
            && (is_funded(&self.deposit_status) || filled(self.deposit_status).is_none());
        let reference = filled(self.reference);
        let names = [
            Some(id.clone()),
            reference.clone(),
            filled(self.parent_resource_id),
        ];
        Ok(ReportLine {
            line_number: place.0,
            name: id.clone(),
            reference: reference.unwrap_or_else(|| id.clone()),
            names: names.into_iter().flatten().collect(),
            kind,
            word,
            payout: filled(self.deposit_id).filter(|_| is_paid_out),
            source: Some(id),
            gross,
            fee: Pence::ZERO,
        })
    }
}

impl SettledDispute {
    fn line(self, place: Place) -> Result<ReportLine, ReportError> {
        let id = place.id(self.id)?;
        place.check_currency(self.currency)?;
        let amount = place.required_amount(self.amount)?;
        let funding = self.funding_type.unwrap_or_default();
        let (kind, gross) = match funding.as_str() {
            "DEBIT" => (LineKind::Dispute, -amount),
            "CREDIT" => (LineKind::DisputeReturned, amount),
            _ => (LineKind::Other, amount),
        };
        let is_paid_out = self.status.as_deref() == Some(FUNDED);
        let payout = filled(self.deposit_id).filter(|_| is_paid_out);
        let payment = self.transaction.and_then(|own| filled(own.reference));
        Ok(ReportLine {
            line_number: place.0,
            // A dispute may have several debits and credits, each in a deposit of its own.
            name: format!("{id}|{funding}|{}", payout.as_deref().unwrap_or_default()),
            names: [Some(id.clone()), payment].into_iter().flatten().collect(),
            reference: id.clone(),
            kind,
            word: self.stage.unwrap_or_default(),
            payout,
            source: Some(id),
            gross,
            fee: Pence::ZERO,
        })
    }
}

impl Deposit {
    /// Adds the deposit's total, and a line of the charges that the deposit deducts. Adds nothing
    /// if the deposit is not paid yet. Fails if the deposit is invalid.
    fn add_to(self, report: &mut Report, place: Place) -> Result<(), ReportError> {
        let id = place.id(self.id)?;
        place.check_currency(self.currency)?;
        let amount = place.required_amount(self.amount)?;
        let total = match self.funding_type.as_deref() {
            Some("CREDIT") => amount,
            Some("DEBIT") => -amount,
            other => {
                let word = other.unwrap_or_default();
                let why = format!("`funding_type` must be CREDIT or DEBIT, and is `{word}`");
                return Err(place.fault(why));
            }
        };
        let disputes = self.disputes;
        let (chargebacks, reversals) =
            disputes.map_or((None, None), |own| (own.chargebacks, own.reversals));
        let moved =
            place.part(self.sales)? - place.part(self.refunds)? - place.part(chargebacks)?
                + place.part(reversals)?;
        let charges =
            place.part(self.discounts)? + place.part(self.tax)? + place.part(self.fees)?;
        // Global Payments may bill the charges separately from the deposit.
        let deducted = moved - total;
        if deducted != Pence::ZERO && deducted != charges {
            let why = format!(
                "the deposit is of {total}, but its parts make {moved} less {charges} in charges"
            );
            return Err(place.fault(why));
        }
        if self.status.as_deref() != Some(FUNDED) {
            return Ok(());
        }
        report.payouts.push((place.0, id.clone(), total));
        if deducted != Pence::ZERO {
            report.lines.push(ReportLine {
                line_number: place.0,
                name: format!("{id}|charges"),
                reference: id.clone(),
                names: vec![id.clone()],
                kind: LineKind::Fee,
                word: "charges".to_string(),
                payout: Some(id),
                source: None,
                gross: -deducted,
                fee: Pence::ZERO,
            });
        }
        Ok(())
    }
}
