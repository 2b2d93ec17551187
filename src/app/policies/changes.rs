//! Changing a policy in the middle of its term: a price first, held for a day, then the
//! customer's word or their money, then the change.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::{Held, adjustments, refuse, tell};
use crate::app::answered::Key;
use crate::app::lists::put_quote;
use crate::app::saving::{holder_name, mark_key};
use crate::app::{App, AppError, Caller, access, documents, ledger, new_id, pricing, refunds};
use crate::domain::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus, Figures,
};
use crate::domain::answers::Answers;
use crate::domain::changes;
use crate::domain::document::DocumentKind;
use crate::domain::errors::FieldErrors;
use crate::domain::form::{self, Scope};
use crate::domain::ledger::Entry;
use crate::domain::marks::marks;
use crate::domain::money::Pence;
use crate::domain::policy::Policy;
use crate::domain::quote::{Quote, Revision, Transition};
use crate::domain::rating::Price;
use crate::domain::term;
use crate::domain::underwriting::{self, Business, Decision};
use crate::store::tables::{PolicyNews, Task};
use crate::store::{WriteTx, tables};

/// A change, and where it stands now.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The change.
    pub adjustment: Adjustment,
    /// Its status now.
    pub status: AdjustmentStatus,
}

/// New answers that were checked, judged and priced.
struct Wanted {
    answers: Answers,
    price: Price,
    figures: Figures,
    effective: NaiveDate,
}

impl App {
    /// Works out what changed answers cost from `effective` on (today, if none), and holds
    /// that price for 24 hours. Nothing changes yet.
    ///
    /// # Errors
    /// [`AppError::Invalid`] with every field at fault, a refusal by underwriting or where
    /// nothing changes, a conflict when the policy can't be changed any more.
    pub async fn offer_change(
        &self,
        caller: &Caller,
        uuid: Uuid,
        changed: Answers,
        effective: Option<NaiveDate>,
        key: Option<Key>,
    ) -> Result<Offered, AppError> {
        let now = self.clock.now();
        let held = self.held(caller, uuid)?;
        let wanted = self.want(&held, changed, effective)?;
        let offer = self.adjustment(&held, wanted, now);
        let caller = caller.clone();
        let adjustment = self
            .store
            .write(move |tx| {
                access::owned_policy(tx, &caller, uuid, now)?;
                if let Some(key) = &key
                    && let Some(first) = key.answer::<Uuid>(tx, now)?
                    && let Some(first) = tables::ADJUSTMENTS.get(tx, &first)?
                {
                    return Ok(first);
                }
                keep(tx, &offer)?;
                if let Some(key) = &key {
                    key.remember(tx, &offer.id, now)?;
                }
                Ok::<_, AppError>(offer.clone())
            })
            .await?;
        self.offered(adjustment)
    }

    /// Makes a change at once that doesn't move the price; any other is refused, with why.
    ///
    /// # Errors
    /// As [`App::offer_change`].
    pub async fn keep_price(
        &self,
        caller: &Caller,
        uuid: Uuid,
        changed: Answers,
    ) -> Result<(), AppError> {
        let now = self.clock.now();
        let held = self.held(caller, uuid)?;
        let wanted = self.want(&held, changed, None)?;
        if wanted.price.taxed != held.premium() {
            return Err(AppError::refused(
                "price_changes",
                "This changes your price. Please look at the new price first.",
            ));
        }
        let offer = self.adjustment(&held, wanted, now);
        let id = offer.id;
        self.store
            .write(move |tx| Ok::<_, AppError>(keep(tx, &offer)?))
            .await?;
        self.accept_change(caller, uuid, id).await.map(|_| ())
    }

    /// Makes a change for which no more money is due; answers it again when it is made.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a change of another policy, a conflict when its price has
    /// run out, another change came first, or a payment is due.
    pub async fn accept_change(
        &self,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
    ) -> Result<Offered, AppError> {
        let now = self.clock.now();
        let (held, known) = self.change_of(caller, uuid, id)?;
        if known.status != AdjustmentStatus::Applied {
            refuse(held.may(self.today()).change)?;
            if known.kind() == AdjustmentKind::Increase {
                return Err(AppError::conflict(
                    "payment_due",
                    "This change is made as soon as it is paid for.",
                ));
            }
        }
        let (caller, marks) = (caller.clone(), Marks::of(&held, &known.answers));
        let adjustment = self
            .store
            .write(move |tx| {
                let (quote, policy) = access::owned_policy(tx, &caller, uuid, now)?;
                let adjustment = tables::ADJUSTMENTS
                    .get(tx, &id)?
                    .ok_or(AppError::NotFound)?;
                let made = put_in_force(
                    tx,
                    (quote, policy),
                    adjustment,
                    AdjustmentEvent::Accepted,
                    &marks,
                    now,
                )?;
                Ok::<_, AppError>(made)
            })
            .await?;
        self.work_added.notify_one();
        self.offered(adjustment)
    }

