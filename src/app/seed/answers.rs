//! Random answers from a product's form, its samples and its rules.

use chrono::{Days, NaiveDate};
use rand::prelude::*;
use rand::rngs::StdRng;
use serde_json::{Map, Value};

use crate::app::seed::people;
use crate::domain::account::Profile;
use crate::domain::policy::term;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::rules::RuleOutcome;
use crate::domain::product::{Dataset, DateLimit, Field, FieldKind, Product};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::policyholder;
use crate::domain::time::dates;

/// Months for which an insured item must stay under the age limit, so that the policy can be renewed. They
/// are the month before the cover begins, and the year of cover.
const MONTHS_TO_COME: i32 = 13;

/// Returns a whole set of answers for `today`. With `old`, draws dates that make items too old for cover, if
/// a rule limits the age. Also answers hidden fields: a save drops these answers.
pub(in crate::app) fn draw(
    product: &Product,
    holder: &Profile,
    rng: &mut StdRng,
    today: NaiveDate,
    old: bool,
) -> Answers {
    let mut drawer = Drawer {
        rng,
        holder,
        today,
        old,
    };
    let mut answers = Answers::default();
    for (place, dataset) in product.form().datasets.iter().enumerate() {
        let limits: Vec<Option<i32>> = (0..dataset.fields.len())
            .map(|field| oldest(product, place, field))
            .collect();
        if dataset.multi {
            let instances = drawer
                .instances(dataset)
                .map(|_| drawer.instance(dataset, &limits, &answers.values))
                .collect();
            answers.multi.insert(dataset.identifier.clone(), instances);
        } else {
            let instance = drawer.instance(dataset, &limits, &answers.values);
            answers.values.extend(instance);
        }
    }
    answers
}

/// Returns the age in months above which underwriting declines the item of a date field. Returns `None` if no
/// rule limits the age.
fn oldest(product: &Product, dataset: usize, field: usize) -> Option<i32> {
    let field_ref = FieldRef::Cell { dataset, field };
    let rules = product.compiled.underwriting.iter();
    rules
        .filter(|rule| rule.outcome == RuleOutcome::Decline)
        .filter_map(|rule| rule.older_than)
        .filter_map(|(place, months)| (place == field_ref).then_some(months))
        .min()
}

/// Drops every second answer outside repeatable datasets, as if the visitor had left the form unfinished.
pub(in crate::app) fn every_other_answer(mut answers: Answers) -> Answers {
    let mut place = 0;
    answers.values.retain(|_, _| {
        place += 1;
        place % 2 == 1
    });
    answers
}

/// Sets the first day of cover to `start`, if the product's form asks for it.
pub(in crate::app) fn set_start(product: &Product, answers: &mut Answers, start: NaiveDate) {
    if let Some(field) = term::start_field(product) {
        let value = Value::String(dates::form_date(start));
        answers.values.insert(field.to_string(), value);
    }
}

fn years_before(today: NaiveDate, years: u64) -> NaiveDate {
    today
        .checked_sub_days(Days::new(years * 365))
        .unwrap_or(today)
}

struct Drawer<'a> {
    rng: &'a mut StdRng,
    holder: &'a Profile,
    today: NaiveDate,
    old: bool,
}

