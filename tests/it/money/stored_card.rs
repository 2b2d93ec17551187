//! A stored card is charged once, by an attempt that is stored first.

use chrono::TimeDelta;
use layby::app::AppError;
use layby::app::payments::{self, status};
use layby::domain::money::Pence;
use layby::domain::money::ledger::Movement;
use layby::domain::payment::instrument::charge_id;
use layby::domain::payment::refund::RefundStatus;
use layby::domain::payment::sandbox::SandboxState;
use layby::domain::payment::{Instrument, PaymentStatus};
use poem::http::StatusCode;
use uuid::Uuid;

use super::{
    PAYS, Sold, accepted, agree, attempts, books, give_back, movements, paid, payment_row,
    refund_about, sell, shop, twin,
};
use crate::support::{two_gadgets, two_vehicles};

const DECLINED_LATER: &str = "4000 0000 0000 0341";

/// Returns the card that the sale kept, or would have kept.
fn card_of(sold: &Sold) -> Uuid {
    Instrument::id_of(sold.payment.id)
}

#[tokio::test]
async fn a_stored_card_pays_once_however_often_it_is_asked() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (made, quote) = accepted(&shop).await;
    let card = card_of(&sold);
    let (one, other) = tokio::join!(
        payments::charge(&shop.app, quote, card, 1),
        payments::charge(&shop.app, quote, card, 1)
    );
    assert_eq!(one.unwrap(), PaymentStatus::Paid);
    assert_eq!(other.unwrap(), PaymentStatus::Paid);
    let again = payments::charge(&shop.app, quote, card, 1).await.unwrap();
    assert_eq!(again, PaymentStatus::Paid);
    let made_of_it = attempts(&shop, quote);
    assert_eq!(made_of_it.len(), 1);
    assert_eq!(made_of_it[0].instrument(), Some(card));
    assert_eq!(made_of_it[0].page, None);
    assert_eq!(movements(&shop, quote), [Movement::Sale, Movement::Payment]);
    let payment = shop.payment(&made).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/status"), "paid");
    assert_eq!(payment.at("/data/policy"), true);

    // The card of that charge can be charged again, and can be refunded.
    let (_, next) = accepted(&shop).await;
    let status = payments::charge(&shop.app, next, card, 1).await;
    assert_eq!(status.unwrap(), PaymentStatus::Paid);
    give_back(&shop, next, next, Pence(500)).await;
    shop.work().await;
    assert_eq!(refund_about(&shop, next, next).status, RefundStatus::Paid);
}

#[tokio::test]
async fn a_declined_stored_card_leaves_the_quote_to_be_paid_by_hand() {
    let shop = shop().await;
    let sold = sell(&shop, DECLINED_LATER).await;
    let (made, quote) = accepted(&shop).await;
    let status = payments::charge(&shop.app, quote, card_of(&sold), 1).await;
    assert_eq!(status.unwrap(), PaymentStatus::Failed);
    let payment = shop.payment(&made).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/charged"), false);
    assert_eq!(
        payment.text("/data/message"),
        "The card was declined by the bank."
    );
    assert_eq!(movements(&shop, quote), []);
    shop.clock.advance(TimeDelta::seconds(1));
    let started = shop.initiate(&made).await.expect(StatusCode::OK);
    assert_eq!(started.at("/data/resumed"), false);
    shop.pay(&started.text("/data/url"), PAYS)
        .await
        .assert_status_is_ok();
    shop.clock.advance(TimeDelta::seconds(2));
    let payment = shop.payment(&made).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/policy"), true);
}

