//! Every decision of Fuse, and its effect on the attempt.

use chrono::TimeDelta;
use layby::domain::payment::{FailureClass, PaymentStatus, UnresolvedReason};
use poem::http::StatusCode;

use super::double::Verdict;
use super::till::{Till, get, signed, with, without};
use crate::money::disputes::unresolved;

#[tokio::test]
async fn a_decline_and_a_cancel_are_the_end() {
    let table = [
        (
            Verdict::Decline(203),
            FailureClass::Declined,
            "declined by the bank",
        ),
        (
            Verdict::Decline(204),
            FailureClass::Declined,
            "not enough funds",
        ),
        (Verdict::Decline(202), FailureClass::Declined, "expired"),
        (
            Verdict::Decline(231),
            FailureClass::Declined,
            "security code",
        ),
        (
            Verdict::Decline(476),
            FailureClass::Declined,
            "confirm that it was you",
        ),
        (
            Verdict::Decline(999),
            FailureClass::Declined,
            "The card was declined.",
        ),
        (
            Verdict::Decline(207),
            FailureClass::Unknown,
            "could not be made",
        ),
        (Verdict::Cancel, FailureClass::Abandoned, "cancelled"),
    ];
    for (verdict, class, text) in table {
        for is_receipt in [true, false] {
            let till = Till::open().await;
            let answer = till.end(verdict).await;
            if is_receipt {
                till.receipt(&answer).await;
            } else {
                till.post(&answer).await.expect(StatusCode::OK);
            }
            let attempt = till.attempt();
            assert_eq!(attempt.status, PaymentStatus::Failed, "{verdict:?}");
            let failure = attempt.failure.unwrap();
            assert_eq!((failure.class, failure.is_final), (class, true));
            assert!(attempt.message.unwrap().contains(text), "{verdict:?}");
            assert_eq!(till.looks().await.at("/data/charged"), false);
            assert!(!till.sold());
        }
    }
}

#[tokio::test]
async fn a_decline_has_the_same_reason_posted_or_found_by_asking() {
    use FailureClass::{Declined, Unknown};
    for (code, class, text) in [
        (102, Unknown, "refused your details"),
        (200, Declined, "check the address"),
        (203, Declined, "declined by the bank"),
        (230, Declined, "security code"),
        (520, Declined, "The payment page's checks declined"),
    ] {
        for is_posted in [true, false] {
            let till = Till::open().await;
            let answer = till.end(Verdict::Decline(code)).await;
            if is_posted {
                till.post(&answer).await.expect(StatusCode::OK);
            }
            assert_eq!(till.looks().await.at("/data/charged"), false);
            let attempt = till.attempt();
            assert_eq!(attempt.status, PaymentStatus::Failed);
            assert_eq!(attempt.failure.unwrap().class, class, "{code} {is_posted}");
            assert!(
                attempt.message.unwrap().contains(text),
                "{code} {is_posted}"
            );
        }
    }
}

#[tokio::test]
async fn after_a_decline_another_form_is_paid() {
    let till = Till::open().await;
    let declined = till.end(Verdict::Decline(203)).await;
    till.post(&declined).await.expect(StatusCode::OK);
    let paid = till.end(Verdict::Accept).await;
    till.receipt(&paid).await;
    till.assert_sold_once();
    // The decline is repeated, and changes nothing.
    till.post(&declined).await.expect(StatusCode::OK);
    till.assert_sold_once();
}

#[tokio::test]
async fn an_undecided_payment_waits_for_a_person_and_is_never_said_to_be_unpaid() {
    for verdict in [Verdict::Review, Verdict::Part, Verdict::Unheard] {
        // The shop gets Fuse's answer, or finds the payment by a search. A search may find nothing.
        for (is_told, is_found) in [(true, true), (true, false), (false, true)] {
            let till = Till::open().await;
            let answer = till.end(verdict).await;
            if is_told {
                till.post(&answer).await.expect(StatusCode::OK);
            }
            if !is_found {
                till.double.books(|books, _| books.rows.clear());
            }
            till.looks().await;
            assert_eq!(till.status(), PaymentStatus::Processing, "{verdict:?}");
            assert_eq!(unresolved(&till.shop).await, []);
            till.wait(TimeDelta::hours(2));
            assert_eq!(unresolved(&till.shop).await.len(), 1, "{verdict:?}");
            till.wait(TimeDelta::hours(23));
            till.work().await;
            assert_eq!(till.status(), PaymentStatus::Processing, "{verdict:?}");
            till.wait(TimeDelta::hours(48));
            till.work().await;
            let attempt = till.attempt();
            assert_eq!(
                attempt.unresolved_reason(),
                Some(UnresolvedReason::UnderReview)
            );
            let seen = till.looks().await;
            assert_eq!(seen.at("/data/charged"), &serde_json::Value::Null);
            assert!(!till.sold());
        }
    }
}

