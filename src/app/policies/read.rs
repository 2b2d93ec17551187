//! Reading a policy.

use uuid::Uuid;

use crate::app::payments::refunds;
use crate::app::policies::actions::PermittedActions;
use crate::app::policies::adjustment::Offered;
use crate::app::policies::context::PolicyContext;
use crate::app::policies::{cancellation, renewal};
use crate::app::quotes::read::QuoteView;
use crate::app::{App, AppError, Caller, access};
use crate::domain::adjustment::changed_answers;
use crate::domain::money::Pence;
use crate::domain::policy::DayRange;
use crate::store::Read;

/// A policy with what a reader needs of it.
pub struct PolicyView {
    /// The quote it was made of, with the answers in force.
    pub quote: QuoteView,
    /// The policy.
    pub context: PolicyContext,
    /// Whether the reader is its owner, logged in.
    pub is_owner: bool,
    /// What may be done now.
    pub may: PermittedActions,
    /// Received less all refunds, pending and refused ones too, pence.
    pub paid: Pence,
    /// Whether a bank decides a dispute of one of its payments.
    pub is_disputed: bool,
    /// Names of the fields that no adjustment may change.
    pub locked: Vec<String>,
    /// What comes after its last day.
    pub next_year: renewal::NextYear,
    /// The days that a change may count from; none while it can't be changed.
    pub change_days: Option<DayRange>,
    /// The later days for which it may be cancelled; none while there are none.
    pub cancel_days: Option<DayRange>,
    /// The change that is agreed for a later day; for the owner.
    pub coming_change: Option<Offered>,
    /// The cancellation that is asked for a later day; for the owner.
    pub pending_cancellation: Option<cancellation::CancellationProgress>,
    /// How it was ended early.
    pub cancellation: Option<cancellation::CancellationProgress>,
    /// Its renewal.
    pub renewal: Option<renewal::Comparison>,
}

impl App {
    /// A quote that was bought.
    ///
    /// # Errors
    /// As [`access::quote_of`]; a quote that isn't a policy yet is not found.
    pub async fn read_policy(&self, caller: &Caller, uuid: Uuid) -> Result<PolicyView, AppError> {
        self.store
            .read(|tx| self.policy_view(tx, caller, uuid))
            .await
    }

    fn policy_view(
        &self,
        tx: &impl Read,
        caller: &Caller,
        uuid: Uuid,
    ) -> Result<PolicyView, AppError> {
        let today = self.today();
        let view = self.view_for(tx, caller, uuid)?;
        let policy = view.policy.clone().ok_or(AppError::NotFound)?;
        let read = (view.revision().clone(), view.product.clone());
        let context = self.context_with(tx, (view.quote.clone(), policy), read.0, read.1)?;
        let payments = refunds::policy_payments(tx, uuid)?;
        let is_owner = access::owned_policy(tx, caller, uuid, self.clock.now()).is_ok();
        let may = if is_owner {
            context.permitted_actions(today)
        } else {
            PermittedActions::none(view.standing)
        };
        Ok(PolicyView {
            is_owner,
            change_days: context.change_days(today).filter(|_| may.change.is_ok()),
            cancel_days: context
                .policy
                .later_end_days(today)
                .filter(|_| may.cancel.is_ok() && context.policy.coming_end.is_none()),
            coming_change: match &context.coming {
                Some(change) if is_owner => Some(self.offered_in(tx, caller, change.clone())?),
                _ => None,
            },
            pending_cancellation: if is_owner {
                cancellation::pending_of(tx, &context, today)?
            } else {
                None
            },
            may,
            paid: payments.iter().map(|(_, balance)| balance.in_hand()).sum(),
            is_disputed: payments.iter().any(|(_, balance)| balance.is_disputed),
            locked: changed_answers::locked(&context.product),
            next_year: context.next_year(today),
            cancellation: cancellation::done_of(tx, &context)?,
            renewal: self.renewal_of(tx, &context)?,
            context,
            quote: view,
        })
    }
}
