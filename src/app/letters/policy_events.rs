//! Builds the events of the letters about a policy.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Europe::London;

use crate::app::letters::change_events::{cancelled_change_fields, change_event};
use crate::app::letters::plan_events::{
    add_later_payments, format_stopped, plan_event, unpaid_end,
};
use crate::app::letters::quote::format_choices;
use crate::app::letters::renewal_events::{
    card_event, format_card, is_uncharged, open_renewal, reminder_event, renewal_page,
};
use crate::app::letters::{
    AdjacentPolicy, LateRenewal, LetterEvent, format_amount, format_refunds,
};
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::cancellations;
use crate::app::policies::cancellations::end_cover::is_in_time;
use crate::app::policies::plans::StoppedPayments;
use crate::app::policies::renewals::RenewalPreview;
use crate::app::policies::{self, PolicyContext};
use crate::app::products::ProductRegistry;
use crate::app::products::help_line::help_line;
use crate::app::{App, AppError, page_addresses};
use crate::clock::Clock;
use crate::domain::policy::cancellation::return_premium::cooling_off_end;
use crate::domain::policy::cancellation::{self, ScheduledStatus};
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates::{add_days, format_long};
use crate::store::Read;
use crate::store::tables::{self, PolicyNotification};

/// Returns the letter's event. Returns `None` if the current state needs no such letter.
pub(super) fn policy_event(
    app: &App,
    tx: &impl Read,
    context: &PolicyContext,
    news: PolicyNotification,
) -> Result<Option<LetterEvent>, AppError> {
    let policy = context.policy.uuid;
    let today = app.clock.today();
    match news {
        PolicyNotification::Bought => bought_event(app, tx, context).map(Some),
        PolicyNotification::Changed { adjustment }
        | PolicyNotification::ChangeAgreed { adjustment }
        | PolicyNotification::ChangeWithdrawn { adjustment } => {
            let change = tables::ADJUSTMENTS.get(tx, &adjustment)?;
            let event = change.map(|change| change_event(tx, &change, news));
            Ok(event.transpose()?.flatten())
        }
        PolicyNotification::Cancelled => {
            let Some(done) = cancellations::completed_progress(tx, context)? else {
                return Ok(None);
            };
            let refund = unrefunded::refund_parts(tx, policy, done.cancellation.id)?;
            Ok(Some(LetterEvent::Cancelled {
                effective_date: format_long(done.cancellation.effective),
                last_day: done.last_day.map(format_long),
                is_immediate: done.cancellation.is_at_once(),
                is_before_start: context.policy.never_covered(),
                refund: format_refunds(&refund),
                cancelled_change: cancelled_change_fields(tx, policy, done.dropped)?,
                stopped_payments: format_stopped(done.stopped),
                next_policy: next_policy(context, today),
            }))
        }
        PolicyNotification::CancellationAgreed { cancellation } => {
            let pending = cancellations::pending_of(tx, context, today)?;
            let own = pending.filter(|pending| pending.cancellation.id == cancellation);
            let Some(pending) = own else {
                return Ok(None);
            };
            let back = pending.cancellation.refund.amount;
            let mut refund = unrefunded::expected_parts(tx, policy, back)?;
            add_later_payments(&mut refund, back, pending.stopped.is_some());
            Ok(Some(LetterEvent::CancellationAgreed {
                effective_date: format_long(pending.cancellation.effective),
                last_day: pending.last_day.map(format_long),
                refund: format_refunds(&refund),
                cancelled_change: cancelled_change_fields(tx, policy, pending.dropped)?,
                stopped_payments: format_stopped(pending.stopped),
                next_policy: next_policy(context, today),
            }))
        }
        PolicyNotification::CancellationWithdrawn { cancellation } => {
            let cancellation_row = tables::SCHEDULED_CANCELLATIONS.get(tx, &cancellation)?;
            let cancellation_row = cancellation_row
                .filter(|cancellation_row| cancellation_row.status == ScheduledStatus::Withdrawn);
            let goes_on = context.policy.scheduled_end.is_none();
            let Some(cancellation_row) = cancellation_row.filter(|_| goes_on) else {
                return Ok(None);
            };
            let change = cancellations::dropped_change(tx, policy, cancellation_row.dropped)?;
            Ok(Some(LetterEvent::CancellationWithdrawn {
                effective_date: format_long(cancellation_row.effective),
                expiry: format_long(context.policy.expiry),
                is_notice: cancellation_row.notice.is_some(),
                cancelled_change: cancelled_change_fields(tx, policy, change)?,
                unpaid_end: unpaid_end(tx, context)?,
            }))
        }
        PolicyNotification::NotTakenUp => {
            let Some(done) = cancellations::completed_progress(tx, context)? else {
                return Ok(None);
            };
            let refund = unrefunded::refund_parts(tx, policy, done.cancellation.id)?;
            Ok(Some(LetterEvent::NotTakenUp {
                refund: format_refunds(&refund),
                cancelled_change: cancelled_change_fields(tx, policy, done.dropped)?,
                stopped_payments: format_stopped(done.stopped),
                previous_policy: live_predecessor(tx, context)?,
            }))
        }
        PolicyNotification::RenewalReminder { .. } => reminder_event(app, tx, context),
        PolicyNotification::CardRefused { .. } => {
            card_event(&app.clock, &app.public_url, tx, context)
        }
        PolicyNotification::PlanStarted
        | PolicyNotification::PlanChanged
        | PolicyNotification::InstalmentFailed
        | PolicyNotification::InstalmentUnclear
        | PolicyNotification::PlanNotice
        | PolicyNotification::PlanReminder
        | PolicyNotification::PlanPaid => plan_event((today, &app.public_url), tx, context, news),
        PolicyNotification::CancelledByShop => {
            let Some(done) = cancellations::completed_progress(tx, context)? else {
                return Ok(None);
            };
            let ended = done.cancellation;
            let refund = unrefunded::refund_parts(tx, policy, ended.id)?;
            let reason = ended.reason.and_then(cancellation::reason);
            Ok(Some(LetterEvent::CancelledByShop {
                cause: reason.unwrap_or_default().to_owned(),
                is_before_start: context.policy.never_covered(),
                end_day: format_long(add_days(ended.effective, -1)),
                refund: format_refunds(&refund),
                stopped_payments: format_stopped(done.stopped),
                next_policy: next_policy(context, today),
            }))
        }
        PolicyNotification::EndNotice { cancellation } => {
            let pending = cancellations::pending_of(tx, context, today)?;
            let own = pending.filter(|pending| pending.cancellation.id == cancellation);
            let own = own.filter(|own| is_in_time(own.cancellation.effective, today));
            let Some(pending) = own else {
                return Ok(None);
            };
            let back = pending.cancellation.refund.amount;
            let mut refund = unrefunded::expected_parts(tx, policy, back)?;
            add_later_payments(&mut refund, back, pending.stopped.is_some());
            let reason = pending.cancellation.reason.and_then(cancellation::reason);
            Ok(Some(LetterEvent::EndNotice {
                cause: reason.unwrap_or_default().to_owned(),
                last_day: pending.last_day.map(format_long),
                refund: format_refunds(&refund),
                cancelled_change: cancelled_change_fields(tx, policy, pending.dropped)?,
                stopped_payments: format_stopped(pending.stopped),
                next_policy: next_policy(context, today),
            }))
        }
        // The customer may have paid for the renewal meanwhile.
        PolicyNotification::Ended if context.quote.status == QuoteStatus::Expired => {
            ended_event(&app.clock, &app.products, &app.public_url, tx, context).map(Some)
        }
        PolicyNotification::Ended => Ok(None),
        // `mail_policy` passes these events to `mail_renewal` and to `mail_money`.
        PolicyNotification::RenewalQuoted { .. }
        | PolicyNotification::NotRenewable { .. }
        | PolicyNotification::UnappliedPayment { .. }
        | PolicyNotification::PaymentReversed { .. }
        | PolicyNotification::RefundOwed { .. }
        | PolicyNotification::RefundPaid { .. }
        | PolicyNotification::Disputed { .. }
        | PolicyNotification::DisputeDecided { .. } => Ok(None),
    }
}