#[tokio::test]
async fn an_error_decides_nothing_and_the_shop_asks() {
    for code in [102, 104, 150, 151, 152] {
        // Nothing was taken.
        let till = Till::open().await;
        let answer = till.end(Verdict::Error(code)).await;
        till.post(&answer).await.expect(StatusCode::OK);
        till.assert_open();
        let seen = till.looks().await;
        assert_eq!(seen.at("/data/charged"), &serde_json::Value::Null, "{code}");

        // It was taken.
        let till = Till::open().await;
        let answer = till.end(Verdict::ErrorAfterPaying(code)).await;
        till.post(&answer).await.expect(StatusCode::OK);
        till.assert_open();
        assert_eq!(till.looks().await.at("/data/status"), "paid", "{code}");
        till.assert_sold_once();
    }
}

#[tokio::test]
async fn an_accept_that_is_not_whole_is_undecided() {
    for code in ["", "110", "480", "1000"] {
        let till = Till::open().await;
        let answer = till.end(Verdict::Accept).await;
        let changed = signed(&with(&answer, "reason_code", code), super::double::SECRET);
        till.post(&changed).await.expect(StatusCode::OK);
        assert_eq!(till.status(), PaymentStatus::Processing, "{code}");
        assert!(!till.sold());
    }
}

#[tokio::test]
async fn another_amount_buys_nothing_and_goes_back() {
    for (name, value) in [("auth_amount", "1.00"), ("auth_amount", "9999.99")] {
        let till = Till::open().await;
        let answer = till.end(Verdict::Accept).await;
        let id = get(&answer, "transaction_id").to_owned();
        let taken: i64 = value.replace('.', "").parse().unwrap();
        till.double
            .books(|books, _| books.change(&id, |row| row.pence = taken));
        let changed = signed(&with(&answer, name, value), super::double::SECRET);
        till.post(&changed).await.expect(StatusCode::OK);
        assert!(!till.sold());
        assert_eq!(till.status(), PaymentStatus::Paid);
        for _ in 0..3 {
            till.work().await;
        }
        assert_eq!(till.kept(), 0, "{value}");
    }
    // The same, found by asking.
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let id = get(&answer, "transaction_id").to_owned();
    till.double
        .books(|books, _| books.change(&id, |row| row.pence = 1));
    till.looks().await;
    assert!(!till.sold());
    for _ in 0..3 {
        till.work().await;
    }
    assert_eq!(till.kept(), 0);
}

#[tokio::test]
async fn an_amount_that_nobody_can_read_is_listed_and_the_payment_asked_for() {
    for amount in ["", "1e3", "-49.99", "0.00", "49.999"] {
        let till = Till::open().await;
        let answer = till.end(Verdict::Accept).await;
        let mut changed = with(&answer, "auth_amount", amount);
        if amount.is_empty() {
            changed = with(&changed, "req_amount", "?");
        }
        let changed = signed(&changed, super::double::SECRET);
        till.post(&changed).await.expect(StatusCode::OK);
        till.assert_open();
        assert_eq!(till.attempt().unread_messages.len(), 1, "{amount}");
        till.work().await;
        till.assert_sold_once();
    }
}

#[tokio::test]
async fn another_currency_buys_nothing_and_is_for_a_person() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let changed = signed(&with(&answer, "req_currency", "EUR"), super::double::SECRET);
    till.post(&changed).await.expect(StatusCode::OK);
    assert!(!till.sold());
    let reason = till.attempt().unresolved_reason();
    assert_eq!(reason, Some(UnresolvedReason::OtherCurrency));
    assert_eq!(till.looks().await.at("/data/charged"), true);
}

