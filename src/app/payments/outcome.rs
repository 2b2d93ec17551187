//! The outcome of an attempt to pay: a callback, a waiting page and the job that asks all lead
//! here. Each outcome is stored once, and a policy is issued once.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::ledger;
use crate::app::payments::refunds::refund_surplus;
use crate::app::policies::issue::{SaleTerms, issue_policy, missing_quote};
use crate::app::policies::{adjustment, renewal};
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, rows};
use crate::domain::ledger::Entry;
use crate::domain::money::Pence;
use crate::domain::payment::{self, Payment, PaymentEvent, PaymentStatus};
use crate::domain::registrations::registrations;
use crate::domain::transition::Transition;
use crate::integrations::gateway::GatewayStatus;
use crate::metrics;
use crate::store::{Read, WriteTx, tables};

/// The adjustment that an attempt pays for, and the registration marks that are covered after it.
type PaidChange = (Uuid, Vec<String>);

impl App {
    /// Records what the gateway says of an attempt, and everything that follows. The same outcome
    /// again changes nothing.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an attempt that isn't ours.
    pub(in crate::app) async fn record_outcome(
        &self,
        id: Uuid,
        gateway_status: GatewayStatus,
    ) -> Result<PaymentStatus, AppError> {
        let now = self.clock.now();
        let event = event_of(&gateway_status);
        let (known, sale) = self
            .store
            .read(|tx| {
                let known = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
                let sale = match event {
                    Some(event) if is_new(&known, event) => Some(self.sale_of(tx, &known)?),
                    _ => None,
                };
                Ok::<_, AppError>((known, sale))
            })
            .await?;
        let (Some(event), Some((terms, change))) = (event, sale) else {
            return Ok(known.status);
        };
        if let GatewayStatus::Paid { amount } = &gateway_status
            && *amount != known.amount
        {
            tracing::error!(payment = %id, "the gateway's amount is not the accepted one");
        }
        let (status, moved) = self
            .store
            .write(move |tx| {
                let mut payment = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
                match payment::apply(payment.status, event) {
                    Transition::Applied(status) => payment.status = status,
                    Transition::AlreadyApplied | Transition::Refused(_) => {
                        return Ok((payment.status, false));
                    }
                }
                payment.updated = now;
                match &gateway_status {
                    GatewayStatus::Failed { message } => {
                        payment.message = Some(message.clone());
                        if payment.stored_card.is_some() {
                            queue_card_refused_letter(tx, payment.quote, now)?;
                        }
                    }
                    GatewayStatus::Paid { amount } => {
                        payment.message = None;
                        let right = *amount == payment.amount;
                        payment.bought = right
                            && match &change {
                                Some((change, registrations)) => {
                                    adjustment::agree_paid(tx, *change, id, registrations, now)?
                                }
                                None => issue_policy(tx, &payment, &terms, now)?,
                            };
                        let taken = Entry::payment(now, id, *amount);
                        ledger::post(tx, payment.quote, &taken)?;
                        if !payment.bought {
                            refund_unneeded(tx, &mut payment, *amount, now)?;
                        }
                    }
                    _ => {}
                }
                rows::payments::put(tx, &payment)?;
                Ok::<_, AppError>((payment.status, true))
            })
            .await?;
        if !moved {
            return Ok(status);
        }
        tracing::info!(payment = %id, ?status, "a payment moved on");
        metrics::paid(match status {
            PaymentStatus::Paid => "paid",
            PaymentStatus::Failed => "failed",
            PaymentStatus::Refunding | PaymentStatus::Refunded => "given back",
            PaymentStatus::Started | PaymentStatus::Pending | PaymentStatus::Processing => "open",
        });
        self.work_added.notify_one();
        Ok(status)
    }

    /// What an attempt buys: the terms of the policy, and the adjustment it pays for.
    fn sale_of(
        &self,
        tx: &impl Read,
        attempt: &Payment,
    ) -> Result<(SaleTerms, Option<PaidChange>), AppError> {
        let quote = tables::QUOTES.get(tx, &attempt.quote)?;
        let quote = quote.ok_or_else(missing_quote)?;
        let revision = revision_of(tx, &quote, attempt.revision)?;
        let product = self.products.by_hash(tx, &revision.product_hash)?;
        let terms = SaleTerms {
            cover_delay_hours: product.terms().cover_delay_hours,
            renewal_lead_days: product.terms().renewal_lead_days,
            registrations: registrations(&product, &revision.answers),
        };
        let change = match attempt.adjustment {
            Some(id) => {
                let change = tables::ADJUSTMENTS.get(tx, &id)?;
                let change = change.ok_or(AppError::NotFound)?;
                Some((id, self.registrations_after(tx, &change)?))
            }
            None => None,
        };
        Ok((terms, change))
    }
}

/// Whether an event moves an attempt on.
fn is_new(attempt: &Payment, event: PaymentEvent) -> bool {
    matches!(
        payment::apply(attempt.status, event),
        Transition::Applied(_)
    )
}

/// Queues the letter that a stored card didn't pay for the renewal.
fn queue_card_refused_letter(
    tx: &mut WriteTx<'_>,
    renewal: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match tables::QUOTES
        .get(tx, &renewal)?
        .and_then(|quote| quote.renews)
    {
        Some(policy) => renewal::queue_unpaid_letter(tx, policy, now),
        None => Ok(()),
    }
}

/// Refunds all of a payment that bought nothing, without being asked.
fn refund_unneeded(
    tx: &mut WriteTx<'_>,
    payment: &mut Payment,
    taken: Pence,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if let Transition::Applied(status) = payment::apply(payment.status, PaymentEvent::Surplus) {
        payment.status = status;
    }
    payment.message = Some(
        "This payment was not needed. It is being refunded to the card it came from.".to_string(),
    );
    refund_surplus(tx, payment, taken, now)
}

/// The event of a gateway's status; none when the status tells nothing new.
pub(in crate::app) fn event_of(gateway_status: &GatewayStatus) -> Option<PaymentEvent> {
    match gateway_status {
        GatewayStatus::Open | GatewayStatus::Unknown => None,
        GatewayStatus::Processing => Some(PaymentEvent::Processing),
        GatewayStatus::Paid { .. } => Some(PaymentEvent::Succeeded),
        GatewayStatus::Failed { .. } => Some(PaymentEvent::Failed),
    }
}
