//! Writes seeded quotes, and the policies of the bought quotes.

use chrono::Duration;

use crate::app::AppError;
use crate::app::counters;
use crate::app::payments::ledger;
use crate::app::quotes::save::{new_quote, save};
use crate::app::seed::make::{PURCHASE_DELAY, Seeded};
use crate::app::seed::outcome::SeedOutcome;
use crate::app::seed::plan::SeededPlan;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::sandbox::{SandboxPayment, TestCard};
use crate::domain::payment::{Consent, Mode, Payment, PaymentFrequency, PaymentStatus, Purpose};
use crate::domain::policy::renewal::{CardCharge, QuotedRenewal, RenewalStatus};
use crate::domain::policy::{Policy, cover_begins};
use crate::domain::quote::{Acceptance, QuoteStatus};
use crate::domain::time::dates;
use crate::store::{WriteTx, tables};

/// Writes a batch, and adds the number of its quotes to the counter of seeded quotes.
pub(in crate::app) fn write_batch(tx: &mut WriteTx<'_>, batch: &[Seeded]) -> Result<(), AppError> {
    for seeded in batch {
        write_one(tx, seeded)?;
    }
    let added = u32::try_from(batch.len()).unwrap_or(u32::MAX);
    counters::add(tx, counters::SEEDED, added)?;
    Ok(())
}

fn write_one(tx: &mut WriteTx<'_>, seeded: &Seeded) -> Result<(), AppError> {
    let Seeded {
        uuid,
        owner,
        assessed,
        at,
        ..
    } = seeded;
    let mut quote = new_quote(tx, *uuid, Some(*owner), &seeded.prefix, assessed, *at)?;
    save(tx, &mut quote, assessed, *at)?;
    quote.renews = seeded.renews;
    if let Some(status) = seeded.outcome.status() {
        quote.status = status;
    }
    if seeded.outcome == SeedOutcome::Referred {
        quote.reason =
            Some("One of our team needs to look at this before we can offer cover.".into());
        quote.expires = None;
        quote.current.price = None;
        quote.versions.clear();
        quote.note_version();
    }
    if quote.status.is_policy()
        && let (Some(price), Some((inception, expiry))) = (&assessed.price, assessed.term)
    {
        let plan = seeded.plan.as_ref();
        let amount = plan.map_or(price.total, SeededPlan::first_amount);
        let frequency = plan.map_or(PaymentFrequency::Annual, |own| own.plan.frequency());
        let consent = plan.map(|_| Consent::for_plan(None, Some(*owner), *at));
        let purchased = *at + Duration::minutes(PURCHASE_DELAY);
        quote.accepted = Some(Acceptance {
            revision: quote.current.number,
            amount,
            at: purchased,
            frequency,
            consent: consent.clone(),
        });
        quote.updated = purchased;
        let purpose = if quote.is_renewal() {
            Purpose::Renewal
        } else {
            Purpose::Sale
        };
        let terms = (quote.current.number, amount);
        let gateway = ("sandbox", Mode::Test);
        let payment = Payment {
            status: PaymentStatus::Paid,
            paid_at: Some(purchased),
            frequency,
            consent,
            ..Payment::on_page(seeded.payment, *uuid, terms, gateway, purpose, purchased)
        };
        let policy = Policy {
            uuid: *uuid,
            revision: quote.current.number,
            inception,
            expiry,
            cover_begins: cover_begins(inception, purchased, seeded.cover_delay_hours, true),
            purchased,
            payment: payment.id,
            instrument: None,
            charging_stopped: None,
            paid: amount,
            auto_renew: false,
            renews_at_once: false,
            registrations: assessed.registrations.clone(),
            cancellation: None,
            // The policy's renewal may be seeded too.
            renewal: match (seeded.renewal, quote.status) {
                (Some(renewal), _) => RenewalStatus::Quoted(QuotedRenewal {
                    quote: renewal,
                    follows: quote.current.number,
                    notice: None,
                    card: CardCharge::None,
                    scheduled_change: None,
                }),
                (None, QuoteStatus::Live) => RenewalStatus::Due {
                    on: dates::add_days(expiry, -seeded.renewal_lead_days),
                },
                (None, _) => RenewalStatus::NotRenewed,
            },
            scheduled_change: None,
            scheduled_end: None,
        };
        tables::PAYMENTS.put(tx, &payment.id, &payment)?;
        // Without this row, the sandbox could not refund the payment or charge the card again.
        let mut at_gateway = SandboxPayment::new(payment.id, amount, purchased);
        at_gateway.play(plan.map_or(TestCard::Pays, |own| own.card));
        tables::SANDBOX.put(tx, &payment.id, &at_gateway)?;
        ledger::post(tx, *uuid, &Entry::sale(purchased, *uuid, price))?;
        ledger::post(
            tx,
            *uuid,
            &Entry::payment(purchased, &payment.provider, payment.id, amount),
        )?;
        let policy = match plan {
            Some(plan) => plan.write(tx, policy, &payment)?,
            None => policy,
        };
        tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    }
    Ok(tables::QUOTES.put(tx, &quote.uuid, &quote)?)
}