#[tokio::test]
async fn a_payment_in_pounds_beside_one_in_another_currency_buys_and_the_other_stays_listed() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let foreign = get(&answer, "transaction_id").to_owned();
    let changed = signed(&with(&answer, "req_currency", "EUR"), super::double::SECRET);
    till.post(&changed).await.expect(StatusCode::OK);
    // The search finds the second payment before the first.
    let first = till.double.books(|books, _| {
        let mut first = books.rows.remove(0);
        first.currency = "EUR".to_owned();
        let id = books.new_id();
        let mut second = first.clone();
        (second.id, second.currency) = (id, "GBP".to_owned());
        second.made += 60;
        books.rows.push(second);
        first
    });
    till.work().await;
    let assert_kept = |status: PaymentStatus| {
        let attempt = till.attempt();
        assert_eq!(attempt.status, status);
        assert_ne!(attempt.references["transaction"], foreign);
        let listed: Vec<_> = attempt.unread_messages.iter().collect();
        assert_eq!(listed.len(), 1, "{listed:?}");
        assert_eq!(listed[0].reference, foreign);
    };
    assert_kept(PaymentStatus::Paid);
    assert!(till.sold());
    // A person voids the first payment, which reverses nothing of the sale.
    till.double.books(|books, _| {
        books.rows.insert(0, first);
        books.rows[0].status = "VOIDED";
    });
    till.wait(TimeDelta::days(1));
    till.work().await;
    assert_kept(PaymentStatus::Paid);
}

#[tokio::test]
async fn an_answer_to_another_form_is_listed() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Decline(203)).await;
    let changed = with(&answer, "req_transaction_uuid", &"a".repeat(32));
    let changed = signed(&changed, super::double::SECRET);
    till.post(&changed).await.expect(StatusCode::OK);
    till.assert_open();
    assert_eq!(till.attempt().unread_messages.len(), 1);
}

#[tokio::test]
async fn an_answer_about_nothing_of_ours_is_taken_and_forgotten() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    for other in ["invoice-17", "019a0000-0000-7000-8000-000000000001"] {
        let changed = with(&answer, "req_reference_number", other);
        let changed = signed(&changed, super::double::SECRET);
        till.post(&changed).await.expect(StatusCode::OK);
        till.assert_open();
        assert!(till.attempt().unread_messages.is_empty());
    }
}

#[tokio::test]
async fn a_payment_that_was_taken_back_sells_nothing() {
    for status in ["VOIDED", "REVERSED"] {
        let till = Till::open().await;
        let answer = till.end(Verdict::Accept).await;
        let id = get(&answer, "transaction_id").to_owned();
        till.double
            .books(|books, _| books.change(&id, |row| row.status = status));
        let seen = till.looks().await;
        assert_eq!(seen.at("/data/charged"), false);
        assert_eq!(till.attempt().status, PaymentStatus::Failed);
        // The browser and the server bring the old success later.
        till.receipt(&answer).await;
        till.post(&answer).await.expect(StatusCode::OK);
        assert_eq!(till.attempt().status, PaymentStatus::Failed);
        assert!(!till.sold());
    }
    // The same after a decline of the form.
    let till = Till::open().await;
    let page = till.page().await;
    let declined = till.double.end(page, Verdict::Decline(203));
    till.post(&declined).await.expect(StatusCode::OK);
    let paid = till.double.end(page, Verdict::Accept);
    let id = get(&paid, "transaction_id");
    till.double
        .books(|books, _| books.change(id, |row| row.status = "VOIDED"));
    till.work().await;
    till.post(&paid).await.expect(StatusCode::OK);
    assert_eq!(till.attempt().status, PaymentStatus::Failed);
    assert!(!till.sold());
    // The reversal is a separate row, while its details can't be read yet.
    let till = Till::open().await;
    till.end(Verdict::Accept).await;
    till.double.books(|books, now| {
        books.details_delay = 3600;
        let mut undo = books.rows[0].clone();
        undo.id = books.new_id();
        undo.steps = vec![("ics_void", "SOK")];
        undo.made = now;
        books.rows.push(undo);
    });
    till.looks().await;
    assert_eq!(till.attempt().status, PaymentStatus::Failed);
}

