//! The letters and the fields of their templates. Amounts and dates are formatted texts. docs/OPERATING.md
//! lists the fields for the authors of templates.
//!
//! A letter about a quote has no text that a visitor could type freely: anybody can type another person's
//! address. Such a letter has the product's words for options, and registration marks, which were checked
//! (`domain::quote::summary::for_letter`).

use serde::{Deserialize, Serialize};

use crate::app::letters::fields::{
    AdjacentPolicy, CancelledChange, ChangeMoney, EarlierEnd, HeldPrice, LateRenewal, PaidFor,
    PaymentFields, PolicyFields, RefundAmount, Refusal, StoppedPaymentFields,
};
use crate::domain::money::Pence;
use crate::domain::payment::refund::RefundPart;

/// A letter: the event, and the fields of the event's policy or payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Letter {
    #[serde(flatten)]
    pub event: LetterEvent,
    #[serde(flatten)]
    pub shared: SharedFields,
}

/// Fields that several letters share.
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

/// The event of a letter. The variant names the template: `QuoteSaved` is `quote-saved.txt`. The
/// template's first lines describe when the letter is sent. Links are absolute URLs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "letter", rename_all = "kebab-case")]
pub enum LetterEvent {
    QuoteSaved {
        product: String,
        reference: String,
        resume_link: String,
        choices: Option<String>,
        held_price: Option<HeldPrice>,
        /// Whether the price is for trips instead of a year.
        is_for_trips: bool,
        refusal: Option<Refusal>,
        /// Last day on which the link opens the quote.
        open_until: String,
        /// A link that sets a first password, for an address without a password.
        password_link: Option<String>,
    },
    FirstPassword {
        /// A link that is valid for 7 days and works once.
        link: String,
    },
    ResetPassword {
        /// A link that is valid for 1 hour and works once.
        link: String,
    },
    PasswordChanged {
        password_page: String,
    },
    ConfirmAddress {
        /// Link to a page with a button that confirms the new address.
        link: String,
    },
    AddressChanged,
    AddressChangeAsked {
        password_page: String,
    },
    AddressTaken {
        /// Link to set a new password of the existing account: valid 1 hour, works once.
        link: String,
    },
    Bought {
        /// Phone number for a breakdown or loss.
        help_phone: String,
        help_hours: Option<String>,
        /// The chosen cover and the registrations.
        choices: Option<String>,
        /// Moment from which events are covered.
        cover_begins: String,
        /// Last day on which a cancellation refunds everything. None for a short trip, which has no such day.
        cooling_off_end: Option<String>,
        /// The policy that this policy renews, if the renewed policy covers today and is not to be cancelled.
        previous_policy: Option<AdjacentPolicy>,
        expiry: String,
        paid: String,
        /// Whether the policy can be renewed. A policy for single trips can't.
        is_renewable: bool,
        charge_date: Option<String>,
    },
    RenewedByCard {
        help_phone: String,
        help_hours: Option<String>,
        choices: Option<String>,
        cover_begins: String,
        cooling_off_end: Option<String>,
        /// The policy that this policy renews.
        previous_policy: Option<AdjacentPolicy>,
        expiry: String,
        paid: String,
        /// Last digits of the charged card, if the gateway reports them.
        card: Option<String>,
        charge_date: Option<String>,
    },
    RenewalReminder {
        /// Last day of the current cover.
        expiry: String,
        renewal_start: String,
        renewal_price: String,
        /// The first payment, if the card is charged monthly.
        first_payment: Option<String>,
        payment_date: String,
        card: Option<String>,
        /// What is due of this year's plan. The card is charged only if it is paid.
        arrears: Option<String>,
        renewal_page: String,
    },
    ChangeMade {
        effective_date: String,
        changes: Vec<String>,
        money: ChangeMoney,
        /// Day when the customer agreed to the change, if the change came into force later.
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
        /// First day without cover. If `is_immediate`, the day on which cover ended.
        effective_date: String,
        /// Last day that is covered to its end, if there is one.
        last_day: Option<String>,
        /// Whether cover ended during the effective day, not at its start.
        is_immediate: bool,
        /// Whether the policy ended before its cover began.
        is_before_start: bool,
        refund: Vec<RefundAmount>,
        cancelled_change: Option<CancelledChange>,
        stopped_payments: Option<StoppedPaymentFields>,
        /// The next year's policy, if bought.
        next_policy: Option<AdjacentPolicy>,
    },
    CancellationAgreed {
        /// First day without cover.
        effective_date: String,
        /// Last day that is covered to its end; none if cover never begins.
        last_day: Option<String>,
        /// Refund on the effective day.
        refund: Vec<RefundAmount>,
        cancelled_change: Option<CancelledChange>,
        /// The monthly payments that are due on the effective day or later.
        stopped_payments: Option<StoppedPaymentFields>,
        /// The next year's policy, if bought.
        next_policy: Option<AdjacentPolicy>,
    },
    /// The shop is to end the policy on a later day.
    EndNotice {
        cause: String,
        /// Last day of cover. None if cover never begins.
        last_day: Option<String>,
        /// Refund after the last day.
        refund: Vec<RefundAmount>,
        cancelled_change: Option<CancelledChange>,
        stopped_payments: Option<StoppedPaymentFields>,
        /// The next year's policy, if bought.
        next_policy: Option<AdjacentPolicy>,
    },
    CancellationWithdrawn {
        /// Former first day without cover.
        effective_date: String,
        expiry: String,
        /// Whether the shop withdrew its notice, and not the customer the cancellation.
        is_notice: bool,
        /// A cancelled change, which stays cancelled.
        cancelled_change: Option<CancelledChange>,
        /// Last day of cover, unless all that is due of the monthly payments is paid.
        unpaid_end: Option<String>,
    },
    NotTakenUp {
        refund: Vec<RefundAmount>,
        cancelled_change: Option<CancelledChange>,
        stopped_payments: Option<StoppedPaymentFields>,
        /// The earlier policy that this policy renews, if the earlier policy is live.
        previous_policy: Option<AdjacentPolicy>,
    },
    RenewalQuoted {
        /// Last day of the current cover.
        expiry: String,
        /// First day of the renewed cover.
        renewal_start: String,
        /// Price of the current cover.
        current_price: String,
        /// Renewal price; none while answers are missing.
        price: Option<String>,
        /// Today's price for a new customer; none if it can't be calculated.
        new_customer_price: Option<String>,
        /// Day of the card charge, if the policy renews automatically and the price is known.
        charge_date: Option<String>,
        /// The payments of the next term, if the card is charged monthly.
        payments: Vec<String>,
        /// First day of an agreed change that both prices include.
        change_date: Option<String>,
        /// Page of the renewal quote.
        renewal_page: String,
        /// Comparison text that every renewal must have (ICOBS 6.5.1).
        comparison: String,
    },
    NotRenewable {
        expiry: String,
        /// The underwriting rule's text.
        reason: String,
    },
    CardRefused {
        expiry: String,
        /// Renewal price; none while answers are missing.
        price: Option<String>,
        /// Day on which the card is charged again.
        next_try: Option<String>,
        /// What is due of the monthly payments, if the card was not charged because of it.
        arrears: Option<String>,
        renewal_page: String,
    },
    NotRenewed {
        expiry: String,
    },
    CardUnclear {
        expiry: String,
        /// Whether the charge was for a monthly payment, and not for the renewal.
        is_instalment: bool,
        /// Whether the last day is over.
        has_ended: bool,
    },
    PlanStarted {
        /// Each payment with its day.
        payments: Vec<String>,
        total: String,
        has_card: bool,
    },
    PlanChanged {
        /// Each payment that is left, with its day.
        payments: Vec<String>,
        total: String,
        has_card: bool,
    },
    InstalmentFailed {
        due_amount: String,
        /// Whether a card was charged. If false, the shop has no card to charge.
        is_card_charged: bool,
        /// Whether only the customer can make the payment, for example because the bank wants a confirmation.
        needs_customer: bool,
        /// Day of the next try, if there is one.
        retry_date: Option<String>,
        /// Page that pays what is due.
        pay_page: String,
    },
    PlanNotice {
        due_amount: String,
        /// Last day of cover, unless all that is due is paid.
        end_day: String,
        earlier_end: Option<EarlierEnd>,
    },
    PlanReminder {
        due_amount: String,
        end_day: String,
        earlier_end: Option<EarlierEnd>,
    },
    /// The shop cancelled the policy.
    CancelledByShop {
        cause: String,
        is_before_start: bool,
        /// Last day of cover.
        end_day: String,
        refund: Vec<RefundAmount>,
        stopped_payments: Option<StoppedPaymentFields>,
        /// The next year's policy, if bought.
        next_policy: Option<AdjacentPolicy>,
    },
    PlanPaid {
        /// The customer's payments, less refunds.
        total: String,
        expiry: String,
    },
    Ended {
        expiry: String,
        late_renewal: Option<LateRenewal>,
        /// Whether the card was charged for the next year and the result is still unknown.
        is_charge_pending: bool,
        stopped_payments: Option<StoppedPaymentFields>,
        /// Page to buy new cover. It is set if automatic renewal was on, no card was charged, and the product
        /// is on sale.
        new_quote_page: Option<String>,
    },
    UnappliedPayment {
        amount: String,
        /// Whether a bank is deciding a dispute of the payment.
        is_disputed: bool,
    },
    PaymentReversed {
        amount: String,
        /// What the payment was for.
        paid_for: PaidFor,
    },
    RefundOwed {
        amount: String,
        /// Whether the customer's bank returned the refund.
        is_returned: bool,
        /// Whether nobody knows if the gateway made the refund.
        is_unconfirmed: bool,
        /// Whether the payment bought nothing.
        is_unapplied: bool,
        /// Whether the customer paid by bank transfer.
        is_by_transfer: bool,
    },
    RefundPaid {
        amount: String,
        /// Whether the refund was paid by bank transfer.
        is_by_transfer: bool,
        /// Whether the gateway made the refund. If this field and `is_by_transfer` are false, the customer
        /// had received the money already.
        is_to_card: bool,
    },
    Disputed {
        amount: String,
    },
    DisputeLost {
        amount: String,
        /// The amount of the owed refunds that the customer has received already, by the dispute or by
        /// another refund.
        owed_refund: Option<String>,
        /// Whether the bank has decided.
        is_decided: bool,
        /// The monthly payments that are to be paid again.
        due_again: Option<String>,
        /// Whether none of them is due yet.
        is_due_later: bool,
    },
    DisputeWon {
        /// Refunds of the disputed payment that waited for the decision.
        owed_refund: Option<String>,
        /// The refund of what the customer paid again before the decision.
        paid_twice: Option<String>,
    },
}

/// Returns the refund's amounts, each with its route.
pub fn format_refunds(parts: &[RefundPart]) -> Vec<RefundAmount> {
    let amounts = parts.iter().map(|part| RefundAmount {
        route: part.route,
        amount: format_amount(part.amount),
    });
    amounts.collect()
}

/// Returns an amount as letters show it, with `GBP ` instead of the pound sign.
pub fn format_amount(amount: Pence) -> String {
    in_ascii(&amount.to_string())
}

/// Returns an amount as letters show it, or `None` for zero or less.
pub fn format_positive(amount: Pence) -> Option<String> {
    (amount > Pence::ZERO).then(|| format_amount(amount))
}

/// Replaces the pound sign with `GBP `, so that an amount is ASCII and needs no encoding. Does not change
/// other characters.
pub fn in_ascii(text: &str) -> String {
    text.replace('\u{a3}', "GBP ")
}