    /// A change of a policy of the caller's own, still to be had.
    ///
    /// # Errors
    /// As [`App::accept_change`].
    pub fn pending_change(
        &self,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
        kind: AdjustmentKind,
    ) -> Result<Adjustment, AppError> {
        let (held, adjustment) = self.change_of(caller, uuid, id)?;
        refuse(held.may(self.today()).change)?;
        let status = self.status_of(&adjustment)?;
        match adjustment::apply(status, AdjustmentEvent::Accepted) {
            Transition::Refused(why) => return Err(AppError::conflict("not_pending", why)),
            Transition::AlreadyApplied => {
                return Err(AppError::conflict(
                    "already_made",
                    "This change is made already.",
                ));
            }
            Transition::Applied(_) => {}
        }
        if adjustment.kind() != kind {
            return Err(AppError::conflict(
                "other_kind",
                match adjustment.kind() {
                    AdjustmentKind::Increase => "More is due for this change.",
                    AdjustmentKind::Decrease => "Money comes back for this change.",
                    AdjustmentKind::Keep => "Nothing is due for this change.",
                },
            ));
        }
        Ok(adjustment)
    }

    /// Every change of a policy, newest first.
    ///
    /// # Errors
    /// As [`access::owned_policy`].
    pub fn changes(&self, caller: &Caller, uuid: Uuid) -> Result<Vec<Offered>, AppError> {
        self.held(caller, uuid)?;
        let found = adjustments(&self.store.read()?, uuid)?;
        found
            .into_iter()
            .map(|change| self.offered(change))
            .collect()
    }

    /// The marks a change takes off its policy and puts on it.
    pub(in crate::app) fn marks_of_change(&self, id: Uuid) -> Result<Marks, AppError> {
        let change = tables::ADJUSTMENTS.get(&self.store.read()?, &id)?;
        let change = change.ok_or(AppError::NotFound)?;
        Ok(Marks::of(&self.policy_row(change.policy)?, &change.answers))
    }

    fn change_of(
        &self,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
    ) -> Result<(Held, Adjustment), AppError> {
        let held = self.held(caller, uuid)?;
        let found = tables::ADJUSTMENTS.get(&self.store.read()?, &id)?;
        let found = found.filter(|change| change.policy == uuid);
        Ok((held, found.ok_or(AppError::NotFound)?))
    }

    fn status_of(&self, adjustment: &Adjustment) -> Result<AdjustmentStatus, AppError> {
        let tx = self.store.read()?;
        let quote = tables::QUOTES
            .get(&tx, &adjustment.policy)?
            .ok_or(AppError::NotFound)?;
        let policy = tables::POLICIES.get(&tx, &adjustment.policy)?;
        let policy = policy.ok_or(AppError::NotFound)?;
        Ok(status_at(&quote, &policy, adjustment, self.clock.now()))
    }

    fn offered(&self, adjustment: Adjustment) -> Result<Offered, AppError> {
        Ok(Offered {
            status: self.status_of(&adjustment)?,
            adjustment,
        })
    }

    fn adjustment(&self, held: &Held, wanted: Wanted, now: DateTime<Utc>) -> Adjustment {
        Adjustment {
            id: new_id(now),
            policy: held.policy.uuid,
            base: held.policy.revision,
            status: AdjustmentStatus::Pending,
            before: held.premium(),
            changes: changes::differences(&held.product, &held.revision.answers, &wanted.answers),
            answers: wanted.answers,
            price: wanted.price,
            figures: wanted.figures,
            effective: wanted.effective,
            created: now,
            applied: None,
            revision: None,
        }
    }