impl Drawer<'_> {
    fn instances(&mut self, dataset: &Dataset) -> std::ops::Range<usize> {
        // Adds one or two instances to the minimum in three of ten cases, up to the maximum.
        let count = match self.rng.random_range(0..10) {
            0..=6 => dataset.min,
            7 | 8 => dataset.min + 1,
            _ => dataset.min + 2,
        };
        0..count.min(dataset.max)
    }

    /// Returns one instance: a sample of the product file, if there is one, and random answers for the other
    /// fields. `top` has the answers outside the instance.
    pub(in crate::app) fn instance(
        &mut self,
        dataset: &Dataset,
        limits: &[Option<i32>],
        top: &Map<String, Value>,
    ) -> Map<String, Value> {
        let sample = dataset.samples.choose(self.rng);
        let mut instance = Map::new();
        for (field, oldest) in dataset.fields.iter().zip(limits) {
            let value = match sample.and_then(|sample| sample.get(&field.name)) {
                Some(value) => value.clone(),
                None if field.kind == FieldKind::Date => self.date(field, *oldest, &instance, top),
                None => self.value(field, !dataset.multi),
            };
            instance.insert(field.name.clone(), value);
        }
        instance
    }

    /// Returns a random answer. With `own`, a question about a person gets the customer's details.
    fn value(&mut self, field: &Field, own: bool) -> Value {
        let holder = Some(self.holder).filter(|_| own);
        let rng = &mut *self.rng;
        let text = |text: Option<String>| text.map_or(Value::Null, Value::String);
        match field.kind {
            FieldKind::Cards | FieldKind::Radio | FieldKind::Select | FieldKind::YesNo => field
                .options
                .choose(rng)
                .map_or(Value::Null, |option| option.value.clone()),
            // Required boxes are ticked, because a policy can't be bought without them.
            FieldKind::Checkbox => Value::Bool(field.required || rng.random_bool(0.4)),
            FieldKind::Email => text(holder.and_then(|holder| holder.email_primary.clone())),
            FieldKind::Phone => text(match holder {
                _ if !field.required && field.required_when.is_none() => None,
                Some(holder) => holder.tel_primary.clone(),
                None => Some(people::mobile(rng)),
            }),
            FieldKind::Postcode | FieldKind::AddressLookup => {
                text(holder.and_then(|holder| holder.postcode_primary.clone()))
            }
            FieldKind::Address => text(holder.and_then(|holder| holder.address_primary.clone())),
            FieldKind::Registration | FieldKind::VehicleLookup => {
                let from = years_before(self.today, if self.old { 22 } else { 12 });
                let to = years_before(self.today, if self.old { 17 } else { 1 });
                let registered = people::day_between(rng, from, to);
                Value::String(people::registration(rng, registered))
            }
            FieldKind::Date => Value::Null,
            FieldKind::Number => {
                let least = field.validation.min.unwrap_or(1);
                let max = field.validation.max.unwrap_or(least + 500);
                Value::from(rng.random_range(least..=max))
            }
            FieldKind::Text => text(match (field.name.as_str(), holder) {
                (policyholder::FIRST_NAME, Some(holder)) => holder.first_name.clone(),
                (policyholder::LAST_NAME, Some(holder)) => holder.last_name.clone(),
                (policyholder::FIRST_NAME, None) => Some(people::first_name(rng)),
                (policyholder::LAST_NAME, None) => Some(people::last_name(rng)),
                _ if field.required => Some("Sample".to_string()),
                _ => None,
            }),
        }
    }

    /// Returns a date within the field's limits. If `oldest` is given, the date is younger than `oldest`
    /// months, or older with `self.old`. Looks up a limit's field in `near`, then in `top`.
    fn date(
        &mut self,
        field: &Field,
        oldest: Option<i32>,
        near: &Map<String, Value>,
        top: &Map<String, Value>,
    ) -> Value {
        let today = self.today;
        let limit = |limit: &DateLimit| {
            let base = if limit.from == "today" {
                Some(today)
            } else {
                let named = near.get(&limit.from).or_else(|| top.get(&limit.from));
                named
                    .and_then(Value::as_str)
                    .and_then(dates::parse_form_date)
            }?;
            base.checked_add_signed(chrono::Duration::days(limit.days))
        };
        let least = field.validation.min_date.as_ref().and_then(limit);
        let max = field.validation.max_date.as_ref().and_then(limit);
        let (from, to) = match (least, max, oldest) {
            (_, _, Some(months)) => {
                let ago = |months: i32| dates::add_months(today, -months);
                let (from, to) = if self.old {
                    (ago(months + 60), ago(months + 2))
                } else {
                    (ago((months - MONTHS_TO_COME).max(1)), today)
                };
                let latest = max.unwrap_or(today).min(to);
                (least.map_or(from, |least| least.max(from)), latest)
            }
            // A latest allowed day of more than ten years ago means a date of birth.
            (_, Some(max), _) if max < years_before(today, 10) => {
                (years_before(today, 75), years_before(today, 21))
            }
            // Other past dates are at most a year before the latest allowed day. The default of this day is
            // today.
            (_, max, _) if least.is_none_or(|least| least < today) => {
                let max = max.unwrap_or(today);
                let recent = years_before(max, 1);
                (least.map_or(recent, |least| least.max(recent)), max)
            }
            (Some(least), Some(max), _) => (least, max.min(least + chrono::Duration::days(10))),
            (least, _, _) => {
                let least = least.unwrap_or(today);
                (least, least)
            }
        };
        Value::String(dates::form_date(people::day_between(self.rng, from, to)))
    }
}
