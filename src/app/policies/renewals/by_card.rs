//! The card that pays for a renewal by itself, where the customer chose so.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::lists::put_quote;
use crate::app::policies::{refuse, tell};
use crate::app::{App, AppError, Caller, access};
use crate::domain::dates;
use crate::domain::quote::{Acceptance, PaymentFrequency, QuoteStatus};
use crate::store::tables::{PolicyNews, Task};
use crate::store::{WriteTx, tables};

impl App {
    /// Switches a policy's renewing by itself on or off.
    ///
    /// # Errors
    /// A conflict where it can't renew by itself, or has ended.
    pub async fn switch_auto_renew(
        &self,
        caller: &Caller,
        uuid: Uuid,
        auto_renew: bool,
    ) -> Result<bool, AppError> {
        let now = self.clock.now();
        let held = self.held(caller, uuid)?;
        refuse(held.may(self.today()).auto_renew)?;
        let caller = caller.clone();
        self.store
            .write(move |tx| {
                let (quote, mut policy) = access::owned_policy(tx, &caller, uuid, now)?;
                if quote.status != QuoteStatus::Live || policy.charged_on.is_some() {
                    return Err(AppError::conflict(
                        "not_possible_now",
                        "This can't be changed any more.",
                    ));
                }
                policy.auto_renew = auto_renew;
                tables::POLICIES.put(tx, &uuid, &policy)?;
                Ok(auto_renew)
            })
            .await
    }

    /// Charges the stored card for a renewal, once. Where that can't be, the customer is told
    /// and can pay by hand.
    pub(in crate::app) async fn renew_by_card(&self, policy: Uuid) -> Result<(), AppError> {
        let now = self.clock.now();
        let held = self.policy_row(policy)?;
        let Some(renewal) = held.policy.renewal else {
            return Ok(());
        };
        self.match_new_customer(renewal).await?;
        let accepted = self
            .store
            .write(move |tx| {
                let mut quote = tables::QUOTES
                    .get(tx, &renewal)?
                    .ok_or(AppError::NotFound)?;
                let Some(price) = quote
                    .current
                    .price
                    .as_ref()
                    .filter(|_| quote.is_buyable(now))
                else {
                    let told = PolicyNews::CardRefused { quote: renewal };
                    let declined =
                        matches!(quote.status, QuoteStatus::Declined | QuoteStatus::Refer);
                    // Bought by hand meanwhile, or not to be had and told so, there is nothing
                    // to say.
                    if !quote.status.may_be_policy() && !declined {
                        tell(tx, policy, told, now)?;
                    }
                    return Ok(false);
                };
                quote.accepted = Some(Acceptance {
                    revision: quote.current.number,
                    amount: price.total,
                    at: now,
                    frequency: PaymentFrequency::Annual,
                    auto_renew: true,
                });
                put_quote(tx, &quote)?;
                Ok::<_, AppError>(true)
            })
            .await?;
        if accepted {
            self.charge_stored(renewal, held.policy.payment).await?;
        }
        Ok(())
    }
}

/// Queues the charging of a policy's card for its renewal, once.
pub(in crate::app) fn charge_once(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(mut row) = tables::POLICIES.get(tx, &policy)? else {
        return Ok(());
    };
    if !row.auto_renew || row.charged_on.is_some() || row.renewal.is_none() {
        return Ok(());
    }
    row.charged_on = Some(dates::london_date(now));
    tables::POLICIES.put(tx, &policy, &row)?;
    crate::app::payments::enqueue(tx, Task::RenewByCard { policy }, now, policy)
}
