//! The page of an attempt is made once, with failures, kills and lost answers.

use chrono::TimeDelta;
use layby::config::LogFormat;
use layby::domain::payment::PaymentStatus;
use poem::http::StatusCode;

use super::double::{Entered, Fault, Outcome};
use super::till::{Till, settings};
use crate::support::log::recorded;

const BEGIN: &str = "POST /links";
pub const FAULTS: [Fault; 7] = [
    Fault::Status(429),
    Fault::Status(500),
    Fault::Html(502),
    Fault::Nothing,
    Fault::Reset,
    Fault::HalfAnswer,
    Fault::FailsAfter,
];

/// Pays, receives the message, and checks that there is one policy with its money.
async fn pays(till: &Till) {
    assert_eq!(till.pay(Entered::Good), Outcome::Paid);
    till.receive_all().await;
    assert!(till.sold());
    assert_eq!((till.links(), till.balance()), (1, till.attempt().amount.0));
}

#[tokio::test]
async fn a_page_is_made_once_by_either_answer_to_a_repeated_key() {
    for replays in [false, true] {
        for fault in FAULTS {
            let till = Till::open().await;
            if replays {
                till.double.replay_answers();
            }
            till.double.fail(BEGIN, fault);
            till.initiate().await.expect(StatusCode::OK);
            assert_eq!(till.links(), 1, "{fault:?} {replays}");
            pays(&till).await;
        }
    }
}

#[tokio::test]
async fn a_logged_in_customer_pays_with_the_address_of_the_account() {
    let (till, cookie) = Till::cancelled().await;
    let call = till.shop.get("/api/v1/profile").cookies(&cookie);
    let profile = call.succeeds().await;
    let sent = till.books(|books, _| books.links[0]["payer"]["email"].clone());
    assert_eq!(sent, *profile.at("/email_primary"));
}

#[tokio::test]
async fn while_the_provider_fails_the_customer_waits_and_later_pays_once() {
    for fault in [Fault::Html(503), Fault::Reset, Fault::Status(429)] {
        let till = Till::open().await;
        for _ in 0..3 {
            till.double.fail(BEGIN, fault);
        }
        let busy = till.initiate().await;
        busy.expect(StatusCode::SERVICE_UNAVAILABLE);
        till.wait(TimeDelta::minutes(1));
        till.initiate().await.expect(StatusCode::OK);
        pays(&till).await;
    }
}

#[tokio::test]
async fn a_hanging_provider_keeps_nobody_waiting_and_the_page_is_found_later() {
    let till = Till::open().await;
    till.double.fail(BEGIN, Fault::LostAnswer);
    let busy = till.initiate().await;
    busy.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(till.attempt().status, PaymentStatus::Started);
    till.initiate().await.expect(StatusCode::OK);
    pays(&till).await;
}

#[tokio::test]
async fn a_kill_before_the_page_is_stored_leads_back_to_the_same_page() {
    let till = Till::open().await;
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::Reset);
    }
    let lost = till.initiate().await;
    lost.expect(StatusCode::SERVICE_UNAVAILABLE);
    let settings = settings(&till.double, "[\"globalpayments\"]");
    let till = till.restarted(&settings).await;
    till.wait(TimeDelta::minutes(10));
    till.initiate().await.expect(StatusCode::OK);
    pays(&till).await;
}

#[tokio::test]
async fn a_link_that_no_search_finds_yet_is_never_made_a_second_time() {
    let till = Till::open().await;
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::Reset);
    }
    till.books(|books, _| books.is_searchable = false);
    for _ in 0..3 {
        let unclear = till.initiate().await;
        unclear.expect(StatusCode::SERVICE_UNAVAILABLE);
        till.wait(TimeDelta::minutes(1));
    }
    till.books(|books, _| books.is_searchable = true);
    till.initiate().await.expect(StatusCode::OK);
    pays(&till).await;
}

#[tokio::test]
async fn after_a_day_a_page_without_answer_is_never_begun_anew_under_its_number() {
    let till = Till::open().await;
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::Html(503));
    }
    let busy = till.initiate().await;
    busy.expect(StatusCode::SERVICE_UNAVAILABLE);
    till.double.forget_keys();
    till.wait(TimeDelta::minutes(23 * 60 + 30));
    // The new page belongs to a new attempt. The old attempt is followed until no page of it can be paid.
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!((till.links(), till.attempts().len()), (1, 2));
    till.wait_and_work(TimeDelta::hours(2)).await;
    let statuses: Vec<_> = till.attempts().iter().map(|one| one.status).collect();
    assert_eq!(statuses, [PaymentStatus::Failed, PaymentStatus::Pending]);
    till.pay(Entered::Good);
    till.receive_all().await;
    assert!(till.sold());
}

#[tokio::test]
async fn an_app_without_the_right_is_refused_for_good_with_the_telephone_number() {
    let till = Till::open().await;
    till.double.deny(BEGIN);
    let refused = till.initiate().await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "gateway_refused");
    assert!(refused.text("/message").contains("01632 960 123"));
    assert_eq!(till.attempt().status, PaymentStatus::Failed);
}

#[tokio::test]
async fn a_link_that_cant_be_paid_any_more_is_refused_with_the_telephone_number() {
    let till = Till::open().await;
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::FailsAfter);
    }
    let busy = till.initiate().await;
    busy.expect(StatusCode::SERVICE_UNAVAILABLE);
    let link = till.link();
    till.books(|books, _| books.set(&link, "status", "CLOSED".into()));
    let refused = till.initiate().await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "gateway_refused");
    assert!(refused.text("/message").contains("01632 960 123"));
    assert_eq!(till.links(), 1);
}

#[tokio::test]
async fn a_page_is_made_by_clocks_that_differ_by_ten_minutes() {
    for minutes in [10, -10] {
        let till = Till::open().await;
        till.provider_is_ahead_by(TimeDelta::minutes(minutes));
        till.initiate().await.expect(StatusCode::OK);
        pays(&till).await;
    }
}

#[tokio::test]
async fn a_clock_that_is_a_day_wrong_makes_no_page_and_still_sells_what_was_paid() {
    for hours in [24, -24] {
        let till = Till::open().await;
        till.provider_is_ahead_by(TimeDelta::hours(hours));
        let (lines, log) = recorded(LogFormat::Text);
        let refused = till.initiate().await.expect(StatusCode::CONFLICT);
        drop(log);
        assert!(refused.text("/message").contains("01632 960 123"));
        let direction = if hours > 0 { "behind" } else { "ahead" };
        let clock = format!("our clock is 1440 minutes {direction}");
        assert!(lines.text().contains(&clock), "{}", lines.text());
        assert_eq!((till.links(), till.balance()), (0, 0));
        assert_eq!(till.poll().await.at("/data/charged"), false);
        till.provider_is_ahead_by(TimeDelta::hours(-hours));
        till.initiate().await.expect(StatusCode::OK);
        assert_eq!(till.pay(Entered::Good), Outcome::Paid);
        // The clock goes wrong again.
        till.provider_is_ahead_by(TimeDelta::hours(hours));
        if hours > 0 {
            till.receive_all().await;
        } else {
            assert_eq!(till.poll().await.at("/data/status"), "paid");
        }
        assert!(till.sold(), "{hours}");
        assert_eq!(till.balance(), till.attempts()[1].amount.0);
    }
}