    /// Checks, judges and prices changed answers, under the product file the policy was sold
    /// by.
    fn want(
        &self,
        held: &Held,
        changed: Answers,
        effective: Option<NaiveDate>,
    ) -> Result<Wanted, AppError> {
        let today = self.today();
        refuse(held.may(today).change)?;
        let effective = self.effective(held, effective)?;
        let (product, in_force) = (&held.product, &held.revision.answers);
        let wanted = changes::merge(in_force, changed);
        let mut errors = changes::refused(product, in_force, &wanted);
        let checked = form::check(product, &wanted, Scope::Change, today);
        for (path, texts) in checked.errors.0 {
            errors.0.entry(path).or_default().extend(texts);
        }
        if !errors.is_empty() {
            return Err(AppError::Invalid(errors));
        }
        let answers = checked.answers;
        if changes::differences(product, in_force, &answers).is_empty() {
            return Err(AppError::refused("nothing_changed", "Nothing has changed."));
        }
        let term = term::term(product, &answers, today);
        if (term.inception, term.expiry) != (held.policy.inception, held.policy.expiry) {
            return Err(AppError::refused(
                "term_changes",
                "This would move the dates of your cover. Please call us to change them.",
            ));
        }
        let phone = &self.config.site.phone;
        match underwriting::decide(product, &answers, &term, Business::Held, phone) {
            Decision::Accept => {}
            Decision::Refer(why) => return Err(AppError::refused("referred", why)),
            Decision::Decline(why) => return Err(AppError::refused("declined", why)),
        }
        let price = pricing::rate(product, &answers, today, &held.quote.origin.tracking)?;
        Ok(Wanted {
            figures: adjustment::figures(&held.policy, held.premium(), price.taxed, effective),
            answers,
            price,
            effective,
        })
    }

    /// The first day a change counts: not in the past, nor after the policy's end, nor before
    /// the last change that was made.
    fn effective(&self, held: &Held, asked: Option<NaiveDate>) -> Result<NaiveDate, AppError> {
        let at = |text: String| {
            let mut errors = FieldErrors::default();
            errors.add("effective_date", text);
            Err(AppError::Invalid(errors))
        };
        let today = self.today();
        let day = asked.unwrap_or(today);
        if day < today {
            return at("A change can't begin in the past.".to_string());
        }
        if day > held.policy.expiry {
            return at("Your policy has ended by then.".to_string());
        }
        let made = adjustments(&self.store.read()?, held.policy.uuid)?;
        let made = made
            .iter()
            .filter(|made| made.status == AdjustmentStatus::Applied);
        let last = made.map(|made| made.effective).max();
        match (last, asked) {
            (Some(last), Some(_)) if day < last => at(format!(
                "A change from {} is made already. Choose that day or a later one.",
                crate::domain::dates::shown_date(last)
            )),
            (last, _) => Ok(last
                .map_or(day, |last| day.max(last))
                .max(held.policy.inception)),
        }
    }
}

/// The registration marks a policy covers, and those it is to cover.
#[derive(Clone, Debug)]
pub(in crate::app) struct Marks {
    before: Vec<String>,
    after: Vec<String>,
}

impl Marks {
    fn of(held: &Held, wanted: &Answers) -> Self {
        Self {
            before: marks(&held.product, &held.revision.answers),
            after: marks(&held.product, wanted),
        }
    }
}

fn keep(tx: &mut WriteTx<'_>, offer: &Adjustment) -> Result<(), crate::store::StoreError> {
    tables::ADJUSTMENTS.put(tx, &offer.id, offer)?;
    tables::ADJUSTMENT_BY_POLICY.put(tx, &(offer.policy, offer.id), &())
}

/// Where a change stands on its policy at `now`.
fn status_at(
    quote: &Quote,
    policy: &Policy,
    adjustment: &Adjustment,
    now: DateTime<Utc>,
) -> AdjustmentStatus {
    let live = quote.status == crate::domain::quote::QuoteStatus::Live;
    let over = policy.expiry < crate::domain::dates::london_date(now);
    adjustment.status_at(now, (live && !over).then_some(policy.revision))
}

/// What is due for a pending change: the revision it changes, and pence.
///
/// # Errors
/// As [`App::pending_change`].
pub(in crate::app) fn due(
    tx: &WriteTx<'_>,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(u32, Pence), AppError> {
    let (quote, policy) = access::owned_policy(tx, caller, uuid, now)?;
    let change = tables::ADJUSTMENTS.get(tx, &id)?;
    let change = change
        .filter(|change| change.policy == uuid)
        .ok_or(AppError::NotFound)?;
    let status = status_at(&quote, &policy, &change, now);
    match adjustment::apply(status, AdjustmentEvent::Accepted) {
        Transition::Applied(_) if change.kind() == AdjustmentKind::Increase => {
            Ok((change.base, change.figures.amount))
        }
        Transition::Applied(_) => {
            let why = "Nothing is due for this change.";
            Err(AppError::conflict("other_kind", why))
        }
        Transition::AlreadyApplied => {
            let why = "This change is paid for and made.";
            Err(AppError::conflict("already_made", why))
        }
        Transition::Refused(why) => Err(AppError::conflict("not_pending", why)),
    }
}

