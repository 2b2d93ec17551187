//! Cancelling a policy: a preview of the exact refund, then the cancellation, which takes effect at
//! once; and not taking a policy up, before it begins.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::idempotency::{IdempotencyKey, Once};
use crate::app::payments::refunds::RefundProgress;
use crate::app::payments::{ledger, refunds};
use crate::app::policies::adjustment::premiums;
use crate::app::policies::{PolicyContext, queue_letter, refuse};
use crate::app::{App, AppError, Caller, access, documents, new_id, rows};
use crate::domain::cancellation::return_premium::{self, CancellationFacts};
use crate::domain::cancellation::{self, Cancellation, Refundable};
use crate::domain::dates;
use crate::domain::document::DocumentKind;
use crate::domain::ledger::{Account, Entry};
use crate::domain::money::Pence;
use crate::domain::premium_tax::PremiumTax;
use crate::domain::quote::{self, QuoteEvent};
use crate::domain::renewal::{self, RenewalEvent};
use crate::domain::transition::Transition;
use crate::store::tables::{self, PolicyNews};
use crate::store::{Read, WriteTx};

/// Longest note, characters.
const LONGEST_NOTE: usize = 1000;

/// What the customer asks for.
#[derive(Clone, Debug)]
pub struct CancellationRequest {
    /// Id of the reason.
    pub reason: u32,
    /// A note in the customer's words.
    pub note: Option<String>,
    /// The day it is to end: today.
    pub effective: NaiveDate,
}

/// Where a cancellation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancellationStage {
    /// Nothing was asked for yet.
    Preview,
    /// Its day has not begun.
    Pending,
    /// The policy is cancelled.
    Done,
    /// Taken back by the customer before its day.
    Withdrawn,
    /// The policy ended in another way before its day.
    Overtaken,
}

/// An agreed change that never comes, because the policy ends before it.
#[derive(Clone, Copy, Debug)]
pub struct DroppedChange {
    /// The change.
    pub adjustment: Uuid,
    /// The day it was to count from.
    pub effective: NaiveDate,
    /// What comes back for it, pence.
    pub back: Pence,
}

/// A cancellation, where it stands, and how far its refund is.
#[derive(Clone, Debug)]
pub struct CancellationProgress {
    /// The cancellation.
    pub cancellation: Cancellation,
    /// Where it stands.
    pub stage: CancellationStage,
    /// Last day that is covered to its end; none where the cover ends at once, or before it begins.
    pub last_day: Option<NaiveDate>,
    /// When it was withdrawn or overtaken.
    pub given_up: Option<DateTime<Utc>>,
    /// Whether it can be withdrawn now.
    pub can_withdraw: bool,
    /// How far its refund is.
    pub refund_progress: RefundProgress,
    /// The agreed change that never comes because of it.
    pub dropped: Option<DroppedChange>,
}

impl App {
    /// The refund if the policy were cancelled today; nothing changes.
    ///
    /// # Errors
    /// As [`App::cancel`].
    pub async fn preview_cancellation(
        &self,
        caller: &Caller,
        uuid: Uuid,
        request: &CancellationRequest,
    ) -> Result<CancellationProgress, AppError> {
        let now = self.clock.now();
        self.store
            .read(|tx| {
                let context = self.own_policy(tx, caller, uuid)?;
                check_request(&context, request, dates::london_date(now))?;
                let basis = RefundBasis::of(tx, &context)?;
                Ok(CancellationProgress {
                    cancellation: basis.cancellation(tx, Some(request), Uuid::nil(), now)?,
                    stage: CancellationStage::Preview,
                    last_day: None,
                    given_up: None,
                    can_withdraw: false,
                    refund_progress: RefundProgress::None,
                    dropped: None,
                })
            })
            .await
    }

    /// Cancels a policy at once and refunds what is due.
    ///
    /// # Errors
    /// [`AppError::Invalid`] for another day than today or an unknown reason, a conflict when
    /// it has ended.
    pub async fn cancel(
        &self,
        caller: &Caller,
        uuid: Uuid,
        request: CancellationRequest,
        key: Option<IdempotencyKey>,
    ) -> Result<CancellationProgress, AppError> {
        let now = self.clock.now();
        let cancelled = self.once(key, now, async {
            let (context, basis) = self.cancellable(caller, uuid).await?;
            check_request(&context, &request, dates::london_date(now))?;
            Ok(end(
                caller,
                basis,
                (QuoteEvent::Cancelled, now),
                Some(request),
            ))
        });
        self.ended(caller, uuid, cancelled.await?).await
    }

