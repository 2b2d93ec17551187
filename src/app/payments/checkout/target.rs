//! The target of a payment, and the terms that are due for the target.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::policies::{self, adjustments, plans};
use crate::app::products::ProductRegistry;
use crate::app::quotes::{self, revision_of};
use crate::app::{AppError, Caller, access};
use crate::domain::money::Pence;
use crate::domain::payment::{Consent, InstalmentNumbers, Payment, PaymentFrequency, Purpose};
use crate::domain::policy::plan::PlanStatus;
use crate::domain::quote::Quote;
use crate::store::{Read, tables};

/// What a customer asks to pay.
#[derive(Clone, Copy, Debug)]
pub enum PaymentRequest {
    /// The quote or the adjustment with this id.
    Target(Uuid),
    /// What is due of a policy's plan, or all that is left of it. If nothing is due, another card pays the next
    /// instalment.
    Plan {
        policy: Uuid,
        is_rest: bool,
        /// Whether the plan's later payments are charged to this card.
        keeps_card: bool,
    },
}

/// The target of a payment: a quote, an adjustment of the quote's policy, or instalments of its plan.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PaymentTarget {
    pub(in crate::app) quote: Uuid,
    pub(in crate::app) purpose: Purpose,
    /// Whether a payment of instalments keeps the card.
    keeps_card: bool,
    /// The renewal's lead time, if the card of the plan also pays for the renewal.
    renewal_lead_days: Option<i64>,
}

/// The terms that are due for a target.
pub(in crate::app) struct DueTerms {
    /// The revision, of the quote or of the changed policy.
    pub(in crate::app) revision: u32,
    pub(in crate::app) amount: Pence,
    pub(in crate::app) frequency: PaymentFrequency,
    /// The consent to keep the card. Always `None` for an adjustment.
    pub(in crate::app) consent: Option<Consent>,
}

impl PaymentTarget {
    pub(in crate::app) fn load(tx: &impl Read, id: Uuid) -> Result<Self, AppError> {
        if let Some(change) = tables::ADJUSTMENTS.get(tx, &id)? {
            return Ok(Self {
                quote: change.policy,
                purpose: Purpose::Change(change.id),
                keeps_card: false,
                renewal_lead_days: None,
            });
        }
        let quote = tables::QUOTES.get(tx, &id)?;
        let is_renewal = quote.is_some_and(|quote| quote.is_renewal());
        Ok(Self {
            quote: id,
            purpose: if is_renewal {
                Purpose::Renewal
            } else {
                Purpose::Sale
            },
            keeps_card: false,
            renewal_lead_days: None,
        })
    }

    /// Returns the target of a customer's request on the London day `today`.
    pub(in crate::app) fn find(
        products: &ProductRegistry,
        tx: &impl Read,
        request: PaymentRequest,
        today: NaiveDate,
    ) -> Result<Self, AppError> {
        match request {
            PaymentRequest::Target(id) => Self::load(tx, id),
            PaymentRequest::Plan {
                policy,
                is_rest,
                keeps_card,
            } => {
                let plan = tables::PLANS.get(tx, &policy)?;
                let plan = plan.ok_or(AppError::NotFound)?;
                let row = tables::POLICIES.get(tx, &policy)?;
                let row = row.ok_or(AppError::NotFound)?;
                let quote = tables::QUOTES.get(tx, &policy)?.ok_or(AppError::NotFound)?;
                let revision = revision_of(tx, &quote, row.revision)?;
                let product = products.by_hash(tx, &revision.product_hash)?;
                let renews = row.auto_renew && policies::has_card_consent(tx, &row)?;
                let last_due = row.last_due_day();
                let mut numbers = plan.unpaid(if is_rest { last_due } else { today });
                // A customer changes the card by an early payment with another card.
                if numbers.is_empty() && keeps_card {
                    numbers = plan.unpaid(last_due);
                    numbers.truncate(1);
                }
                Ok(Self {
                    quote: policy,
                    purpose: Purpose::Instalments(InstalmentNumbers::new(&numbers)),
                    keeps_card,
                    renewal_lead_days: renews.then_some(product.terms().renewal_lead_days),
                })
            }
        }
    }

    pub(in crate::app) fn may_read(
        self,
        tx: &impl Read,
        caller: &Caller,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        if self.purpose.buys_policy() {
            access::quote_of(tx, caller, self.quote, now).map(|_| ())
        } else {
            access::owned_policy(tx, caller, self.quote, now).map(|_| ())
        }
    }