/// Makes a change that was paid for; false when it can't be made any more, and nothing was
/// written.
pub(in crate::app) fn settle(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    marks: &Marks,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let Some(change) = tables::ADJUSTMENTS.get(tx, &id)? else {
        return Ok(false);
    };
    let quote = tables::QUOTES.get(tx, &change.policy)?;
    let Some((quote, policy)) = quote.zip(tables::POLICIES.get(tx, &change.policy)?) else {
        return Ok(false);
    };
    let status = status_at(&quote, &policy, &change, now);
    if !matches!(
        adjustment::apply(status, AdjustmentEvent::Settled),
        Transition::Applied(_)
    ) {
        return Ok(false);
    }
    put_in_force(
        tx,
        (quote, policy),
        change,
        AdjustmentEvent::Settled,
        marks,
        now,
    )?;
    Ok(true)
}

/// Makes a change, unless it is made: the next revision, its marks, the ledger, what comes
/// back, the documents and the letter, in one write.
///
/// # Errors
/// A conflict when it can't be made any more.
pub(in crate::app) fn put_in_force(
    tx: &mut WriteTx<'_>,
    (mut quote, mut policy): (Quote, Policy),
    mut adjustment: Adjustment,
    event: AdjustmentEvent,
    marks: &Marks,
    now: DateTime<Utc>,
) -> Result<Adjustment, AppError> {
    match adjustment::apply(status_at(&quote, &policy, &adjustment, now), event) {
        Transition::Applied(status) => adjustment.status = status,
        Transition::AlreadyApplied => return Ok(adjustment),
        Transition::Refused(why) => return Err(AppError::conflict("not_pending", why)),
    }
    let number = quote.current.number + 1;
    let next = Revision {
        number,
        at: now,
        answers: adjustment.answers.clone(),
        price: Some(adjustment.price.clone()),
        ..quote.current.clone()
    };
    let older = std::mem::replace(&mut quote.current, next);
    // What was saved after the sale, and never sold, is not what the change began from.
    if older.number != policy.revision
        && let Some(sold) = tables::REVISIONS.get(tx, &(quote.uuid, policy.revision))?
    {
        quote.current.product_hash = sold.product_hash;
        quote.current.inception = sold.inception;
        quote.current.expiry = sold.expiry;
    }
    tables::REVISIONS.put(tx, &(quote.uuid, older.number), &older)?;
    quote.note_version();
    quote.updated = now;
    quote.holder_name = holder_name(&adjustment.answers);
    policy.revision = number;
    adjustment.applied = Some(now);
    adjustment.revision = Some(number);
    for mark in &marks.before {
        tables::POLICY_BY_MARK.delete(tx, &(mark_key(mark), policy.uuid));
    }
    for mark in &marks.after {
        tables::POLICY_BY_MARK.put(tx, &(mark_key(mark), policy.uuid), &())?;
    }
    move_money(tx, &adjustment, now)?;
    if policy.renewal.is_some() {
        let task = Task::Renew {
            policy: policy.uuid,
        };
        crate::app::payments::enqueue(tx, task, now, adjustment.id)?;
    }
    for (kind, about) in [
        (DocumentKind::Adjustment, Some(adjustment.id)),
        (DocumentKind::Schedule, None),
        (DocumentKind::DemandsAndNeeds, None),
    ] {
        documents::queue(tx, policy.uuid, kind, number, about, now)?;
    }
    tables::ADJUSTMENTS.put(tx, &adjustment.id, &adjustment)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    put_quote(tx, &quote)?;
    let adjustment_id = adjustment.id;
    tell(
        tx,
        policy.uuid,
        PolicyNews::Changed {
            adjustment: adjustment_id,
        },
        now,
    )?;
    Ok(adjustment)
}

fn move_money(
    tx: &mut WriteTx<'_>,
    adjustment: &Adjustment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Figures { amount, tax, .. } = adjustment.figures;
    match adjustment.kind() {
        AdjustmentKind::Keep => Ok(()),
        AdjustmentKind::Increase => {
            let entry = Entry::increase(now, adjustment.id, amount, tax);
            ledger::post(tx, adjustment.policy, &entry)
        }
        AdjustmentKind::Decrease => {
            let given = refunds::give_back(tx, adjustment.policy, adjustment.id, -amount, now)?;
            let back = given.iter().map(|refund| refund.amount).sum();
            let (num, den) = adjustment::TAX_WITHIN;
            let entry = Entry::decrease(now, adjustment.id, back, back.share(num, den));
            ledger::post(tx, adjustment.policy, &entry)
        }
    }
}
