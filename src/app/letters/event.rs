//! The letters, with what the template of each is given. Amounts and dates are texts, ready to be read.
//! docs/OPERATING.md lists the same for whoever writes a template.
//!
//! A letter about a quote carries no text that a visitor was free to type: anybody can type another's
//! address. It names options in the product's words, and registration marks, which have been checked
//! (`domain::summary::for_letter`).

use serde::{Deserialize, Serialize};

use crate::domain::money::Pence;
use crate::domain::payment::refund::{RefundPart, RefundRoute};

/// A letter: what happened, and the policy or the payment that it is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Letter {
    #[serde(flatten)]
    pub event: LetterEvent,
    #[serde(flatten)]
    pub shared: SharedFields,
}

/// What several letters share.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SharedFields {
    Policy(PolicyFields),
    Payment(PaymentFields),
    None {},
}

impl From<LetterEvent> for Letter {
    fn from(event: LetterEvent) -> Self {
        let shared = SharedFields::None {};
        Self { event, shared }
    }
}

/// What happened. The variant names the template: `QuoteSaved` is `quote-saved.txt`, which begins with when
/// it is sent. Links are whole addresses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "letter", rename_all = "kebab-case")]
pub enum LetterEvent {
    QuoteSaved {
        product: String,
        reference: String,
        resume_link: String,
        choices: Option<String>,
        held_price: Option<HeldPrice>,
        /// Whether it is for trips, which have days of their own.
        is_for_trips: bool,
        refusal: Option<Refusal>,
        /// The last day on which the link opens it.
        open_until: String,
        /// For an address that is new here.
        password_link: Option<String>,
    },
    FirstPassword {
        /// 7 days, once.
        link: String,
    },
    ResetPassword {
        /// 1 hour, once.
        link: String,
    },
    PasswordChanged {
        password_page: String,
    },
    ConfirmAddress {
        /// To a page that asks for one press.
        link: String,
    },
    AddressChanged,
    AddressChangeAsked {
        password_page: String,
    },
    AddressTaken {
        /// To a new password for that account: 1 hour, once.
        link: String,
    },
    Bought {
        /// Who to call in a breakdown or loss.
        help_phone: String,
        help_hours: Option<String>,
        /// Moment from which what happens is covered.
        cover_begins: String,
        /// The policy that it renews, while that covers.
        previous_policy: Option<AdjacentPolicy>,
        expiry: String,
        paid: String,
        /// Whether there can be a next year: not after a single trip.
        is_renewable: bool,
        charge_date: Option<String>,
    },
    ChangeMade {
        effective_date: String,
        changes: Vec<String>,
        money: ChangeMoney,
        /// When it was asked for, where that was before its day.
        request_date: Option<String>,
    },
    ChangeAgreed {
        effective_date: String,
        changes: Vec<String>,
        money: ChangeMoney,
    },
    ChangeWithdrawn {
        effective_date: String,
        changes: Vec<String>,
        refund: Vec<RefundAmount>,
    },
    Cancelled {
        /// First day without cover.
        effective_date: String,
        /// Last day that was covered to its end; none where there is none.
        last_day: Option<String>,
        /// Whether it ended in the course of the first day, and not as it began.
        is_immediate: bool,
        /// Whether it ended before its cover began.
        is_before_start: bool,
        refund: Vec<RefundAmount>,
        cancelled_change: Option<CancelledChange>,
        /// The next year, where it is bought.
        next_policy: Option<AdjacentPolicy>,
    },
    CancellationAgreed {
        /// First day without cover.
        effective_date: String,
        /// Last day that is covered to its end; none where the cover never begins.
        last_day: Option<String>,
        /// What comes back then.
        refund: Vec<RefundAmount>,
        cancelled_change: Option<CancelledChange>,
        /// The next year, where it is bought.
        next_policy: Option<AdjacentPolicy>,
    },
    CancellationWithdrawn {
        /// What would have been the first day without cover.
        effective_date: String,
        expiry: String,
        /// The change that never comes all the same.
        cancelled_change: Option<CancelledChange>,
    },
    NotTakenUp {
        refund: Vec<RefundAmount>,
        cancelled_change: Option<CancelledChange>,
        /// The policy that it was to renew, while that is live.
        previous_policy: Option<AdjacentPolicy>,
    },
    RenewalQuoted {
        /// Last day of the current cover.
        expiry: String,
        /// First day of the renewed cover.
        renewal_start: String,
        /// What the cover costs now.
        current_price: String,
        /// What it will cost; none while answers are missing.
        price: Option<String>,
        /// What a new customer would pay today; none where that can't be said.
        new_customer_price: Option<String>,
        /// When its card is charged, where it renews by itself.
        charge_date: Option<String>,
        /// First day of an agreed change that both prices count in.
        change_date: Option<String>,
        /// The page of the renewal quote.
        renewal_page: String,
        /// What every renewal comes with (ICOBS 6.5.1).
        comparison: String,
    },
    NotRenewable {
        expiry: String,
        /// In underwriting's words.
        reason: String,
    },
    CardRefused {
        expiry: String,
        /// None while answers are missing.
        price: Option<String>,
        renewal_page: String,
    },
    NotRenewed {
        expiry: String,
    },
    CardUnclear {
        expiry: String,
        /// Whether the last day is over.
        has_ended: bool,
    },
    Ended {
        expiry: String,
        late_renewal: Option<LateRenewal>,
        /// Whether its card was charged for the next year, and nobody has said yet whether it paid.
        is_charge_pending: bool,
        /// Where new cover is bought, if the policy was to renew by itself and no card was charged.
        new_quote_page: Option<String>,
    },
    Surplus {
        amount: String,
        /// Whether a bank decides a dispute of it now.
        is_disputed: bool,
    },
    RefundOwed {
        amount: String,
        /// Whether it was made and came back.
        is_returned: bool,
        /// Whether it is of a payment that bought nothing.
        is_surplus: bool,
    },
    RefundPaid {
        amount: String,
        /// By bank transfer; otherwise the customer had it already.
        is_by_transfer: bool,
    },
    Disputed {
        amount: String,
    },
    DisputeLost {
        amount: String,
        /// What of it we owed them as a refund.
        owed_refund: Option<String>,
        /// Whether their bank has decided it.
        is_decided: bool,
    },
    DisputeWon {
        /// What goes back to them of the same payment, and waited for that.
        owed_refund: Option<String>,
    },
}

