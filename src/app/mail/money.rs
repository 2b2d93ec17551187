//! The letters about money that comes back, to whoever paid.

use uuid::Uuid;

use crate::app::mail::letters::{Letter, MoneyEvent, MoneyLetter};
use crate::app::quotes::revision_of;
use crate::app::{App, AppError};
use crate::domain::dates::london_date;
use crate::domain::policyholder;
use crate::domain::refund::{Refund, RefundStatus};
use crate::store::Read;
use crate::store::tables::{PAYMENTS, POLICIES, QUOTES, REFUNDS, USERS};

impl App {
    /// Mails that a payment which bought nothing comes back; nothing where it has not come back by now
    /// and another letter says so.
    pub(in crate::app) async fn mail_surplus(&self, payment: Uuid) -> Result<(), AppError> {
        self.mail_refund(Refund::id_of(payment, payment), |refund| {
            let amount = refund.amount;
            (!refund.status.needs_a_person()).then_some(MoneyEvent::Surplus { amount })
        })
        .await
    }

    /// Mails that a refund is still owed, unless the gateway has made it since.
    pub(in crate::app) async fn mail_refund_owed(&self, refund: Uuid) -> Result<(), AppError> {
        self.mail_refund(refund, |refund| {
            let event = MoneyEvent::RefundOwed {
                amount: refund.amount,
                came_back: refund.status == RefundStatus::Failed,
                surplus: refund.is_surplus(),
            };
            refund.status.needs_a_person().then_some(event)
        })
        .await
    }

    async fn mail_refund(
        &self,
        refund: Uuid,
        event: impl Fn(&Refund) -> Option<MoneyEvent>,
    ) -> Result<(), AppError> {
        let letter = self
            .store
            .read(|tx| {
                let refund = REFUNDS.get(tx, &refund)?.ok_or(AppError::NotFound)?;
                event(&refund)
                    .map(|event| self.money_letter(tx, &refund, event))
                    .transpose()
            })
            .await?;
        match letter {
            Some((Some(to), letter)) => self.deliver(&to, &Letter::Money(&letter)).await,
            _ => Ok(()),
        }
    }

    /// The letter, and the address it goes to: the owner's, or that in the answers that were paid for.
    fn money_letter(
        &self,
        tx: &impl Read,
        refund: &Refund,
        event: MoneyEvent,
    ) -> Result<(Option<String>, MoneyLetter), AppError> {
        let payment = PAYMENTS.get(tx, &refund.payment)?;
        let payment = payment.ok_or(AppError::NotFound)?;
        let quote = QUOTES.get(tx, &payment.quote)?.ok_or(AppError::NotFound)?;
        let revision = revision_of(tx, &quote, payment.revision)?;
        let product = self.products.by_hash(tx, &revision.product_hash)?;
        let owner = match quote.owner {
            Some(owner) => USERS.get(tx, &owner)?,
            None => None,
        };
        let own = owner.and_then(|user| user.profile.email_primary);
        let typed = || policyholder::email(&revision.answers).map(str::to_string);
        let letter = MoneyLetter {
            product: product.info().product_title.clone(),
            reference: quote.reference,
            is_policy: POLICIES.has(tx, &payment.quote)?,
            paid_on: london_date(payment.created),
            event,
        };
        Ok((own.or_else(typed), letter))
    }
}
