//! A product of another kind needs a file and no code.

use layby::domain::money::Pence;
use layby::domain::policy::term::term;
use layby::domain::product::Product;
use layby::domain::product::form::{Scope, check};
use layby::domain::product::rating::price;
use layby::domain::product::underwriting::{Business, Decision, decide};
use layby::domain::quote::answers::Answers;
use layby::domain::quote::campaign::Campaign;
use layby::domain::quote::summary::summary;
use serde_json::{Value, json};

use super::{answers, parse, today};

fn gadget() -> Product {
    parse("gadget.toml", include_str!("../../fixtures/gadget.toml"))
}

fn gadgets(plan: &str, loss: bool, gadgets: Value) -> Answers {
    answers(
        json!({"plan": plan, "loss": loss}),
        json!({"gadgets": gadgets}),
    )
}

#[test]
fn rates_by_value_band_with_fee_minimum_and_charge() {
    let rate = |given: &Answers| {
        let product = gadget();
        let checked = check(&product, given, Scope::Rate, today());
        assert!(checked.errors.is_empty(), "{:?}", checked.errors);
        price(&product, &checked.answers, today(), &Campaign::default()).unwrap()
    };
    let one = rate(&gadgets(
        "basic",
        false,
        json!([{"kind": "phone", "value": 250}]),
    ));
    let amounts: Vec<_> = one
        .lines
        .iter()
        .map(|l| (l.label.as_str(), l.amount.0))
        .collect();
    assert_eq!(
        amounts,
        [
            ("Your gadgets (Basic)", 3000),
            ("Minimum price", 500),
            ("Set-up fee", 250),
            ("Tax", 450)
        ]
    );
    assert_eq!((one.taxed, one.total), (Pence(4200), Pence(4399)));
    assert_eq!(one.charges[0].code, "post");
    // One penny over 250 pounds is in the next band.
    let over = rate(&gadgets(
        "basic",
        false,
        json!([{"kind": "phone", "value": 250.01}]),
    ));
    assert_eq!(over.lines[0].amount, Pence(4500));
    let two = rate(&gadgets(
        "plus",
        true,
        json!([{"kind": "phone", "value": 999.99}, {"kind": "laptop", "value": 2000}]),
    ));
    let amounts: Vec<_> = two.lines.iter().map(|line| line.amount.0).collect();
    assert_eq!(amounts, [14050, 2810, -2108, 250, 1800]);
    assert_eq!(gadget().info().price_from, Some(Pence(4399)));
}

#[test]
fn options_and_fields_follow_earlier_answers() {
    let product = gadget();
    let given = gadgets(
        "basic",
        true,
        json!([{"kind": "laptop", "value": 5, "purchase_date": "01.11.2026"}]),
    );
    let errors = check(&product, &given, Scope::Complete, today()).errors;
    assert_eq!(errors.0.keys().collect::<Vec<_>>(), ["gadgets.0.kind"]);
    let phone = json!({"kind": "phone", "value": 5, "purchase_date": "01.11.2026", "imei": "1"});
    let given = gadgets("basic", true, json!([phone, phone]));
    let errors = check(&product, &given, Scope::Complete, today()).errors;
    assert_eq!(errors.0.keys().collect::<Vec<_>>(), ["gadgets.1.imei"]);
    for (value, text) in [
        (json!("5"), "Enter a number in figures, such as 250"),
        (json!(-5), "Enter a number from 1 to 3000"),
        (json!(1e300), "Enter a smaller number"),
        (json!(5.001), "Use at most two decimals"),
    ] {
        let given = gadgets("basic", false, json!([{"kind": "phone", "value": value}]));
        let errors = check(&product, &given, Scope::Rate, today()).errors;
        assert_eq!(errors.first("gadgets.0.value"), Some(text));
    }
}

#[test]
fn hidden_fields_keep_their_default() {
    let mut given = gadgets("basic", false, json!([]));
    given.values.insert("channel".into(), json!("typed"));
    let checked = check(&gadget(), &given, Scope::Complete, today());
    assert_eq!(checked.answers.values["channel"], "web");
}

#[test]
fn refers_and_declines() {
    let product = gadget();
    let decide = |bought: &str, count: usize| {
        let one = json!({"kind": "phone", "value": 5, "purchase_date": bought});
        let given = gadgets("basic", false, Value::Array(vec![one; count]));
        let term = term(&product, &given, today());
        decide(&product, &given, &term, Business::New, "0800")
    };
    assert_eq!(decide("01.11.2026", 1), Decision::Accept);
    assert!(matches!(decide("01.11.2026", 4), Decision::Refer(_)));
    let old = "A gadget must be at most 18 months old. Call 0800.".to_owned();
    assert_eq!(decide("20.05.2025", 4), Decision::Decline(old));
}

#[test]
fn steps_go_by_ten_and_can_be_swapped() {
    let product = gadget();
    let numbers: Vec<_> = product.stepper().product_steps["quote"]
        .steps
        .iter()
        .map(|s| s.number)
        .collect();
    assert_eq!(numbers, [10, 20]);
    assert_eq!(
        product.stepper().activated_by.values["plus"].title,
        "Gadget plus"
    );
    let errors = check(&product, &Answers::default(), Scope::Step(20), today()).errors;
    assert_eq!(
        errors.0.keys().collect::<Vec<_>>(),
        [
            "gadgets.0.kind",
            "gadgets.0.value",
            "gadgets.0.purchase_date"
        ]
    );
    let lines = summary(
        &product,
        &gadgets("basic", false, json!([{"kind": "phone"}])),
    );
    assert_eq!(lines[0].text, "1 covered: Phone");
}

#[test]
fn cover_may_begin_today_unless_the_file_says_otherwise() {
    let file = include_str!("../../fixtures/gadget.toml");
    let silent = file.replace("min_bind_days = 0\n", "");
    assert_ne!(silent, file);
    let product = parse("gadget.toml", &silent);
    assert_eq!(product.info().min_bind_days, 0);
    let given = gadgets("basic", false, json!([]));
    assert_eq!(term(&product, &given, today()).inception, today());
}
