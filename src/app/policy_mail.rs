//! The letters about what happens to a policy, to whoever holds it.

use uuid::Uuid;

use super::letters::{Letter, PolicyEvent, PolicyLetter};
use super::policies::Held;
use super::{App, AppError};
use crate::domain::dates;
use crate::domain::quote::QuoteStatus;
use crate::store::tables;
use crate::store::tables::PolicyNews;

impl App {
    /// Mails what happened to a policy to its owner, or to the address it was bought with.
    pub(super) async fn mail_policy(&self, uuid: Uuid, news: PolicyNews) -> Result<(), AppError> {
        let held = self.policy_row(uuid)?;
        let Some(to) = self.mailbox_of(&held)? else {
            return Ok(());
        };
        let Some(event) = self.event(&held, news)? else {
            return Ok(());
        };
        let letter = PolicyLetter {
            product: held.product.info().product_title.clone(),
            reference: held.quote.reference.clone(),
            page: format!("{}/policy/view/{uuid}", self.public_url),
            event,
        };
        self.deliver(&to, &Letter::Policy(&letter)).await
    }

    fn mailbox_of(&self, held: &Held) -> Result<Option<String>, AppError> {
        let owner = match held.quote.owner {
            Some(owner) => tables::USERS.get(&self.store.read()?, &owner)?,
            None => None,
        };
        let own = owner.and_then(|user| user.profile.email_primary);
        let typed = || {
            held.revision
                .answers
                .text("email_primary")
                .map(str::to_string)
        };
        Ok(own.or_else(typed))
    }

    /// What the letter says; none when it no longer matters.
    fn event(&self, held: &Held, news: PolicyNews) -> Result<Option<PolicyEvent>, AppError> {
        let policy = &held.policy;
        let charge_on = policy.auto_renew.then_some(policy.expiry);
        let cancellation = policy.cancellation.as_ref();
        let renewal_page = |quote: Uuid| format!("{}/quote/edit/{quote}", self.public_url);
        let renewal = |quote: Uuid| {
            let row = tables::QUOTES.get(&self.store.read()?, &quote)?;
            Ok::<_, AppError>(row.filter(|row| !row.status.may_be_policy()))
        };
        Ok(match news {
            PolicyNews::Bought => Some(PolicyEvent::Bought {
                begins: policy.cover_begins,
                expiry: policy.expiry,
                paid: policy.paid,
                charge_on,
            }),
            PolicyNews::Changed { adjustment } => {
                let change = tables::ADJUSTMENTS.get(&self.store.read()?, &adjustment)?;
                change.map(|change| PolicyEvent::Changed {
                    from: change.effective,
                    amount: change.figures.amount,
                })
            }
            PolicyNews::Cancelled => cancellation.map(|ended| PolicyEvent::Cancelled {
                from: ended.effective,
                refund: ended.refund.amount,
            }),
            PolicyNews::NotTakenUp => cancellation.map(|ended| PolicyEvent::NotTakenUp {
                refund: ended.refund.amount,
            }),
            PolicyNews::RenewalQuoted { quote } => {
                renewal(quote)?.map(|row| PolicyEvent::RenewalQuoted {
                    starts: dates::add_days(policy.expiry, 1),
                    last_year: held.premium(),
                    price: row.current.price.as_ref().map(|price| price.total),
                    charge_on,
                    quote: renewal_page(quote),
                })
            }
            PolicyNews::NotRenewable { quote } => {
                renewal(quote)?.map(|row| PolicyEvent::NotRenewable {
                    expiry: policy.expiry,
                    reason: row.reason.unwrap_or_default(),
                })
            }
            PolicyNews::CardRefused { quote } => {
                renewal(quote)?.map(|_| PolicyEvent::CardRefused {
                    expiry: policy.expiry,
                    quote: renewal_page(quote),
                })
            }
            // Its renewal may have been paid since.
            PolicyNews::Ended => {
                (held.quote.status == QuoteStatus::Expired).then_some(PolicyEvent::Ended {
                    expiry: policy.expiry,
                })
            }
        })
    }
}
