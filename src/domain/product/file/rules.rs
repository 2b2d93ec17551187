//! Checks and compiles terms, underwriting, monthly payment and texts.

use super::names::{NameScope, Names};
use super::source::SourceLine;
use crate::domain::money::Pence;
use crate::domain::policy::renewal::{FIRST_TRY, MIN_LEAD_DAYS};
use crate::domain::product::compiled::{FieldRef, Rule};
use crate::domain::product::condition::Condition;
use crate::domain::product::file::raw::{RawMonthly, RawTerm, SingleTrips, Underwriting};
use crate::domain::product::info::{Need, SummaryRule};
use crate::domain::product::rules::{
    CompiledLine, MonthlyTerms, Piece, SingleTripFields, TermFields, Terms, TextTemplate,
    UnderwritingRule,
};

pub(super) fn check_terms(terms: &Terms, place: SourceLine) {
    for (key, count) in [
        ("quote_valid_days", terms.quote_valid_days),
        ("cooling_off_days", terms.cooling_off_days),
        ("cover_delay_hours", terms.cover_delay_hours),
    ] {
        place.check_count(key, count);
    }
    if terms.renewal_lead_days < MIN_LEAD_DAYS {
        let wrong = format!(
            "is at least {MIN_LEAD_DAYS}: a card is charged {FIRST_TRY} days before the last day, and seven working \
             days after the letter"
        );
        place.report_key("renewal_lead_days", &wrong);
    }
    if terms.cancellation_fee < Pence::ZERO {
        place.report_key("cancellation_fee", "can't be negative");
    }
    if terms.cover_delay_hours >= 365 * 24 {
        place.report_key(
            "cover_delay_hours",
            "is not less than a year's cover, which would never begin",
        );
    }
}

/// Compiles `[monthly]`. A shop in production mode also refuses more than 12 payments.
pub(super) fn compile_monthly(monthly: &RawMonthly, place: SourceLine) -> MonthlyTerms {
    let payments = i32::try_from(monthly.payments).ok();
    let payments = payments.filter(|payments| (2..=60).contains(payments));
    if payments.is_none() {
        place.report_key("payments", "is a number from 2 to 60");
    }
    if monthly.minimum < Pence::ZERO {
        place.report_key("minimum", "can't be negative");
    }
    MonthlyTerms {
        payments: payments.unwrap_or_default(),
        payments_line: place.key("payments").line(),
        minimum: monthly.minimum,
    }
}

/// The context to compile rules.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) names: &'a Names<'a>,
}

impl Rules<'_> {
    /// Compiles the condition under `when`. Returns `None` if the condition is absent, or wrong and
    /// reported.
    pub(super) fn compile_condition(
        self,
        condition: Option<&Condition>,
        place: SourceLine,
        own: Option<usize>,
    ) -> Option<Rule> {
        let scope = NameScope { own, before: None };
        self.names.rule(condition?, place.key("when"), scope)
    }

    /// Returns the index of the repeatable dataset `name`. Reports a wrong name under `key`, and
    /// then returns `None`.
    pub(super) fn repeatable(self, name: &str, place: SourceLine, key: &str) -> Option<usize> {
        let found = self.names.repeatable(name);
        found.map_err(|text| place.key(key).report(text)).ok()
    }

    fn date(
        self,
        name: &str,
        place: SourceLine,
        key: &str,
        own: Option<usize>,
    ) -> Option<FieldRef> {
        let found = self.names.date(name, NameScope { own, before: None });
        found.map_err(|text| place.key(key).report(text)).ok()
    }

    pub(super) fn term(
        self,
        term: &RawTerm,
        terms: &Terms,
        place: SourceLine,
    ) -> Option<TermFields> {
        let start = self.date(&term.start, place, "start", None);
        if start.is_some_and(|field_ref| self.names.repeatable_dataset(field_ref).is_some()) {
            place.report_key("start", "can't be a field of a repeatable dataset");
        }
        let single = term.single.as_ref();
        let single =
            single.and_then(|single| self.single_trips(single, terms, place.key("single")));
        Some(TermFields {
            start: start?,
            single,
        })
    }

    fn single_trips(
        self,
        single: &SingleTrips,
        terms: &Terms,
        place: SourceLine,
    ) -> Option<SingleTripFields> {
        let dataset = self.repeatable(&single.dataset, place, "dataset");
        let when = self.compile_condition(Some(&single.when), place, None);
        let start = self.date(&single.start, place, "start", dataset);
        let end = self.date(&single.end, place, "end", dataset);
        if terms.single_trip_max_days < 1 {
            place.report("single trips need `single_trip_max_days` in `[terms]`");
        }
        for field_ref in [start, end].into_iter().flatten() {
            if self.names.repeatable_dataset(field_ref) != dataset {
                place.report("`start` and `end` must be fields of `dataset`");
            }
        }
        Some(SingleTripFields {
            when: when?,
            dataset: dataset?,
            start: start?,
            end: end?,
        })
    }

    pub(super) fn underwriting(self, file: &Underwriting, place: SourceLine) -> UnderwritingRule {
        let each = file.each.as_ref();
        let each = each.and_then(|name| self.repeatable(name, place, "each"));
        let older_than = file.older_than.as_ref().and_then(|age| {
            let place = place.key("older_than");
            let field = self.date(&age.field, place, "field", each);
            let months = age.years.saturating_mul(12).saturating_add(age.months);
            if !(1..=2400).contains(&months) {
                place.report("`older_than` needs `years` or `months`");
            }
            if field.is_some_and(|f| {
                self.names
                    .repeatable_dataset(f)
                    .is_some_and(|d| Some(d) != each)
            }) {
                place.report("`each` must name the dataset of this field");
            }
            Some((field?, i32::try_from(months).ok()?))
        });
        if file.when.is_none() && file.older_than.is_none() {
            place.report("an underwriting rule needs `when` or `older_than`");
        }
        UnderwritingRule {
            outcome: file.outcome,
            reason: file.reason.clone(),
            new_business_only: file.new_business_only,
            each,
            when: self.compile_condition(file.when.as_ref(), place, each),
            older_than,
        }
    }

    pub(super) fn summary(self, line: &SummaryRule, place: SourceLine) -> CompiledLine {
        CompiledLine {
            code: line.code.clone(),
            text: self.template(&line.text, place.key("text"), None),
            upper: line.upper,
            in_lists: line.in_lists,
            when: self.compile_condition(line.when.as_ref(), place, None),
        }
    }

    pub(super) fn need(self, need: &Need, place: SourceLine) -> CompiledLine {
        CompiledLine {
            code: "need".into(),
            text: self.template(&need.text, place.key("text"), None),
            upper: false,
            in_lists: false,
            when: self.compile_condition(need.when.as_ref(), place, None),
        }
    }

    /// Splits a text at its placeholders `{field}` and `{dataset.field}`. Reports unknown fields
    /// and a missing `}`.
    pub(super) fn template(
        self,
        text: &str,
        place: SourceLine,
        own: Option<usize>,
    ) -> TextTemplate {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            let Some((name, after)) = after.split_once('}') else {
                place.report(format!("a `{{` without its `}}` in \"{text}\""));
                return TextTemplate { pieces };
            };
            match self.names.resolve(name, NameScope { own, before: None }) {
                Ok(field_ref) => pieces.push(Piece::Answer(field_ref)),
                Err(text) => place.report(text),
            }
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        TextTemplate { pieces }
    }
}
