//! Refunds: whole, in parts, slow, refused, failed, and with lost answers. No refund is made twice.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{RefundFinding, Resolution, ResolutionWay};
use layby::domain::money::Pence;
use layby::domain::payment::refund::RefundStatus;

use super::faults::Fault;
use super::till::Till;
use crate::money::manual_resolution::resolves;

const REFUND: &str = "POST /pts/v2/payments/";

/// Lets a day pass, in which the batch is sent and all due jobs run.
async fn day(till: &Till) {
    till.double.books(|books, _| books.transmit());
    till.wait(TimeDelta::hours(24));
    till.work().await;
    till.work().await;
}

fn made(till: &Till) -> usize {
    till.double.books(|books, _| books.refunds().count())
}

#[tokio::test]
async fn a_refund_is_followed_until_its_batch_is_sent() {
    let till = Till::paid().await;
    let paid = till.kept();
    let id = till.owe(Pence(1000), 7).await;
    till.work().await;
    let refund = till.refund(id);
    assert_eq!(refund.status, RefundStatus::Pending);
    assert_eq!(till.kept(), paid - 1000);
    let row = till
        .double
        .books(|books, _| books.refunds().next().unwrap().clone());
    assert_eq!((refund.reference, row.code), (Some(row.id), id.to_string()));
    till.work().await;
    till.work().await;
    assert_eq!(
        (made(&till), till.refund(id).status),
        (1, RefundStatus::Pending)
    );
    day(&till).await;
    assert_eq!(till.refund(id).status, RefundStatus::Paid);
    assert_eq!((made(&till), till.kept()), (1, paid - 1000));
}

#[tokio::test]
async fn parts_are_refunds_of_their_own_and_the_rest_is_the_whole() {
    let till = Till::paid().await;
    let paid = till.kept();
    let mut ids = Vec::new();
    for (cause, amount) in [(7, 1000), (8, 250), (9, paid - 1250)] {
        ids.push(till.owe(Pence(amount), cause).await);
        till.work().await;
    }
    assert_eq!((made(&till), till.kept()), (3, 0));
    day(&till).await;
    for id in ids {
        assert_eq!(till.refund(id).status, RefundStatus::Paid);
    }
}

#[tokio::test]
async fn a_refund_is_made_once_however_fuse_answers() {
    let faults = [
        Fault::Reset,
        Fault::HalfAnswer,
        Fault::FailsAfter,
        Fault::Nothing,
        Fault::Status(502),
        Fault::Status(429),
        Fault::Html(502),
        Fault::Html(200),
    ];
    for fault in faults {
        let till = Till::paid().await;
        let paid = till.kept();
        let id = till.owe(Pence(1000), 7).await;
        till.double.fail(REFUND, fault);
        till.work().await;
        assert_eq!(till.double.times(REFUND), 1, "{fault:?}");
        for _ in 0..3 {
            day(&till).await;
        }
        assert_eq!(till.refund(id).status, RefundStatus::Paid, "{fault:?}");
        assert_eq!((made(&till), till.kept()), (1, paid - 1000), "{fault:?}");
    }
}

#[tokio::test]
async fn a_lost_refund_is_not_repeated_while_a_search_may_be_late() {
    let till = Till::paid().await;
    let id = till.owe(Pence(1000), 7).await;
    till.double.books(|books, _| books.search_delay = 23 * 3600);
    till.double.fail(REFUND, Fault::Reset);
    for _ in 0..60 {
        till.work().await;
        assert_eq!(till.double.times(REFUND), 1);
    }
    till.wait(TimeDelta::hours(3));
    till.work().await;
    day(&till).await;
    assert_eq!(till.refund(id).status, RefundStatus::Paid);
    assert_eq!(made(&till), 1);
}

#[tokio::test]
async fn an_answered_refund_is_never_repeated_even_if_it_stays_unlisted() {
    let till = Till::paid().await;
    let id = till.owe(Pence(1000), 7).await;
    till.double.books(|books, _| {
        books.search_delay = 30 * 86_400;
        books.details_delay = 4 * 86_400;
    });
    for _ in 0..3 {
        day(&till).await;
    }
    assert_eq!(
        (made(&till), till.refund(id).status),
        (1, RefundStatus::Pending)
    );
    day(&till).await;
    day(&till).await;
    assert_eq!(
        (made(&till), till.refund(id).status),
        (1, RefundStatus::Paid)
    );
}

