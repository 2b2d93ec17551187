//! For any answers: no panic, lines add up, and only visible fields are checked.

use layby::domain::money::Pence;
use layby::domain::policy::term::term;
use layby::domain::product::Product;
use layby::domain::product::field_kind::FieldKind;
use layby::domain::product::fields::Field;
use layby::domain::product::form::{Scope, check, check_for_price, describe, state};
use layby::domain::product::rating::{monthly_plan, price, price_checked};
use layby::domain::product::underwriting::{Business, decide};
use layby::domain::quote::answers::Answers;
use layby::domain::quote::campaign::Campaign;
use layby::domain::quote::summary::{needs, summary};
use layby::domain::time::dates::form_date;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::fixtures::visible;
use super::gadget_cover::gadget;
use super::{breakdown, day, parse, today};
use crate::support::generated::cases;

fn products() -> [Product; 3] {
    [
        breakdown(),
        gadget(),
        parse("gadget.toml", include_str!("../../fixtures/gadget.toml")),
    ]
}

fn date() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-5i64..200).prop_map(|days| today() + chrono::Duration::days(days)),
        (1990i32..2027).prop_map(|year| day(&format!("{year}-03-01"))),
    ]
    .prop_map(|date| json!(form_date(date)))
}

/// Generates values that no form asks for.
fn junk() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0i64..7).prop_map(|n| json!(n)),
        any::<bool>().prop_map(|flag| json!(flag)),
        date(),
        any::<String>().prop_map(|text| json!(text)),
        any::<f64>().prop_map(|number| json!(number)),
        any::<i64>().prop_map(|number| json!(number)),
        Just(json!(null)),
        Just(json!([])),
        Just(json!({})),
        Just(json!("")),
    ]
}

/// Generates an answer to a field, mostly valid.
fn answer(field: &Field) -> BoxedStrategy<Value> {
    let options: Vec<_> = field
        .options
        .iter()
        .map(|option| option.value.clone())
        .collect();
    let right = match field.kind {
        FieldKind::Checkbox => any::<bool>().prop_map(|flag| json!(flag)).boxed(),
        FieldKind::Date => date().boxed(),
        FieldKind::Number => (1i64..300_000)
            .prop_map(|n| json!(n as f64 / 100.0))
            .boxed(),
        FieldKind::Email => Just(json!("ann@example.com")).boxed(),
        FieldKind::Phone => Just(json!("07400 123456")).boxed(),
        FieldKind::Postcode => Just(json!("SW1A 1AA")).boxed(),
        FieldKind::Registration => "[A-Z]{1,3}[0-9]{1,4}[A-Z]{0,3}"
            .prop_map(|mark| json!(mark))
            .boxed(),
        _ if !options.is_empty() => proptest::sample::select(options).boxed(),
        _ => "\\PC{0,60}".prop_map(|text| json!(text)).boxed(),
    };
    prop_oneof![12 => right, 1 => junk()].boxed()
}

/// Generates answers to some of a form's fields.
fn some_answers(product: &Product) -> impl Strategy<Value = Answers> + use<> {
    let row = |fields: &[Field]| {
        let cells = fields.iter().map(|field| {
            let name = field.name.clone();
            let given = proptest::option::weighted(0.85, answer(field));
            given.prop_map(move |value| Some((name.clone(), value?)))
        });
        let cells = cells.collect::<Vec<_>>();
        cells.prop_map(|cells| cells.into_iter().flatten().collect::<Map<_, _>>())
    };
    let mut top = Vec::new();
    let mut multi = Vec::new();
    for dataset in product.form().datasets {
        if dataset.multi {
            let rows = proptest::collection::vec(row(&dataset.fields), 0..4);
            multi.push(rows.prop_map(move |rows| (dataset.identifier.clone(), rows)));
        } else {
            top.extend(dataset.fields);
        }
    }
    (row(&top), multi).prop_map(|(values, multi)| Answers {
        values,
        multi: multi.into_iter().collect(),
    })
}

fn any_answers() -> impl Strategy<Value = (usize, Answers)> {
    let [one, two, three] = products();
    prop_oneof![
        some_answers(&one).prop_map(|given| (0, given)),
        some_answers(&two).prop_map(|given| (1, given)),
        some_answers(&three).prop_map(|given| (2, given)),
    ]
}

