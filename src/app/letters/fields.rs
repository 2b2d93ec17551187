//! The fields of templates that have fields of their own, and those that several letters share.

use serde::{Deserialize, Serialize};

use crate::domain::payment::refund::RefundRoute;

/// Fields that the letters about a policy share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PolicyFields {
    pub product: String,
    pub reference: String,
    /// Page of the policy and its documents.
    pub policy_page: String,
    /// The part of this page with the monthly payments.
    pub payments_page: String,
    /// Whether the policy covers single trips, which are never renewed.
    pub is_single_trip: bool,
    /// How to set a first password; none if an account owns the policy or the user has a password.
    pub first_password: Option<FirstPassword>,
    /// The letter's documents; none if no document belongs to it.
    pub enclosures: Option<DocumentFields>,
}

/// The documents of a letter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DocumentFields {
    /// Titles of the attached documents.
    pub attached: Vec<String>,
    /// Page with the documents, if they are not attached.
    pub page: Option<String>,
    /// Whether the documents were not ready in time.
    pub is_late: bool,
}

/// How to set a first password for a policy that no account owns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstPassword {
    /// A link that is valid for 7 days and works once.
    pub link: String,
    /// Code with the same effect as the link, for the page of the payment. Only a letter after a purchase has
    /// a code.
    pub code: Option<String>,
    /// Page that mails another link.
    pub password_page: String,
}

/// Fields that the letters about a payment share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PaymentFields {
    pub product: String,
    /// Reference of the quote or policy.
    pub reference: String,
    pub is_policy: bool,
    /// Whether the payment is a policy's, and the policy has ended.
    pub has_ended: bool,
    /// Whether the payment was for monthly payments that are unpaid again.
    pub is_due_again: bool,
    /// Page of the policy's payments. A quote has no such page.
    pub payments_page: String,
    pub payment_date: String,
    /// Whether the payment bought nothing because it was too late for the cover's start.
    pub is_too_late: bool,
}

/// Price of a quote, and the last day of that price.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeldPrice {
    pub amount: String,
    pub last_day: String,
}

/// The reason why underwriting does not sell the quote with its current answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// Whether underwriting declined the quote. If false, a person reviews the quote.
    pub is_declined: bool,
    /// The product's text for the reason.
    pub reason: String,
}

/// The policy before or after the letter's policy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AdjacentPolicy {
    pub reference: String,
    /// The last day of an earlier policy, or the first day of a later policy.
    pub day: String,
}

/// Money of a change. All fields are none if nothing is paid or refunded.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChangeMoney {
    pub paid: Option<String>,
    /// Whether the amount is spread over the monthly payments that are left.
    pub is_spread: bool,
    /// Part of `paid` that the customer got back by a dispute or a reversal.
    pub returned_by_bank: Option<String>,
    pub refund: Option<Vec<RefundAmount>>,
}

/// An agreed change that was cancelled together with the policy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CancelledChange {
    /// Former first day of the change.
    pub effective_date: String,
    pub refund: Vec<RefundAmount>,
}

/// The monthly payments that are not collected any more.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoppedPaymentFields {
    pub count: u32,
    pub total: String,
}

/// The end of a policy that comes before its end for unpaid payments.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EarlierEnd {
    pub last_day: String,
    /// Whether the customer has requested the end. If false, it is the end of the term.
    pub is_requested: bool,
}

/// What a payment was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaidFor {
    Cover,
    Change,
    MonthlyPayments,
}

/// The amount of a refund by one route.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefundAmount {
    pub route: RefundRoute,
    pub amount: String,
}

/// How to renew a policy after its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LateRenewal {
    pub last_day: String,
    /// Page of the renewal quote.
    pub renewal_page: String,
}
