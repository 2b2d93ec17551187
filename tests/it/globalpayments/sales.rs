//! Sales. Messages come in any order, repeatedly, late or never, and the policy is made once.

use chrono::TimeDelta;
use layby::app::payments::ledger;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::{FailureClass, Mode, PaymentStatus};
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use serde_json::Value;

use super::double::{Entered, Fault, Outcome};
use super::till::{Till, settings};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::support::stores::snapshot;
use crate::support::two_vehicles;

/// Checks that there is one policy, one payment, and correct books.
fn assert_sold_once(till: &Till) {
    assert!(till.sold());
    let attempts = till.attempts();
    let bought: Vec<_> = attempts.iter().filter(|one| one.is_applied()).collect();
    assert_eq!(bought.len(), 1);
    assert_eq!(till.balance(), bought[0].amount.0);
    let tx = snapshot(&till.shop.app.store);
    let entries = tables::LEDGER.list(&tx, &till.quote.id(), Direction::Forward, 100);
    let entries = entries.unwrap();
    let paid = entries.iter();
    let paid = paid.filter(|(_, entry)| entry.cause_id == bought[0].id);
    assert_eq!(paid.count(), 1);
}

#[tokio::test]
async fn a_customer_pays_in_the_frame_and_is_covered() {
    let till = Till::open().await;
    let started = till.initiate().await.expect(StatusCode::OK);
    let url = started.text("/data/url");
    let redirect = format!("{}/hpp/redirect/", till.double.address());
    assert!(url.starts_with(&redirect), "{url}");
    assert_eq!(started.at("/data/kind"), "iframe");
    assert_eq!(started.at("/data/method"), "GET");
    let attempt = till.attempt();
    assert_eq!(attempt.references["link"], till.link());
    assert_eq!(attempt.mode, Mode::Test);
    // Each repetition returns the same page.
    let again = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(again.text("/data/url"), url);

    assert_eq!(till.poll().await.at("/data/status"), "pending");
    assert_eq!(till.pay(Entered::Good), Outcome::Paid);
    till.receive_all().await;
    assert_sold_once(&till);
    assert_eq!(till.attempt().references["transaction"], till.transaction());
    assert_eq!(till.poll().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn the_message_may_come_before_the_page_asks_or_after_it_and_twice() {
    let till = Till::at_the_page().await;
    till.pay(Entered::Good);
    assert_eq!(till.poll().await.at("/data/status"), "paid");
    assert_sold_once(&till);
    let news = till.double.news().pop().unwrap();
    for _ in 0..2 {
        till.receive(&news).await.expect(StatusCode::OK);
    }
    assert_sold_once(&till);
}

#[tokio::test]
async fn after_a_closed_browser_without_a_message_a_job_finds_the_payment() {
    let till = Till::at_the_page().await;
    till.pay_without_messages();
    let settings = settings(&till.double, "[\"sandbox\"]");
    let till = till.restarted(&settings).await;
    for _ in 0..5 {
        till.wait_and_work(TimeDelta::minutes(1)).await;
    }
    assert_sold_once(&till);
}

#[tokio::test]
async fn old_messages_of_declined_cards_change_nothing_after_the_sale() {
    let till = Till::at_the_page().await;
    for _ in 0..2 {
        assert_eq!(till.pay(Entered::Declined), Outcome::Declined);
    }
    let declined = till.double.news();
    for news in &declined {
        till.receive(news).await.expect(StatusCode::OK);
    }
    // A decline ends nothing while the page is open.
    assert!(till.attempt().status.is_open());
    assert_eq!(till.poll().await.at("/data/charged"), &Value::Null);
    assert_eq!(till.pay(Entered::Good), Outcome::Paid);
    till.receive_all().await;
    assert_sold_once(&till);
    let transaction = till.attempt().references["transaction"].clone();
    for news in declined.iter().rev() {
        till.receive(news).await.expect(StatusCode::OK);
    }
    assert_sold_once(&till);
    assert_eq!(till.attempt().references["transaction"], transaction);
}

#[tokio::test]
async fn who_begins_again_after_a_decline_gets_another_page_and_the_old_one_ends() {
    let till = Till::at_the_page().await;
    let first = till.link();
    assert_eq!(till.pay(Entered::Declined), Outcome::Declined);
    till.receive_all().await;
    till.wait(TimeDelta::minutes(1));
    let second = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    assert_ne!(till.link(), first);
    let old = till.books(|books, _| books.shown_link(&first).unwrap());
    assert_eq!(old["status"], "INACTIVE");
    let again = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(again.text("/data/url"), second.text("/data/url"));
    assert_eq!(till.pay(Entered::Good), Outcome::Paid);
    till.receive_all().await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_declined_card_counts_for_its_client_while_the_page_is_open() {
    let till = Till::open().await;
    let limit = "[limits]\nfailed_payments_per_client = 1\n";
    let settings = settings(&till.double, "[\"globalpayments\"]") + limit;
    let mut till = till.restarted(&settings).await;
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!(till.pay(Entered::Declined), Outcome::Declined);
    till.receive_all().await;
    assert!(till.attempt().status.is_open());
    till.quote = till.shop.quote(&two_vehicles()).await;
    till.shop.accept(&till.quote).await.expect(StatusCode::OK);
    let refused = till.initiate().await;
    refused.expect(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn an_unpaid_page_fails_for_good_only_after_nobody_can_pay_on_it() {
    for (entered, class) in [
        (None, FailureClass::Expired),
        (Some(Entered::Declined), FailureClass::Declined),
        (Some(Entered::Cancel), FailureClass::Abandoned),
    ] {
        let till = Till::at_the_page().await;
        entered.map(|entered| till.pay(entered));
        till.receive_all().await;
        till.wait_and_work(TimeDelta::hours(24)).await;
        let read = till.poll().await;
        assert_eq!(read.at("/data/charged"), &Value::Null, "{class:?}");
        till.wait_and_work(TimeDelta::hours(2)).await;
        let attempt = till.attempt();
        assert_eq!(attempt.status, PaymentStatus::Failed);
        let failure = attempt.failure.unwrap();
        assert_eq!((failure.class, failure.is_final), (class, true));
        assert_eq!(till.poll().await.at("/data/charged"), false);
        assert!(!till.sold());
    }
}

#[tokio::test]
async fn reserved_money_buys_nothing_until_it_is_captured() {
    let till = Till::at_the_page().await;
    till.books(|books, _| books.good_status = "PREAUTHORIZED");
    till.pay(Entered::Good);
    till.receive_all().await;
    assert_eq!(till.attempt().status, PaymentStatus::Processing);
    assert_eq!(till.poll().await.at("/data/charged"), &Value::Null);
    assert!(!till.sold());
    assert_eq!(unresolved(&till.shop).await, []);
    till.wait(TimeDelta::hours(2));
    assert_eq!(unresolved(&till.shop).await.len(), 1);
    let id = till.transaction();
    till.books(|books, now| books.change(&id, "CAPTURED", "SUCCESS", now));
    till.receive_all().await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_bank_that_decides_late_still_sells_after_we_gave_up() {
    let till = Till::at_the_page().await;
    assert_eq!(till.pay(Entered::Slow), Outcome::Pending);
    till.receive_all().await;
    for _ in 0..80 {
        till.wait_and_work(TimeDelta::hours(1)).await;
    }
    assert_eq!(till.attempt().status, PaymentStatus::Unresolved);
    assert_eq!(unresolved(&till.shop).await.len(), 1);
    let id = till.transaction();
    till.books(|books, now| books.change(&id, "CAPTURED", "SUCCESS", now));
    till.receive_all().await;
    assert!(till.sold());
}

#[tokio::test]
async fn a_page_that_was_ended_and_paid_by_a_customer_on_it_goes_back() {
    let till = Till::at_the_page().await;
    let first = till.link();
    till.wait(TimeDelta::minutes(22 * 60 + 30));
    till.initiate().await.expect(StatusCode::OK);
    let state = |id: &str| till.books(|books, _| books.shown_link(id).unwrap()["status"].clone());
    assert_eq!(state(&first), "INACTIVE");
    assert_eq!(till.pay(Entered::Good), Outcome::Paid);
    till.receive_all().await;
    assert!(till.sold());
    // The customer has the first page open in another tab.
    till.books(|books, now| books.pay_unless_paid(&first, Entered::Good, now));
    till.double.news();
    till.wait_and_work(TimeDelta::minutes(30)).await;
    till.wait_and_work(TimeDelta::minutes(30)).await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_second_payment_of_one_link_is_listed_when_it_is_found() {
    let till = Till::at_the_page().await;
    till.pay_without_messages();
    let second = till.books(|books, _| {
        let mut again = books.transactions.last().unwrap().clone();
        again["id"] = "TRN_second".into();
        books.transactions.push(again);
        "TRN_second".to_owned()
    });
    for _ in 0..2 {
        till.wait_and_work(TimeDelta::minutes(2)).await;
    }
    assert!(till.sold());
    let bought = till.attempt().references["transaction"].clone();
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 1);
    let listed = listed[0].reference.clone().unwrap();
    assert_ne!(bought, listed);
    assert!([&bought, &listed].contains(&&second));
    // The shop finds the reversal of the first payment, although a second payment exists.
    till.books(|books, now| books.reverse(&bought, now).unwrap());
    till.double.news();
    till.wait_and_work(TimeDelta::days(1)).await;
    assert_eq!(till.attempt().status, PaymentStatus::Reversed);
}

#[tokio::test]
async fn a_second_payment_that_a_message_reports_is_listed_as_one() {
    let till = Till::paid().await;
    till.books(|books, now| {
        let mut again = books.transactions.last().unwrap().clone();
        again["id"] = "TRN_second".into();
        books.transactions.push(again);
        books.change("TRN_second", "CAPTURED", "SUCCESS", now);
    });
    // The message comes twice, and the shop then asks.
    for news in till.double.news().iter().chain(&till.double.news()) {
        till.receive(news).await.expect(StatusCode::OK);
    }
    till.wait_and_work(TimeDelta::minutes(2)).await;
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0].reference.as_deref(), Some("TRN_second"));
    assert!(listed[0].facts.contains("charged a second time"));
}

#[tokio::test]
async fn a_page_that_cant_be_ended_is_followed() {
    let till = Till::at_the_page().await;
    till.books(|books, _| books.ends_by_change = false);
    let first = till.link();
    till.wait(TimeDelta::minutes(22 * 60 + 10));
    till.initiate().await.expect(StatusCode::OK);
    assert!(till.attempts()[0].status.is_open());
    till.books(|books, now| books.pay(&first, Entered::Good, now));
    till.double.news();
    till.wait_and_work(TimeDelta::minutes(20)).await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_newer_page_is_ended_once_an_older_page_was_paid() {
    let till = Till::at_the_page().await;
    till.books(|books, _| books.ends_by_change = false);
    let first = till.link();
    till.wait(TimeDelta::minutes(22 * 60 + 10));
    till.initiate().await.expect(StatusCode::OK);
    let second = till.link();
    assert_ne!(first, second);
    till.books(|books, now| {
        books.ends_by_change = true;
        books.pay(&first, Entered::Good, now)
    });
    till.receive_all().await;
    assert!(till.sold());
    till.shop.work().await;
    let link = till.books(|books, _| books.shown_link(&second).unwrap());
    assert_eq!(link["status"], "INACTIVE");
    assert_eq!(till.pay(Entered::Good), Outcome::TooLate);
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_payment_that_was_taken_back_before_the_sale_sells_nothing() {
    let till = Till::at_the_page().await;
    till.pay_without_messages();
    let id = till.transaction();
    till.books(|books, now| books.reverse(&id, now).unwrap());
    till.receive_all().await;
    // The page may still take another card.
    assert_eq!(till.poll().await.at("/data/charged"), &Value::Null);
    assert!(till.attempt().status.is_open());
    // An old message of the success sells nothing either.
    till.books(|books, now| books.change(&id, "CAPTURED", "00", now));
    till.receive_all().await;
    till.poll().await;
    assert!(!till.sold());
    till.books(|books, now| books.change(&id, "REVERSED", "00", now));
    till.double.news();
    till.wait_and_work(TimeDelta::hours(26)).await;
    assert_eq!(till.attempt().status, PaymentStatus::Failed);
    assert!(!till.sold());
}

#[tokio::test]
async fn a_sold_payment_that_is_taken_back_is_listed_and_its_customer_has_a_letter() {
    let till = Till::paid().await;
    let id = till.transaction();
    till.books(|books, now| books.reverse(&id, now).unwrap());
    let news = till.double.news().pop().unwrap();
    for _ in 0..2 {
        till.receive(&news).await.expect(StatusCode::OK);
    }
    assert_eq!(till.attempt().status, PaymentStatus::Reversed);
    assert_eq!(unresolved(&till.shop).await.len(), 1);
    let account = Account::gateway("globalpayments");
    let tx = snapshot(&till.shop.app.store);
    let held = ledger::balance(&tx, till.quote.id(), &account).unwrap();
    assert_eq!((held, till.balance()), (Pence::ZERO, 0));
    is_clean(&till.shop, "after it was taken back");
}

#[tokio::test]
async fn a_sold_payment_that_is_taken_back_in_silence_is_found_by_asking() {
    for days in [1, 3] {
        let till = Till::paid().await;
        till.shop.work().await;
        till.wait_and_work(TimeDelta::days(days - 1)).await;
        let id = till.transaction();
        till.books(|books, now| books.reverse(&id, now).unwrap());
        till.double.news();
        till.wait_and_work(TimeDelta::days(1)).await;
        assert_eq!(till.attempt().status, PaymentStatus::Reversed, "{days}");
        assert_eq!(unresolved(&till.shop).await.len(), 1);
    }
}

#[tokio::test]
async fn while_the_provider_cant_be_asked_nobody_reads_that_nothing_was_charged() {
    let till = Till::at_the_page().await;
    till.pay_without_messages();
    for fault in [
        Fault::Html(502),
        Fault::HalfAnswer,
        Fault::Nothing,
        Fault::Status(500),
    ] {
        for _ in 0..3 {
            till.double.fail("GET /transactions", fault);
        }
        let read = till.poll().await;
        assert_eq!(read.at("/data/status"), "pending", "{fault:?}");
    }
    // The search lags behind the link.
    till.books(|books, _| books.is_searchable = false);
    till.wait_and_work(TimeDelta::hours(26)).await;
    assert!(till.attempt().status.is_open());
    till.books(|books, _| books.is_searchable = true);
    assert_eq!(till.poll().await.at("/data/status"), "paid");
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_page_of_test_mode_is_never_shown_by_a_shop_in_live_mode() {
    let till = Till::at_the_page().await;
    let old = till.link();
    till.pay(Entered::Good);
    let live =
        settings(&till.double, "[\"globalpayments\"]").replace("test = true", "test = false");
    let till = till.restarted(&live).await;
    let news = till.double.news().pop().unwrap();
    till.receive(&news).await.expect(StatusCode::BAD_REQUEST);
    till.wait(TimeDelta::minutes(1));
    till.initiate().await.expect(StatusCode::OK);
    assert_ne!(till.link(), old);
    let modes: Vec<_> = till.attempts().iter().map(|one| one.mode).collect();
    assert_eq!(modes, [Mode::Test, Mode::Live]);
    assert!(!till.sold());
}

#[tokio::test]
async fn a_hundred_messages_at_once_make_one_policy() {
    let till = Till::at_the_page().await;
    assert_eq!(till.pay(Entered::Good), Outcome::Paid);
    let news = till.double.news().pop().unwrap();
    let all = (0..100).map(|_| till.receive(&news));
    for answered in futures_util::future::join_all(all).await {
        answered.expect(StatusCode::OK);
    }
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_hundred_calls_at_once_for_one_quote_make_one_page() {
    let till = Till::open().await;
    let all = (0..100).map(|_| till.initiate());
    for started in futures_util::future::join_all(all).await {
        assert!([200, 429].contains(&started.status.as_u16()));
    }
    assert_eq!((till.links(), till.double.times("POST /links")), (1, 1));
}
