//! The sandbox's books: the only thing that it needs of its surroundings.

use uuid::Uuid;

use crate::domain::sandbox::{Callbacks, SandboxPayment};
use crate::integrations::gateway::contract::Later;

/// What becomes of a payment in the books, and when the shop hears of it.
pub type Change = Box<dyn Fn(&mut SandboxPayment) -> Callbacks + Send>;

/// Where the sandbox keeps its payments.
pub trait Books: Send + Sync {
    /// A payment, if it is in the books.
    fn read(&self, payment: Uuid) -> Later<'_, Option<SandboxPayment>>;

    /// Changes a payment in one write, and sees to it that the shop hears of it. One that isn't in the
    /// books begins as `new`; none where there is neither. Answers the payment after the change.
    fn change(
        &self,
        payment: Uuid,
        new: Option<SandboxPayment>,
        change: Change,
    ) -> Later<'_, Option<SandboxPayment>>;
}
