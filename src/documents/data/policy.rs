//! What the documents of a policy say.

use serde::Serialize;

use super::parts::{Addressee, Amount, GroupTable, Head, Points, Sum, TableRow};

/// The policy schedule.
#[derive(Clone, Debug, Serialize)]
pub struct Schedule {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// What was bought, in short lines.
    pub cover: Vec<String>,
    /// Policy number, first and last day, and when cover begins.
    pub period: Vec<TableRow>,
    /// What was answered.
    pub groups: Vec<GroupTable>,
    /// How the price is made up.
    pub price: Sum,
    /// Whether it was changed since it was bought: what was paid is another sum than the price.
    pub changed: bool,
    /// What was declared, and what is taken for granted.
    pub declared: Vec<Points>,
}

/// The demands and needs statement.
#[derive(Clone, Debug, Serialize)]
pub struct DemandsAndNeeds {
    /// Head and foot.
    pub head: Head,
    /// The customer.
    pub to: Addressee,
    /// What they need, a sentence each.
    pub needs: Vec<String>,
    /// What was chosen, in short lines.
    pub cover: Vec<String>,
}

/// The receipt.
#[derive(Clone, Debug, Serialize)]
pub struct Receipt {
    /// Head and foot.
    pub head: Head,
    /// Who paid.
    pub to: Addressee,
    /// When, what for, by which means.
    pub about: Vec<TableRow>,
    /// What was paid for.
    pub price: Sum,
    /// What was paid.
    pub paid: String,
}

/// What a change changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeRow {
    /// The answer's name.
    pub label: String,
    /// What it was; empty where there was none.
    pub before: String,
    /// What it is now; empty where there is none.
    pub after: String,
}

/// Which way money goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceDirection {
    /// The customer has paid it.
    Paid,
    /// It goes back to the customer.
    Returned,
    /// There is none.
    Nothing,
}

/// The document about a change.
#[derive(Clone, Debug, Serialize)]
pub struct AdjustmentDocument {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The day from which it counts.
    pub effective: String,
    /// What was added or removed, a line each.
    pub whole: Vec<String>,
    /// The answers that changed.
    pub changes: Vec<ChangeRow>,
    /// A year's premium before.
    pub premium_before: String,
    /// A year's premium after.
    pub premium_after: String,
    /// How the amount comes about: `Charged for 280 of 365 days`.
    pub share: String,
    /// The amount, line by line, and what it comes to, without a sign.
    pub sum: Sum,
    /// Which way it went.
    pub direction: PriceDirection,
    /// What becomes of the money, a sentence each.
    pub money_notes: Vec<String>,
}

/// The document about cover that was ended.
#[derive(Clone, Debug, Serialize)]
pub struct CancellationDocument {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The first day without cover.
    pub effective: String,
    /// The last day that was covered to its end; empty where the cover ended at once, or never began.
    pub last_day: String,
    /// Whether the cover ended in the course of the first day without it, and not as that day began.
    pub at_once: bool,
    /// What became of a change that was agreed for a later day; empty where there was none.
    pub dropped: String,
    /// Whether it ended before its cover began.
    pub never: bool,
    /// Why, in the customer's choice of words from a list; empty where none was asked for.
    pub reason: String,
    /// Whether it was undone before it began.
    pub not_taken_up: bool,
    /// The refund, line by line.
    pub refund: Sum,
    /// Whether any money goes back.
    pub refunded: bool,
    /// What becomes of the money, a sentence each.
    pub money_notes: Vec<String>,
}

/// The renewal notice.
#[derive(Clone, Debug, Serialize)]
pub struct RenewalNotice {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// What a year of the current cover costs, changes included.
    pub price_last_year: String,
    /// The price of the next year.
    pub price: String,
    /// What a new customer would pay today; none where that can't be said.
    pub price_new_customer: Option<String>,
    /// Why they differ; the lines lead from the current cover's price to the next year's.
    pub differences: Vec<Amount>,
    /// First day of the next year.
    pub starts: String,
    /// Last day of the current cover.
    pub last_day: String,
    /// Whether the policy is in an account.
    pub in_account: bool,
    /// Whether it renews by itself.
    pub auto_renew: bool,
    /// When the card is charged, where it does.
    pub charge_on: Option<String>,
    /// What the next year covers, in short lines.
    pub cover: Vec<String>,
}
