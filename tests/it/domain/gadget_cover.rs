//! Gadget cover on sale: its prices by type, value and number, and its assumptions.

use layby::domain::money::Pence;
use layby::domain::money::price::Price;
use layby::domain::policy::term::term;
use layby::domain::product::Product;
use layby::domain::product::form::{Scope, check};
use layby::domain::product::rating::{monthly, monthly_plan, price};
use layby::domain::product::underwriting::{Business, Decision, decide};
use layby::domain::quote::answers::Answers;
use layby::domain::quote::campaign::Campaign;
use layby::domain::quote::summary::{needs, summary};
use layby::products::builtin;
use serde_json::{Value, json};

use super::{answers, day, parse, today};

const TYPES: [&str; 7] = [
    "phone",
    "tablet",
    "laptop",
    "watch",
    "camera",
    "console",
    "headphones",
];

pub fn gadget() -> Product {
    let (file, text) = builtin()[1];
    parse(file, text)
}

fn rate(product: &Product, values: Value, gadgets: Value) -> Price {
    let given = answers(values, json!({ "gadgets": gadgets }));
    let checked = check(product, &given, Scope::Rate, today());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    let price = price(product, &checked.answers, today(), &Campaign::default()).unwrap();
    let sum: Pence = price.lines.iter().map(|line| line.amount).sum();
    assert_eq!(sum, price.taxed);
    assert_eq!(price.net + price.tax, price.total);
    price
}

fn lines(price: &Price) -> Vec<(&str, i64)> {
    let lines = price.lines.iter();
    lines
        .map(|line| (line.code.as_str(), line.amount.0))
        .collect()
}

#[test]
fn three_gadgets_with_every_option() {
    let price = rate(
        &gadget(),
        json!({ "plan": "complete", "excess": 100, "loss": true }),
        json!([
            { "gadget_type": "phone", "value": 799 },
            { "gadget_type": "laptop", "value": 1649 },
            { "gadget_type": "headphones", "value": 249.95 },
        ]),
    );
    assert_eq!(
        lines(&price),
        [
            ("gadgets", 14250),      // 54.00, 76.00 and 12.50
            ("theft", 5148),         // 45, 30 and 35 percent of each
            ("excess", -1940),       // 10 percent of 193.98, half up
            ("loss", 3700),          // 16.00, 12.00 and 9.00
            ("multi_gadget", -3174), // 15 percent of 211.58, half up
            ("tax", 2158),           // 12 percent of 179.84, half up
        ]
    );
    assert_eq!((price.net, price.total), (Pence(17984), Pence(20142)));
    assert_eq!(price.lines[0].label, "Complete cover for your gadgets");
    assert_eq!(price.lines[2].label, "£100 excess");
    assert_eq!(
        (price.inception, price.expiry),
        (day("2026-11-22"), day("2027-11-21"))
    );
    let plan = monthly(&monthly_plan(&gadget(), &price, today()).unwrap());
    assert_eq!(plan.instalments, 11);
    assert_eq!(plan.total, price.total);
}

#[test]
fn essentials_has_no_options_whatever_was_chosen_before() {
    let stale = json!({ "plan": "essentials", "excess": 50, "loss": true });
    let price = rate(
        &gadget(),
        stale,
        json!([{ "gadget_type": "phone", "value": 500 }]),
    );
    assert_eq!(lines(&price), [("gadgets", 3800), ("tax", 456)]);
}

#[test]
fn the_price_goes_by_value_band() {
    let product = gadget();
    for (value, net) in [
        (1.0, 2900),
        (250.0, 2900),
        (250.01, 3800),
        (500.0, 3800),
        (500.01, 5400),
        (1000.0, 5400),
        (1000.01, 7200),
        (1500.0, 7200),
        (1500.01, 9400),
        (5000.0, 9400),
    ] {
        let phone = json!([{ "gadget_type": "phone", "value": value }]);
        let price = rate(&product, json!({ "plan": "essentials" }), phone);
        assert_eq!(price.net, Pence(net), "{value}");
    }
}

