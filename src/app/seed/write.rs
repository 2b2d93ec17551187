//! Writes seeded quotes, and the policies some of them became.

use chrono::Duration;

use super::{SEEDED, Seeded};
use crate::app::AppError;
use crate::app::payments::ledger;
use crate::app::policies::keep_dates;
use crate::app::policies::live_cover::registration_key;
use crate::app::quotes::list::put_quote;
use crate::app::quotes::underwrite::{forget_expiry, new_quote, save};
use crate::app::seed::outcome::SeedOutcome;
use crate::domain::dates;
use crate::domain::ledger::Entry;
use crate::domain::payment::{Payment, PaymentStatus};
use crate::domain::policy::{Policy, cover_begins};
use crate::domain::quote::{Acceptance, PaymentFrequency, QuoteStatus};
use crate::domain::renewal::Renewing;
use crate::domain::sandbox::{SandboxPayment, SandboxState, TestCard};
use crate::store::{WriteTx, tables};

/// Writes a batch and counts it.
pub(super) fn write_batch(tx: &mut WriteTx<'_>, batch: &[Seeded]) -> Result<(), AppError> {
    for seeded in batch {
        write_one(tx, seeded)?;
    }
    let name = SEEDED.to_string();
    let before = tables::COUNTERS.get(tx, &name)?.unwrap_or(0);
    let added = u32::try_from(batch.len()).unwrap_or(u32::MAX);
    tables::COUNTERS.put(tx, &name, &before.saturating_add(added))?;
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
    quote.renewal = seeded.renews.is_some();
    quote.renews = seeded.renews;
    if let Some(status) = seeded.outcome.status() {
        quote.status = status;
    }
    if seeded.outcome == SeedOutcome::Referred {
        quote.reason =
            Some("One of our team needs to look at this before we can offer cover.".into());
        forget_expiry(tx, &quote);
        quote.expires = None;
        quote.current.price = None;
        quote.versions.clear();
        quote.note_version();
    }
    if quote.status.is_policy()
        && let (Some(price), Some((inception, expiry))) = (&assessed.price, assessed.term)
    {
        let amount = price.total;
        let purchased = *at + Duration::minutes(12);
        quote.accepted = Some(Acceptance {
            revision: quote.current.number,
            amount,
            at: purchased,
            frequency: PaymentFrequency::Annual,
            auto_renew: false,
        });
        quote.updated = purchased;
        let payment = Payment {
            id: seeded.payment,
            quote: *uuid,
            revision: quote.current.number,
            amount,
            provider: "sandbox".to_string(),
            status: PaymentStatus::Paid,
            page: None,
            message: None,
            bought: true,
            auto_renew: false,
            adjustment: None,
            stored_card: None,
            created: purchased,
            updated: purchased,
        };
        let policy = Policy {
            uuid: *uuid,
            revision: quote.current.number,
            inception,
            expiry,
            cover_begins: cover_begins(inception, purchased, seeded.cover_delay_hours, true),
            purchased,
            payment: payment.id,
            paid: amount,
            auto_renew: false,
            cancellation: None,
            // A renewal that is seeded stands beside it already.
            renew_from: (quote.status == QuoteStatus::Live && seeded.renewal.is_none())
                .then(|| dates::add_days(expiry, -seeded.renewal_lead_days)),
            renewal: seeded.renewal,
            charged_on: None,
            renewing: Renewing::default(),
        };
        tables::PAYMENTS.put(tx, &payment.id, &payment)?;
        tables::PAYMENT_BY_QUOTE.put(tx, &(*uuid, payment.id), &())?;
        tables::SANDBOX.put(tx, &payment.id, &in_the_gateways_books(&payment))?;
        ledger::post(tx, *uuid, &Entry::sale(purchased, *uuid, price))?;
        ledger::post(tx, *uuid, &Entry::payment(purchased, payment.id, amount))?;
        tables::POLICIES.put(tx, uuid, &policy)?;
        if quote.status == QuoteStatus::Live {
            keep_dates(tx, &policy)?;
            for mark in &assessed.registrations {
                tables::POLICY_BY_REGISTRATION.put(tx, &(registration_key(mark), *uuid), &())?;
            }
        }
    }
    if quote.status != QuoteStatus::Quote {
        forget_expiry(tx, &quote);
    }
    put_quote(tx, &quote)
}

/// What lets a demonstration policy's card be charged again and given money back.
fn in_the_gateways_books(payment: &Payment) -> SandboxPayment {
    SandboxPayment {
        payment: payment.id,
        amount: payment.amount,
        description: String::new(),
        return_url: String::new(),
        state: SandboxState::Paid,
        card: Some(TestCard::Pays),
        created: payment.created,
        refunds: Vec::new(),
    }
}
