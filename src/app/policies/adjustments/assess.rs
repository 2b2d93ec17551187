//! Checks, underwrites and prices the answers of an adjustment, by the product file of the sale.

use chrono::{DateTime, NaiveDate, Utc};

use crate::app::lookups::reuse_lookups;
use crate::app::policies::{PolicyContext, refuse};
use crate::app::quotes::price;
use crate::app::{AppError, new_id};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::money::price::Price;
use crate::domain::policy::adjustment::changed_answers::{self, Added};
use crate::domain::policy::adjustment::differences::differences;
use crate::domain::policy::adjustment::{self, Adjustment, AdjustmentFigures, AdjustmentStatus};
use crate::domain::policy::{DayRange, term};
use crate::domain::product::Product;
use crate::domain::product::form::{self, Checked, Scope};
use crate::domain::product::underwriting::{self, Business, Decision};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::lookup::StoredLookup;
use crate::domain::quote::registrations::registrations;
use crate::domain::time::dates::format_long;

/// New answers after the check, underwriting and pricing.
pub(in crate::app) struct AssessedAdjustment {
    pub(in crate::app) answers: Answers,
    pub(in crate::app) price: Price,
    pub(in crate::app) figures: AdjustmentFigures,
    pub(in crate::app) effective: NaiveDate,
}

/// Returns a pending adjustment to offer. `named` are the look-ups of the request. For other vehicles
/// that the policy already covers, reuses the earlier look-ups.
pub(in crate::app) fn new_adjustment(
    context: &PolicyContext,
    assessed: AssessedAdjustment,
    named: Vec<StoredLookup>,
    now: DateTime<Utc>,
) -> Adjustment {
    let product = &context.product;
    let registrations = registrations(product, &assessed.answers);
    let before = context.revision.lookups_for(&registrations);
    Adjustment {
        lookups: reuse_lookups(product, &assessed.answers, named, before),
        id: new_id(now),
        policy: context.policy.uuid,
        base: context.policy.revision,
        status: AdjustmentStatus::Pending,
        before: context.premium(),
        changes: differences(product, &context.revision.answers, &assessed.answers),
        answers: assessed.answers,
        price: assessed.price,
        figures: assessed.figures,
        effective: assessed.effective,
        created: now,
        applied: None,
        revision: None,
        agreed: None,
        spread: None,
        ended_at: None,
    }
}

/// Checks, underwrites and prices changed answers by the product file of the sale.
///
/// # Errors
/// A conflict if the policy may not be changed. [`AppError::Invalid`] for an effective day that is not
/// possible, or with every invalid field. A refusal if no answer changes, if the term would change,
/// or by underwriting.
pub(in crate::app) fn assess_adjustment(
    clock: &Clock,
    config: &Config,
    context: &PolicyContext,
    changed: Answers,
    effective: Option<NaiveDate>,
) -> Result<AssessedAdjustment, AppError> {
    let today = clock.today();
    refuse(context.permitted_actions(today).change)?;
    let effective = first_day(context, effective, today)?;
    let (product, in_force) = (&context.product, &context.revision.answers);
    let merged = changed_answers::merge(in_force, changed);
    let with_locked = changed_answers::keep_locked(product, in_force, merged.clone());
    let mut checked = form::check(product, &with_locked, Scope::Change, today);
    let mut errors = changed_answers::locked_errors(product, in_force, &merged, &checked.answers);
    check_added_rows(product, in_force, &with_locked, today, &mut checked);
    for (path, texts) in checked.errors.0 {
        errors.0.entry(path).or_default().extend(texts);
    }
    if !errors.is_empty() {
        return Err(AppError::Invalid(errors));
    }
    let answers = checked.answers;
    if differences(product, in_force, &answers).is_empty() {
        return Err(AppError::rule("nothing_changed", "Nothing has changed."));
    }
    let term = term::term(product, &answers, today);
    if (term.inception, term.expiry) != (context.policy.inception, context.policy.expiry) {
        return Err(AppError::rule(
            "term_changes",
            "This would move the dates of your cover. Please call us to change them.",
        ));
    }
    let phone = &config.site.phone;
    match underwriting::decide(product, &answers, &term, Business::Held(in_force), phone) {
        Decision::Accept => {}
        Decision::Refer(why) => return Err(AppError::rule("referred", why)),
        Decision::Decline(why) => return Err(AppError::rule("declined", why)),
    }
    let price = price::rate(product, &answers, today, &context.quote.origin.tracking)?;
    // The charges beside the premium are due once, at the sale.
    let price = price.charging(context.charges());
    Ok(AssessedAdjustment {
        figures: adjustment::figures(
            &context.policy,
            context.premium(),
            price.taxed,
            effective,
            product.tax(),
        ),
        answers,
        price,
        effective,
    })
}

/// Returns the effective day of a change: `day`, or the first possible day if `day` is `None`.
///
/// # Errors
/// [`AppError::Invalid`] if a change can't take effect on `day`.
fn first_day(
    context: &PolicyContext,
    day: Option<NaiveDate>,
    today: NaiveDate,
) -> Result<NaiveDate, AppError> {
    // The change is permitted, so at least one day is possible.
    let first = context.policy.first_change_day(today);
    let days = context
        .change_days(today)
        .unwrap_or(DayRange { first, last: first });
    let day = day.unwrap_or(days.first);
    if days.contains(day) {
        return Ok(day);
    }
    let text = if day < today {
        "A change can't begin in the past. Choose today or a later day.".to_owned()
    } else if day < days.first {
        let first = format_long(days.first);
        format!("Your cover begins on {first}. Choose that day or a later one.")
    } else if context.is_single_trip() {
        "A change of a trip counts from its first day. Choose that day.".to_owned()
    } else {
        let last = format_long(days.last);
        format!("Your cover ends with {last}. Choose a day up to then.")
    };
    Err(AppError::field("effective_date", text))
}

/// Checks the rows that an adjustment adds by the rules for a new customer. Does not check earlier
/// rows again.
fn check_added_rows(
    product: &Product,
    in_force: &Answers,
    merged: &Answers,
    today: NaiveDate,
    checked: &mut Checked,
) {
    let added = changed_answers::added_answers(product, in_force, merged);
    if added.is_empty() {
        return;
    }
    let mut anew = form::check(product, merged, Scope::Complete, today);
    for Added {
        dataset,
        row,
        field,
    } in added
    {
        let path = format!("{dataset}.{row}.{field}");
        if let Some(texts) = anew.errors.0.shift_remove(&path) {
            checked.errors.0.insert(path, texts);
        }
        let answer_in = |answers: &Answers| answers.rows(dataset).get(row)?.get(field).cloned();
        let rows = checked.answers.multi.get_mut(dataset);
        if let (Some(value), Some(rows)) = (answer_in(&anew.answers), rows)
            && let Some(row) = rows.get_mut(row)
        {
            row.insert(field.to_owned(), value);
        }
    }
}