thread_local! {
    static PRODUCTS: [Product; 3] = products();
}

fn with_product<T>(which: usize, use_it: impl FnOnce(&Product) -> T) -> T {
    PRODUCTS.with(|products| use_it(&products[which]))
}

const SCOPES: [Scope; 8] = [
    Scope::Complete,
    Scope::Draft,
    Scope::Rate,
    Scope::Accept,
    Scope::Step(1),
    Scope::Step(2),
    Scope::Step(20),
    Scope::Step(30),
];

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn nothing_panics((which, given) in any_answers()) {
        with_product(which, |product| {
            for scope in SCOPES {
                check(product, &given, scope, today());
            }
            describe(product, &given, Scope::Step(1), today());
            let state = state(product, &given).unwrap();
            serde_json::from_slice::<Value>(&state).unwrap();
            summary(product, &given);
            needs(product, &given);
            let term = term(product, &given, today());
            decide(product, &given, &term, Business::New, "0800");
            if let Ok(price) = price(product, &given, today(), &Campaign::default()) {
                let _ = monthly_plan(product, &price, today());
            }
        });
    }

    #[test]
    fn lines_always_add_up((which, given) in any_answers()) {
        with_product(which, |product| {
            for given in [&given, &check(product, &given, Scope::Rate, today()).answers] {
                let Ok(price) = price(product, given, today(), &Campaign::default()) else { continue };
                let lines: Pence = price.lines.iter().map(|line| line.amount).sum();
                let charges: Pence = price.charges.iter().map(|line| line.amount).sum();
                prop_assert_eq!(lines, price.taxed);
                prop_assert_eq!(price.net + price.tax, price.taxed);
                prop_assert_eq!(price.taxed + charges, price.total);
                prop_assert!(price.net > Pence::ZERO);
                prop_assert!(price.inception <= price.expiry);
            }
            Ok(())
        })?;
    }

    #[test]
    fn an_unsaved_price_is_the_price_of_the_checked_answers((which, given) in any_answers()) {
        with_product(which, |product| {
            let none = Campaign::default();
            let checked = check(product, &given, Scope::Rate, today());
            let rated = price(product, &checked.answers, today(), &none);
            let in_place = check_for_price(product, &given, today());
            prop_assert_eq!(&in_place.errors, &checked.errors);
            prop_assert_eq!(price_checked(product, &in_place, today(), &none), rated);
            Ok(())
        })?;
    }

    #[test]
    fn only_what_shows_is_checked((which, given) in any_answers()) {
        with_product(which, |product| {
            let shown = visible(product, &given);
            for scope in SCOPES {
                for path in check(product, &given, scope, today()).errors.0.into_keys() {
                    // A required instance that is missing is reported as the first.
                    let asked = path.contains(".0.") || shown.contains(&path);
                    prop_assert!(asked, "{} doesn't show", path);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn hidden_answers_change_nothing((which, given) in any_answers(), other in junk()) {
        with_product(which, |product| {
            let shown = visible(product, &given);
            let mut changed = given.clone();
            for dataset in product.form().datasets.iter().filter(|dataset| !dataset.multi) {
                for field in dataset.fields.iter().filter(|field| !shown.contains(&field.name)) {
                    changed.values.insert(field.name.clone(), other.clone());
                }
            }
            for scope in SCOPES {
                let (a, b) = (check(product, &given, scope, today()), check(product, &changed, scope, today()));
                prop_assert_eq!(a.answers, b.answers);
                prop_assert_eq!(a.errors, b.errors);
            }
            Ok(())
        })?;
    }

    #[test]
    fn checking_twice_changes_nothing((which, given) in any_answers()) {
        with_product(which, |product| {
            for scope in [Scope::Complete, Scope::Draft, Scope::Rate] {
                let once = check(product, &given, scope, today());
                if once.errors.is_empty() {
                    let twice = check(product, &once.answers, scope, today());
                    prop_assert_eq!(&twice.answers, &once.answers);
                    prop_assert!(twice.errors.is_empty());
                }
            }
            Ok(())
        })?;
    }
}
