//! Renewing: a quote made ahead of a policy's last day, never dearer than a new customer's,
//! and the card that pays for it by itself where the customer chose so.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::{Held, refuse, tell};
use crate::app::lists::put_quote;
use crate::app::quotes::Submission;
use crate::app::saving::{Judged, new_quote, save};
use crate::app::{App, AppError, Caller, access, documents, new_id, pricing};
use crate::domain::answers::Answers;
use crate::domain::campaign::SourceTracking;
use crate::domain::dates;
use crate::domain::document::DocumentKind;
use crate::domain::money::Pence;
use crate::domain::product::Product;
use crate::domain::quote::{Acceptance, PaymentFrequency, Quote, QuoteStatus};
use crate::domain::term;
use crate::store::tables::{PolicyNews, Task};
use crate::store::{Direction, WriteTx, tables};

/// Renewals quoted in one write.
const AT_ONCE: usize = 200;

/// A renewal beside the policy it follows.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The policy.
    pub policy: Uuid,
    /// Number of the renewal quote.
    pub reference: String,
    /// The renewal quote.
    pub quote: Uuid,
    /// Its status now.
    pub status: QuoteStatus,
    /// What a whole term costs now, after any changes and without fees, pence (ICOBS 6.5.1).
    pub last_year: Pence,
    /// What the renewal costs, pence; none while it has no price.
    pub price: Option<Pence>,
    /// What a new customer would pay today for the same answers, pence.
    pub new_customer: Option<Pence>,
    /// Why they differ; the amounts lead from last year's price to this year's.
    pub differences: Vec<Difference>,
    /// First day of the renewed cover.
    pub starts: NaiveDate,
    /// Last day on which it can be bought.
    pub holds_until: Option<NaiveDate>,
    /// Whether it renews by itself.
    pub auto_renew: bool,
    /// When the card is charged, where it does.
    pub charge_on: Option<NaiveDate>,
}

/// A reason why this year's price is another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// In the customer's words.
    pub label: &'static str,
    /// Pence; less when negative.
    pub amount: Pence,
}

/// A renewal ready to be written.
#[derive(Clone)]
struct Prepared {
    policy: Uuid,
    due: NaiveDate,
    owner: Option<Uuid>,
    base: u32,
    uuid: Uuid,
    prefix: String,
    judged: Judged,
}