#[tokio::test]
async fn a_stored_charge_that_was_written_and_not_made_is_made_by_the_job() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (_, quote) = accepted(&shop).await;
    payments::charge(&shop.app, quote, card_of(&sold), 1)
        .await
        .unwrap();
    let like = attempts(&shop, quote).remove(0);
    // Simulates a kill between storing the attempt and charging the card.
    let (made_too, other) = accepted(&shop).await;
    let left = |quote: Uuid| {
        let now = shop.clock.now();
        twin(&shop, &like, move |twin| {
            twin.id = charge_id(quote, twin.purpose, 1, 1);
            twin.quote = quote;
            twin.status = PaymentStatus::Started;
            (twin.created, twin.paid_at) = (now, None);
        })
    };
    let attempt = left(other).await;
    // Asking charges nothing, and nobody says that nothing was charged: the charge may be on its way.
    let asked = status::sync_payment_status(&shop.app, attempt.id).await;
    assert_eq!(asked.unwrap(), PaymentStatus::Started);
    assert_eq!(movements(&shop, other), []);
    let card = card_of(&sold);
    let made = payments::charge(&shop.app, other, card, 1).await;
    assert_eq!(made.unwrap(), PaymentStatus::Paid);
    assert_eq!(attempts(&shop, other).len(), 1);
    assert_eq!(movements(&shop, other), [Movement::Sale, Movement::Payment]);
    let read = shop.payment(&made_too).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/policy"), true);

    // A customer who starts to pay meanwhile gets a page. The charge closes the page.
    let (by_hand, third) = accepted(&shop).await;
    left(third).await;
    let started = shop.initiate(&by_hand).await.expect(StatusCode::OK);
    let made = payments::charge(&shop.app, third, card, 1).await;
    assert_eq!(made.unwrap(), PaymentStatus::Paid);
    let page: Uuid = started.text("/data/payment_id").parse().unwrap();
    assert_eq!(books(&shop, page).state, SandboxState::Closed);
    let refused = shop.initiate(&by_hand).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "already_bought");

    // If the quote was changed meanwhile, the card is not charged. After a day no charge can arrive.
    let (changed, fourth) = accepted(&shop).await;
    let attempt = left(fourth).await;
    shop.update(&changed, &two_gadgets()).succeeds().await;
    let made = payments::charge(&shop.app, fourth, card, 1).await;
    assert_eq!(made.unwrap(), PaymentStatus::Started);
    shop.clock.advance(TimeDelta::hours(24));
    let asked = status::sync_payment_status(&shop.app, attempt.id).await;
    assert_eq!(asked.unwrap(), PaymentStatus::Failed);
    assert_eq!(movements(&shop, fourth), []);
}

#[tokio::test]
async fn a_stored_card_is_not_charged_for_what_was_bought_or_not_accepted() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let conflict = |answer: Result<PaymentStatus, AppError>| match answer {
        Err(AppError::Conflict { code, .. }) => code,
        other => panic!("{other:?}"),
    };
    let answer = payments::charge(&shop.app, sold.policy, card_of(&sold), 1).await;
    assert_eq!(conflict(answer), "already_bought");
    let open = shop.quote(&two_gadgets()).await.uuid.parse().unwrap();
    let answer = payments::charge(&shop.app, open, card_of(&sold), 1).await;
    assert_eq!(conflict(answer), "not_accepted");
    let (made, quote) = accepted(&shop).await;
    let answer = payments::charge(&shop.app, quote, Uuid::nil(), 1).await;
    assert_eq!(conflict(answer), "no_stored_card");
    // A card is not charged without its payer's consent before the payment.
    let once = shop.quote(&two_vehicles()).await;
    agree(&shop, &once, false).await;
    let once = paid(&shop, once, PAYS).await;
    let answer = payments::charge(&shop.app, quote, card_of(&once), 1).await;
    assert_eq!(conflict(answer), "no_stored_card");

    // If the customer has just paid on a page, that payment is the sale. An open page is closed.
    let started = shop.initiate(&made).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), PAYS)
        .await
        .assert_status_is_ok();
    let answer = payments::charge(&shop.app, quote, card_of(&sold), 1).await;
    assert_eq!(conflict(answer), "already_bought");
    let (made, quote) = accepted(&shop).await;
    let started = shop.initiate(&made).await.expect(StatusCode::OK);
    let status = payments::charge(&shop.app, quote, card_of(&sold), 1).await;
    assert_eq!(status.unwrap(), PaymentStatus::Paid);
    shop.pay(&started.text("/data/url"), PAYS)
        .await
        .assert_status_is_ok();
    let page: Uuid = started.text("/data/payment_id").parse().unwrap();
    assert_eq!(books(&shop, page).state, SandboxState::Closed);
    assert_eq!(payment_row(&shop, page).status, PaymentStatus::Failed);
}