#[tokio::test]
async fn an_old_decline_of_the_same_form_does_not_replace_the_payment() {
    let till = Till::open().await;
    let page = till.page().await;
    let declined = till.double.end(page, Verdict::Decline(203));
    till.post(&declined).await.expect(StatusCode::OK);
    let paid = till.double.end(page, Verdict::Accept);
    till.post(&paid).await.expect(StatusCode::OK);
    till.receipt(&declined).await;
    let attempt = till.attempt();
    assert_eq!(
        attempt.references["transaction"],
        get(&paid, "transaction_id")
    );
    till.post(&paid).await.expect(StatusCode::OK);
    assert!(till.attempt().unread_messages.is_empty());
    till.assert_sold_once();
}

#[tokio::test]
async fn details_that_come_late_hinder_no_sale() {
    let till = Till::open().await;
    till.double.books(|books, _| books.details_delay = 300);
    till.end(Verdict::Accept).await;
    assert_eq!(till.looks().await.at("/data/status"), "paid");
    till.assert_sold_once();
}

#[tokio::test]
async fn an_answer_without_optional_fields_sells() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let names = get(&answer, "signed_field_names");
    let kept: Vec<&str> = names
        .split(',')
        .filter(|name| !["auth_amount", "auth_time", "message", "added_later"].contains(name))
        .collect();
    let mut changed = with(&answer, "signed_field_names", &kept.join(","));
    for name in ["auth_amount", "auth_time", "message", "added_later"] {
        changed = without(&changed, name);
    }
    till.post(&signed(&changed, super::double::SECRET))
        .await
        .expect(StatusCode::OK);
    till.assert_sold_once();
}

#[tokio::test]
async fn a_sold_payment_that_is_voided_is_found_by_asking_the_next_day() {
    let till = Till::paid().await;
    till.work().await;
    let payment = till.attempt().references["transaction"].clone();
    till.double
        .books(|books, _| books.change(&payment, |row| row.status = "VOIDED"));
    till.wait(TimeDelta::hours(23));
    till.work().await;
    assert_eq!(till.attempt().status, PaymentStatus::Paid);
    till.wait(TimeDelta::hours(1));
    till.work().await;
    assert_eq!(till.attempt().status, PaymentStatus::Reversed);
    assert_eq!(unresolved(&till.shop).await.len(), 1);
}

#[tokio::test]
async fn a_second_payment_is_listed_although_the_first_was_taken_back() {
    for is_sold in [false, true] {
        let till = Till::open().await;
        let answer = till.end(Verdict::Accept).await;
        if is_sold {
            till.post(&answer).await.expect(StatusCode::OK);
        }
        let second = till.double.books(|books, now| {
            let mut again = books.rows[0].clone();
            again.id = books.new_id();
            again.made = now + 1000;
            books.rows.push(again.clone());
            books.rows[0].status = "VOIDED";
            again.id
        });
        till.wait(TimeDelta::hours(25));
        till.work().await;
        let attempt = till.attempt();
        let status = if is_sold {
            PaymentStatus::Reversed
        } else {
            PaymentStatus::Failed
        };
        assert_eq!(attempt.status, status);
        let listed = unresolved(&till.shop).await;
        let messages: Vec<_> = listed.iter().filter(|one| one.what == "message").collect();
        assert_eq!(messages.len(), 1, "{listed:?}");
        assert_eq!(messages[0].reference, Some(second));
    }
}

#[tokio::test]
async fn while_a_payment_is_reviewed_a_new_form_says_so() {
    let till = Till::open().await;
    let first = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(first.at("/data/earlier_processing"), false);
    let answer = till.end(Verdict::Review).await;
    till.post(&answer).await.expect(StatusCode::OK);
    let second = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/earlier_processing"), true);
    assert_ne!(
        first.text("/data/payment_id"),
        second.text("/data/payment_id")
    );
    // A person may decide the reviewed payment in the portal.
    assert_eq!(unresolved(&till.shop).await, []);
    till.wait(TimeDelta::hours(2));
    let listed = unresolved(&till.shop).await;
    let reviewed = till.attempts();
    let mut reviewed = reviewed
        .iter()
        .filter(|one| one.status == PaymentStatus::Processing);
    assert_eq!(
        (listed.len(), listed[0].id),
        (1, reviewed.next().map(|one| one.id))
    );
    till.wait(TimeDelta::hours(72));
    till.work().await;
    let third = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(third.at("/data/earlier_processing"), true);
}
