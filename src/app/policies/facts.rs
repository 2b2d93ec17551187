//! What a reader of a policy is shown beside its answers.

use crate::app::payments::refunds;
use crate::app::policies::actions::{LOG_IN, PermittedActions};
use crate::app::policies::context::PolicyContext;
use crate::app::policies::{cancellation, renewal};
use crate::app::quotes::read::QuoteView;
use crate::app::{App, AppError, Caller, access};
use crate::domain::adjustment::changed_answers;
use crate::domain::money::Pence;
use crate::store::{Read, tables};

/// Everything a reader of a policy is shown beside its answers.
pub struct PolicyFacts {
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
    /// How it was ended early.
    pub cancellation: Option<cancellation::Activity>,
    /// Its renewal.
    pub renewal: Option<renewal::Comparison>,
}

impl App {
    /// What a reader of a policy is shown beside its answers.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn policy_facts(
        &self,
        caller: &Caller,
        view: &QuoteView,
    ) -> Result<PolicyFacts, AppError> {
        self.store.read(|tx| self.facts_in(tx, caller, view)).await
    }

    fn facts_in(
        &self,
        tx: &impl Read,
        caller: &Caller,
        view: &QuoteView,
    ) -> Result<PolicyFacts, AppError> {
        let policy = view.policy.clone().ok_or(AppError::NotFound)?;
        let uuid = policy.uuid;
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
            PermittedActions {
                change: LOG_IN,
                cancel: LOG_IN,
                not_take_up: LOG_IN,
                auto_renew: LOG_IN,
            }
        };
        let payment = tables::PAYMENTS.get(tx, &context.policy.payment)?;
        let provider = payment.map(|payment| payment.provider);
        Ok(PolicyFacts {
            is_owner,
            may,
            paid: refunds::in_hand(tx, uuid)?,
            locked: changed_answers::locked(&context.product),
            card_stored: self
                .providers()
                .any(|known| Some(known.name()) == provider.as_deref()),
            cancellation: cancellation::activity_of(tx, &context)?,
            renewal: self.renewal_of(tx, &context)?,
            context,
        })
    }
}
