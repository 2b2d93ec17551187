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
pub(in crate::app::books) struct ReportLine {
    /// Its place in the file, counted from 1.
    pub(in crate::app::books) at: u64,
    /// What the gateway calls it; a line that is read again has the same name.
    pub(in crate::app::books) name: String,
    /// What the report names what it is about, for people.
    pub(in crate::app::books) reference: String,
    /// Every name of what it is about, the surest first.
    pub(in crate::app::books) names: Vec<String>,
    pub(in crate::app::books) kind: LineKind,
    /// The gateway's word for the kind.
    pub(in crate::app::books) word: String,
    pub(in crate::app::books) payout: Option<String>,
    /// The gateway's own name of the payment, refund or dispute, where the report has it.
    pub(in crate::app::books) source: Option<String>,
    pub(in crate::app::books) gross: Pence,
    pub(in crate::app::books) fee: Pence,
}

impl ReportLine {
    /// What the gateway keeps for its work, pence.
    pub(in crate::app::books) fn charged(&self) -> Pence {
        match self.kind {
            LineKind::Fee => self.fee - self.gross,
            _ => self.fee,
        }
    }
}
