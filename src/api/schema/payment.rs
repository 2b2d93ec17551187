//! JSON schemas of payment attempts.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::payments::PaymentView;
use crate::app::payments::refunds::unrefunded::RefundProgress;
use crate::domain::money::Pence;
use crate::domain::payment::{self, PaymentStatus, Purpose};
use crate::json_schema::{RequestSchema, ResponseSchema, or_default};

/// The status of an attempt to pay. `pending`: the gateway waits for the customer, or has not answered yet.
/// `processing`: the bank has not decided yet. `paid`: the payment bought the policy or the change. `failed`:
/// the payment failed, or a person must find out the outcome. `refunded`: the payment bought nothing, or the
/// money went back at the gateway.
#[derive(Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentState {
    Pending,
    Processing,
    Paid,
    Failed,
    Refunded,
}

/// Why a payment bought nothing. `not_needed`: nothing was due, or the gateway took another amount than
/// accepted. `too_late`: the shop received the result too late for the cover to begin.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "payment::UnappliedReason")]
#[serde(rename_all = "snake_case")]
pub enum UnappliedReason {
    NotNeeded,
    TooLate,
}

/// Why a person must check a payment. `no_answer`: the gateway reported no outcome for days. `under_review`:
/// the bank did not decide for days. `other_currency`: the card was charged in another currency. `reversed`:
/// the gateway took the money back.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "payment::UnresolvedReason")]
#[serde(rename_all = "snake_case")]
pub enum UnresolvedReason {
    NoAnswer,
    UnderReview,
    OtherCurrency,
    Reversed,
}

/// The subject of a payment.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct Initiate {
    /// The uuid of the quote, or the id of the change.
    pub(in crate::api) uuid: String,
}

/// A payment of a policy's plan.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct PayPlan {
    /// The gateway.
    pub(in crate::api) provider: String,
    /// Whether to pay all that is left, and not only what is due.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) rest: bool,
    /// Whether the later payments of the plan are charged to this card.
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) keep_card: bool,
}

/// An attempt to pay.
#[derive(Serialize, ResponseSchema)]
pub struct PaymentInfo {
    pub(in crate::api) payment_id: Uuid,
    pub(in crate::api) status: PaymentState,
    pub(in crate::api) amount: Pence,
    pub(in crate::api) quote_uuid: Uuid,
    /// The policy. Null until the quote is bought.
    pub(in crate::api) policy_uuid: Option<Uuid>,
    /// The change that is paid for. Null for a quote.
    pub(in crate::api) adjustment_uuid: Option<Uuid>,
    /// Whether the payment is of a policy's plan, after the purchase.
    pub(in crate::api) pays_plan: bool,
    /// The reference of the quote or policy.
    pub(in crate::api) custom_id: String,
    /// The message for the customer. Null if there is none.
    pub(in crate::api) message: Option<String>,
    /// Whether money was taken. Null while the outcome is unknown, also for some attempts with the status
    /// `failed`. Only false means that the card was not charged.
    pub(in crate::api) charged: Option<bool>,
    /// Why a person must check the payment. Null if no check is needed, and after the check.
    pub(in crate::api) unresolved: Option<UnresolvedReason>,
    /// Whether the gateway took back the money of a payment that bought something. Stays true after the check.
    pub(in crate::api) reversed: bool,
    /// Whether the quote has become a policy. True also after the policy has ended.
    pub(in crate::api) policy: bool,
    /// The status of the refund of a payment that bought nothing. Also `paid` if the money went back at the
    /// gateway.
    pub(in crate::api) refund: RefundProgress,
    /// Why the payment bought nothing. Null if the payment bought something or did not succeed.
    pub(in crate::api) refund_reason: Option<UnappliedReason>,
}

impl From<PaymentView> for PaymentInfo {
    fn from(view: PaymentView) -> Self {
        let PaymentView {
            payment,
            reference,
            policy,
            refund,
            message,
        } = view;
        let status = match payment.status {
            _ if payment.is_given_back() => PaymentState::Refunded,
            PaymentStatus::Started | PaymentStatus::Pending => PaymentState::Pending,
            PaymentStatus::Processing => PaymentState::Processing,
            PaymentStatus::Paid if payment.is_applied() => PaymentState::Paid,
            PaymentStatus::Paid | PaymentStatus::Reversed => PaymentState::Refunded,
            // For an unresolved attempt, `charged` is null, because the outcome is unknown. But `charged` is
            // true if the card was charged in another currency.
            PaymentStatus::Failed | PaymentStatus::Unresolved => PaymentState::Failed,
        };
        let is_reversed = payment.status == PaymentStatus::Reversed;
        let is_given_back = payment.is_given_back() || is_reversed;
        Self {
            payment_id: payment.id,
            status,
            amount: payment.amount,
            quote_uuid: payment.quote,
            policy_uuid: policy.then_some(payment.quote),
            adjustment_uuid: payment.purpose.change(),
            pays_plan: matches!(payment.purpose, Purpose::Instalments(_)),
            custom_id: reference,
            charged: payment.charged(),
            unresolved: payment.unresolved_reason().map(Into::into),
            reversed: is_reversed && payment.is_applied(),
            message,
            policy,
            refund: if is_given_back {
                RefundProgress::Paid
            } else {
                refund
            },
            refund_reason: payment.unapplied.map(Into::into),
        }
    }
}
