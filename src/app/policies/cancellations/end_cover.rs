//! For `layby end-cover`: gives the shop's notice that it ends a policy, and withdraws the notice.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::policies::cancellations::end::update_scheduled;
use crate::app::policies::cancellations::scheduled;
use crate::app::policies::queue_letter;
use crate::app::policies::stop_charging::{live_policy, refusal};
use crate::app::{AppError, new_id};
use crate::domain::payment::FollowUp;
use crate::domain::policy::ScheduledEvent;
use crate::domain::policy::cancellation::{
    CancellationNotice, FRAUD, LOST_DISPUTE, ReturnPremium, ScheduledCancellation,
    ScheduledCancellationEvent, ScheduledStatus,
};
use crate::domain::policy::plan::NOTICE_DAYS;
use crate::domain::time::dates::{add_days, format_long, london_date};
use crate::store::tables::{POLICIES, PolicyNotification, SCHEDULED_CANCELLATIONS};
use crate::store::{Store, WriteTx};

/// Days that the letter may wait for the mail server. The customer has the 14 days of the notice after it.
const MAX_LETTER_DAYS: i64 = 2;

/// Why the shop ends a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndCause {
    /// The customer's bank took a payment back.
    LostDispute,
    Fraud,
}

/// An order to give notice, or to withdraw a notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverEnd {
    /// The policy's reference.
    pub policy: String,
    /// `None` withdraws the notice.
    pub cause: Option<EndCause>,
    pub by: String,
    pub why: String,
}

/// Gives 14 days' notice to a customer, or withdraws the notice. Cover ends only if the customer's letter was
/// sent. Returns a line for the operator.
///
/// # Errors
/// A refusal if there is no such live policy, if it ends as early anyway, if there is no notice to withdraw, or
/// if a text is missing or long.
pub async fn end_cover(
    store: &Store,
    order: &CoverEnd,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let person = FollowUp::new(&order.by, &order.why, now).map_err(refusal)?;
    let (policy, cause) = (order.policy.clone(), order.cause);
    let line = store.write(move |tx| match cause {
        Some(cause) => give_notice(tx, &policy, cause, person.clone()),
        None => withdraw_notice(tx, &policy, now),
    });
    let line = line.await?;
    tracing::info!(policy = %order.policy, cause = ?order.cause, by = order.by, "the end of cover was ordered");
    Ok(line)
}

fn give_notice(
    tx: &mut WriteTx<'_>,
    typed: &str,
    cause: EndCause,
    order: FollowUp,
) -> Result<String, AppError> {
    let (quote, mut policy) = live_policy(tx, typed)?;
    let (now, number) = (order.at, quote.reference);
    let effective = add_days(london_date(now), NOTICE_DAYS + MAX_LETTER_DAYS);
    let effective = effective.max(policy.inception);
    let earlier = policy.scheduled_end.filter(|end| end.on <= effective);
    let last_day = earlier.map_or(policy.expiry, |end| add_days(end.on, -1));
    if last_day < effective {
        let last_day = format_long(last_day);
        return Err(refusal(format!(
            "the cover of {number} ends with {last_day} anyway"
        )));
    }
    if let Some(end) = policy.scheduled_end {
        update_scheduled(tx, end.id, ScheduledCancellationEvent::PolicyEnds, now)?;
    }
    let scheduled = ScheduledCancellation {
        id: new_id(now),
        policy: policy.uuid,
        status: ScheduledStatus::Pending,
        reason: match cause {
            EndCause::LostDispute => LOST_DISPUTE,
            EndCause::Fraud => FRAUD,
        },
        note: None,
        effective,
        created: now,
        refund: ReturnPremium::default(),
        // The end drops an agreed change of a later day. The notice may be withdrawn before.
        dropped: None,
        ended_at: None,
        notice: Some(CancellationNotice {
            order,
            is_sent: false,
        }),
    };
    let cancellation = scheduled.id;
    policy.scheduled_end = Some(ScheduledEvent {
        id: cancellation,
        on: effective,
    });
    SCHEDULED_CANCELLATIONS.put_new(tx, &cancellation, &scheduled)?;
    POLICIES.put(tx, &policy.uuid, &policy)?;
    let news = PolicyNotification::EndNotice { cancellation };
    queue_letter(tx, policy.uuid, news, now)?;
    let last_day = format_long(add_days(effective, -1));
    Ok(format!(
        "the cover of {number} ends with {last_day}: the customer gets a letter"
    ))
}

fn withdraw_notice(
    tx: &mut WriteTx<'_>,
    typed: &str,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let (quote, policy) = live_policy(tx, typed)?;
    let number = quote.reference;
    let end = policy
        .scheduled_end
        .map(|end| SCHEDULED_CANCELLATIONS.get(tx, &end.id));
    let scheduled = end.transpose()?.flatten();
    let Some(scheduled) = scheduled.filter(|scheduled| scheduled.notice.is_some()) else {
        return Err(refusal(format!("no notice was given to {number}")));
    };
    scheduled::take_back(tx, policy, scheduled, now)?;
    Ok(format!(
        "the cover of {number} goes on: the customer gets a letter"
    ))
}

/// Returns whether a letter that is sent `today` gives the customer the days of the notice.
pub(in crate::app) fn is_in_time(effective: NaiveDate, today: NaiveDate) -> bool {
    add_days(today, NOTICE_DAYS) <= effective
}

/// Records that the customer's letter about a notice was sent.
///
/// # Errors
/// If the store fails.
pub(in crate::app) fn record_end_notice(
    tx: &mut WriteTx<'_>,
    cancellation: Uuid,
) -> Result<(), AppError> {
    if let Some(mut scheduled) = SCHEDULED_CANCELLATIONS.get(tx, &cancellation)?
        && let Some(notice) = &mut scheduled.notice
    {
        notice.is_sent = true;
        SCHEDULED_CANCELLATIONS.put(tx, &cancellation, &scheduled)?;
    }
    Ok(())
}
