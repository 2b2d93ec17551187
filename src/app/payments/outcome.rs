//! The one transition that a callback, a waiting page and the asking job all lead to: what
//! a gateway says of an attempt becomes true here, and money becomes a policy once.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::event_of;
use crate::app::payments::ledger;
use crate::app::payments::refunds::give_surplus_back;
use crate::app::policies::{adjustment, renewal, tell};
use crate::app::quotes::ownership::{await_mailbox, typed_name};
use crate::app::quotes::revision_of;
use crate::app::quotes::underwrite::holder_name;
use crate::app::work::queue::enqueue;
use crate::app::{App, AppError, documents, rows};
use crate::domain::dates;
use crate::domain::ledger::Entry;
use crate::domain::money::Pence;
use crate::domain::payment::{self, Payment, PaymentEvent, PaymentStatus};
use crate::domain::policy::{Policy, cover_begins};
use crate::domain::price::Per;
use crate::domain::quote::{
    self, Acceptance, PaymentFrequency, Quote, QuoteEvent, QuoteStatus, Revision,
};
use crate::domain::registrations::registrations;
use crate::domain::renewal::RenewalStatus;
use crate::domain::transition::Transition;
use crate::integrations::gateway::GatewayStatus;
use crate::metrics;
use crate::store::tables::{PolicyNews, Task};
use crate::store::{WriteTx, tables};

/// What a sale needs to know of the product, worked out before the transaction.
#[derive(Clone)]
struct Terms {
    cover_delay_hours: i64,
    renewal_lead_days: i64,
    registrations: Vec<String>,
}

impl App {
    /// Makes what the gateway said true. Saying it again changes nothing.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an attempt that isn't ours.
    pub(in crate::app) async fn settle(
        &self,
        id: Uuid,
        standing: GatewayStatus,
    ) -> Result<PaymentStatus, AppError> {
        let now = self.clock.now();
        let tx = self.store.read()?;
        let known = tables::PAYMENTS.get(&tx, &id)?.ok_or(AppError::NotFound)?;
        let Some(event) = event_of(&standing) else {
            return Ok(known.status);
        };
        if !matches!(payment::apply(known.status, event), Transition::Applied(_)) {
            return Ok(known.status);
        }
        let quote = tables::QUOTES.get(&tx, &known.quote)?;
        let quote = quote.ok_or_else(no_quote)?;
        let revision = revision_of(&tx, &quote, known.revision)?;
        let product = self.products.by_hash(&revision.product_hash)?;
        let terms = Terms {
            cover_delay_hours: product.terms().cover_delay_hours,
            renewal_lead_days: product.terms().renewal_lead_days,
            registrations: registrations(&product, &revision.answers),
        };
        let change = match known.adjustment {
            Some(id) => {
                let change = tables::ADJUSTMENTS.get(&tx, &id)?;
                let change = change.ok_or(AppError::NotFound)?;
                Some((id, self.registrations_of_change(&change)?))
            }
            None => None,
        };
        if let GatewayStatus::Paid { amount } = &standing
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
                match &standing {
                    GatewayStatus::Failed { message } => {
                        payment.message = Some(message.clone());
                        if payment.stored_card.is_some() {
                            tell_card_refused(tx, payment.quote, now)?;
                        }
                    }
                    GatewayStatus::Paid { amount } => {
                        payment.message = None;
                        let right = *amount == payment.amount;
                        payment.bought = right
                            && match &change {
                                Some((change, registrations)) => {
                                    adjustment::settle(tx, *change, id, registrations, now)?
                                }
                                None => issue_policy(tx, &payment, &terms, now)?,
                            };
                        let taken = Entry::payment(now, id, *amount);
                        ledger::post(tx, payment.quote, &taken)?;
                        if !payment.bought {
                            give_back(tx, &mut payment, *amount, now)?;
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
}

fn no_quote() -> AppError {
    AppError::Internal("a payment's quote is missing".to_string())
}

/// Makes the policy, unless there is one; true when this payment bought it.
fn issue_policy(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    terms: &Terms,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let quote = tables::QUOTES.get(tx, &payment.quote)?;
    let mut quote = quote.ok_or_else(no_quote)?;
    let Transition::Applied(status) = quote::apply(quote.status, QuoteEvent::Paid) else {
        return Ok(false);
    };
    let revision = revision_of(tx, &quote, payment.revision)?;
    let policy = policy_of(&quote, &revision, payment, terms, now);
    // Paid for when its last day has gone by, it would cover nothing: the money goes back.
    let Some(policy) = policy.filter(|policy| policy.expiry >= dates::london_date(now)) else {
        return Ok(false);
    };
    quote.status = status;
    quote.updated = now;
    quote.reason = None;
    quote.holder_name = holder_name(&revision.answers);
    quote.accepted = Some(Acceptance {
        revision: payment.revision,
        amount: payment.amount,
        at: payment.created,
        frequency: PaymentFrequency::Annual,
        auto_renew: payment.auto_renew,
    });
    // What is sold is theirs whose address it has, whatever was typed since.
    await_mailbox(tx, &mut quote, typed_name(&revision.answers), None)?;
    // Its letter has the link to a first password; who has had it isn't sent it again.
    if let (None, Some(name)) = (quote.owner, quote.mailbox.clone()) {
        let quote = quote.uuid;
        enqueue(tx, Task::MailQuote { name, quote }, now, quote)?;
    }
    rows::policies::put(tx, &policy)?;
    if let Some(before) = quote.renews {
        follow(tx, before)?;
    }
    tell(tx, quote.uuid, PolicyNews::Bought, now)?;
    if let Some(price) = &revision.price {
        ledger::post(tx, quote.uuid, &Entry::sale(now, quote.uuid, price))?;
    }
    documents::queue_at_sale(tx, &policy, now)?;
    rows::quotes::put(tx, &quote)?;
    Ok(true)
}

/// A policy that a job has ended already is renewed after all; one that still runs becomes so
/// after its last day.
fn follow(tx: &mut WriteTx<'_>, before: Uuid) -> Result<(), AppError> {
    let Some(mut before) = tables::QUOTES.get(tx, &before)? else {
        return Ok(());
    };
    if before.status == QuoteStatus::Expired
        && let Transition::Applied(status) = quote::apply(before.status, QuoteEvent::Renewed)
    {
        before.status = status;
        rows::quotes::put(tx, &before)?;
    }
    Ok(())
}

/// The owner hears that a stored card didn't pay for the renewal.
fn tell_card_refused(
    tx: &mut WriteTx<'_>,
    renewal: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match tables::QUOTES
        .get(tx, &renewal)?
        .and_then(|quote| quote.renews)
    {
        Some(policy) => renewal::tell_unpaid(tx, policy, now),
        None => Ok(()),
    }
}

fn policy_of(
    quote: &Quote,
    revision: &Revision,
    payment: &Payment,
    terms: &Terms,
    now: DateTime<Utc>,
) -> Option<Policy> {
    let (inception, expiry) = (revision.inception?, revision.expiry?);
    let annual = revision.price.as_ref()?.per == Per::Year;
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
        paid: payment.amount,
        auto_renew: payment.auto_renew && annual,
        registrations: terms.registrations.clone(),
        cancellation: None,
        renewal: if annual {
            RenewalStatus::Due {
                on: dates::add_days(expiry, -terms.renewal_lead_days),
            }
        } else {
            RenewalStatus::NotRenewed
        },
    })
}

/// Money that bought nothing goes back by itself, all that was taken of it.
fn give_back(
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
    give_surplus_back(tx, payment, taken, now)
}