#[tokio::test]
async fn after_a_second_lost_answer_a_person_looks() {
    let till = Till::paid().await;
    let id = till.owe(Pence(1000), 7).await;
    for expected in [1, 2, 2] {
        till.double.fail(REFUND, Fault::Nothing);
        day(&till).await;
        assert_eq!(till.double.times(REFUND), expected);
    }
    assert_eq!(till.refund(id).status, RefundStatus::Unconfirmed);
    assert_eq!(made(&till), 0);
}

#[tokio::test]
async fn a_person_who_finds_no_refund_has_it_requested_again() {
    let till = Till::paid().await;
    let paid = till.kept();
    let id = till.owe(Pence(1000), 7).await;
    for _ in 0..2 {
        till.double.fail(REFUND, Fault::Nothing);
        day(&till).await;
    }
    day(&till).await;
    assert_eq!(till.refund(id).status, RefundStatus::Unconfirmed);
    let not_found = Resolution {
        id,
        method: ResolutionWay::Lookup(RefundFinding::NotMade),
        by: "Jo Bloggs".to_string(),
        why: "not in the Business Center".to_string(),
    };
    resolves(&till.shop, &not_found).await.unwrap();
    day(&till).await;
    day(&till).await;
    assert_eq!(till.refund(id).status, RefundStatus::Paid);
    assert_eq!((made(&till), till.kept()), (1, paid - 1000));
}

#[tokio::test]
async fn a_refund_that_is_refused_on_the_day_of_the_payment_is_requested_once_more() {
    let till = Till::paid().await;
    let id = till.owe(Pence(1000), 7).await;
    till.double
        .books(|books, _| books.refuses_refunds = Some("INVALID_DATA"));
    till.work().await;
    assert_eq!(till.refund(id).status, RefundStatus::Pending);
    till.double.books(|books, _| books.refuses_refunds = None);
    day(&till).await;
    day(&till).await;
    assert_eq!(
        (made(&till), till.refund(id).status),
        (1, RefundStatus::Paid)
    );
}

#[tokio::test]
async fn a_refund_that_fuse_refuses_stays_owed() {
    let till = Till::paid().await;
    let paid = till.kept();
    let id = till.owe(Pence(1000), 7).await;
    till.double
        .books(|books, _| books.refuses_refunds = Some("INVALID_DATA"));
    day(&till).await;
    day(&till).await;
    assert_eq!(till.refund(id).status, RefundStatus::Refused);
    assert_eq!((made(&till), till.kept()), (0, paid));
}

#[tokio::test]
async fn a_refund_that_fails_before_its_batch_is_sent_is_owed() {
    for status in ["FAILED", "VOIDED", "CANCELLED"] {
        let till = Till::paid().await;
        let paid = till.kept();
        let id = till.owe(Pence(1000), 7).await;
        till.work().await;
        till.double.books(|books, _| {
            let refund = books.refunds().next().unwrap().id.clone();
            books.change(&refund, |row| row.status = status);
        });
        day(&till).await;
        assert_eq!(till.refund(id).status, RefundStatus::Refused, "{status}");
        assert_eq!((made(&till), till.kept()), (1, paid), "{status}");
    }
}

#[tokio::test]
async fn a_kill_while_a_refund_is_under_way_gives_it_once() {
    let till = Till::paid().await;
    let paid = till.kept();
    let id = till.owe(Pence(1000), 7).await;
    till.double.fail(REFUND, Fault::Reset);
    till.work().await;
    assert_eq!(till.refund(id).status, RefundStatus::Pending);
    let text = super::till::settings(&till.double, "[\"smartpayfuse\"]", "");
    let till = till.restarted_with(&text).await;
    day(&till).await;
    day(&till).await;
    assert_eq!(till.refund(id).status, RefundStatus::Paid);
    assert_eq!((made(&till), till.kept()), (1, paid - 1000));
}
