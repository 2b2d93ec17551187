//! Reads a policy with the rows and the product that its rules need.

use std::sync::Arc;

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::payments::checkout::attempts::attempts;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, Caller, access, payments};
use crate::domain::money::Pence;
use crate::domain::money::price::{Line, Per};
use crate::domain::payment::PaymentStatus;
use crate::domain::policy::adjustment::Adjustment;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::policy::renewal::{CardCharge, charge_day};
use crate::domain::policy::{DayRange, Policy};
use crate::domain::product::{Product, rating};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::{Quote, Revision};
use crate::domain::time::dates::add_days;
use crate::store::{Read, tables};

/// A policy with the rows and the product that its rules need.
pub struct PolicyContext {
    /// The quote that became the policy.
    pub quote: Quote,
    pub policy: Policy,
    /// The answers and price in force.
    pub revision: Revision,
    /// The product that rated the revision.
    pub product: Arc<Product>,
    /// The change that is agreed for a later day.
    pub scheduled: Option<Adjustment>,
    /// Whether the payer agreed, before paying, that the card pays for renewals too.
    pub card_agreed: bool,
    /// Whether the card can be charged for the renewal. The gateway must keep the card, and the shop
    /// must service the gateway.
    pub card_stored: bool,
    /// Whether all gateways for new sales store cards, so that a payer can agree to renewals.
    pub stores_cards: bool,
    /// The renewal quote, or the policy that it became.
    pub renewal: Option<Quote>,
    /// Whether a renewal by card is paid monthly.
    pub renews_monthly: bool,
    /// The plan of a quoted renewal that is paid monthly by card.
    pub renewal_plan: Option<PaymentPlan>,
    /// Whether the stored card paid for the renewal.
    pub renewed_by_card: bool,
    /// The status of the stored card's charge for the renewal, while the charge's result is unknown.
    pub card_charge: Option<PaymentStatus>,
    /// The London day of the read.
    pub today: NaiveDate,
}

impl PolicyContext {
    /// Returns the day of the next try of the stored card's charge, after a failed try.
    #[must_use]
    pub fn next_try(&self) -> Option<NaiveDate> {
        match self.policy.renewal.quoted()?.card {
            CardCharge::Retrying { on } => Some(on),
            CardCharge::None | CardCharge::Queued | CardCharge::Declined => None,
        }
    }

    /// Returns the day on which the stored card is charged for the renewal. Without a letter about the renewal's
    /// newest revision, it counts from today, or from the day of the quote if that is later. Returns `None` if the cover
    /// ends before.
    #[must_use]
    pub fn charge_day(&self) -> Option<NaiveDate> {
        let revision = self.renewal.as_ref().map(|renewal| renewal.current.number);
        let notice = self.policy.renewal.quoted().and_then(|own| own.notice);
        let notice = notice.filter(|notice| Some(notice.revision) == revision);
        let due = self.policy.renewal.due();
        let soonest = due.map_or(self.today, |due| due.max(self.today));
        let notified = notice.map_or(soonest, |notice| notice.on);
        self.next_try()
            .or_else(|| charge_day(self.policy.expiry, notified))
    }

    /// Returns the last London day of cover: that of a scheduled end, or of the term.
    #[must_use]
    pub fn last_day(&self) -> NaiveDate {
        let policy = &self.policy;
        let scheduled = policy.scheduled_end.map(|end| add_days(end.on, -1));
        scheduled.map_or(policy.expiry, |day| day.min(policy.expiry))
    }

    /// Returns whether the policy renews automatically: automatic renewal is on, and the payer agreed.
    #[must_use]
    pub const fn renews_by_itself(&self) -> bool {
        self.policy.auto_renew && self.card_agreed
    }

    /// Returns whether the policy covers single trips, not a year.
    #[must_use]
    pub fn is_single_trip(&self) -> bool {
        self.revision
            .price
            .as_ref()
            .is_some_and(|price| price.per == Per::Trip)
    }

    /// Returns the premium of a whole term, in pence, with tax and without charges.
    #[must_use]
    pub fn premium(&self) -> Pence {
        self.revision
            .price
            .as_ref()
            .map_or(Pence::ZERO, |price| price.taxed)
    }

    /// Returns the answers at the end of the term, with a scheduled change applied.
    #[must_use]
    pub fn scheduled_answers(&self) -> &Answers {
        self.scheduled
            .as_ref()
            .map_or(&self.revision.answers, |change| &change.answers)
    }

    /// Returns the premium of a whole term for the scheduled answers, in pence, with tax and without
    /// charges.
    #[must_use]
    pub fn scheduled_premium(&self) -> Pence {
        self.scheduled
            .as_ref()
            .map_or(self.premium(), |change| change.price.taxed)
    }

    /// Returns the id of the change that is agreed for a later day.
    #[must_use]
    pub fn scheduled_change_id(&self) -> Option<Uuid> {
        self.policy.scheduled_change.map(|scheduled| scheduled.id)
    }

    /// Returns the days on which a change agreed on `today` can take effect, or `None` if there are
    /// none. A change of a trip can only take effect on the first day.
    #[must_use]
    pub fn change_days(&self, today: NaiveDate) -> Option<DayRange> {
        let days = self.policy.change_days(today)?;
        if self.is_single_trip() {
            return DayRange::new(days.first, days.first);
        }
        Some(days)
    }

    /// Returns the charges beside the premium.
    #[must_use]
    pub fn charges(&self) -> &[Line] {
        self.revision
            .price
            .as_ref()
            .map_or(&[], |price| &price.charges)
    }
}