#[test]
fn several_gadgets_cost_less_each() {
    let product = gadget();
    for (count, discount) in [(1, 0), (2, 300), (3, 675), (4, 900), (5, 1500), (10, 3000)] {
        let console = json!({ "gadget_type": "console", "value": 200 });
        let gadgets = Value::Array(vec![console; count]);
        let price = rate(&product, json!({ "plan": "essentials" }), gadgets);
        assert_eq!(
            price.net,
            Pence(1500 * count as i64 - discount),
            "{count} gadgets"
        );
    }
}

#[test]
fn every_type_has_its_price_and_more_cover_or_value_costs_more() {
    let product = gadget();
    let mut lowest = Pence(i64::MAX);
    for kind in TYPES {
        let mut before = Pence(0);
        for value in [100, 400, 900, 1400, 2000] {
            let of = |values: Value| {
                let one = json!([{ "gadget_type": kind, "value": value }]);
                rate(&product, values, one).total
            };
            let essentials = of(json!({ "plan": "essentials" }));
            assert!(essentials > before, "{kind} {value}");
            before = essentials;
            lowest = lowest.min(essentials);
            let mut cheaper = essentials;
            for excess in [100, 75, 50] {
                let complete = of(json!({ "plan": "complete", "excess": excess }));
                assert!(complete > cheaper, "{kind} {value} {excess}");
                let loss = of(json!({ "plan": "complete", "excess": excess, "loss": true }));
                assert!(loss > complete, "{kind} {value} {excess}");
                cheaper = complete;
            }
        }
    }
    assert_eq!(lowest, Pence(1400));
    assert_eq!(product.info().price_from, Some(lowest));
}

#[test]
fn there_is_a_price_before_the_first_gadget_is_known() {
    let product = gadget();
    for gadgets in [json!([]), json!([{}]), json!([{ "gadget_type": null }])] {
        let price = rate(&product, json!({ "plan": "essentials" }), gadgets);
        assert_eq!(price.total, Pence(4256));
    }
    let nothing = check(&product, &Answers::default(), Scope::Rate, today());
    let refused = price(&product, &nothing.answers, today(), &Campaign::default());
    assert_eq!(
        refused.unwrap_err().0.into_keys().collect::<Vec<_>>(),
        ["plan"]
    );
}

/// Returns a phone that meets every assumption, with `more` added.
fn phone(more: &Value) -> Value {
    let mut phone = json!({
        "gadget_type": "phone", "make": "Apple", "model": "iPhone 16", "value": 799,
        "purchase_date": "01.10.2026", "working_order": 1, "damaged": 2,
        "proof_of_purchase": 1, "bought_as": "new", "bought_from": "retailer",
    });
    for (name, value) in more.as_object().unwrap() {
        phone[name] = value.clone();
    }
    phone
}

#[test]
fn each_assumption_declines_with_its_reason_and_the_telephone_number() {
    let product = gadget();
    let sound = phone(&json!({}));
    let decide = |more: Value| {
        let given = answers(
            json!({ "plan": "essentials", "start_date": "22.11.2026" }),
            json!({ "gadgets": [sound, phone(&more)] }),
        );
        let term = term(&product, &given, today());
        decide(&product, &given, &term, Business::New, "0800 1")
    };
    for (more, says) in [
        (json!({ "working_order": 2 }), "full working order"),
        (json!({ "damaged": 1 }), "damaged"),
        // One day more than 18 months on the first day of cover.
        (json!({ "purchase_date": "21.05.2025" }), "18 months"),
        (json!({ "proof_of_purchase": 2 }), "proof of purchase"),
        (
            json!({ "bought_as": "other", "bought_from": null }),
            "bought new in the UK",
        ),
        (
            json!({ "bought_from": "elsewhere" }),
            "bought new in the UK",
        ),
        (
            json!({ "bought_as": "refurbished", "bought_from": "retailer" }),
            "refurbished from the manufacturer",
        ),
    ] {
        match decide(more.clone()) {
            Decision::Decline(reason) => {
                assert!(reason.contains(says), "{more}: {reason}");
                assert!(reason.contains("call us on 0800 1"), "{more}: {reason}");
            }
            other => panic!("{more}: {other:?}"),
        }
    }
    for more in [
        json!({}),
        json!({ "purchase_date": "22.05.2025" }),
        json!({ "bought_from": "manufacturer" }),
        json!({ "bought_from": "network" }),
        json!({ "bought_as": "refurbished", "bought_from": "manufacturer" }),
        json!({ "bought_as": "refurbished", "bought_from": "network" }),
        json!({ "value": 3000 }),
    ] {
        assert_eq!(decide(more.clone()), Decision::Accept, "{more}");
    }
    let dear = decide(json!({ "value": 3000.01 }));
    assert!(matches!(dear, Decision::Refer(_)), "{dear:?}");
}

