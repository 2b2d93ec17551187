//! What a customer wants changed: checked, judged and priced under the product file the policy
//! was sold by.

use crate::app::policies::{Held, adjustments, refuse};
use crate::app::{App, AppError, new_id, pricing};
use crate::domain::adjustment::{self, Adjustment, AdjustmentStatus, Figures};
use crate::domain::answers::Answers;
use crate::domain::changes;
use crate::domain::errors::FieldErrors;
use crate::domain::form::{self, Scope};
use crate::domain::rating::Price;
use crate::domain::term;
use crate::domain::underwriting::{self, Business, Decision};
use chrono::{DateTime, NaiveDate, Utc};

/// New answers that were checked, judged and priced.
pub(super) struct Wanted {
    pub(super) answers: Answers,
    pub(super) price: Price,
    pub(super) figures: Figures,
    pub(super) effective: NaiveDate,
}

impl App {
    pub(super) fn adjustment(&self, held: &Held, wanted: Wanted, now: DateTime<Utc>) -> Adjustment {
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
    pub(super) fn want(
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
        match underwriting::decide(product, &answers, &term, Business::Held(in_force), phone) {
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
