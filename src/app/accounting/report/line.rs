//! A line of a report, or why it is none.

use crate::domain::money::Pence;
use crate::domain::payment::settlement::LineKind;

/// A file that can't be read, in a sentence that says where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The file as a whole.
    #[error("{0}")]
    File(String),
    /// One line of it.
    #[error("line {0}: {1}")]
    Line(u64, String),
}

/// A line of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app::accounting) struct ReportLine {
    /// Its place in the file, counted from 1.
    pub(in crate::app::accounting) line_number: u64,
    /// What the gateway calls it; a line that is read again has the same name.
    pub(in crate::app::accounting) name: String,
    /// What the report names what it is about, for people.
    pub(in crate::app::accounting) reference: String,
    /// Every name of what it is about, the surest first.
    pub(in crate::app::accounting) names: Vec<String>,
    pub(in crate::app::accounting) kind: LineKind,
    /// The gateway's word for the kind.
    pub(in crate::app::accounting) word: String,
    pub(in crate::app::accounting) payout: Option<String>,
    /// The gateway's own name of the payment, refund or dispute, where the report has it.
    pub(in crate::app::accounting) source: Option<String>,
    pub(in crate::app::accounting) gross: Pence,
    pub(in crate::app::accounting) fee: Pence,
}

impl ReportLine {
    /// What the gateway keeps for its work, pence.
    pub(in crate::app::accounting) fn gateway_fee(&self) -> Pence {
        match self.kind {
            LineKind::Fee => self.fee - self.gross,
            _ => self.fee,
        }
    }
}
