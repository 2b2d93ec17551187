//! The subjects of letters to the owner of a policy.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An event about which the shop writes to the owner of a policy, or of a quote without a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PolicyNotification {
    Bought,
    /// A change is in force.
    Changed {
        adjustment: Uuid,
    },
    Cancelled,
    /// The policy was undone before its inception.
    NotTakenUp,
    RenewalQuoted {
        /// The renewal quote.
        quote: Uuid,
    },
    /// The card is charged for the renewal in a few days.
    RenewalReminder {
        /// The renewal quote.
        quote: Uuid,
    },
    /// The policy can't be renewed unchanged.
    NotRenewable {
        /// The quote with the reason.
        quote: Uuid,
    },
    /// The stored card was refused, or the gateway reported no result for days.
    CardRefused {
        /// The renewal quote.
        quote: Uuid,
    },
    /// A policy was bought with a monthly plan.
    PlanStarted,
    /// A change of the policy changed the payments of its plan.
    PlanChanged,
    /// A charge of the plan failed for the first time.
    InstalmentFailed,
    /// Nobody knows whether a charge of the plan succeeded.
    InstalmentUnclear,
    /// Cover ends unless all that is due is paid.
    PlanNotice,
    /// Cover ends in a few days unless all that is due is paid.
    PlanReminder,
    /// The shop cancelled the policy.
    CancelledByShop,
    /// The shop is to end the policy on a later day.
    EndNotice {
        cancellation: Uuid,
    },
    /// The last payment of the plan was made.
    PlanPaid,
    /// The policy's last day is over, and the policy was not renewed.
    Ended,
    /// A change is agreed for a later day.
    ChangeAgreed {
        adjustment: Uuid,
    },
    /// An agreed change was withdrawn before its day.
    ChangeWithdrawn {
        adjustment: Uuid,
    },
    /// A cancellation is agreed for a later day.
    CancellationAgreed {
        cancellation: Uuid,
    },
    /// A cancellation was withdrawn before its day.
    CancellationWithdrawn {
        cancellation: Uuid,
    },
    /// A payment bought nothing and is refunded. There may be no policy.
    UnappliedPayment {
        payment: Uuid,
    },
    /// A refund failed, was returned or is unconfirmed. There may be no policy.
    RefundOwed {
        refund: Uuid,
    },
    /// A due refund was paid by another method, or made after a letter about the due refund. There may be
    /// no policy.
    RefundPaid {
        refund: Uuid,
    },
    /// The gateway took a payment back without a dispute, so the cover is not paid.
    PaymentReversed {
        payment: Uuid,
    },
    /// A customer's bank took a payment back. There may be no policy.
    Disputed {
        dispute: Uuid,
    },
    /// A customer's bank took a payment back, and the dispute is now decided. There may be no policy.
    DisputeDecided {
        dispute: Uuid,
    },
}
