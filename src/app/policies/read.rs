//! Reading a policy.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::payments::refunds;
use crate::app::policies::actions::PermittedActions;
use crate::app::policies::context::PolicyContext;
use crate::app::policies::{cancellation, renewal};
use crate::app::quotes::read::QuoteView;
use crate::app::{App, AppError, Caller, access};
use crate::domain::adjustment::changed_answers;
use crate::domain::money::Pence;
use crate::store::{Read, tables};

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
    /// Names of the fields that no adjustment may change.
    pub locked: Vec<String>,
    /// Whether a card can be charged for its renewal.
    pub card_stored: bool,
    /// The first and the last day that a change may count from; none while it can't be changed.
    pub change_days: Option<(NaiveDate, NaiveDate)>,
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
        let view = self.view_for(tx, caller, uuid)?;
        let policy = view.policy.clone().ok_or(AppError::NotFound)?;
        let context = PolicyContext {
            quote: view.quote.clone(),
            policy,
            revision: view.revision().clone(),
            product: view.product.clone(),
        };
        let is_owner = access::owned_policy(tx, caller, uuid, self.clock.now()).is_ok();
        let may = if is_owner {
            context.permitted_actions(self.today())
        } else {
            PermittedActions::none(view.standing)
        };
        let payment = tables::PAYMENTS.get(tx, &context.policy.payment)?;
        let provider = payment.map(|payment| payment.provider);
        Ok(PolicyView {
            is_owner,
            change_days: may.change.ok().map(|()| {
                let day = self.today().max(context.policy.inception);
                (day, day)
            }),
            may,
            paid: refunds::in_hand(tx, uuid)?,
            locked: changed_answers::locked(&context.product),
            card_stored: self
                .providers()
                .any(|known| Some(known.name()) == provider.as_deref()),
            cancellation: cancellation::progress_of(tx, &context)?,
            renewal: self.renewal_of(tx, &context)?,
            context,
            quote: view,
        })
    }
}
