//! A customer chooses to pay monthly, and pays the first payment with a card that is kept.

use chrono::TimeDelta;
use layby::app::payments::status;
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::products::{Catalogue, builtin};
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{PAYS, accept, accepts_monthly, amounts, covered_monthly, in_letter, plan};
use crate::money::books::is_clean;
use crate::policies::{Customer, pence, young_vehicles};
use crate::support::gateways::Limits;
use crate::support::pdf::says;
use crate::support::stores::snapshot;
use crate::support::{Shop, two_trips, two_vehicles};

#[tokio::test]
async fn the_first_payment_buys_the_cover_and_the_plan_makes_the_price() {
    let ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &two_vehicles(), false).await;
    let accepted = accepted.expect(StatusCode::OK);
    let offered = accepted.at("/data/plan");
    let all = amounts(offered);
    let due = pence(accepted.at("/data/amount_due"));
    assert_eq!((all.len(), all[0]), (12, due));
    assert_eq!(all.iter().sum::<i64>(), pence(&offered["total"]));
    let read = ann.get(&format!("/api/v2/public/quote/read/{policy}"));
    let read = read.succeeds().await;
    assert_eq!(
        read.at("/data/plan"),
        offered,
        "the read shows the same plan"
    );
    assert_eq!(read.at("/data/auto_renew"), false);
    let price = pence(read.at("/data/info/price/amount_total"));
    assert_eq!(price, all.iter().sum::<i64>());
    let body = json!({ "product_identifier": "breakdown", "product": two_vehicles() });
    let priced = ann.post("/api/v1/monthly-price", &body).succeeds().await;
    let figure = |name: &str| pence(priced.at(&format!("/data/pf/{name}")));
    assert_eq!((figure("deposit"), figure("total")), (all[0], price));
    assert_eq!((figure("instalment_amount"), figure("charge")), (all[1], 0));

    ann.enters_card(&policy, PAYS).await;
    ann.works().await;
    let own = plan(&ann, &policy).await;
    assert_eq!(
        (own["status"].as_str(), amounts(&own)),
        (Some("active"), all.clone())
    );
    let days: Vec<_> = own["payments"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&days[0]["due"], &days[0]["state"]),
        (&json!("2026-11-21"), &json!("paid"))
    );
    assert_eq!(
        (&days[11]["due"], &days[11]["state"]),
        (&json!("2027-10-21"), &json!("upcoming"))
    );
    assert_eq!((&own["due"], pence(&own["left"])), (&json!(0), price - due));
    assert_eq!(own["next_day"], "2026-12-21");
    let whole = ann.policy(&policy).await;
    assert_eq!(
        whole.at("/data/policy/auto_renew"),
        false,
        "nobody agreed to that"
    );
    assert_eq!(whole.at("/data/policy/card_stored"), true);
    assert_eq!(whole.at("/data/plan"), &Value::Null);

    let letters = ann.shop.letters();
    let letter = letters
        .iter()
        .find(|one| one.subject.contains("monthly payments"));
    let letter = letter.unwrap();
    for payment in &all {
        assert!(
            letter.text.contains(&in_letter(*payment)),
            "{}",
            letter.text
        );
    }
    assert!(letter.text.contains("21 October 2027"), "{}", letter.text);
    let document = ann.document(&policy, "Payment Plan").await;
    let first = format!("21 November 2026 Paid {}", Pence(due));
    says(
        &document,
        &[
            &first,
            "21 October 2027",
            &format!("In all {}", Pence(price)),
            "your card that ends in 4242",
            "stop charging your card",
            "0800 138 7777",
        ],
    );

    let schedule = ann.document(&policy, "Policy Schedule").await;
    let total = Pence(price).to_string();
    says(&schedule, &["You pay in 12 monthly payments", &total]);
    let taken = tables::PAYMENTS.list(&snapshot(&ann.shop.app.store), &(), Direction::Forward, 2);
    assert_eq!(taken.unwrap()[0].1.amount, Pence(due));

    // The books have the whole price, and the customer owes the rest.
    assert_eq!(ann.account(&policy, Account::Customer), Pence(price - due));
    assert_eq!(
        ann.account(&policy, Account::gateway("sandbox")),
        Pence(due)
    );
    is_clean(&ann.shop, "after a monthly sale");
    let id: Uuid = policy.parse().unwrap();
    let entries = ann.shop.rows(&tables::LEDGER);
    let own = entries.iter().filter(|((policy, _), _)| *policy == id);
    let moved: Vec<_> = own.map(|(_, entry)| entry.movement).collect();
    assert_eq!(moved, [Movement::Sale, Movement::Payment]);

    // A plan that says something else than the books is found.
    let spoil = move |tx: &mut layby::store::WriteTx<'_>| {
        let mut plan = tables::PLANS.get(tx, &id)?.unwrap();
        plan.instalments[3].amount += Pence(1);
        tables::PLANS.put(tx, &id, &plan)
    };
    ann.shop.app.store.write(spoil).await.unwrap();
    let lines = crate::money::books::checked(&ann.shop);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("the customer's account")),
        "{lines:#?}"
    );
}

