//! Prices, terms, underwriting and monthly payments of breakdown cover.

use layby::domain::money::Pence;
use layby::domain::money::price::{Per, Price};
use layby::domain::policy::term::term;
use layby::domain::product::Product;
use layby::domain::product::form::{Scope, check};
use layby::domain::product::rating::{monthly, monthly_plan, price};
use layby::domain::product::underwriting::{Business, Decision, decide};
use layby::domain::quote::answers::Answers;
use layby::domain::quote::campaign::Campaign;
use layby::domain::quote::summary::needs;
use layby::products::{builtin, builtin_documents};
use serde_json::{Value, json};

use super::{answers, breakdown, day, today, trip_answers, vehicle_answers};

fn rate_with(given: &Answers, campaign: &Campaign) -> Price {
    let product = breakdown();
    let checked = check(&product, given, Scope::Rate, today());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    let price = price(&product, &checked.answers, today(), campaign).unwrap();
    let sum: Pence = price.lines.iter().map(|line| line.amount).sum();
    assert_eq!(sum, price.taxed);
    assert_eq!(price.net + price.tax, price.taxed);
    price
}

fn rate(values: Value, multi: Value) -> Price {
    rate_with(&answers(values, multi), &Campaign::default())
}

fn lines(price: &Price) -> Vec<(&str, i64)> {
    let lines = price.lines.iter();
    lines
        .map(|line| (line.code.as_str(), line.amount.0))
        .collect()
}

#[test]
fn two_vehicles_with_every_option() {
    let mut given = vehicle_answers();
    for (name, value) in [
        ("motor_legal_protection", json!(true)),
        ("excess", json!(1)),
    ] {
        given.values.insert(name.into(), value);
    }
    let price = rate_with(&given, &Campaign::default());
    assert_eq!(
        lines(&price),
        [
            ("vehicles", 8150),      // 43.00 and 38.50
            ("vehicle_age", 1935),   // 14 years: 45 percent of 43.00
            ("multi_vehicle", -963), // a quarter of 38.50, half up
            ("excess", -1095),       // 12 percent of 91.22, half up
            ("motor_legal_protection", 1875),
            ("key_cover", 3214),
            ("tax", 1574), // 12 percent of 131.16, half up
        ]
    );
    assert_eq!(price.net, Pence(13116));
    assert_eq!(price.total, Pence(14690));
    assert_eq!(price.lines[0].label, "National cover for your vehicles");
    assert_eq!((price.per, price.currency.as_str()), (Per::Year, "GBP"));
    assert_eq!(
        (price.inception, price.expiry),
        (day("2026-11-22"), day("2027-11-21"))
    );
}

#[test]
fn defaults_give_a_price_before_anything_else_is_known() {
    let price = rate(json!({"cover_type": 2}), json!({}));
    assert_eq!(lines(&price), [("vehicles", 2850), ("tax", 342)]);
    let personal = rate(json!({"cover_type": 1}), json!({}));
    assert_eq!(lines(&personal), [("personal", 5850), ("tax", 702)]);
    let product = breakdown();
    assert_eq!(product.info().price_from, Some(Pence(2809)));
    let nothing = check(&product, &Answers::default(), Scope::Rate, today());
    let errors = price_errors(&nothing.answers);
    assert_eq!(errors, ["cover_type"]);
}

fn price_errors(given: &Answers) -> Vec<String> {
    let errors = price(&breakdown(), given, today(), &Campaign::default()).unwrap_err();
    errors.0.into_keys().collect()
}

#[test]
fn an_answer_the_tariff_lacks_is_an_error_at_its_path() {
    let given = answers(
        json!({"cover_type": 2, "cover_level": 1, "excess": 2}),
        json!({"vehicles": [{"vehicle_type": 1}]}),
    );
    assert_eq!(
        price_errors(&given),
        ["vehicles.0.vehicle_registration_date"]
    );
    let trips = answers(
        json!({"cover_type": 1, "cover_level": 5, "cover_length": 2}),
        json!({}),
    );
    assert_eq!(price_errors(&trips), ["trips.0.trip_start_date"]);
}

#[test]
fn trips_are_priced_by_the_day() {
    let price = rate_with(&trip_answers(), &Campaign::default());
    assert_eq!(price.per, Per::Trip);
    assert_eq!(
        (price.inception, price.expiry),
        (day("2026-12-01"), day("2026-12-16"))
    );
    // Seven days and three days: ten of £7.90, 15 percent off, then 12 percent off.
    assert_eq!(
        lines(&price)[..3],
        [("personal", 7900), ("long_trip", -1185), ("excess", -806)]
    );
    let assumed = rate(
        json!({"cover_type": 1, "cover_level": 5, "cover_length": 2}),
        json!({}),
    );
    assert_eq!(lines(&assumed), [("personal", 790), ("tax", 95)]);
    assert_eq!(
        (assumed.inception, assumed.expiry),
        (day("2026-11-22"), day("2026-11-22"))
    );
}