#[test]
fn the_assumptions_are_the_specifications_and_can_be_agreed_to() {
    let product = gadget();
    let assumptions = product.info().assumptions.as_ref().unwrap();
    assert_eq!(
        assumptions.points.join(" "),
        "The gadget must be in full working order and not already damaged. \
         It must be at most 18 months old with proof of purchase. \
         It must have been bought new in the UK from the manufacturer, a network provider or \
         a retailer, or refurbished from the manufacturer or a network provider. \
         A gadget locator service must be activated within 15 days of the policy starting."
    );
    let given = answers(json!({ "plan": "essentials" }), json!({}));
    let errors = check(&product, &given, Scope::Accept, today()).errors;
    let asked: Vec<_> = errors.0.keys().collect();
    assert_eq!(asked, ["assumptions_confirmed", "terms_and_conditions"]);
    assert!(super::breakdown().info().assumptions.is_none());
}

#[test]
fn essentials_is_bought_in_three_steps_and_complete_in_four() {
    let product = gadget();
    let steps = product.stepper();
    let numbers =
        |groups: &indexmap::IndexMap<String, layby::domain::product::stepper::StepGroup>| {
            let steps = groups["quote"].steps.iter();
            steps.map(|step| step.number).collect::<Vec<_>>()
        };
    assert_eq!(numbers(&steps.product_steps), [10, 20, 30, 40]);
    let essentials = &steps.activated_by.values["essentials"];
    assert_eq!(numbers(&essentials.product_steps), [10, 20, 30]);
    // A step is checked for the given answers: the third step of Essentials asks for consent.
    let asked = |plan: &str, step: u32| {
        let given = answers(json!({ "plan": plan }), json!({}));
        let errors = check(&product, &given, Scope::Step(step), today()).errors;
        errors.0.into_keys().collect::<Vec<_>>()
    };
    let consent = ["assumptions_confirmed", "terms_and_conditions"];
    assert_eq!(asked("essentials", 30), consent);
    assert_eq!(asked("complete", 30), Vec::<String>::new());
    assert_eq!(asked("complete", 40), consent);
    assert_eq!(asked("essentials", 40), Vec::<String>::new());
}

#[test]
fn it_says_what_was_chosen_and_why() {
    let product = gadget();
    let laptop = phone(&json!({ "gadget_type": "laptop" }));
    let two = json!({ "gadgets": [phone(&json!({})), laptop] });
    let texts = |values: Value| {
        let given = answers(values, two.clone());
        let lines = summary(&product, &given).into_iter();
        let lines: Vec<_> = lines.map(|line| line.text).collect();
        (lines, needs(&product, &given))
    };
    let (lines, needs) = texts(json!({ "plan": "complete", "excess": 50, "loss": true }));
    assert_eq!(
        lines,
        [
            "Phone, Laptop",
            "Complete cover",
            "£50 excess",
            "Theft",
            "Loss",
            "Accidental damage and breakdown"
        ]
    );
    assert_eq!(needs.len(), 4);
    assert_eq!(needs[3], "You will pay the first £50 of each claim.");
    let (lines, needs) = texts(json!({ "plan": "essentials" }));
    assert_eq!(lines[2], "£75 excess");
    assert_eq!(needs.len(), 2);
}
