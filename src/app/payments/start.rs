//! Starting an attempt to pay, or coming back to the one that is open.

use uuid::Uuid;

use crate::app::idempotency::Key;
use crate::app::payments::attempts::write_down;
use crate::app::payments::payable::Payable;
use crate::app::policies::refuse;
use crate::app::{App, AppError, Caller, new_id, quotes, rows};
use crate::domain::payment::{self, Payment, PaymentEvent, PaymentPage, PaymentStatus};
use crate::domain::transition::Transition;
use crate::integrations::gateway::Provider;
use crate::store::tables;

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
        key: Option<Key>,
    ) -> Result<Started, AppError> {
        let provider = self
            .providers()
            .find(|known| known.name() == provider)
            .ok_or(AppError::NotFound)?;
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

        let id = new_id(now);
        let (caller, provider_name) = (caller.clone(), provider.name().to_string());
        let (attempt, resumed) = self
            .store
            .write(move |tx| {
                let (revision, amount, auto_renew) = payable.due(tx, &caller, now)?;
                if let Some(key) = &key
                    && let Some(first) = key.answer::<Uuid>(tx, now)?
                    && let Some(same) = tables::PAYMENTS.get(tx, &first)?
                    && same.status.is_open()
                    && (same.revision, same.amount) == (revision, amount)
                {
                    return Ok((same, true));
                }
                let open = payable.attempts(tx)?.into_iter().rev().find(|attempt| {
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
                    quote: payable.quote,
                    revision,
                    amount,
                    provider: provider_name.clone(),
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
