//! A line of a report, and the errors of a report.

use crate::domain::money::Pence;
use crate::domain::payment::settlement::LineKind;

/// The error of a report that can't be parsed, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The whole file.
    #[error("{0}")]
    File(String),
    /// One line, by its number.
    #[error("line {0}: {1}")]
    Line(u64, String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app::accounting) struct ReportLine {
    /// The line number in the file, counted from 1.
    pub(in crate::app::accounting) line_number: u64,
    /// The key of the line. A line that is read again has the same key.
    pub(in crate::app::accounting) name: String,
    /// The reference of the line's subject, for people.
    pub(in crate::app::accounting) reference: String,
    /// Every reference of the line's subject, the most reliable first.
    pub(in crate::app::accounting) names: Vec<String>,
    pub(in crate::app::accounting) kind: LineKind,
    /// The gateway's word for the kind.
    pub(in crate::app::accounting) word: String,
    pub(in crate::app::accounting) payout: Option<String>,
    /// The gateway's own reference of the payment, refund or dispute, if the report has it.
    pub(in crate::app::accounting) source: Option<String>,
    pub(in crate::app::accounting) gross: Pence,
    pub(in crate::app::accounting) fee: Pence,
}

impl ReportLine {
    /// Returns the gateway's fee, pence.
    pub(in crate::app::accounting) fn gateway_fee(&self) -> Pence {
        match self.kind {
            LineKind::Fee => self.fee - self.gross,
            _ => self.fee,
        }
    }
}