impl App {
    /// Quotes the renewals that are due, some at a time; true when there may be more. Each is
    /// written together with its being done, so that nothing is quoted twice after a stop.
    pub(in crate::app) async fn quote_due_renewals(&self) -> Result<bool, AppError> {
        let (now, today) = (self.clock.now(), self.today());
        let mut due = {
            let tx = self.store.read()?;
            tables::POLICY_BY_RENEWAL.list(&tx, &(), Direction::Forward, AT_ONCE)?
        };
        due.retain(|((day, _), ())| *day <= today);
        let more = due.len() == AT_ONCE;
        let (mut prepared, mut given_up) = (Vec::new(), Vec::new());
        for (key, ()) in due {
            match self.prepare_renewal(key, now) {
                Ok(Some(renewal)) => prepared.push(renewal),
                Ok(None) => given_up.push(key),
                Err(error) => {
                    tracing::error!(%error, policy = %key.1, "a renewal could not be quoted");
                    given_up.push(key);
                }
            }
        }
        self.store
            .write(move |tx| {
                for key in &given_up {
                    tables::POLICY_BY_RENEWAL.delete(tx, key);
                }
                for renewal in &prepared {
                    write_renewal(tx, renewal, now)?;
                }
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(more)
    }

    /// The renewal of the policy at `key`; none when it isn't to be renewed.
    fn prepare_renewal(
        &self,
        (due, policy): (NaiveDate, Uuid),
        now: DateTime<Utc>,
    ) -> Result<Option<Prepared>, AppError> {
        let held = self.policy_row(policy)?;
        if held.quote.status != QuoteStatus::Live || held.policy.expiry < dates::london_date(now) {
            return Ok(None);
        }
        Ok(Some(Prepared {
            policy,
            due,
            owner: held.quote.owner,
            base: held.policy.revision,
            uuid: new_id(now),
            prefix: held.product.reference_prefix().to_string(),
            judged: self.judge_renewal(&held, now)?,
        }))
    }

    /// The answers in force, under the newest product file, for the year after.
    fn judge_renewal(&self, held: &Held, now: DateTime<Utc>) -> Result<Judged, AppError> {
        let starts = dates::add_days(held.policy.expiry, 1);
        let product = &self
            .products
            .find(&held.quote.product, dates::london_date(now))?
            .product;
        let submission = Submission {
            product: held.quote.product.clone(),
            answers: moved(product, &held.revision.answers, starts),
            renews: Some(starts),
            ..Submission::default()
        };
        let mut judged = match self.judge(submission.clone(), now) {
            // The product asks something new: the customer completes it.
            Err(AppError::Invalid(_)) => {
                let draft = true;
                self.judge(
                    Submission {
                        draft,
                        ..submission
                    },
                    now,
                )?
            }
            judged => judged?,
        };
        // The letter about the renewal says more than the one about a saved quote.
        judged.mail_at = None;
        Ok(judged)
    }

    /// Quotes a renewal anew, since the policy's answers have changed.
    pub(in crate::app) async fn requote_renewal(&self, policy: Uuid) -> Result<(), AppError> {
        let now = self.clock.now();
        let held = self.policy_row(policy)?;
        let Some(renewal) = held.policy.renewal else {
            return Ok(());
        };
        let judged = self.judge_renewal(&held, now)?;
        self.store
            .write(move |tx| {
                let quote = tables::QUOTES
                    .get(tx, &renewal)?
                    .ok_or(AppError::NotFound)?;
                if quote.status.may_be_policy() {
                    return Ok(());
                }
                let outcome = save(tx, &mut { quote }, &judged, now)?;
                tell(tx, policy, news(outcome.status, renewal), now)
            })
            .await
    }

    /// Lowers a renewal's price to what a new customer would pay today, if that is less.
    pub(in crate::app) async fn match_new_customer(&self, renewal: Uuid) -> Result<(), AppError> {
        let now = self.clock.now();
        let quote = tables::QUOTES.get(&self.store.read()?, &renewal)?;
        let quote = quote.ok_or(AppError::NotFound)?;
        let Some(price) = &quote.current.price else {
            return Ok(());
        };
        let new_customer = self.new_customer_price(&quote, now)?;
        if !quote.is_buyable(now) || new_customer.is_none_or(|new| price.total <= new) {
            return Ok(());
        }
        let submission = Submission {
            product: quote.product.clone(),
            answers: quote.current.answers.clone(),
            renews: quote.current.inception,
            ..Submission::default()
        };
        let (judged, base) = (self.judge(submission, now)?, quote.current.number);
        self.store
            .write(move |tx| {
                let mut quote = tables::QUOTES
                    .get(tx, &renewal)?
                    .ok_or(AppError::NotFound)?;
                if quote.current.number == base && quote.is_buyable(now) {
                    save(tx, &mut quote, &judged, now)?;
                }
                Ok::<_, AppError>(())
            })
            .await
    }

    /// What a new customer would pay today for a quote's answers, without a campaign, pence.
    fn new_customer_price(
        &self,
        quote: &Quote,
        now: DateTime<Utc>,
    ) -> Result<Option<Pence>, AppError> {
        let today = dates::london_date(now);
        let product = &self.products.find(&quote.product, today)?.product;
        let none = SourceTracking::default();
        let rated = pricing::rate(product, &quote.current.answers, today, &none);
        Ok(rated.ok().map(|price| price.total))
    }

    /// A renewal quote beside the policy it follows.
    ///
    /// # Errors
    /// As [`access::quote_of`]; [`AppError::NotFound`] for a quote that renews nothing.
    pub fn compare_renewal(&self, caller: &Caller, uuid: Uuid) -> Result<Comparison, AppError> {
        let now = self.clock.now();
        let quote = access::quote_of(&self.store.read()?, caller, uuid, now)?;
        let policy = quote.renews.ok_or(AppError::NotFound)?;
        self.comparison(&self.policy_row(policy)?, quote)
    }

    /// The renewal of a held policy, where one is quoted.
    pub(in crate::app) fn renewal_of(&self, held: &Held) -> Result<Option<Comparison>, AppError> {
        let Some(renewal) = held.policy.renewal else {
            return Ok(None);
        };
        let quote = tables::QUOTES.get(&self.store.read()?, &renewal)?;
        quote.map(|quote| self.comparison(held, quote)).transpose()
    }

    pub(in crate::app) fn comparison(
        &self,
        held: &Held,
        quote: Quote,
    ) -> Result<Comparison, AppError> {
        let now = self.clock.now();
        let starts = dates::add_days(held.policy.expiry, 1);
        let price = quote.current.price.as_ref().map(|price| price.total);
        let status = quote.status_at(now);
        let open = status == QuoteStatus::Quote;
        let charge = held.policy.auto_renew && open && held.policy.charged_on.is_none();
        Ok(Comparison {
            policy: held.policy.uuid,
            reference: quote.reference.clone(),
            quote: quote.uuid,
            status,
            last_year: held.premium(),
            price,
            new_customer: self.new_customer_price(&quote, now)?,
            differences: price.map_or_else(Vec::new, |price| {
                self.differences(held, &quote, starts, price)
            }),
            starts,
            holds_until: open.then_some(starts),
            auto_renew: held.policy.auto_renew,
            charge_on: charge.then_some(held.policy.expiry),
        })
    }

    /// Leads from last year's price to this year's: the same cover a year on under the old
    /// price list, then the new list, then what else was changed.
    fn differences(
        &self,
        held: &Held,
        quote: &Quote,
        starts: NaiveDate,
        price: Pence,
    ) -> Vec<Difference> {
        let today = self.today();
        let none = SourceTracking::default();
        let rate = |product: &Product| {
            let answers = moved(product, &held.revision.answers, starts);
            let rated = pricing::rate(product, &answers, today, &none);
            rated.map(|price| price.total).ok()
        };
        let newest = self.products.by_hash(&quote.current.product_hash).ok();
        let older = rate(&held.product).unwrap_or(held.premium());
        let listed = newest.and_then(|newest| rate(&newest)).unwrap_or(older);
        let steps = [
            (
                "What you cover is a year older, and any offer has ended",
                older - held.premium(),
            ),
            ("Our prices have changed", listed - older),
            ("Your answers have changed", price - listed),
        ];
        let steps = steps
            .into_iter()
            .filter(|(_, amount)| *amount != Pence::ZERO);
        steps
            .map(|(label, amount)| Difference { label, amount })
            .collect()
    }

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

/// The answers of a policy for cover that begins on another day.
fn moved(product: &Product, answers: &Answers, starts: NaiveDate) -> Answers {
    let mut answers = answers.clone();
    if let Some(field) = term::start_field(product) {
        let start = dates::form_date(starts).into();
        answers.values.insert(field.to_string(), start);
    }
    answers
}

fn write_renewal(
    tx: &mut WriteTx<'_>,
    renewal: &Prepared,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let key = (renewal.due, renewal.policy);
    let still_due = tables::POLICY_BY_RENEWAL.has(tx, &key)?;
    let policy = tables::POLICIES.get(tx, &renewal.policy)?;
    // Changed meanwhile, it is quoted in the next round from what it is now.
    let Some(mut policy) = policy.filter(|policy| still_due && policy.revision == renewal.base)
    else {
        return Ok(());
    };
    tables::POLICY_BY_RENEWAL.delete(tx, &key);
    let Prepared {
        uuid,
        owner,
        prefix,
        judged,
        ..
    } = renewal;
    let mut quote = new_quote(tx, *uuid, *owner, prefix, judged, now)?;
    quote.renewal = true;
    quote.renews = Some(renewal.policy);
    let outcome = save(tx, &mut quote, judged, now)?;
    policy.renewal = Some(*uuid);
    tables::POLICIES.put(tx, &renewal.policy, &policy)?;
    if outcome.status == QuoteStatus::Quote {
        let (kind, revision) = (DocumentKind::Renewal, policy.revision);
        documents::queue(tx, renewal.policy, kind, revision, Some(*uuid), now)?;
    }
    tell(tx, renewal.policy, news(outcome.status, *uuid), now)
}

/// What the customer hears of a renewal quote that became this.
const fn news(status: QuoteStatus, quote: Uuid) -> PolicyNews {
    match status {
        QuoteStatus::Declined | QuoteStatus::Refer => PolicyNews::NotRenewable { quote },
        _ => PolicyNews::RenewalQuoted { quote },
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
