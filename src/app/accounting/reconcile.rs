//! `layby reconcile`: compares a gateway's payout report with our records, line by line. Posts
//! matching lines of a payout to the ledger as paid to the bank. Stores every line, and reports the
//! lines that do not match.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::AppError;
use crate::app::accounting::compare::{Compared, import_line};
use crate::app::accounting::late::late;
use crate::app::accounting::refund_names::add_refund_ids;
use crate::app::accounting::report::{self, Report, ReportError, ReportLine};
use crate::config::Config;
use crate::domain::money::Pence;
use crate::domain::payment::settlement::LineOutcome;
use crate::domain::time::dates::{format_long, london_date};
use crate::store::tables::SETTLEMENT_LINES;
use crate::store::{Read, Store, StoreError};

/// Lines per transaction. A line and its ledger entry are stored in one transaction.
const BATCH_SIZE: usize = 100;
/// The maximum size of a report, in bytes. A person must request a longer report in parts.
pub const MAX_REPORT_BYTES: u64 = 16 << 20;

/// A report to compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconciliation {
    /// The gateway's name in the configuration. The reports of Stripe and Global Payments need none.
    pub gateway: Option<String>,
    pub report: String,
}

/// The error of a report that can't be stored or does not match.
#[derive(Debug, thiserror::Error)]
pub enum ReconcileError {
    /// The report can't be parsed. Nothing of the report is stored.
    #[error("{0}; nothing of the file was taken in")]
    Report(#[from] ReportError),
    /// The report was stored. Some lines do not match our records, or some payouts differ from the
    /// sum of their lines. The values are the number of these errors and the number of lines.
    #[error("there are lines that don't agree with the books: {0} of {1}")]
    Mismatched(usize, usize),
    /// The store failed. Lines of earlier transactions stay stored, and the file can be read again.
    #[error("{}; the file can be taken in again", .0.log_text())]
    Store(#[from] AppError),
}

/// Compares a report with our records, and appends the results to `output` as lines of text. `config` has the
/// working days of a payout. The shop may be running.
///
/// # Errors
/// If the report can't be parsed, a line or a payout's total does not match, or the store fails.
pub async fn execute(
    (store, config): (&Store, &Config),
    order: &Reconciliation,
    now: DateTime<Utc>,
    output: &mut Vec<String>,
) -> Result<(), ReconcileError> {
    let mut report = report::read(&order.report, order.gateway.as_deref())?;
    store.read(|tx| add_refund_ids(tx, &mut report)).await?;
    let mut sums = Totals::default();
    for lines in report.lines.chunks(BATCH_SIZE) {
        let (provider, reported) = (report.provider.clone(), lines.to_vec());
        let compared = store
            .write(move |tx| {
                let each = reported
                    .iter()
                    .map(|line| import_line(tx, &provider, line, now));
                each.collect::<Result<Vec<Compared>, AppError>>()
            })
            .await?;
        for (line, compared) in lines.iter().zip(compared) {
            output.extend(sums.count(line, &compared));
        }
    }
    for (payout, (net, fees)) in &sums.payouts {
        output.push(format!(
            "payout {payout}: {net} to the bank, {fees} in fees"
        ));
    }
    let provider = report.provider.clone();
    let working_days = config.payments.payout_working_days(&provider);
    let (late, payouts) = store
        .read(|tx| {
            Ok::<_, AppError>((
                late(tx, (&provider, working_days), now)?,
                payout_totals(tx, &report)?,
            ))
        })
        .await?;
    let mut wrong_payouts = 0;
    for (line_number, payout, payout_lines) in &report.payouts {
        let back = report.returned.iter().filter(|(with, _)| with == payout);
        let back: Pence = back.map(|(_, amount)| *amount).sum();
        if back != Pence::ZERO {
            output.push(format!(
                "payout {payout}: {back} of it was paid out before and sent back by the bank"
            ));
        }
        let total_of_payout =
            |sums: &BTreeMap<String, Pence>| sums.get(payout).copied().unwrap_or_default();
        let net = total_of_payout(&sums.reported) + back;
        // Other files may contain the payout's other lines, so the sum of all stored lines may match too. The
        // sign does not matter: some reports state a payout as a negative amount.
        let is_told = |net: Pence| net == *payout_lines || net == -*payout_lines;
        if !is_told(net) && !is_told(total_of_payout(&payouts) + back) {
            wrong_payouts += 1;
            output.push(format!(
                "line {line_number}: payout {payout} is of {payout_lines}, but its lines make {net}"
            ));
        }
    }
    for one in &late {
        let day = format_long(london_date(one.since));
        output.push(format!(
            "late: {} of {day}, {}, policy {}",
            one.subject, one.amount, one.policy
        ));
    }
    let [settled, recorded, waiting, mismatched, unknown] = sums.counts;
    output.push(format!(
        "{} lines: {} matched, of which {settled} are new to the ledger, {recorded} were there and \
         {waiting} are in no payout yet; {mismatched} mismatched; {unknown} unknown. {} of ours are \
         in no payout for {working_days} working days",
        report.lines.len(),
        settled + recorded + waiting,
        late.len(),
    ));
    match mismatched + unknown + wrong_payouts {
        0 => Ok(()),
        wrong => Err(ReconcileError::Mismatched(wrong, report.lines.len())),
    }
}

/// Returns the net sum of the stored lines of each payout whose total the report states, in pence.
fn payout_totals(tx: &impl Read, report: &Report) -> Result<BTreeMap<String, Pence>, StoreError> {
    let mut sums = BTreeMap::new();
    if report.payouts.is_empty() {
        return Ok(sums);
    }
    let is_told = |name: &str| report.payouts.iter().any(|(_, payout, _)| payout == name);
    for row in SETTLEMENT_LINES.rows(tx, &()) {
        let (_, line) = row?;
        if let Some(payout) = &line.payout
            && line.provider == report.provider
            && is_told(payout)
        {
            *sums.entry(payout.clone()).or_default() += line.net();
        }
    }
    Ok(sums)
}

#[derive(Default)]
struct Totals {
    /// The amounts newly posted for each payout, in pence: to the bank, and fees.
    payouts: BTreeMap<String, (Pence, Pence)>,
    /// The net sum of each payout's lines in the report, in pence, whatever their results.
    reported: BTreeMap<String, Pence>,
    counts: [usize; 5],
}

impl Totals {
    /// Counts a line's result. Returns an error text if a person must check the line.
    fn count(&mut self, reported: &ReportLine, compared: &Compared) -> Option<String> {
        let line = &compared.line;
        let payout = reported.payout.clone().unwrap_or_default();
        *self.reported.entry(payout.clone()).or_default() += line.net();
        let (place, is) = match line.outcome {
            LineOutcome::Settled if compared.posted => (0, "new"),
            LineOutcome::Settled => (1, "known"),
            LineOutcome::Waiting => (2, "waiting"),
            LineOutcome::Mismatched => (3, "mismatched"),
            LineOutcome::Unknown => (4, "unknown"),
        };
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
        if compared.posted {
            let sums = self.payouts.entry(payout).or_default();
            sums.0 += line.net();
            sums.1 += reported.gateway_fee();
        }
        line.outcome.needs_a_person().then(|| {
            let why = line.why.as_deref().unwrap_or_default();
            let (line_number, word, reference, gross) = (
                reported.line_number,
                &reported.word,
                &line.reference,
                line.gross,
            );
            format!("line {line_number}: {is}: {word} {reference} of {gross}: {why}")
        })
    }
}