#[test]
fn people_added_pay_less_than_the_first() {
    let price = rate(
        json!({"cover_type": 1, "cover_level": 1}),
        json!({"persons": [{}, {}]}),
    );
    assert_eq!(
        lines(&price),
        [("personal", 3900), ("persons", 4200), ("tax", 972)]
    );
}

#[test]
fn the_campaign_makes_key_cover_free_and_says_why() {
    let campaign = Campaign {
        utm_campaign: Some("fkc".into()),
        utm_medium: Some("affiliate".into()),
        utm_source: Some("Brooks".into()),
        ..Campaign::default()
    };
    let given = vehicle_answers();
    let free = rate_with(&given, &campaign);
    let line = free
        .lines
        .iter()
        .find(|line| line.code == "key_cover")
        .unwrap();
    assert_eq!(line.amount, Pence::ZERO);
    assert_eq!(
        line.note.as_deref(),
        Some("Free with the offer that brought you here")
    );
    let paid = rate_with(&given, &Campaign::default());
    assert_eq!(paid.net - free.net, Pence(3214));
    assert!(paid.lines.iter().all(|line| line.note.is_none()));
}

#[test]
fn a_vehicle_over_fifteen_years_declines_with_the_number_to_call() {
    let product = breakdown();
    let decide = |registered: &str| {
        let mut given = vehicle_answers();
        let vehicle = &mut given.multi.get_mut("vehicles").unwrap()[1];
        vehicle.insert("vehicle_registration_date".into(), json!(registered));
        let given = check(&product, &given, Scope::Complete, today()).answers;
        let term = term(&product, &given, today());
        decide(&product, &given, &term, Business::New, "0800 000 111")
    };
    // Cover starts on 22 November 2026.
    assert_eq!(decide("22.11.2011"), Decision::Accept);
    let Decision::Decline(reason) = decide("21.11.2011") else {
        panic!("not declined")
    };
    assert!(reason.contains("over 15 years old") && reason.contains("0800 000 111"));
}

#[test]
fn a_year_ends_364_days_after_it_starts_whatever_the_wire_says() {
    let product = breakdown();
    let mut given = vehicle_answers();
    given
        .values
        .insert("cover_end_date".into(), json!("01.01.2199"));
    let given = check(&product, &given, Scope::Complete, today()).answers;
    let term = term(&product, &given, today());
    assert_eq!(
        (term.inception, term.expiry),
        (day("2026-11-22"), day("2027-11-21"))
    );
    assert!(!term.single_trip);
}

#[test]
fn monthly_payments_make_the_price() {
    let product = breakdown();
    let price = rate_with(&vehicle_answers(), &Campaign::default());
    let costing = |total| Price {
        total: Pence(total),
        ..price.clone()
    };
    let plan = |total| monthly_plan(&product, &costing(total), today()).map(|plan| monthly(&plan));
    assert_eq!(plan(3999), None, "below the minimum");
    for total in [4000, 4001, 9999, 14690, 1_000_007] {
        let plan = plan(total).unwrap();
        let months = Pence(plan.instalment_amount.0 * plan.instalments);
        assert_eq!(plan.deposit + months, Pence(total));
        assert_eq!(plan.total, Pence(total));
        assert_eq!(plan.last_instalment_amount, plan.instalment_amount);
        assert_eq!(plan.instalments, 11);
    }
    let plan = plan(4816).unwrap();
    assert_eq!(
        (plan.deposit, plan.instalment_amount),
        (Pence(405), Pence(401))
    );
    let trip = Price {
        per: Per::Trip,
        ..price.clone()
    };
    assert_eq!(
        monthly_plan(&product, &trip, today()),
        None,
        "a single trip"
    );
}

#[test]
fn a_product_decides_whether_and_how_often_monthly_payments_are_made() {
    let price = rate_with(&vehicle_answers(), &Campaign::default());
    let whole = builtin()[0].1;
    // Without `[monthly]`, no sentence of the documents may be about it.
    let is_annual = |line: &&str| !line.contains("monthly = true") && !line.contains("{monthly_");
    let documents = builtin_documents()[0].1.lines().filter(is_annual);
    let annual = documents.collect::<Vec<_>>().join("\n");
    let with = |terms: &str| {
        let text = whole.replacen("[monthly]\npayments = 12\nminimum = 40.00\n", terms, 1);
        assert_ne!(text, whole);
        let parsed = Product::parse_with("breakdown.toml", &text, &|_| Some(annual.clone()));
        let plan = monthly_plan(&parsed.unwrap().product, &price, today());
        plan.map(|plan| monthly(&plan).instalments)
    };
    assert_eq!(with(""), None);
    assert_eq!(with("[monthly]\npayments = 2\nminimum = 0\n"), Some(1));
    // The thirteenth would be due after the term.
    assert_eq!(with("[monthly]\npayments = 24\nminimum = 0\n"), Some(11));
}

#[test]
fn demands_and_needs_follow_the_answers() {
    let product = breakdown();
    let given = check(&product, &trip_answers(), Scope::Complete, today()).answers;
    let needs = needs(&product, &given);
    assert!(
        needs.contains(&"You want to be covered in Europe for these trips: France, Italy.".into())
    );
    assert_eq!(needs.len(), 5);
}
