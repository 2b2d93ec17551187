//! Letters about refunds, unapplied payments and disputes, to the customer who paid.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::letters::delivery::recipient::address_of;
use crate::app::letters::{
    Letter, LetterEvent, PaidFor, PaymentFields, SharedFields, delivery, format_amount,
    format_positive,
};
use crate::app::payments::refunds::unrefunded::refunds_about;
use crate::app::payments::{balance_of, refunds_of};
use crate::app::policies::plans;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError, page_addresses};
use crate::domain::money::Pence;
use crate::domain::money::ledger::BANK_TRANSFER;
use crate::domain::payment::dispute::{Dispute, DisputeStatus};
use crate::domain::payment::refund::{CAME_BACK, Refund, RefundMethod, RefundRoute, RefundStatus};
use crate::domain::payment::{Payment, PaymentFrequency, Purpose, UnappliedReason};
use crate::domain::policy::Policy;
use crate::domain::policy::plan::PlanStatus;
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates::format_long;
use crate::store::Read;
use crate::store::tables::{
    DISPUTES, PAYMENTS, PLANS, POLICIES, PolicyNotification, QUOTES, REFUNDS,
};

/// Mails an event of a refund, a payment or a dispute. Mails nothing if the current state needs no
/// such letter.
pub(super) async fn mail_money(app: &App, news: PolicyNotification) -> Result<(), AppError> {
    let letter = app
        .store
        .read(|tx| match money_event(tx, news, app.clock.today())? {
            Some((payment, event)) => money_letter(app, tx, payment, event),
            None => Ok(None),
        })
        .await?;
    match letter {
        Some((to, letter)) => delivery::send_letter(app, &to, &letter).await,
        None => Ok(()),
    }
}

/// Returns the address and the letter. The address is the owner's. Without an owner or an owner's
/// address, the address is in the paid answers. Returns `None` if there is no address.
fn money_letter(
    app: &App,
    tx: &impl Read,
    payment: Uuid,
    event: LetterEvent,
) -> Result<Option<(String, Letter)>, AppError> {
    let payment = PAYMENTS.get(tx, &payment)?;
    let payment = payment.ok_or(AppError::NotFound)?;
    let quote = QUOTES.get(tx, &payment.quote)?.ok_or(AppError::NotFound)?;
    let revision = revision_of(tx, &quote, payment.revision)?;
    let product = app.products.by_hash(tx, &revision.product_hash)?;
    let to = address_of(tx, &quote, &revision)?;
    let policy = POLICIES.get(tx, &payment.quote)?;
    let is_over =
        |policy: &Policy| quote.status != QuoteStatus::Live || policy.expiry < app.clock.today();
    let fields = PaymentFields {
        product: product.info().product_title.clone(),
        reference: quote.reference.clone(),
        is_policy: policy.is_some(),
        has_ended: policy.as_ref().is_some_and(is_over),
        is_due_again: is_due_again(tx, &payment)?,
        payments_page: payments_page(app, tx, payment.quote)?,
        payment_date: format_long(payment.paid_on()),
        is_too_late: payment.unapplied == Some(UnappliedReason::TooLate),
    };
    let shared = SharedFields::Payment(fields);
    Ok(to.map(|to| (to, Letter { event, shared })))
}

/// Returns the payment and the letter's event. Returns `None` if the current state needs no letter.
fn money_event(
    tx: &impl Read,
    news: PolicyNotification,
    today: NaiveDate,
) -> Result<Option<(Uuid, LetterEvent)>, AppError> {
    match news {
        PolicyNotification::UnappliedPayment { payment } => {
            let refund = find_refund(tx, Refund::refund_id(payment, payment))?;
            let is_disputed = balance_of(tx, payment)?.is_disputed;
            Ok(unapplied_event(&refund, is_disputed).map(|event| (payment, event)))
        }
        PolicyNotification::PaymentReversed { payment } => {
            let stored = PAYMENTS.get(tx, &payment)?.ok_or(AppError::NotFound)?;
            let event = stored.reversed.map(|amount| LetterEvent::PaymentReversed {
                amount: format_amount(amount),
                paid_for: paid_for(&stored),
            });
            Ok(event.map(|event| (payment, event)))
        }
        PolicyNotification::RefundOwed { refund } => {
            let refund = find_refund(tx, refund)?;
            let payment = PAYMENTS.get(tx, &refund.payment)?;
            let is_by_transfer = payment.is_some_and(|own| own.provider == BANK_TRANSFER);
            // The gateway may have made the refund meanwhile.
            let event = refund.needs_a_person().then(|| LetterEvent::RefundOwed {
                amount: format_amount(refund.amount),
                is_returned: refund.message.as_deref() == Some(CAME_BACK),
                is_unconfirmed: refund.status == RefundStatus::Unconfirmed,
                is_unapplied: refund.is_unapplied(),
                is_by_transfer,
            });
            Ok(event.map(|event| (refund.payment, event)))
        }
        PolicyNotification::RefundPaid { refund } => {
            let refund = find_refund(tx, refund)?;
            let is_to_card = refund.manual.is_none();
            let event = LetterEvent::RefundPaid {
                amount: format_amount(refund.amount),
                is_by_transfer: refund.was_received(RefundMethod::Transfer),
                is_to_card,
            };
            // The refund is owed again if the customer's bank returned the money or the shop won an appeal.
            let is_owed = is_to_card && refund.status != RefundStatus::Paid;
            Ok((!is_owed).then_some((refund.payment, event)))
        }
        PolicyNotification::Disputed { dispute } => {
            let dispute = find_dispute(tx, dispute)?;
            let amount =
                format_positive(dispute.amount_taken()).filter(|_| dispute.status.is_open());
            Ok(amount.map(|amount| (dispute.payment, LetterEvent::Disputed { amount })))
        }
        PolicyNotification::DisputeDecided { dispute } => {
            let dispute = find_dispute(tx, dispute)?;
            let plan = PLANS.get(tx, &dispute.policy)?;
            let plan = plan.filter(|plan| plan.status != PlanStatus::Ended);
            let due_again = plan.as_ref().map(|plan| plan.lost_of(dispute.payment));
            let lost = balance_of(tx, dispute.payment)?.unrefunded_loss();
            let cause_id = plans::paid_twice_cause(dispute.id, lost);
            let paid_twice = refunds_about(tx, dispute.policy, cause_id)?;
            let instalments = LostInstalments {
                due_again: format_positive(due_again.unwrap_or_default()),
                is_due_later: plan.is_some_and(|plan| plan.due(today) == Pence::ZERO),
                paid_twice: format_positive(paid_twice.iter().map(|own| own.amount).sum()),
            };
            let mut refunds = refunds_of(tx, dispute.policy)?;
            refunds.retain(|own| own.payment == dispute.payment && own.cause_id != cause_id);
            let event = dispute_event(&dispute, &refunds, instalments);
            Ok(event.map(|event| (dispute.payment, event)))
        }
        _ => Ok(None),
    }
}

