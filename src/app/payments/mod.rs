//! Paying: start an attempt at a gateway, ask what became of it, hear its callbacks.

pub mod ledger;
pub(in crate::app) mod outcome;
pub mod refunds;
pub mod sandbox;
pub(in crate::app) mod stored_cards;

use chrono::{DateTime, Duration, Utc};
use std::sync::PoisonError;
use uuid::Uuid;

use super::policies::refuse;
use super::{App, AppError, Caller, access, new_id, quotes, rows};
use crate::app::idempotency::Key;
use crate::app::payments::stored_cards::not_charged;
use crate::app::policies::adjustment;
use crate::app::work::queue::enqueue;
use crate::domain::money::Pence;
use crate::domain::payment::{self, Page, Payment, PaymentEvent, PaymentStatus};
use crate::domain::quote::Quote;
use crate::domain::transition::Transition;
use crate::integrations::gateway::{GatewayStatus, Provider};
use crate::store::tables::Task;
use crate::store::{Direction, Read, WriteTx, tables};

/// An attempt the customer can pay now.
#[derive(Clone, Debug)]
pub struct Started {
    /// The attempt.
    pub payment: Uuid,
    /// Where to pay.
    pub page: Page,
    /// Whether it is an attempt that was begun before.
    pub resumed: bool,
}

/// An attempt, and whether the policy is there.
#[derive(Clone, Debug)]
pub struct PaymentView {
    /// The attempt.
    pub payment: Payment,
    /// Number the customer sees.
    pub reference: String,
    /// Whether the quote has become a policy.
    pub policy: bool,
}

/// First wait before the gateway is asked by itself, seconds; it grows with each try.
const FIRST_ASK: i64 = 20;
/// After how long an attempt that nobody finished is closed, hours. A payment that arrives
/// later is honoured all the same.
const GIVE_UP: i64 = 24;
/// Shortest time between two questions on behalf of a waiting page, milliseconds.
const ASK_AGAIN: i64 = 1500;

impl App {
    /// Starts to pay for an accepted quote or a change of a policy, or comes back to the
    /// attempt that is open.
    ///
    /// # Errors
    /// A conflict when the quote isn't accepted, was bought, or can't be bought any more; as
    /// when a change isn't pending.
    pub async fn initiate_payment(
        &self,
        caller: &Caller,
        provider: &str,
        id: Uuid,
        key: Option<Key>,
    ) -> Result<Started, AppError> {
        let provider = self
            .providers()
            .find(|known| known.name() == provider)
            .ok_or(AppError::NotFound)?;
        let now = self.clock.now();
        let (purpose, earlier) = {
            let tx = self.store.read()?;
            let purpose = Purpose::of(&tx, id)?;
            purpose.may_read(&tx, caller, now)?;
            (purpose, purpose.attempts(&tx)?)
        };
        if purpose.adjustment.is_some() {
            refuse(self.policy_row(purpose.quote)?.may(self.today()).change)?;
        }
        // What became of the earlier attempts is the gateway's to say, and is settled first.
        for attempt in earlier.iter().filter(|attempt| attempt.status.is_open()) {
            self.ask_gateway(attempt.id).await?;
        }

        let id = new_id(now);
        let (caller, provider_name) = (caller.clone(), provider.name().to_string());
        let (attempt, resumed) = self
            .store
            .write(move |tx| {
                let (revision, amount, auto_renew) = purpose.due(tx, &caller, now)?;
                if let Some(key) = &key
                    && let Some(first) = key.answer::<Uuid>(tx, now)?
                    && let Some(same) = tables::PAYMENTS.get(tx, &first)?
                    && same.status.is_open()
                    && (same.revision, same.amount) == (revision, amount)
                {
                    return Ok((same, true));
                }
                let open = purpose.attempts(tx)?.into_iter().rev().find(|attempt| {
                    attempt.status.is_open()
                        && attempt.stored_card.is_none()
                        && attempt.provider == provider_name
                        && (attempt.revision, attempt.amount) == (revision, amount)
                });
                if let Some(open) = open {
                    return Ok((open, true));
                }
                let attempt = Payment {
                    id,
                    quote: purpose.quote,
                    revision,
                    amount,
                    provider: provider_name.clone(),
                    status: PaymentStatus::Started,
                    page: None,
                    message: None,
                    bought: false,
                    auto_renew,
                    adjustment: purpose.adjustment,
                    stored_card: None,
                    created: now,
                    updated: now,
                };
                write_down(tx, &attempt)?;
                if let Some(key) = &key {
                    key.remember(tx, &id, now)?;
                }
                Ok::<_, AppError>((attempt, false))
            })
            .await?;

        if let Some(sold) = self.close_others(&attempt, earlier).await? {
            return Err(quotes::not_buyable(&sold, now));
        }
        let page = match attempt.page.clone() {
            Some(page) => page,
            None => self.register(provider, &attempt).await?,
        };
        Ok(Started {
            payment: attempt.id,
            page,
            resumed,
        })
    }