fn bought_event(
    app: &App,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<LetterEvent, AppError> {
    let policy = &context.policy;
    let help = help_line(&context.product, &app.config.site);
    let by_itself = context.next_year(app.clock.today()) == RenewalPreview::ByItself;
    let (help_phone, help_hours) = (help.phone, help.answered);
    let choices = format_choices(&context.product, &context.revision.answers);
    let cover_begins = format_moment(policy.cover_begins);
    let cooling_off_days = context.product.terms().cooling_off_days;
    let cooling_off_end = cooling_off_end(policy, context.is_single_trip(), cooling_off_days);
    let cooling_off_end = cooling_off_end.map(format_long);
    let previous_policy = covering_predecessor(app, tx, context)?;
    let (expiry, paid) = (format_long(policy.expiry), format_amount(policy.paid));
    let charge_date = context.charge_day().filter(|_| by_itself);
    let charge_date = charge_date.map(format_long);
    let payment = tables::PAYMENTS.get(tx, &policy.payment)?;
    let card = payment.and_then(|payment| payment.instrument());
    Ok(match card.filter(|_| context.quote.is_renewal()) {
        Some(card) => LetterEvent::RenewedByCard {
            card: format_card(tx, card)?,
            help_phone,
            help_hours,
            choices,
            cover_begins,
            cooling_off_end,
            previous_policy,
            expiry,
            paid,
            charge_date,
        },
        None => LetterEvent::Bought {
            is_renewable: !context.is_single_trip(),
            help_phone,
            help_hours,
            choices,
            cover_begins,
            cooling_off_end,
            previous_policy,
            expiry,
            paid,
            charge_date,
        },
    })
}

fn ended_event(
    clock: &Clock,
    products: &ProductRegistry,
    public_url: &str,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<LetterEvent, AppError> {
    let expiry = context.policy.expiry;
    let renewal = open_renewal(clock, tx, context)?;
    let is_charge_pending = context.card_charge.is_some();
    let product = context.product.identifier();
    let sold = products.is_on_sale(product, None, clock.today());
    let buyable = renewal.filter(|renewal| renewal.is_buyable(clock.now()));
    let buyable = buyable.filter(|_| !is_charge_pending);
    Ok(LetterEvent::Ended {
        expiry: format_long(expiry),
        late_renewal: buyable.map(|renewal| LateRenewal {
            last_day: format_long(add_days(expiry, 1)),
            renewal_page: renewal_page(public_url, &renewal),
        }),
        is_charge_pending,
        stopped_payments: format_stopped(StoppedPayments::load(tx, context.policy.uuid, None)?),
        new_quote_page: (sold && is_uncharged(tx, context)?)
            .then(|| page_addresses::new_quote(public_url, product)),
    })
}

/// Returns the policy that this policy renews, with the last day of the renewed policy. Returns
/// `None` if this policy renews no policy. Also returns `None` if the renewed policy is not live,
/// is to be cancelled, or has ended.
fn covering_predecessor(
    app: &App,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<AdjacentPolicy>, AppError> {
    let Some(earlier) = context.quote.renews else {
        return Ok(None);
    };
    let earlier = policies::policy_unchecked(app, tx, earlier)?;
    let last = earlier.policy.expiry;
    let covers = earlier.quote.status == QuoteStatus::Live
        && earlier.policy.scheduled_end.is_none()
        && app.clock.today() <= last;
    Ok(covers.then(|| adjacent_policy(earlier.quote.reference, last)))
}

fn adjacent_policy(reference: String, day: NaiveDate) -> AdjacentPolicy {
    let day = format_long(day);
    AdjacentPolicy { reference, day }
}

/// Returns the next year's policy, if it was bought.
fn next_policy(context: &PolicyContext, today: NaiveDate) -> Option<AdjacentPolicy> {
    let renewal = context.renewal.as_ref();
    let bought = renewal.filter(|_| context.next_year(today) == RenewalPreview::Renewed);
    let from = add_days(context.policy.expiry, 1);
    bought.map(|renewal| adjacent_policy(renewal.reference.clone(), from))
}

/// Returns the earlier policy that this policy renews, with its last covered day. Returns `None` if
/// there is no earlier policy, or if the earlier policy is not live.
fn live_predecessor(
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<AdjacentPolicy>, AppError> {
    let Some(before) = context.quote.renews else {
        return Ok(None);
    };
    let quote = tables::QUOTES.get(tx, &before)?;
    let live = quote.filter(|quote| quote.status == QuoteStatus::Live);
    let policy = tables::POLICIES.get(tx, &before)?;
    Ok(live.zip(policy).map(|(quote, policy)| {
        let end = policy.scheduled_end;
        let last = end.map_or(policy.expiry, |end| add_days(end.on, -1));
        adjacent_policy(quote.reference, last)
    }))
}

fn format_moment(time: DateTime<Utc>) -> String {
    let local = time.with_timezone(&London);
    format!(
        "{}, {}",
        local.format("%H:%M"),
        format_long(local.date_naive())
    )
}