/// Starts a shop that sells breakdown cover monthly from a price of `minimum` on.
async fn with_minimum(minimum: Pence) -> Shop {
    let text = builtin()[0].1;
    assert!(text.contains("minimum = 40.00"));
    let pounds = format!("minimum = {}.{:02}", minimum.0 / 100, minimum.0 % 100);
    let text = text.replace("minimum = 40.00", &pounds);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("breakdown.toml"), text).unwrap();
    let texts = include_str!("../../../src/products/breakdown.documents.toml");
    std::fs::write(folder.path().join("breakdown.documents.toml"), texts).unwrap();
    Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await
}

#[tokio::test]
async fn nobody_pays_monthly_for_trips_and_small_prices_or_without_a_gateway_that_keeps_cards() {
    let ann = Customer::new().await;
    let (quote, refused) = accepts_monthly(&ann, &two_trips(), false).await;
    let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.text("/code"), "monthly_not_offered");
    let read = ann.get(&format!("/api/v2/public/quote/read/{quote}"));
    let read = read.succeeds().await;
    assert_eq!(read.at("/data/plan"), &Value::Null);
    accept(&ann, &quote, "annual", false)
        .await
        .expect(StatusCode::OK);

    let quote = ann
        .create(&two_vehicles())
        .answers(StatusCode::CREATED)
        .await;
    let read = ann.get(&format!(
        "/api/v2/public/quote/read/{}",
        quote.text("/data/uuid")
    ));
    let price = pence(read.succeeds().await.at("/data/info/price/amount_total"));
    for (minimum, status) in [
        (price, StatusCode::OK),
        (price + 1, StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let ann = Customer::of(with_minimum(Pence(minimum)).await).await;
        let (_, accepted) = accepts_monthly(&ann, &two_vehicles(), false).await;
        accepted.expect(status);
    }
    let shop = Shop::limited_at(Limits::CAN_DO_NOTHING, "http://127.0.0.1:9").await;
    let ann = Customer::of(shop).await;
    let (_, refused) = accepts_monthly(&ann, &two_vehicles(), false).await;
    refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
    let body = json!({ "product_identifier": "breakdown", "product": two_vehicles() });
    let refused = ann.post("/api/v1/monthly-price", &body).send().await;
    refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn another_choice_closes_the_page_of_the_first_and_a_late_payment_goes_back() {
    let ann = Customer::new().await;
    let (quote, accepted) = accepts_monthly(&ann, &two_vehicles(), true).await;
    accepted.expect(StatusCode::OK);
    let start = || async {
        let body = json!({ "uuid": quote });
        let started = ann.post("/api/v1/gateway/sandbox/initiate", &body);
        started.succeeds().await
    };
    let monthly = start().await;
    // Both choices keep the card, so only the amount tells the pages apart.
    accept(&ann, &quote, "annual", true)
        .await
        .expect(StatusCode::OK);
    let annual = start().await;
    assert_ne!(
        monthly.at("/data/payment_id"),
        annual.at("/data/payment_id")
    );
    ann.shop.pay(&annual.text("/data/url"), PAYS).await;
    ann.works().await;
    ann.shop.clock.advance(chrono::TimeDelta::seconds(30));
    ann.works().await;
    let whole = ann.policy(&quote).await;
    assert_eq!(whole.at("/data/policy/plan"), &Value::Null);
    assert_eq!(whole.at("/data/policy/auto_renew"), true);
    assert_eq!(ann.account(&quote, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after an annual sale");
}

#[tokio::test]
async fn a_plan_begins_on_the_london_day_of_the_payment_and_is_due_on_the_same_day_or_the_months_last()
 {
    for (moment, start, expected) in [
        // 00:30 in London is still the day before in UTC.
        (
            "2026-08-30T23:30:00Z",
            "02.09.2026",
            ["2026-08-31", "2026-09-30", "2026-10-31", "2027-02-28"],
        ),
        // In London 01:30 comes twice on the day on which the clocks go back.
        (
            "2026-10-25T00:30:00Z",
            "28.10.2026",
            ["2026-10-25", "2026-11-25", "2026-12-25", "2027-04-25"],
        ),
        (
            "2026-10-25T01:30:00Z",
            "28.10.2026",
            ["2026-10-25", "2026-11-25", "2026-12-25", "2027-04-25"],
        ),
        (
            "2027-01-31T12:00:00Z",
            "03.02.2027",
            ["2027-01-31", "2027-02-28", "2027-03-31", "2027-07-31"],
        ),
        (
            "2028-02-29T12:00:00Z",
            "03.03.2028",
            ["2028-02-29", "2028-03-29", "2028-04-29", "2028-08-29"],
        ),
    ] {
        let store = crate::support::database::empty_store().await;
        let ann = Customer::of(Shop::over(store, moment).await).await;
        let mut product = young_vehicles();
        product["values"]["start_date"] = json!(start);
        let (policy, accepted) = accepts_monthly(&ann, &product, false).await;
        accepted.expect(StatusCode::OK);
        ann.enters_card(&policy, PAYS).await;
        let own = plan(&ann, &policy).await;
        let payments = own["payments"].as_array().unwrap();
        assert_eq!(payments.len(), 12, "{moment}");
        let days = [0, 1, 2, 6].map(|number: usize| payments[number]["due"].as_str().unwrap());
        assert_eq!(days, expected, "{moment}");
    }
}

#[tokio::test]
async fn only_the_owner_reads_the_plan() {
    let (ann, policy) = covered_monthly(PAYS).await;
    let read = ann.shop.get(&format!("/api/v2/policy/{policy}"));
    let refused = read.cookies(&ann.stranger().await).send().await;
    refused.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_page_of_yesterday_that_is_paid_after_midnight_starts_the_plan_today() {
    let ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &two_vehicles(), false).await;
    let offered = accepted.expect(StatusCode::OK).at("/data/plan").clone();
    let body = json!({ "uuid": policy });
    let begin = ann.post("/api/v1/gateway/sandbox/initiate", &body);
    let page = begin.succeeds().await;
    ann.shop.clock.advance(TimeDelta::hours(13));
    ann.shop.pay(&page.text("/data/url"), PAYS).await;
    let payment = page.text("/data/payment_id").parse().unwrap();
    let synced = status::sync_payment_status(&ann.shop.app, payment).await;
    synced.unwrap();
    ann.works().await;

    let own = plan(&ann, &policy).await;
    assert_eq!(amounts(&own), amounts(&offered));
    let days = |plan: &Value| {
        let payments = plan["payments"].as_array().unwrap();
        [&payments[0], &payments[1], &payments[11]].map(|own| own["due"].clone())
    };
    assert_eq!(days(&offered), ["2026-11-21", "2026-12-21", "2027-10-21"]);
    assert_eq!(days(&own), ["2026-11-22", "2026-12-22", "2027-10-22"]);
    let document = ann.document(&policy, "Payment Plan").await;
    says(&document, &["22 November 2026 Paid", "22 October 2027"]);
    is_clean(&ann.shop, "after a purchase past midnight");
}
