//! Answers drawn by chance from a product's own form.

use chrono::{Days, NaiveDate};
use rand::prelude::*;
use rand::rngs::StdRng;
use serde_json::{Map, Value};

use super::people;
use crate::domain::account::Profile;
use crate::domain::answers::Answers;
use crate::domain::dates;
use crate::domain::product::{Dataset, DateLimit, Field, Kind, Product};
use crate::domain::term;

/// A whole set of answers, as of `today`; `old` makes registrations too old to be covered.
/// Fields that don't show are answered too: saving drops them.
pub(super) fn draw(
    product: &Product,
    holder: &Profile,
    rng: &mut StdRng,
    today: NaiveDate,
    old: bool,
) -> Answers {
    let mut answers = Answers::default();
    for dataset in &product.form().datasets {
        if dataset.multi {
            let cards = instances(rng, dataset)
                .map(|_| {
                    let mut card = Map::new();
                    for field in &dataset.fields {
                        let value = value(rng, field, None, &card, &answers.values, today, old);
                        card.insert(field.name.clone(), value);
                    }
                    card
                })
                .collect();
            answers.multi.insert(dataset.identifier.clone(), cards);
        } else {
            for field in &dataset.fields {
                let value = value(
                    rng,
                    field,
                    Some(holder),
                    &answers.values,
                    &answers.values,
                    today,
                    old,
                );
                answers.values.insert(field.name.clone(), value);
            }
        }
    }
    answers
}

/// What somebody typed who left half-way: every other answer.
pub(super) fn half(mut answers: Answers) -> Answers {
    let mut place = 0;
    answers.values.retain(|_, _| {
        place += 1;
        place % 2 == 1
    });
    answers
}

/// Moves cover to begin on `start`.
pub(super) fn move_start(product: &Product, answers: &mut Answers, start: NaiveDate) {
    if let Some(field) = term::start_field(product) {
        let value = Value::String(dates::form_date(start));
        answers.values.insert(field.to_string(), value);
    }
}

fn instances(rng: &mut StdRng, dataset: &Dataset) -> std::ops::Range<usize> {
    // One most of the time, now and then two or three.
    let count = match rng.random_range(0..10) {
        0..=6 => dataset.min,
        7 | 8 => dataset.min + 1,
        _ => dataset.min + 2,
    };
    0..count.min(dataset.max)
}

fn value(
    rng: &mut StdRng,
    field: &Field,
    holder: Option<&Profile>,
    near: &Map<String, Value>,
    top: &Map<String, Value>,
    today: NaiveDate,
    old: bool,
) -> Value {
    let text = |text: Option<String>| text.map_or(Value::Null, Value::String);
    match field.kind {
        Kind::Cards | Kind::Radio | Kind::Select | Kind::YesNo => field
            .options
            .choose(rng)
            .map_or(Value::Null, |option| option.value.clone()),
        Kind::Checkbox => Value::Bool(rng.random_bool(0.4)),
        Kind::Email => text(holder.and_then(|holder| holder.email_primary.clone())),
        Kind::Phone => text(match holder {
            Some(holder) if field.required => holder.tel_primary.clone(),
            _ if field.required => Some(people::mobile(rng)),
            _ => None,
        }),
        Kind::Postcode => text(holder.and_then(|holder| holder.postcode_primary.clone())),
        Kind::Address => text(holder.and_then(|holder| holder.address_primary.clone())),
        Kind::Registration => {
            let from = years_before(today, if old { 22 } else { 12 });
            let to = years_before(today, if old { 17 } else { 1 });
            let registered = people::day_between(rng, from, to);
            Value::String(people::mark(rng, registered))
        }
        Kind::Date => date(rng, field, near, top, today, old),
        Kind::Number => {
            let least = field.validation.min.unwrap_or(1);
            let most = field.validation.max.unwrap_or(least + 500);
            Value::from(rng.random_range(least..=most))
        }
        Kind::Text => text(match (field.name.as_str(), holder) {
            ("first_name", Some(holder)) => holder.first_name.clone(),
            ("last_name", Some(holder)) => holder.last_name.clone(),
            ("first_name", None) => Some(people::first_name(rng)),
            ("last_name", None) => Some(people::last_name(rng)),
            _ if field.required => Some("Sample".to_string()),
            _ => None,
        }),
    }
}

fn years_before(today: NaiveDate, years: u64) -> NaiveDate {
    today
        .checked_sub_days(Days::new(years * 365))
        .unwrap_or(today)
}

/// A date inside the field's limits; without limits, one of the past: a first registration
/// or a purchase.
fn date(
    rng: &mut StdRng,
    field: &Field,
    near: &Map<String, Value>,
    top: &Map<String, Value>,
    today: NaiveDate,
    old: bool,
) -> Value {
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
    let most = field.validation.max_date.as_ref().and_then(limit);
    let drawn = match (least, most) {
        // What may lie far back is a birthday or a first registration.
        (Some(least), Some(most))
            if (most - least).num_days() > 20_000 && least.min(today) < today =>
        {
            if most < years_before(today, 10) {
                people::day_between(rng, years_before(today, 75), years_before(today, 21))
            } else if old {
                people::day_between(rng, years_before(today, 22), years_before(today, 17))
            } else {
                people::day_between(rng, years_before(today, 12), years_before(today, 1))
            }
        }
        (Some(least), Some(most)) => {
            people::day_between(rng, least, most.min(least + chrono::Duration::days(10)))
        }
        (Some(least), None) => least,
        (None, most) => {
            let latest = most
                .unwrap_or(today)
                .min(years_before(today, if old { 17 } else { 1 }));
            people::day_between(rng, years_before(latest, 10), latest)
        }
    };
    Value::String(dates::form_date(drawn))
}
