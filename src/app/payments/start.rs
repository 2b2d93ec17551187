//! Starting an attempt to pay, or coming back to the one that is open.

use std::future::ready;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::idempotency::{IdempotencyKey, Once};
use crate::app::payments::attempts::write_down;
use crate::app::payments::payable::Payable;
use crate::app::policies::refuse;
use crate::app::{App, AppError, Caller, new_id, quotes, rows};
use crate::domain::payment::{self, Payment, PaymentEvent, PaymentPage, PaymentStatus};
use crate::domain::transition::Transition;
use crate::integrations::gateway::Provider;
use crate::store::{WriteTx, tables};

/// An attempt the customer can pay now.
#[derive(Clone, Debug)]
pub struct Started {
    /// The attempt.
    pub payment: Uuid,
    /// Where to pay.
    pub page: PaymentPage,
    /// Whether it is an attempt that was begun before.
    pub resumed: bool,
}

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
        key: Option<IdempotencyKey>,
    ) -> Result<Started, AppError> {
        let provider = self
            .providers()
            .find(|known| known.name() == provider)
            .ok_or(AppError::NotFound)?;
        let policy = self
            .store
            .read(|tx| Ok::<_, AppError>(Payable::of(tx, id)?.quote))
            .await?;
        self.do_what_has_come(policy).await?;
        let now = self.clock.now();
        let (payable, earlier) = self
            .store
            .read(|tx| {
                let payable = Payable::of(tx, id)?;
                payable.may_read(tx, caller, now)?;
                if payable.adjustment.is_some() {
                    let policy = self.policy_unchecked(tx, payable.quote)?;
                    refuse(policy.permitted_actions(self.today()).change)?;
                }
                Ok::<_, AppError>((payable, payable.attempts(tx)?))
            })
            .await?;
        // The gateway is asked for the outcome of earlier open attempts first.
        for attempt in earlier.iter().filter(|attempt| attempt.status.is_open()) {
            self.ask_gateway(attempt.id).await?;
        }

        let new = new_id(now);
        let begin = {
            let (caller, provider) = (caller.clone(), provider.name().to_string());
            move |tx: &mut WriteTx<'_>| open_or_new(tx, &payable, &caller, &provider, new, now)
        };
        let id = match self.once(key, now, ready(Ok(begin.clone()))).await? {
            Once::First(id) => id,
            // A call that comes again finds the attempt it began; when that is closed by now, it
            // can't be paid any more and another is begun.
            Once::Repeated(_) => self.store.write(begin).await?,
        };
        let attempt = self.store.read(|tx| tables::PAYMENTS.get(tx, &id)).await?;
        let attempt = attempt.ok_or(AppError::NotFound)?;

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
            resumed: id != new,
        })
    }

    /// Registers a stored attempt at the gateway, and stores its payment page.
    async fn register(
        &self,
        provider: Provider,
        attempt: &Payment,
    ) -> Result<PaymentPage, AppError> {
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
}

/// The id of the open attempt at this provider to pay what is due now; a new attempt is stored where
/// there is none.
fn open_or_new(
    tx: &mut WriteTx<'_>,
    payable: &Payable,
    caller: &Caller,
    provider: &str,
    new: Uuid,
    now: DateTime<Utc>,
) -> Result<Uuid, AppError> {
    let (revision, amount, auto_renew) = payable.due(tx, caller, now)?;
    let open = payable.attempts(tx)?.into_iter().rev().find(|attempt| {
        attempt.status.is_open()
            && attempt.stored_card.is_none()
            && attempt.provider == provider
            && (attempt.revision, attempt.amount) == (revision, amount)
    });
    if let Some(open) = open {
        return Ok(open.id);
    }
    let attempt = Payment {
        id: new,
        quote: payable.quote,
        revision,
        amount,
        provider: provider.to_string(),
        status: PaymentStatus::Started,
        page: None,
        message: None,
        bought: false,
        auto_renew,
        adjustment: payable.adjustment,
        stored_card: None,
        created: now,
        updated: now,
    };
    write_down(tx, &attempt)?;
    Ok(new)
}