    /// Closes the `earlier` attempts for the same quote at their gateways. One of them may
    /// turn out to have been paid: then this attempt is closed too, for nobody is to pay
    /// twice, and the quote that was sold is answered.
    pub(super) async fn close_others(
        &self,
        attempt: &Payment,
        earlier: Vec<Payment>,
    ) -> Result<Option<Quote>, AppError> {
        for old in earlier {
            if old.status.is_open() && old.id != attempt.id {
                self.close_at_gateway(&old).await?;
            }
        }
        if attempt.adjustment.is_some() {
            return Ok(None);
        }
        let known = tables::QUOTES.get(&self.store.read()?, &attempt.quote)?;
        let sold = known.filter(|known| known.status.is_policy());
        if sold.is_some() {
            self.close_at_gateway(attempt).await?;
        }
        Ok(sold)
    }

    /// Tells the gateway of an attempt that is written down, and notes its page.
    async fn register(&self, provider: Provider, attempt: &Payment) -> Result<Page, AppError> {
        let page = match provider {
            Provider::Sandbox => self.sandbox_register(attempt).await?,
        };
        let (id, noted, now) = (attempt.id, page.clone(), self.clock.now());
        self.store
            .write(move |tx| {
                let mut payment = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
                if let Transition::Applied(status) =
                    payment::apply(payment.status, PaymentEvent::Registered)
                {
                    payment.status = status;
                }
                payment.page = Some(noted.clone());
                payment.updated = now;
                rows::payments::put(tx, &payment)?;
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(page)
    }

    /// Asks the gateway what became of an attempt, and settles what it says.
    ///
    /// # Errors
    /// When the gateway's answer isn't clear.
    pub async fn ask_gateway(&self, id: Uuid) -> Result<PaymentStatus, AppError> {
        let attempt = tables::PAYMENTS
            .get(&self.store.read()?, &id)?
            .ok_or(AppError::NotFound)?;
        if attempt.status.is_open()
            && attempt.created + Duration::hours(GIVE_UP) <= self.clock.now()
        {
            return self.close_at_gateway(&attempt).await;
        }
        let standing = match self.provider_of(&attempt)? {
            Provider::Sandbox => self.sandbox_standing(id)?,
        };
        let standing = match (attempt.stored_card, standing) {
            (Some(card), GatewayStatus::Unknown) if attempt.status.is_open() => {
                self.charge_card(&attempt, card).await?
            }
            (_, known) => known,
        };
        self.settle(id, standing).await
    }

    /// An attempt's provider, while it is switched on.
    pub(super) fn provider_of(&self, attempt: &Payment) -> Result<Provider, AppError> {
        self.providers()
            .find(|provider| provider.name() == attempt.provider)
            .ok_or_else(|| {
                AppError::Internal(format!("the gateway {} is switched off", attempt.provider))
            })
    }

    /// Closes an attempt's page at the gateway, and settles how it ended: it may have been
    /// paid a moment before. What the gateway never heard of has failed.
    async fn close_at_gateway(&self, attempt: &Payment) -> Result<PaymentStatus, AppError> {
        let standing = match self.provider_of(attempt)? {
            Provider::Sandbox => {
                self.sandbox_close(attempt.id).await?;
                self.sandbox_standing(attempt.id)?
            }
        };
        let standing = match standing {
            GatewayStatus::Unknown if attempt.stored_card.is_some() => not_charged(),
            GatewayStatus::Unknown => GatewayStatus::Failed {
                message: "The payment page was closed before a card was entered.".to_string(),
            },
            known => known,
        };
        self.settle(attempt.id, standing).await
    }

    /// Hears a gateway's callback. Any number of them, in any order, lead to one sale.
    ///
    /// # Errors
    /// [`AppError::Malformed`] when the callback isn't the gateway's.
    pub async fn gateway_callback(
        &self,
        provider: &str,
        body: &[u8],
        signature: impl Fn(&str) -> Option<String>,
    ) -> Result<(), AppError> {
        let provider = self
            .providers()
            .find(|known| known.name() == provider)
            .ok_or(AppError::NotFound)?;
        let signature = signature(provider.signature_header()).unwrap_or_default();
        let secret = self.provider_secret(provider);
        let event = provider.verify(body, &signature, secret, self.clock.now())?;
        self.settle(event.payment, event.status).await?;
        Ok(())
    }

    /// An attempt by its own id, or the newest of a quote; a waiting page's look makes us
    /// ask the gateway.
    ///
    /// # Errors
    /// As [`access::quote_of`]; not found while there is no attempt.
    pub async fn read_payment(&self, caller: &Caller, id: Uuid) -> Result<PaymentView, AppError> {
        let payment = self.find_payment(caller, id)?;
        if payment.status.is_open() && self.may_ask(payment.id) {
            // The page shows what we know; a gateway that doesn't answer is asked again.
            if let Err(error) = self.ask_gateway(payment.id).await {
                tracing::warn!(%error, payment = %payment.id, "the gateway could not be asked");
            }
        }
        let payment = self.find_payment(caller, id)?;
        let tx = self.store.read()?;
        let quote = tables::QUOTES
            .get(&tx, &payment.quote)?
            .ok_or(AppError::NotFound)?;
        Ok(PaymentView {
            reference: quote.reference,
            policy: tables::POLICIES.has(&tx, &payment.quote)?,
            payment,
        })
    }

    fn find_payment(&self, caller: &Caller, id: Uuid) -> Result<Payment, AppError> {
        let tx = self.store.read()?;
        let now = self.clock.now();
        if let Some(payment) = tables::PAYMENTS.get(&tx, &id)? {
            access::quote_of(&tx, caller, payment.quote, now)?;
            return Ok(payment);
        }
        let purpose = Purpose::of(&tx, id)?;
        purpose.may_read(&tx, caller, now)?;
        // The attempt that was good for something says more than one that came after it.
        let mut attempts = purpose.attempts(&tx)?;
        let bought = attempts.iter().position(|attempt| attempt.bought);
        match bought {
            Some(place) => Ok(attempts.swap_remove(place)),
            None => attempts.pop().ok_or(AppError::NotFound),
        }
    }

    fn may_ask(&self, payment: Uuid) -> bool {
        let now = self.clock.now();
        let recent = now - Duration::milliseconds(ASK_AGAIN);
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.retain(|_, at| *at > recent);
        if asked.contains_key(&payment) {
            return false;
        }
        asked.insert(payment, now);
        true
    }
}

/// What an attempt pays for: a quote, or a change of the policy it has become.
#[derive(Clone, Copy, Debug)]
struct Purpose {
    quote: Uuid,
    adjustment: Option<Uuid>,
}

impl Purpose {
    fn of(tx: &impl Read, id: Uuid) -> Result<Self, AppError> {
        let adjustment = tables::ADJUSTMENTS.get(tx, &id)?;
        Ok(Self {
            quote: adjustment.as_ref().map_or(id, |change| change.policy),
            adjustment: adjustment.map(|change| change.id),
        })
    }

    fn may_read(self, tx: &impl Read, caller: &Caller, now: DateTime<Utc>) -> Result<(), AppError> {
        match self.adjustment {
            Some(_) => access::owned_policy(tx, caller, self.quote, now).map(|_| ()),
            None => access::quote_of(tx, caller, self.quote, now).map(|_| ()),
        }
    }

    /// Its attempts, oldest first.
    fn attempts(self, tx: &impl Read) -> Result<Vec<Payment>, AppError> {
        let mut found = attempts(tx, self.quote)?;
        found.retain(|attempt| attempt.adjustment == self.adjustment);
        Ok(found)
    }

    /// What can be paid for now: revision, pence, and whether it renews by itself.
    fn due(
        self,
        tx: &WriteTx<'_>,
        caller: &Caller,
        now: DateTime<Utc>,
    ) -> Result<(u32, Pence, bool), AppError> {
        match self.adjustment {
            Some(change) => {
                let (revision, amount) = adjustment::due(tx, caller, self.quote, change, now)?;
                Ok((revision, amount, false))
            }
            None => accepted(&access::quote_of(tx, caller, self.quote, now)?, now),
        }
    }
}

/// A quote's attempts, those for its changes too, oldest first.
pub(super) fn attempts(tx: &impl Read, quote: Uuid) -> Result<Vec<Payment>, AppError> {
    let mut found = Vec::new();
    for ((_, id), ()) in
        tables::PAYMENT_BY_QUOTE.list(tx, &quote, Direction::Forward, usize::MAX)?
    {
        found.extend(tables::PAYMENTS.get(tx, &id)?);
    }
    Ok(found)
}

/// Writes a new attempt down, and asks the gateway of it by and by whatever happens to us.
pub(super) fn write_down(tx: &mut WriteTx<'_>, attempt: &Payment) -> Result<(), AppError> {
    rows::payments::put(tx, attempt)?;
    let ask = Task::AskGateway {
        payment: attempt.id,
    };
    let due = attempt.created + Duration::seconds(FIRST_ASK);
    enqueue(tx, ask, due, attempt.id)
}

/// What the customer accepted, if it can be paid for now: the revision, what it costs, and
/// whether it is to renew by itself.
pub(super) fn accepted(quote: &Quote, now: DateTime<Utc>) -> Result<(u32, Pence, bool), AppError> {
    if !quote.is_buyable(now) {
        return Err(quotes::not_buyable(quote, now));
    }
    quote
        .accepted
        .as_ref()
        .map(|accepted| (accepted.revision, accepted.amount, accepted.auto_renew))
        .ok_or_else(|| {
            AppError::conflict(
                "not_accepted",
                "Please check your answers and accept the quote before you pay.",
            )
        })
}

/// What a gateway's word means to the attempt; none when it says nothing new.
pub(super) fn event_of(standing: &GatewayStatus) -> Option<PaymentEvent> {
    match standing {
        GatewayStatus::Open | GatewayStatus::Unknown => None,
        GatewayStatus::Processing => Some(PaymentEvent::Processing),
        GatewayStatus::Paid { .. } => Some(PaymentEvent::Succeeded),
        GatewayStatus::Failed { .. } => Some(PaymentEvent::Failed),
    }
}
