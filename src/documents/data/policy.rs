//! The data of a policy's documents.

use serde::Serialize;

use super::parts::{Addressee, Amount, GroupTable, Head, Points, Sum, TableRow};

/// The policy schedule.
#[derive(Clone, Debug, Serialize)]
pub struct Schedule {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The cover that was bought, in short lines.
    pub cover: Vec<String>,
    /// Policy number, first and last day, and when cover begins.
    pub period: Vec<TableRow>,
    /// The answers.
    pub groups: Vec<GroupTable>,
    /// The price, line by line.
    pub price: Sum,
    /// The number of payments of a policy that is paid monthly.
    pub monthly_payments: Option<usize>,
    /// Whether the policy was changed since it was bought. The paid amount may then differ from the
    /// price.
    pub changed: bool,
    /// The customer's declarations and the assumptions.
    pub declared: Vec<Points>,
}

/// The demands and needs statement.
#[derive(Clone, Debug, Serialize)]
pub struct DemandsAndNeeds {
    /// Head and foot.
    pub head: Head,
    /// The customer.
    pub to: Addressee,
    /// The customer's needs, a sentence each.
    pub needs: Vec<String>,
    /// The chosen cover, in short lines.
    pub cover: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Receipt {
    /// Head and foot.
    pub head: Head,
    /// The payer.
    pub to: Addressee,
    /// The date, subject and means of the payment.
    pub facts: Vec<TableRow>,
    /// The price, line by line.
    pub price: Sum,
    /// The label of the price's total.
    pub total_label: String,
    /// The paid amount.
    pub paid: String,
}

/// One payment of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanPaymentRow {
    /// The day on which the payment is due.
    pub day: String,
    pub amount: String,
    pub is_paid: bool,
}

/// The payments of a policy that is paid monthly.
#[derive(Clone, Debug, Serialize)]
pub struct PaymentPlanDocument {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The payments, paid or not, in order.
    pub payments: Vec<PlanPaymentRow>,
    /// The sum of the payments.
    pub total: String,
    /// Whether a card can be charged for the payments.
    pub has_card: bool,
    /// The last four digits of the card that is charged. `None` if they are unknown.
    pub last_four: Option<String>,
    /// Whether the policy is in an account.
    pub in_account: bool,
}

/// One changed answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeRow {
    /// The question.
    pub label: String,
    /// The earlier value, or an empty text if there was none.
    pub before: String,
    /// The new value, or an empty text if there is none.
    pub after: String,
}

/// The direction in which money moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceDirection {
    /// The customer has paid the amount.
    Paid,
    /// The amount goes back to the customer.
    Returned,
    /// The amount is spread over the monthly payments that are left.
    Spread,
    /// No money moves.
    Nothing,
}

/// The document about a change.
#[derive(Clone, Debug, Serialize)]
pub struct AdjustmentDocument {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The effective day of the change.
    pub effective: String,
    /// What was added or removed, a line each.
    pub whole: Vec<String>,
    /// The answers that changed.
    pub changes: Vec<ChangeRow>,
    /// The premium of the whole term before the change.
    pub premium_before: String,
    /// The premium of the whole term after the change.
    pub premium_after: String,
    /// The basis of the amount: `Charged for 280 of 365 days`.
    pub share: String,
    /// The amount, line by line, and its total without a sign.
    pub sum: Sum,
    /// The direction in which the amount moves.
    pub direction: PriceDirection,
    /// The effect on the customer's money, a sentence each.
    pub money_notes: Vec<String>,
}

/// The document about cover that was ended.
#[derive(Clone, Debug, Serialize)]
pub struct CancellationDocument {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The effective day of the cancellation: the first day without cover.
    pub effective: String,
    /// The last day that was covered to its end. Empty if the cover ended at once or never began.
    pub last_day: String,
    /// Whether the cover ended during the effective day, and not at the start of that day.
    pub is_immediate: bool,
    /// The text about a dropped change that was agreed for a later day. Empty if there was none.
    pub dropped: String,
    /// Whether the policy ended before its cover began.
    pub never: bool,
    /// The reason, from a list. Empty if the policy was not taken up.
    pub reason: String,
    /// Whether the policy was undone before its inception.
    pub not_taken_up: bool,
    /// Whether the shop cancelled the policy.
    pub is_by_shop: bool,
    /// The sentence about the monthly payments that stop. Empty if there are none.
    pub stopped: String,
    /// Whether the price of the days with cover counts, and not all that was paid comes back.
    pub is_earned: bool,
    /// The refund, line by line.
    pub refund: Sum,
    /// Whether the customer gets a refund.
    pub refunded: bool,
    /// The effect on the customer's money, a sentence each.
    pub money_notes: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RenewalNotice {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The price of a year of the current cover, changes included.
    pub price_last_year: String,
    /// The price of the next year.
    pub price: String,
    /// The price for a new customer today. `None` if it can't be rated.
    pub price_new_customer: Option<String>,
    /// The reasons for the difference in price. The sum of the lines is the next year's price less
    /// the current cover's price.
    pub differences: Vec<Amount>,
    /// First day of the next year.
    pub starts: String,
    /// Last day of the current cover.
    pub last_day: String,
    /// Whether the policy is in an account.
    pub in_account: bool,
    /// Whether the policy renews automatically.
    pub auto_renew: bool,
    /// The day on which the card is charged. `None` if no card is charged.
    pub charge_on: Option<String>,
    /// The payments of the next year if the renewal is charged monthly. Empty otherwise.
    pub payments: Vec<PlanPaymentRow>,
    /// The cover of the next year, in short lines.
    pub cover: Vec<String>,
}
