//! A row of the list of what needs a person.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppError;
use crate::domain::money::Pence;
use crate::store::Read;
use crate::store::tables::QUOTES;

/// An item that needs a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnresolvedRow {
    /// `payment`, `message`, `refund`, `dispute`, `plan`, `card`, `payout line` or `late`.
    pub what: String,
    /// Our id of the item.
    pub id: Option<Uuid>,
    /// The reference of the item's quote or policy.
    pub policy: Option<String>,
    pub gateway: String,
    /// The reference of the item in the gateway's messages or reports.
    pub reference: Option<String>,
    /// The amount. CSV and JSON show pounds.
    pub amount: Pence,
    /// When the payment or dispute was created, the message received, or the line first read. For a refund,
    /// its last change. For a card, when it was stored. For a late item, the time of its first ledger entry.
    pub since: DateTime<Utc>,
    pub facts: String,
    pub to_do: String,
}

impl UnresolvedRow {
    /// The headings of the CSV file: the names of the fields, in the order of the fields.
    pub const NAMES: [&str; 9] = [
        "what",
        "id",
        "policy",
        "gateway",
        "reference",
        "amount",
        "since",
        "facts",
        "to_do",
    ];
}

/// Returns the reference of a quote and its policy, or `None` if there is no such quote.
pub(in crate::app::accounting) fn number(
    tx: &impl Read,
    quote: Uuid,
) -> Result<Option<String>, AppError> {
    Ok(QUOTES.get(tx, &quote)?.map(|quote| quote.reference))
}