    /// Cancels a policy before it begins; all of the payment is refunded.
    ///
    /// # Errors
    /// A conflict once it has begun or ended.
    pub async fn not_take_up(
        &self,
        caller: &Caller,
        uuid: Uuid,
        key: Option<IdempotencyKey>,
    ) -> Result<CancellationProgress, AppError> {
        let now = self.clock.now();
        let cancelled = self.once(key, now, async {
            let (context, basis) = self.cancellable(caller, uuid).await?;
            let permitted = context.permitted_actions(dates::london_date(now));
            refuse(permitted.not_take_up)?;
            Ok(end(caller, basis, (QuoteEvent::NotTakenUp, now), None))
        });
        self.ended(caller, uuid, cancelled.await?).await
    }

    /// A policy of the caller's own, and what its refund is worked out from.
    async fn cancellable(
        &self,
        caller: &Caller,
        uuid: Uuid,
    ) -> Result<(PolicyContext, RefundBasis), AppError> {
        self.store
            .read(|tx| {
                let context = self.own_policy(tx, caller, uuid)?;
                let basis = RefundBasis::of(tx, &context)?;
                Ok((context, basis))
            })
            .await
    }

    /// A policy's cancellation, where it has one.
    ///
    /// # Errors
    /// As [`access::owned_policy`].
    pub async fn cancellation(
        &self,
        caller: &Caller,
        uuid: Uuid,
    ) -> Result<Option<CancellationProgress>, AppError> {
        self.store
            .read(|tx| {
                let context = self.own_policy(tx, caller, uuid)?;
                progress_of(tx, &context)
            })
            .await
    }

    /// Takes back a cancellation before its day.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where no cancellation with this id is asked for a later day.
    pub async fn withdraw_cancellation(
        &self,
        caller: &Caller,
        id: Uuid,
    ) -> Result<CancellationProgress, AppError> {
        let policy = self
            .store
            .read(|tx| {
                let later = tables::LATER_CANCELLATIONS.get(tx, &id)?;
                Ok::<_, AppError>(later.ok_or(AppError::NotFound)?.policy)
            })
            .await?;
        let found = self.cancellation(caller, policy).await?;
        found.ok_or(AppError::NotFound)
    }

    /// The cancellation of a policy that was cancelled just now, or by the same call before.
    async fn ended(
        &self,
        caller: &Caller,
        uuid: Uuid,
        cancelled: Once<Uuid>,
    ) -> Result<CancellationProgress, AppError> {
        if let Once::First(_) = cancelled {
            self.work_added.notify_one();
        }
        let cancellation = self.cancellation(caller, uuid).await?;
        cancellation.ok_or(AppError::NotFound)
    }
}

/// Cancels a policy as of the moment `now` that was checked: the rules may differ after midnight.
/// Answers the cancellation's id.
fn end(
    caller: &Caller,
    basis: RefundBasis,
    (event, now): (QuoteEvent, DateTime<Utc>),
    request: Option<CancellationRequest>,
) -> impl Fn(&mut WriteTx<'_>) -> Result<Uuid, AppError> + use<> {
    let (caller, id, uuid) = (caller.clone(), new_id(now), basis.policy.uuid);
    move |tx| {
        let (mut quote, mut policy) = access::owned_policy(tx, &caller, uuid, now)?;
        match quote::apply(quote.status, event) {
            Transition::Applied(status) => quote.status = status,
            Transition::AlreadyApplied => {
                let why = "This policy has been cancelled already.";
                return Err(AppError::conflict("already_ended", why));
            }
            Transition::Refused(why) => {
                return Err(AppError::conflict("already_ended", why));
            }
        }
        if policy.revision != basis.policy.revision {
            let why = "Your policy has just changed. Please look at the refund again.";
            return Err(AppError::conflict("stale_revision", why));
        }
        let cancellation = basis.cancellation(tx, request.as_ref(), id, now)?;
        refund_cancellation(tx, &basis, &cancellation, now)?;
        policy.auto_renew = false;
        if let Transition::Applied(dropped) = renewal::apply(policy.renewal, RenewalEvent::Dropped)
        {
            policy.renewal = dropped;
        }
        withdraw_renewal(tx, policy.renewal.quote(), now)?;
        policy.cancellation = Some(cancellation);
        let (kind, revision) = (DocumentKind::Cancellation, policy.revision);
        documents::order(tx, uuid, kind, revision, Some(id), now)?;
        quote.updated = now;
        rows::policies::put(tx, &policy)?;
        rows::quotes::put(tx, &quote)?;
        let news = match event {
            QuoteEvent::NotTakenUp => PolicyNews::NotTakenUp,
            _ => PolicyNews::Cancelled,
        };
        queue_letter(tx, uuid, news, now)?;
        Ok(id)
    }
}

