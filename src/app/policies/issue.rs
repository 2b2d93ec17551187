//! Issues a policy, once, from a quote and its paid attempt.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::accounts::registered_user;
use crate::app::payments::ledger;
use crate::app::policies::queue_letter;
use crate::app::quotes::ownership::await_mailbox;
use crate::app::quotes::revision_of;
use crate::app::{AppError, documents};
use crate::domain::money::ledger::Entry;
use crate::domain::money::price::Per;
use crate::domain::payment::{Payment, PaymentFrequency, UnappliedReason};
use crate::domain::policy::plan::{PaymentPlan, instalment_days};
use crate::domain::policy::renewal::RenewalStatus;
use crate::domain::policy::{Policy, cover_begins, last_sale_day};
use crate::domain::quote::policyholder;
use crate::domain::quote::{self, Acceptance, Quote, QuoteEvent, QuoteStatus, Revision};
use crate::domain::time::dates;
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNotification};

/// The product's terms and the vehicles' registrations for the issue of a policy. The caller reads them
/// before the write transaction.
#[derive(Clone)]
pub(in crate::app) struct SaleTerms {
    pub(in crate::app) cover_delay_hours: i64,
    pub(in crate::app) renewal_lead_days: i64,
    pub(in crate::app) registrations: Vec<String>,
}

/// Issues the policy of a paid quote. Issues nothing if the quote's status allows no sale, or the
/// last sale day is over. Also issues nothing if the revision has no term, price or plan. Returns the reason
/// in these cases, or `None` if the payment bought the policy.
pub(in crate::app) fn issue_policy(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    terms: &SaleTerms,
    now: DateTime<Utc>,
) -> Result<Option<UnappliedReason>, AppError> {
    let quote = tables::QUOTES.get(tx, &payment.quote)?;
    let mut quote = quote.ok_or_else(missing_quote)?;
    let Transition::Applied(status) = quote::apply(quote.status, QuoteEvent::Paid) else {
        return Ok(Some(UnappliedReason::NotNeeded));
    };
    let revision = revision_of(tx, &quote, payment.revision)?;
    let Some(mut policy) = new_policy(&quote, &revision, payment, terms, now) else {
        return Ok(Some(UnappliedReason::NotNeeded));
    };
    if last_sale_day(policy.inception, is_annual(&revision)) < dates::london_date(now) {
        return Ok(Some(UnappliedReason::TooLate));
    }
    if let Some(id) = policy.instrument {
        // While the card was charged, the customer may have removed it, or its charges were stopped.
        let card = tables::INSTRUMENTS.get(tx, &id)?;
        let before = quote.renews.map(|before| tables::POLICIES.get(tx, &before));
        let before = before.transpose()?.flatten();
        let is_stopped = before.is_some_and(|before| before.charging_stopped.is_some());
        if is_stopped || card.is_none_or(|card| card.removed.is_some()) {
            (policy.instrument, policy.auto_renew) = (None, false);
        }
    }
    let plan = match payment.frequency {
        PaymentFrequency::Annual => None,
        PaymentFrequency::Monthly { payments } => {
            let Some(plan) = new_plan(&revision, payment, payments) else {
                return Ok(Some(UnappliedReason::NotNeeded));
            };
            Some(plan)
        }
    };
    quote.status = status;
    quote.updated = now;
    quote.reason = None;
    quote.holder_name = policyholder::name(&revision.answers);
    quote.accepted = Some(Acceptance {
        revision: payment.revision,
        amount: payment.amount,
        at: payment.created,
        frequency: payment.frequency,
        consent: payment.consent.clone(),
    });
    // A later save may have another mail address. The policy belongs to the address in the sold
    // revision.
    await_mailbox(
        tx,
        &mut quote,
        policyholder::username(&revision.answers),
        (now, None),
    )?;
    // A quote with an owner keeps the owner.
    if let (None, Some(name)) = (quote.owner, &quote.mailbox)
        && let Some(user) = registered_user(tx, name)?
    {
        quote.sell_to(user.uuid);
    }
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    if let Some(plan) = &plan {
        tables::PLANS.put(tx, &policy.uuid, plan)?;
    }
    if let Some(before) = quote.renews {
        mark_renewed(tx, before)?;
    }
    queue_letter(tx, quote.uuid, PolicyNotification::Bought, now)?;
    if plan.is_some() {
        queue_letter(tx, quote.uuid, PolicyNotification::PlanStarted, now)?;
    }
    if let Some(price) = &revision.price {
        ledger::post(tx, quote.uuid, &Entry::sale(now, quote.uuid, price))?;
    }
    documents::order_at_sale(tx, &policy, now)?;
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    Ok(None)
}

/// Returns the plan that the attempt begins. Its days count from the London day of the payment. Returns
/// `None` if the attempt did not pay the plan's first instalment.
fn new_plan(revision: &Revision, payment: &Payment, payments: u32) -> Option<PaymentPlan> {
    let count = i32::try_from(payments).ok()?;
    let days = instalment_days(payment.paid_on(), revision.expiry?, count);
    let plan = PaymentPlan::new(revision.price.as_ref()?.total, &days)?;
    (plan.collected() == payment.amount).then_some(plan)
}

/// Returns whether the price of a revision is for a year, not for a trip.
fn is_annual(revision: &Revision) -> bool {
    let price = revision.price.as_ref();
    price.is_some_and(|price| price.per == Per::Year)
}

/// Marks the previous policy as renewed, if the daily round has set it to expired. The daily round
/// marks a live policy as renewed after the last day.
fn mark_renewed(tx: &mut WriteTx<'_>, before: Uuid) -> Result<(), AppError> {
    let Some(mut before) = tables::QUOTES.get(tx, &before)? else {
        return Ok(());
    };
    if before.status == QuoteStatus::Expired
        && let Transition::Applied(status) = quote::apply(before.status, QuoteEvent::Renewed)
    {
        before.status = status;
        tables::QUOTES.put(tx, &before.uuid, &before)?;
    }
    Ok(())
}

/// Returns the policy that the attempt bought, or `None` if the revision has no term or price.
fn new_policy(
    quote: &Quote,
    revision: &Revision,
    payment: &Payment,
    terms: &SaleTerms,
    now: DateTime<Utc>,
) -> Option<Policy> {
    let (inception, expiry) = (revision.inception?, revision.expiry?);
    revision.price.as_ref()?;
    let annual = is_annual(revision);
    let renews = payment.consent.as_ref();
    let renews = renews.is_some_and(|consent| consent.covers_renewals);
    Some(Policy {
        uuid: quote.uuid,
        revision: revision.number,
        inception,
        expiry,
        cover_begins: cover_begins(
            inception,
            now,
            terms.cover_delay_hours,
            annual && !quote.is_renewal(),
        ),
        purchased: now,
        payment: payment.id,
        instrument: payment.instrument(),
        charging_stopped: None,
        paid: payment.amount,
        auto_renew: renews && annual,
        renews_at_once: false,
        registrations: terms.registrations.clone(),
        cancellation: None,
        renewal: if annual {
            RenewalStatus::Due {
                on: dates::add_days(expiry, -terms.renewal_lead_days),
            }
        } else {
            RenewalStatus::NotRenewed
        },
        scheduled_change: None,
        scheduled_end: None,
    })
}

pub(in crate::app) fn missing_quote() -> AppError {
    AppError::Internal("a payment's quote is missing".into())
}