    /// Returns the target's attempts, oldest first.
    pub(in crate::app) fn attempts(self, tx: &impl Read) -> Result<Vec<Payment>, AppError> {
        let mut found = attempts(tx, self.quote)?;
        found.retain(|attempt| attempt.purpose.competes_with(self.purpose));
        Ok(found)
    }

    /// Returns the terms that are due now.
    pub(in crate::app) fn due(
        self,
        tx: &impl Read,
        caller: &Caller,
        now: DateTime<Utc>,
    ) -> Result<DueTerms, AppError> {
        match self.purpose {
            Purpose::Change(change) => {
                let (revision, amount) = adjustments::due(tx, caller, self.quote, change, now)?;
                Ok(DueTerms {
                    revision,
                    amount,
                    frequency: PaymentFrequency::Annual,
                    consent: None,
                })
            }
            Purpose::Instalments(numbers) => self.plan_terms(tx, caller, numbers, now),
            Purpose::Sale | Purpose::Renewal => {
                accepted_terms(&access::quote_of(tx, caller, self.quote, now)?, now)
            }
        }
    }
}

impl PaymentTarget {
    /// Returns the amount of some instalments.
    ///
    /// # Errors
    /// A conflict if the policy has ended, a charge of the card has no outcome yet, or the instalments are
    /// not due any more.
    fn plan_terms(
        self,
        tx: &impl Read,
        caller: &Caller,
        numbers: InstalmentNumbers,
        now: DateTime<Utc>,
    ) -> Result<DueTerms, AppError> {
        let (_, policy) = access::owned_policy(tx, caller, self.quote, now)?;
        let plan = tables::PLANS.get(tx, &self.quote)?;
        let plan = plan.ok_or(AppError::NotFound)?;
        if plan.status == PlanStatus::Ended {
            let why = "This policy has ended, so nothing is due.";
            return Err(AppError::conflict("already_ended", why));
        }
        plans::require_no_open_charge(tx, self.quote, &plan)?;
        let amount = plan.amount_of(&numbers.numbers());
        let amount = amount.filter(|amount| *amount > Pence::ZERO);
        Ok(DueTerms {
            revision: policy.revision,
            amount: amount.ok_or_else(|| {
                AppError::conflict("nothing_due", "Nothing is due at the moment.")
            })?,
            frequency: PaymentFrequency::Annual,
            consent: self
                .keeps_card
                .then(|| Consent::for_plan(self.renewal_lead_days, caller.logged_in(), now)),
        })
    }

    /// Returns whether the payment needs a gateway that keeps the card.
    pub(in crate::app) const fn needs_card_storage(self, due: &DueTerms) -> bool {
        self.keeps_card || matches!(due.frequency, PaymentFrequency::Monthly { .. })
    }
}

/// Returns the text that names the target and the quote's reference. The text is the same for every
/// call: gateways refuse a repeated request with other content.
pub(in crate::app) fn payment_description(
    products: &ProductRegistry,
    tx: &impl Read,
    attempt: &Payment,
) -> Result<String, AppError> {
    let quote = tables::QUOTES.get(tx, &attempt.quote)?;
    let quote = quote.ok_or(AppError::NotFound)?;
    let reference = &quote.reference;
    match attempt.purpose {
        Purpose::Change(_) => return Ok(format!("Change of policy {reference}")),
        Purpose::Instalments(_) => return Ok(format!("Payment of policy {reference}")),
        Purpose::Sale | Purpose::Renewal => {}
    }
    let revision = revision_of(tx, &quote, attempt.revision)?;
    let product = products.by_hash(tx, &revision.product_hash)?;
    Ok(format!("{}, {reference}", product.info().product_title))
}

/// Returns the terms that the customer accepted.
///
/// # Errors
/// A conflict if the quote can't be bought now, or was not accepted.
pub(in crate::app) fn accepted_terms(
    quote: &Quote,
    now: DateTime<Utc>,
) -> Result<DueTerms, AppError> {
    if !quote.is_buyable(now) {
        return Err(quotes::not_buyable(quote, now));
    }
    quote
        .accepted
        .as_ref()
        .map(|accepted| DueTerms {
            revision: accepted.revision,
            amount: accepted.amount,
            frequency: accepted.frequency,
            consent: accepted.consent.clone(),
        })
        .ok_or_else(|| {
            AppError::conflict(
                "not_accepted",
                "Please check your answers and accept the quote before you pay.",
            )
        })
}
