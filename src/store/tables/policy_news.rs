//! What a letter to the owner of a policy is about.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What happened to a policy that its owner is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PolicyNotification {
    /// It was bought.
    Bought,
    /// A change is in force.
    Changed {
        /// The change.
        adjustment: Uuid,
    },
    /// It was ended early.
    Cancelled,
    /// It was undone before it began.
    NotTakenUp,
    /// Its renewal is quoted.
    RenewalQuoted {
        /// The quote.
        quote: Uuid,
    },
    /// It can't be renewed as it is.
    NotRenewable {
        /// The quote that says why.
        quote: Uuid,
    },
    /// Its card was refused, or nobody has said for days whether it paid, and it is not renewed yet.
    CardRefused {
        /// The renewal quote.
        quote: Uuid,
    },
    /// Its last day is over, and it was not renewed.
    Ended,
    /// A change is agreed for a later day.
    ChangeAgreed {
        /// The change.
        adjustment: Uuid,
    },
    /// An agreed change was withdrawn before its day.
    ChangeWithdrawn {
        /// The change.
        adjustment: Uuid,
    },
    /// A cancellation is asked for a later day.
    CancellationAgreed {
        /// The cancellation.
        cancellation: Uuid,
    },
    /// A cancellation was withdrawn before its day.
    CancellationWithdrawn {
        /// The cancellation.
        cancellation: Uuid,
    },
    /// A payment bought nothing and comes back; there may be no policy.
    Surplus {
        /// The payment.
        payment: Uuid,
    },
    /// A refund could not be made, or came back; there may be no policy.
    RefundOwed {
        /// The refund.
        refund: Uuid,
    },
    /// A refund that was owed was paid in another way; there may be no policy.
    RefundPaid {
        /// The refund.
        refund: Uuid,
    },
    /// A customer's bank took a payment back; there may be no policy.
    Disputed {
        /// The dispute.
        dispute: Uuid,
    },
    /// A dispute for which a payment was taken back was decided; there may be no policy.
    DisputeDecided {
        /// The dispute.
        dispute: Uuid,
    },
}
