//! Late reports of payments: until a day in London they buy cover, and after it they are refunded.

use chrono::{DateTime, TimeDelta, Utc};
use layby::app::payments::sandbox;
use layby::domain::payment::sandbox::SandboxEvent;
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::world::World;
use crate::money::shop as shop_without_news;
use crate::support::database::empty_store;
use crate::support::provider::{Card, Provider};
use crate::support::stores::snapshot;
use crate::support::{Made, NOW, Shop, two_trips, two_vehicles};
use crate::{globalpayments, smartpayfuse, stripe};

/// This card pays, and the shop learns of it only when it asks.
const SILENT: &str = "4000 0000 0000 0085";
const TOO_LATE: &str = "This payment reached us too late to start the cover: it bought nothing.";

/// The way by which the shop learns of a payment.
#[derive(Clone, Copy, Debug)]
enum Way {
    Callback,
    Asking,
    Job,
}

/// A payment that the shop has not learned of.
struct Silent {
    shop: Shop,
    quote: Made,
    payment: uuid::Uuid,
}

impl Silent {
    async fn of(shop: Shop, product: &Value) -> Self {
        let quote = shop.quote(product).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        let started = shop.initiate(&quote).await.expect(StatusCode::OK);
        let page = started.text("/data/url");
        shop.pay(&page, SILENT).await.assert_status_is_ok();
        let payment = started.text("/data/payment_id").parse().unwrap();
        Self {
            shop,
            quote,
            payment,
        }
    }

    /// Lets the shop learn of it at `at`.
    async fn learns(&self, at: &str, way: Way) -> bool {
        let at: DateTime<Utc> = at.parse().unwrap();
        let shop = &self.shop;
        shop.clock.advance(at - shop.clock.now());
        match way {
            Way::Asking => drop(shop.payment(&self.quote).await.expect(StatusCode::OK)),
            Way::Job => shop.work_without_callbacks().await,
            Way::Callback => {
                let (body, signature) = {
                    let tx = snapshot(&shop.app.store);
                    let secret = tables::SECRETS.get(&tx, &"sandbox".to_string());
                    let books = tables::SANDBOX.get(&tx, &self.payment).unwrap().unwrap();
                    let secret = secret.unwrap().unwrap();
                    sandbox::callback(&books, SandboxEvent::State, &secret, at).unwrap()
                };
                let body: Value = serde_json::from_str(&body).unwrap();
                let call = shop.post("/api/v1/gateway/sandbox/callback", &body);
                let call = call.header("X-Sandbox-Signature", &signature);
                call.succeeds().await;
            }
        }
        let tx = snapshot(&shop.app.store);
        let row = tables::PAYMENTS.get(&tx, &self.payment).unwrap().unwrap();
        assert_eq!(
            row.is_applied(),
            tables::POLICIES.has(&tx, &row.quote).unwrap(),
            "one policy and its money, or no policy and no money kept"
        );
        row.is_applied()
    }
}

const WAYS: [Way; 3] = [Way::Callback, Way::Asking, Way::Job];

#[tokio::test]
async fn annual_cover_is_sold_for_three_days_after_its_first_and_then_the_money_goes_back() {
    for way in WAYS {
        // Cover is to begin on 25 November.
        let paid = Silent::of(shop_without_news().await, &two_vehicles()).await;
        assert!(paid.learns("2026-11-28T23:59:00Z", way).await, "{way:?}");

        let paid = Silent::of(shop_without_news().await, &two_vehicles()).await;
        assert!(!paid.learns("2026-11-29T00:01:00Z", way).await, "{way:?}");
        let read = paid.shop.payment(&paid.quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/refund_reason"), "too_late");
        assert_eq!(read.at("/data/policy"), false);
        assert_eq!(read.text("/data/message"), TOO_LATE);
        paid.shop.work_without_callbacks().await;
        let read = paid.shop.payment(&paid.quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/refund"), "paid");
        let letters = paid.shop.letters();
        let told = letters.iter().filter(|letter| {
            letter
                .text
                .contains("It reached us too late to start the cover: it bought nothing.")
        });
        assert_eq!(told.count(), 1, "{letters:#?}");
    }
}

#[tokio::test]
async fn a_trip_is_sold_until_the_end_of_its_first_day_in_london() {
    let mut product = two_trips();
    product["multi"]["trips"] = json!([
        { "trip_destination": "FR", "trip_start_date": "01.07.2027", "trip_end_date": "05.07.2027" },
    ]);
    for way in WAYS {
        // London's clocks are an hour ahead of UTC in summer.
        for (at, sells) in [
            ("2027-07-01T22:59:00Z", true),
            ("2027-07-01T23:01:00Z", false),
        ] {
            let store = empty_store().await;
            let shop = Shop::reachable_at(store, "2027-06-20T12:00:00Z", "http://127.0.0.1:9");
            let paid = Silent::of(shop.await, &product).await;
            let is_sold = paid.learns(at, way).await;
            assert_eq!(is_sold, sells, "{way:?}");
        }
    }
}

#[tokio::test]
async fn a_payment_is_paid_on_the_day_on_which_the_shop_learned_of_it() {
    let paid = Silent::of(shop_without_news().await, &two_vehicles()).await;
    paid.learns("2026-11-24T09:00:00Z", Way::Asking).await;
    let row = paid.shop.row(&tables::PAYMENTS, &paid.payment);
    assert_eq!(row.created, NOW.parse::<DateTime<Utc>>().unwrap());
    assert_eq!(row.paid_on().to_string(), "2026-11-24");
}

/// Nobody reports a payment until its cover can't begin any more.
async fn learns_too_late<P: Provider>() {
    let outside = World::<P>::begun().await;
    let mut world = World::<P>::start(&outside).await;
    assert!(world.begins_to_pay().await);
    let page = world.page.clone().unwrap();
    assert!(world.provider.pay(&world.shop, &page, Card::Good).await);
    assert!(world.provider.balance(&world.shop) > 0);
    // Cover was to begin on 25 November.
    world.wait(TimeDelta::days(9));
    world.logs_in().await;
    assert!(world.receives().await);
    let path = format!("/api/v1/payment/{}", world.payable());
    let read = world.get(&path).await;
    assert_eq!(read.at("/data/refund_reason"), "too_late", "{}", P::NAME);
    assert_eq!(read.text("/data/message"), TOO_LATE);
    assert!(world.works().await);
    world.provider.end_day();
    world.wait(TimeDelta::hours(25));
    assert!(world.works().await && world.receives().await);
    assert_eq!(world.provider.balance(&world.shop), 0, "{}", P::NAME);
    assert_eq!(world.get(&path).await.at("/data/refund"), "paid");
    let tx = snapshot(&world.shop.app.store);
    let policies = tables::POLICIES.list(&tx, &(), Direction::Forward, 1);
    assert!(policies.unwrap().is_empty(), "{}", P::NAME);
}

#[tokio::test]
async fn a_payment_that_each_gateway_reports_too_late_buys_nothing_and_goes_back() {
    learns_too_late::<stripe::double::Double>().await;
    learns_too_late::<globalpayments::double::Double>().await;
    learns_too_late::<smartpayfuse::double::Double>().await;
}