/// Returns the caller's policy `uuid` with its context.
///
/// # Errors
/// As [`access::owned_policy`].
pub(in crate::app) fn own_policy(
    app: &App,
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
) -> Result<PolicyContext, AppError> {
    let (quote, policy) = access::owned_policy(tx, caller, uuid, app.clock.now())?;
    policy_context(app, tx, quote, policy)
}

pub(in crate::app) fn policy_context(
    app: &App,
    tx: &impl Read,
    quote: Quote,
    policy: Policy,
) -> Result<PolicyContext, AppError> {
    let revision = revision_of(tx, &quote, policy.revision)?;
    let product = app.products.by_hash(tx, &revision.product_hash)?;
    context_with(app, tx, (quote, policy), revision, product)
}

/// Returns a policy's context. The caller has read the revision in force and its product.
pub(super) fn context_with(
    app: &App,
    tx: &impl Read,
    (quote, policy): (Quote, Policy),
    revision: Revision,
    product: Arc<Product>,
) -> Result<PolicyContext, AppError> {
    let renewal = policy.renewal.quote();
    let renewal = renewal.map(|renewal| tables::QUOTES.get(tx, &renewal));
    let renewal = renewal.transpose()?.flatten();
    let mut context = PolicyContext {
        product,
        renews_monthly: renews_monthly(tx, &policy)?,
        renewal_plan: None,
        scheduled: scheduled_change(tx, &policy)?,
        card_agreed: has_card_consent(tx, &policy)?,
        card_stored: match policy.instrument {
            Some(id) => payments::is_chargeable(&app.gateways, tx, id)?,
            None => false,
        },
        stores_cards: payments::can_store_cards(app),
        renewed_by_card: match &renewal {
            Some(renewal) => paid_by_stored_card(tx, renewal.uuid)?,
            None => false,
        },
        card_charge: charge_under_way(tx, &policy)?,
        today: app.clock.today(),
        renewal,
        quote,
        policy,
        revision,
    };
    context.renewal_plan = renewal_plan(app, tx, &context)?;
    Ok(context)
}

/// Returns whether a renewal by card is paid monthly, as the policy is.
pub(super) fn renews_monthly(tx: &impl Read, policy: &Policy) -> Result<bool, AppError> {
    Ok(!policy.renews_at_once && tables::PLANS.has(tx, &policy.uuid)?)
}

/// Returns the plan of a quoted renewal by card. Its first payment is charged on the day of the charge.
fn renewal_plan(
    app: &App,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<PaymentPlan>, AppError> {
    let renewal = context.renewal.as_ref().filter(|_| context.renews_monthly);
    let Some((renewal, price)) = renewal.and_then(|own| Some((own, own.current.price.as_ref()?)))
    else {
        return Ok(None);
    };
    let product = app.products.by_hash(tx, &renewal.current.product_hash)?;
    let first = context.charge_day();
    Ok(first.and_then(|day| rating::monthly_plan(&product, price, day)))
}

/// Returns a policy without an access check, for jobs and for callers that have checked access.
pub(in crate::app) fn policy_unchecked(
    app: &App,
    tx: &impl Read,
    uuid: Uuid,
) -> Result<PolicyContext, AppError> {
    let quote = tables::QUOTES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
    let policy = tables::POLICIES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
    policy_context(app, tx, quote, policy)
}

/// Returns whether the payer agreed, before paying, that the card pays for renewals. A card that replaced the
/// first has its own consent.
pub(in crate::app) fn has_card_consent(tx: &impl Read, policy: &Policy) -> Result<bool, AppError> {
    let card = policy.instrument.map(|id| tables::INSTRUMENTS.get(tx, &id));
    let consent = match card.transpose()?.flatten() {
        Some(card) => Some(card.consent),
        None => tables::PAYMENTS
            .get(tx, &policy.payment)?
            .and_then(|paid| paid.consent),
    };
    Ok(consent.is_some_and(|consent| consent.covers_renewals))
}

/// Returns the status of the newest charge of the stored card for the renewal. Returns `None` if no
/// charge is queued or made, or if the result of the charge is known.
fn charge_under_way(tx: &impl Read, policy: &Policy) -> Result<Option<PaymentStatus>, AppError> {
    let renewal = policy.renewal.quoted();
    let Some(renewal) = renewal.filter(|renewal| renewal.card == CardCharge::Queued) else {
        return Ok(None);
    };
    let mut charges = attempts(tx, renewal.quote)?.into_iter();
    let charge = charges.rfind(|attempt| attempt.instrument().is_some());
    let charge = charge.filter(|charge| charge.charged().is_none());
    Ok(charge.map(|charge| charge.status))
}

fn paid_by_stored_card(tx: &impl Read, policy: Uuid) -> Result<bool, AppError> {
    let Some(policy) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(false);
    };
    let paid = tables::PAYMENTS.get(tx, &policy.payment)?;
    Ok(paid.is_some_and(|paid| paid.instrument().is_some()))
}

/// Returns the change that is agreed for a later day of a policy.
pub(super) fn scheduled_change(
    tx: &impl Read,
    policy: &Policy,
) -> Result<Option<Adjustment>, AppError> {
    let Some(scheduled) = policy.scheduled_change else {
        return Ok(None);
    };
    let change = tables::ADJUSTMENTS.get(tx, &scheduled.id)?;
    change.map(Some).ok_or(AppError::NotFound)
}