/// The cancellation of a policy, where it was cancelled.
pub(in crate::app) fn progress_of(
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<CancellationProgress>, AppError> {
    let Some(cancellation) = context.policy.cancellation.clone() else {
        return Ok(None);
    };
    let back = refunds::money_back(tx, context.policy.uuid, cancellation.id)?;
    Ok(Some(CancellationProgress {
        cancellation,
        stage: CancellationStage::Done,
        last_day: None,
        given_up: None,
        can_withdraw: false,
        refund_progress: back.progress,
        dropped: None,
    }))
}

fn check_request(
    context: &PolicyContext,
    request: &CancellationRequest,
    today: NaiveDate,
) -> Result<(), AppError> {
    refuse(context.permitted_actions(today).cancel)?;
    if cancellation::reason(request.reason).is_none() {
        return Err(AppError::field(
            "reason_id",
            "Choose a reason from the list.",
        ));
    }
    if request.effective != today {
        return Err(AppError::field(
            "effective_date",
            "A policy ends on the day you ask for it. Choose today.",
        ));
    }
    let long = |note: &String| note.chars().count() > LONGEST_NOTE;
    if request.note.as_ref().is_some_and(long) {
        return Err(AppError::field(
            "note",
            "Please keep this to 1,000 characters.",
        ));
    }
    Ok(())
}

/// What a refund is worked out from, except the amount in hand, which is read in the transaction.
#[derive(Clone)]
struct RefundBasis {
    policy: crate::domain::policy::Policy,
    single_trip: bool,
    cooling_off_days: i64,
    fee: Pence,
    charges: Pence,
    premiums: Vec<(NaiveDate, Pence)>,
    tax: PremiumTax,
}

impl RefundBasis {
    pub(in crate::app) fn of(tx: &impl Read, context: &PolicyContext) -> Result<Self, AppError> {
        let terms = context.product.terms();
        Ok(Self {
            policy: context.policy.clone(),
            single_trip: context.is_single_trip(),
            cooling_off_days: terms.cooling_off_days,
            fee: terms.cancellation_fee,
            charges: context.charges().iter().map(|charge| charge.amount).sum(),
            premiums: premiums(tx, context)?,
            tax: context.product.tax(),
        })
    }

    fn cancellation(
        &self,
        tx: &impl Read,
        request: Option<&CancellationRequest>,
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Cancellation, AppError> {
        let effective = dates::london_date(now);
        let refund = return_premium::refundable(&CancellationFacts {
            policy: &self.policy,
            single_trip: self.single_trip,
            on: effective,
            cooling_off_days: self.cooling_off_days,
            fee: self.fee,
            premiums: &self.premiums,
            charges: self.charges,
            in_hand: refunds::in_hand(tx, self.policy.uuid)?,
            tax: self.tax,
            tax_in_hand: -ledger::balance(tx, self.policy.uuid, Account::Tax)?,
        });
        Ok(Cancellation {
            id,
            reason: request.map(|request| request.reason),
            note: request.and_then(|request| request.note.clone()),
            effective,
            created: now,
            refund,
            dropped: None,
        })
    }
}

fn refund_cancellation(
    tx: &mut WriteTx<'_>,
    basis: &RefundBasis,
    cancellation: &Cancellation,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Refundable {
        amount,
        premium,
        tax,
        fee,
        charges,
        ..
    } = cancellation.refund;
    if premium + charges == Pence::ZERO {
        return Ok(());
    }
    let policy = basis.policy.uuid;
    refunds::refund_to_cards(tx, policy, cancellation.id, amount, now)?;
    let entry = Entry::cancellation(now, cancellation.id, premium, tax, fee, charges);
    ledger::post(tx, policy, &entry)
}

/// Withdraws the renewal quote of a policy that was cancelled.
fn withdraw_renewal(
    tx: &mut WriteTx<'_>,
    renewal: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let renewal = renewal
        .map(|renewal| tables::QUOTES.get(tx, &renewal))
        .transpose()?;
    let Some(mut renewal) = renewal
        .flatten()
        .filter(|renewal| !renewal.status.is_policy())
    else {
        return Ok(());
    };
    if let Transition::Applied(status) = quote::apply(renewal.status, QuoteEvent::NotTakenUp) {
        renewal.status = status;
        renewal.updated = now;
        rows::quotes::put(tx, &renewal)?;
    }
    Ok(())
}