/// Returns the page with the payments of a policy.
fn payments_page(app: &App, tx: &impl Read, policy: Uuid) -> Result<String, AppError> {
    Ok(match PLANS.has(tx, &policy)? {
        true => page_addresses::policy_payments(&app.public_url, policy),
        false => page_addresses::payments(&app.public_url),
    })
}

/// Returns whether instalments that a payment paid are due again, because it was taken back.
fn is_due_again(tx: &impl Read, payment: &Payment) -> Result<bool, AppError> {
    let plan = PLANS.get(tx, &payment.quote)?;
    let plan = plan.filter(|plan| plan.status != PlanStatus::Ended);
    Ok(plan.is_some_and(|plan| plan.lost_of(payment.id) > Pence::ZERO))
}

const fn paid_for(payment: &Payment) -> PaidFor {
    match (payment.purpose, payment.frequency) {
        (Purpose::Instalments(_), _) | (_, PaymentFrequency::Monthly { .. }) => {
            PaidFor::MonthlyPayments
        }
        (Purpose::Change(_), _) => PaidFor::Change,
        (Purpose::Sale | Purpose::Renewal, _) => PaidFor::Cover,
    }
}

fn find_refund(tx: &impl Read, refund: Uuid) -> Result<Refund, AppError> {
    REFUNDS.get(tx, &refund)?.ok_or(AppError::NotFound)
}

fn find_dispute(tx: &impl Read, dispute: Uuid) -> Result<Dispute, AppError> {
    DISPUTES.get(tx, &dispute)?.ok_or(AppError::NotFound)
}

/// Returns the event for a payment that bought nothing. Returns `None` unless the refund goes to
/// the card or waits for a dispute. Another letter reports every other refund.
fn unapplied_event(refund: &Refund, is_disputed: bool) -> Option<LetterEvent> {
    let route = refund.route(is_disputed);
    let comes_back = matches!(route, RefundRoute::Card | RefundRoute::Dispute);
    comes_back.then(|| LetterEvent::UnappliedPayment {
        amount: format_amount(refund.amount),
        is_disputed: route == RefundRoute::Dispute,
    })
}

/// The instalments of a plan that a disputed payment paid.
struct LostInstalments {
    /// What is to be paid again after a loss.
    due_again: Option<String>,
    /// Whether none of it is due yet.
    is_due_later: bool,
    /// What is refunded after a won appeal, because the customer paid it again.
    paid_twice: Option<String>,
}

/// Returns the event for a dispute in its current state. Returns `None` if the dispute is open, or
/// was prevented without a loss. `refunds` are the refunds of the dispute's payment.
fn dispute_event(
    dispute: &Dispute,
    refunds: &[Refund],
    instalments: LostInstalments,
) -> Option<LetterEvent> {
    let total = |is_wanted: &dyn Fn(&Refund) -> bool| -> Option<String> {
        let matching = refunds.iter().filter(|refund| is_wanted(refund));
        format_positive(matching.map(|refund| refund.amount).sum())
    };
    // The gateway may make the refund before the letter is written.
    let has_waited = |refund: &Refund| {
        let is_made = refund.status == RefundStatus::Paid && !refund.is_from_gateway;
        refund.is_under_way() || is_made && dispute.updated <= refund.updated
    };
    match dispute.status {
        DisputeStatus::Inquiry | DisputeStatus::Open => None,
        // No money was lost, so the customer needs no letter.
        DisputeStatus::Prevented if dispute.written_off == Pence::ZERO => None,
        DisputeStatus::Lost | DisputeStatus::Prevented => Some(LetterEvent::DisputeLost {
            amount: format_amount(dispute.written_off),
            owed_refund: total(&|refund| refund.was_received(RefundMethod::AlreadyRefunded)),
            is_decided: dispute.status == DisputeStatus::Lost,
            due_again: instalments.due_again,
            is_due_later: instalments.is_due_later,
        }),
        DisputeStatus::Won => Some(LetterEvent::DisputeWon {
            owed_refund: total(&has_waited),
            paid_twice: instalments.paid_twice,
        }),
    }
}
