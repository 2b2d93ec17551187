//! A report, its lines, and its errors.

use crate::domain::money::Pence;
use crate::domain::payment::settlement::LineKind;

/// An error in a report, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// An error of the whole file.
    #[error("{0}")]
    File(String),
    /// An error in one line, with the number of the line.
    #[error("line {0}: {1}")]
    Line(u64, String),
}

/// A parsed report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app::accounting) struct Report {
    /// The gateway's name in the configuration.
    pub(in crate::app::accounting) provider: String,
    pub(in crate::app::accounting) lines: Vec<ReportLine>,
    /// The payout totals that the file states: line number, payout and amount.
    pub(in crate::app::accounting) payouts: Vec<(u64, String, Pence)>,
    /// Earlier payouts that the bank returned: the payout that pays the money again, and the
    /// amount. These amounts are not posted, because the lines of the earlier payout were posted.
    pub(in crate::app::accounting) returned: Vec<(String, Pence)>,
}

impl Report {
    pub(super) fn new(provider: &str) -> Self {
        Self {
            provider: provider.to_string(),
            lines: Vec::new(),
            payouts: Vec::new(),
            returned: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app::accounting) struct ReportLine {
    /// The line number in the file, counted from 1.
    pub(in crate::app::accounting) line_number: u64,
    /// The name that identifies the line at its gateway. A line that is read again has the same
    /// name.
    pub(in crate::app::accounting) name: String,
    /// One of `names` for people, or the transaction's id if `names` is empty.
    pub(in crate::app::accounting) reference: String,
    /// The references of the line's subject and of its payment. The subject's own references come
    /// first.
    pub(in crate::app::accounting) names: Vec<String>,
    pub(in crate::app::accounting) kind: LineKind,
    /// The report's word for the kind.
    pub(in crate::app::accounting) word: String,
    pub(in crate::app::accounting) payout: Option<String>,
    /// The gateway's own reference of the subject. A plain file has none.
    pub(in crate::app::accounting) source: Option<String>,
    pub(in crate::app::accounting) gross: Pence,
    pub(in crate::app::accounting) fee: Pence,
}

impl ReportLine {
    /// Returns the gateway's fee, in pence. A line of kind `Fee` has the fee as a negative `gross`.
    pub(in crate::app::accounting) fn gateway_fee(&self) -> Pence {
        match self.kind {
            LineKind::Fee => self.fee - self.gross,
            _ => self.fee,
        }
    }
}