/// What the letters about a policy share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PolicyFields {
    pub product: String,
    pub reference: String,
    /// The page of the policy and its documents.
    pub policy_page: String,
    /// Whether it covers single trips, which are never renewed.
    pub is_single_trip: bool,
    /// None where the policy is in an account.
    pub first_password: Option<FirstPassword>,
}

/// How the mailbox of a policy that is in no account sets a first password.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstPassword {
    /// 7 days, once.
    pub link: String,
    /// The code that does the same on the page where the policy was paid.
    pub code: Option<String>,
    /// The page that mails another link.
    pub password_page: String,
}

/// What the letters about a payment share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PaymentFields {
    pub product: String,
    /// Of the quote or the policy.
    pub reference: String,
    pub is_policy: bool,
    /// When it was paid what the money comes back from.
    pub payment_date: String,
    /// Whether the payment bought nothing because it came too late to start the cover.
    pub is_too_late: bool,
}

/// What a quote costs, and the last day of that.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeldPrice {
    pub amount: String,
    pub last_day: String,
}

/// That underwriting doesn't sell a quote as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// Whether it was declined; otherwise a person looks at it.
    pub is_declined: bool,
    /// In the product's words.
    pub reason: String,
}

/// The policy before or after the one that a letter is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AdjacentPolicy {
    pub reference: String,
    /// Of the policy before, its last day as things stand; of that after, its first.
    pub day: String,
}

/// The money of a change; all none where it costs nothing, and nothing comes back.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChangeMoney {
    pub paid: Option<String>,
    /// What of it their bank has given back to the customer for a dispute.
    pub returned_by_bank: Option<String>,
    pub refund: Option<Vec<RefundAmount>>,
}

/// An agreed change that never comes, because the policy ends before it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CancelledChange {
    /// What would have been its first day.
    pub effective_date: String,
    pub refund: Vec<RefundAmount>,
}

/// What comes back in one way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefundAmount {
    pub route: RefundRoute,
    pub amount: String,
}

/// How a policy that is over can still be renewed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LateRenewal {
    pub last_day: String,
    /// The page of the renewal quote.
    pub renewal_page: String,
}

/// What comes back, each sum with its way.
pub fn format_refunds(parts: &[RefundPart]) -> Vec<RefundAmount> {
    let amounts = parts.iter().map(|part| RefundAmount {
        route: part.route,
        amount: format_amount(part.amount),
    });
    amounts.collect()
}

/// An amount as letters have it.
pub fn format_amount(amount: Pence) -> String {
    in_ascii(&amount.to_string())
}

/// An amount as letters have it, where there is any.
pub fn format_positive(amount: Pence) -> Option<String> {
    (amount > Pence::ZERO).then(|| format_amount(amount))
}

/// A letter's words are ASCII, so that no mail server has to encode them.
pub fn in_ascii(text: &str) -> String {
    text.replace('\u{a3}', "GBP ")
}
