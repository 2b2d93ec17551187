//! JSON schemas of payment attempts.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::payments::PaymentView;
use crate::app::payments::refunds::unrefunded::RefundProgress;
use crate::domain::money::Pence;
use crate::domain::payment::{self, PaymentStatus};
use crate::json_schema::{RequestSchema, ResponseSchema};

/// The status of an attempt to pay.
#[derive(Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentState {
    Pending,
    Processing,
    Paid,
    Failed,
    Refunded,
}

/// Why a payment bought nothing: nothing was due, or it was learned of too late to begin the cover.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "payment::UnappliedReason")]
#[serde(rename_all = "snake_case")]
pub enum UnappliedReason {
    NotNeeded,
    TooLate,
}

/// Why a person must check a payment's outcome. The gateway does not report it, the bank does not decide,
/// the card was charged in another currency, or the gateway took the money back.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "payment::UnresolvedReason")]
#[serde(rename_all = "snake_case")]
pub enum UnresolvedReason {
    NoAnswer,
    UnderReview,
    OtherCurrency,
    Reversed,
}

/// The subject of the payment.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct Initiate {
    /// The quote's uuid.
    pub(in crate::api) uuid: String,
}

/// The status of an attempt to pay.
#[derive(Serialize, ResponseSchema)]
pub struct PaymentInfo {
    pub(in crate::api) payment_id: Uuid,
    pub(in crate::api) status: PaymentState,
    pub(in crate::api) amount: Pence,
    pub(in crate::api) quote_uuid: Uuid,
    /// The policy, after the purchase.
    pub(in crate::api) policy_uuid: Option<Uuid>,
    /// The change of the policy that is paid for; none for a sale.
    pub(in crate::api) adjustment_uuid: Option<Uuid>,
    pub(in crate::api) custom_id: String,
    pub(in crate::api) message: Option<String>,
    /// Whether money was taken; null while that isn't known, also where the payment has failed as
    /// far as anybody knows. Only false is the gateway's last word.
    pub(in crate::api) charged: Option<bool>,
    /// Why a person must check its outcome.
    pub(in crate::api) unresolved: Option<UnresolvedReason>,
    /// True once the policy is live.
    pub(in crate::api) policy: bool,
    /// How far it is with giving it back, where it bought nothing.
    pub(in crate::api) refund: RefundProgress,
    /// Why it bought nothing, where it was paid and goes back.
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
            // For an unresolved attempt, `charged` is null: the outcome is unknown.
            PaymentStatus::Failed | PaymentStatus::Unresolved => PaymentState::Failed,
        };
        let is_reversed = payment.status == PaymentStatus::Reversed && payment.is_applied();
        let reason = is_reversed.then_some(payment::UnresolvedReason::Reversed);
        let unresolved = payment.unresolved_reason().or(reason);
        let is_given_back = payment.is_given_back() || payment.status == PaymentStatus::Reversed;
        Self {
            payment_id: payment.id,
            status,
            amount: payment.amount,
            quote_uuid: payment.quote,
            policy_uuid: policy.then_some(payment.quote),
            adjustment_uuid: payment.adjustment,
            custom_id: reference,
            charged: payment.charged(),
            unresolved: unresolved.map(Into::into),
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
