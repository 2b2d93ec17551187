//! The letters about money that comes back or is disputed, to whoever paid.

use uuid::Uuid;

use crate::app::mail::letters::{Letter, MoneyEvent, MoneyLetter};
use crate::app::payments::{balance_of, refunds_of};
use crate::app::quotes::revision_of;
use crate::app::{App, AppError};
use crate::domain::dispute::{Dispute, DisputeStatus};
use crate::domain::money::Pence;
use crate::domain::policyholder;
use crate::domain::refund::{CAME_BACK, OtherWay, Refund, RefundRoute, RefundStatus};
use crate::store::Read;
use crate::store::tables::{DISPUTES, PAYMENTS, POLICIES, QUOTES, REFUNDS, USERS};

impl App {
    /// Mails that a payment which bought nothing comes back; nothing where it does not come back to the card
    /// and another letter says so.
    pub(in crate::app) async fn mail_surplus(&self, payment: Uuid) -> Result<(), AppError> {
        self.mail_refund(Refund::id_of(payment, payment), |refund, is_disputed| {
            let route = refund.route(is_disputed);
            let comes_back = matches!(route, RefundRoute::Card | RefundRoute::Dispute);
            comes_back.then_some(MoneyEvent::Surplus {
                amount: refund.amount,
                is_disputed: route == RefundRoute::Dispute,
            })
        })
        .await
    }

    /// Mails that a refund is still owed, unless the gateway has made it since.
    pub(in crate::app) async fn mail_refund_owed(&self, refund: Uuid) -> Result<(), AppError> {
        self.mail_refund(refund, |refund, _| {
            let event = MoneyEvent::RefundOwed {
                amount: refund.amount,
                came_back: refund.message.as_deref() == Some(CAME_BACK),
                surplus: refund.is_surplus(),
            };
            refund.needs_a_person().then_some(event)
        })
        .await
    }

    /// Mails that a refund was paid in another way, unless it is owed again.
    pub(in crate::app) async fn mail_refund_paid(&self, refund: Uuid) -> Result<(), AppError> {
        self.mail_refund(refund, |refund, _| {
            let otherwise = refund.otherwise.as_ref()?;
            let (amount, way) = (refund.amount, otherwise.way);
            Some(MoneyEvent::RefundPaid { amount, way })
        })
        .await
    }

    /// Mails about a refund, given it and whether a bank decides a dispute of its payment now.
    async fn mail_refund(
        &self,
        refund: Uuid,
        event: impl Fn(&Refund, bool) -> Option<MoneyEvent>,
    ) -> Result<(), AppError> {
        let letter = self
            .store
            .read(|tx| {
                let refund = REFUNDS.get(tx, &refund)?.ok_or(AppError::NotFound)?;
                let balance = balance_of(tx, refund.payment)?;
                event(&refund, balance.is_disputed)
                    .map(|event| self.money_letter(tx, refund.payment, event))
                    .transpose()
            })
            .await?;
        self.send_money_letter(letter).await
    }

    /// Mails that a bank has taken a payment back; nothing where another letter says what it decided.
    pub(in crate::app) async fn mail_disputed(&self, dispute: Uuid) -> Result<(), AppError> {
        self.mail_dispute(dispute, |dispute, _| {
            let taken = dispute.taken();
            let is_open = dispute.status.is_open() && taken > Pence::ZERO;
            is_open.then_some(MoneyEvent::Disputed { taken })
        })
        .await
    }

    /// Mails how a dispute was decided, as it is now.
    pub(in crate::app) async fn mail_dispute_decided(&self, dispute: Uuid) -> Result<(), AppError> {
        self.mail_dispute(dispute, |dispute, refunds| {
            let sum = |wanted: &dyn Fn(&Refund) -> bool| -> Pence {
                let some = refunds.iter().filter(|refund| wanted(refund));
                some.map(|refund| refund.amount).sum()
            };
            // It may be made before this letter is written.
            let has_waited = |refund: &Refund| {
                let is_made = refund.status == RefundStatus::Paid && !refund.by_hand;
                refund.is_under_way() || is_made && dispute.updated <= refund.updated
            };
            match dispute.status {
                DisputeStatus::Inquiry | DisputeStatus::Open => None,
                // What was taken came back before the end: another letter said nothing of it.
                DisputeStatus::Prevented if dispute.written_off == Pence::ZERO => None,
                DisputeStatus::Lost | DisputeStatus::Prevented => Some(MoneyEvent::DisputeLost {
                    kept: dispute.written_off,
                    settles: sum(&|refund| refund.was_got(OtherWay::AlreadyHad)),
                    is_decided: dispute.status == DisputeStatus::Lost,
                }),
                DisputeStatus::Won => Some(MoneyEvent::DisputeWon {
                    refund: sum(&has_waited),
                }),
            }
        })
        .await
    }

    /// Mails about a dispute, given it and the refunds of the same payment.
    async fn mail_dispute(
        &self,
        dispute: Uuid,
        event: impl Fn(&Dispute, &[Refund]) -> Option<MoneyEvent>,
    ) -> Result<(), AppError> {
        let letter = self
            .store
            .read(|tx| {
                let dispute = DISPUTES.get(tx, &dispute)?.ok_or(AppError::NotFound)?;
                let mut refunds = refunds_of(tx, dispute.policy)?;
                refunds.retain(|refund| refund.payment == dispute.payment);
                event(&dispute, &refunds)
                    .map(|event| self.money_letter(tx, dispute.payment, event))
                    .transpose()
            })
            .await?;
        self.send_money_letter(letter).await
    }

    async fn send_money_letter(
        &self,
        letter: Option<(Option<String>, MoneyLetter)>,
    ) -> Result<(), AppError> {
        match letter {
            Some((Some(to), letter)) => self.deliver(&to, &Letter::Money(&letter)).await,
            _ => Ok(()),
        }
    }

    /// The letter, and the address it goes to: the owner's, or that in the answers that were paid for.
    fn money_letter(
        &self,
        tx: &impl Read,
        payment: Uuid,
        event: MoneyEvent,
    ) -> Result<(Option<String>, MoneyLetter), AppError> {
        let payment = PAYMENTS.get(tx, &payment)?;
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
            paid_on: payment.paid_on(),
            unapplied: payment.unapplied,
            event,
        };
        Ok((own.or_else(typed), letter))
    }
}
