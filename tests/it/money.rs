//! The money behind a policy: the ledger, what goes back, and the card that is charged again.

mod histories;

use chrono::TimeDelta;
use layby::app::AppError;
use layby::app::payments::{ledger, refunds};
use layby::domain::ledger::{Account, Movement};
use layby::domain::money::Pence;
use layby::domain::payment::{Payment, PaymentStatus};
use layby::domain::refund::{REFUSED, Refund, RefundStatus};
use layby::domain::sandbox::{SandboxPayment, SandboxRefund, SandboxRefundState, SandboxState};
use layby::store::tables::{self, Job, Task};
use layby::store::{Direction, Store, StoreError};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use crate::support::{Made, NOW, Shop, two_gadgets, two_vehicles};

const PAYS: &str = "4242 4242 4242 4242";
const SLOW_REFUND: &str = "4000 0000 0000 7726";
const REFUND_REFUSED: &str = "4000 0000 0000 5126";
const DECLINED_LATER: &str = "4000 0000 0000 0341";

/// A shop whose gateway reaches nobody: whatever happens is asked for.
async fn shop() -> Shop {
    Shop::reachable_at(Store::in_memory().unwrap(), NOW, "http://127.0.0.1:9").await
}

/// A policy, and the payment that bought it.
struct Sold {
    quote: Made,
    policy: Uuid,
    payment: Payment,
}

async fn sell(shop: &Shop, card: &str) -> Sold {
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let started = shop.initiate(&quote).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), card)
        .await
        .assert_status_is_ok();
    let payment = started.text("/data/payment_id").parse().unwrap();
    let status = shop.app.ask_gateway(payment).await.unwrap();
    assert_eq!(status, PaymentStatus::Paid);
    Sold {
        policy: quote.uuid.parse().unwrap(),
        payment: payment_row(shop, payment),
        quote,
    }
}

/// A quote that waits for its payment.
async fn accepted(shop: &Shop) -> (Made, Uuid) {
    let quote = shop.quote(&two_gadgets()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let uuid = quote.uuid.parse().unwrap();
    (quote, uuid)
}

fn payment_row(shop: &Shop, id: Uuid) -> Payment {
    let tx = shop.app.store.read().unwrap();
    tables::PAYMENTS.get(&tx, &id).unwrap().unwrap()
}

fn books(shop: &Shop, payment: Uuid) -> SandboxPayment {
    let tx = shop.app.store.read().unwrap();
    tables::SANDBOX.get(&tx, &payment).unwrap().unwrap()
}

fn attempts(shop: &Shop, quote: Uuid) -> Vec<Payment> {
    let tx = shop.app.store.read().unwrap();
    let rows = tables::PAYMENT_BY_QUOTE.list(&tx, &quote, Direction::Forward, 100);
    let rows = rows.unwrap().into_iter();
    rows.map(|((_, id), ())| tables::PAYMENTS.get(&tx, &id).unwrap().unwrap())
        .collect()
}

/// Another attempt like `first` under another id, as two tabs or two machines would make it.
async fn twin(shop: &Shop, first: &Payment, change: impl Fn(&mut Payment)) -> Payment {
    let mut twin = first.clone();
    let seconds = shop.clock.now().timestamp().cast_unsigned();
    twin.id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, 0));
    change(&mut twin);
    let row = twin.clone();
    let write = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::PAYMENTS.put(tx, &row.id, &row)?;
        tables::PAYMENT_BY_QUOTE.put(tx, &(row.quote, row.id), &())?;
        Ok::<_, StoreError>(())
    };
    shop.app.store.write(write).await.unwrap();
    twin
}

/// Writes into the gateway's books that `payment` was paid there with the card of `like`.
async fn paid_at_the_gateway(shop: &Shop, payment: &Payment, like: Uuid) {
    let mut row = books(shop, like);
    row.payment = payment.id;
    row.amount = payment.amount;
    row.state = SandboxState::Paid;
    row.refunds.clear();
    let write =
        move |tx: &mut layby::store::WriteTx<'_>| tables::SANDBOX.put(tx, &row.payment, &row);
    shop.app.store.write(write).await.unwrap();
}

async fn give_back(shop: &Shop, policy: Uuid, about: Uuid, amount: Pence) -> Vec<Refund> {
    let now = shop.clock.now();
    let give = move |tx: &mut layby::store::WriteTx<'_>| {
        refunds::give_back(tx, policy, about, amount, now)
    };
    shop.app.store.write(give).await.unwrap()
}

fn refund_about(shop: &Shop, policy: Uuid, about: Uuid) -> Refund {
    let tx = shop.app.store.read().unwrap();
    let mut found = refunds::refunds_about(&tx, policy, about).unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn in_hand(shop: &Shop, policy: Uuid) -> Pence {
    refunds::in_hand(&shop.app.store.read().unwrap(), policy).unwrap()
}

fn balance(shop: &Shop, policy: Uuid, account: Account) -> Pence {
    ledger::balance(&shop.app.store.read().unwrap(), policy, account).unwrap()
}

fn movements(shop: &Shop, policy: Uuid) -> Vec<Movement> {
    let entries = ledger::entries(&shop.app.store.read().unwrap(), policy).unwrap();
    entries.iter().map(|entry| entry.movement).collect()
}

/// The work that waits to give `refund` back.
fn refund_job(shop: &Shop, refund: Uuid) -> ((chrono::DateTime<chrono::Utc>, Uuid), Job) {
    let tx = shop.app.store.read().unwrap();
    let jobs = tables::JOBS
        .list(&tx, &(), Direction::Forward, 1000)
        .unwrap();
    let mut jobs = jobs.into_iter();
    jobs.find(|(_, job)| job.task == Task::Refund { refund })
        .unwrap()
}

#[tokio::test]
async fn a_sale_is_in_the_ledger_to_the_penny() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    assert_eq!(
        movements(&shop, sold.policy),
        [Movement::Sale, Movement::Payment]
    );
    let price = shop.read(&sold.quote).await.expect(StatusCode::OK);
    let total: Pence =
        serde_json::from_value(price.at("/data/info/price/amount_total").clone()).unwrap();
    let of = |account| balance(&shop, sold.policy, account);
    assert_eq!(of(Account::Gateway), total);
    assert_eq!(of(Account::Customer), Pence::ZERO);
    assert_eq!(of(Account::Tax), -(total.share(12, 112)));
    assert_eq!(
        of(Account::Premium) + of(Account::Tax) + of(Account::Fees),
        -total
    );
    assert_eq!(in_hand(&shop, sold.policy), total);
    // What the gateway says again moves nothing.
    shop.app.ask_gateway(sold.payment.id).await.unwrap();
    assert_eq!(movements(&shop, sold.policy).len(), 2);
}

#[tokio::test]
async fn demonstration_policies_have_their_money_too() {
    let shop = shop().await;
    shop.seed(3, 8).await;
    let policies = tables::POLICIES
        .list(
            &shop.app.store.read().unwrap(),
            &(),
            Direction::Forward,
            100,
        )
        .unwrap();
    assert!(!policies.is_empty());
    for (uuid, policy) in policies {
        assert_eq!(balance(&shop, uuid, Account::Gateway), policy.paid);
        assert_eq!(balance(&shop, uuid, Account::Customer), Pence::ZERO);
        give_back(&shop, uuid, Uuid::from_u128(1), policy.paid).await;
        shop.work().await;
        assert_eq!(balance(&shop, uuid, Account::Gateway), Pence::ZERO);
    }
}

#[tokio::test]
async fn a_payment_that_bought_nothing_goes_back_and_both_are_in_the_ledger() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let second = twin(&shop, &sold.payment, |twin| {
        twin.status = PaymentStatus::Pending;
        twin.bought = false;
    })
    .await;
    paid_at_the_gateway(&shop, &second, sold.payment.id).await;
    let status = shop.app.ask_gateway(second.id).await.unwrap();
    assert_eq!(status, PaymentStatus::Refunding);
    let amount = sold.payment.amount;
    assert_eq!(
        balance(&shop, sold.policy, Account::Gateway),
        amount + amount
    );
    assert_eq!(balance(&shop, sold.policy, Account::Refunds), -amount);
    assert_eq!(in_hand(&shop, sold.policy), amount);

    shop.work().await;
    let refund = refund_about(&shop, sold.policy, second.id);
    assert_eq!((refund.amount, refund.status), (amount, RefundStatus::Paid));
    assert_eq!(
        payment_row(&shop, second.id).status,
        PaymentStatus::Refunded
    );
    assert_eq!(
        movements(&shop, sold.policy),
        [
            Movement::Sale,
            Movement::Payment,
            Movement::Payment,
            Movement::Surplus,
            Movement::Refund
        ]
    );
    assert_eq!(balance(&shop, sold.policy, Account::Gateway), amount);
    assert_eq!(balance(&shop, sold.policy, Account::Refunds), Pence::ZERO);
    assert_eq!(balance(&shop, sold.policy, Account::Customer), Pence::ZERO);
}

#[tokio::test]
async fn an_amount_that_was_not_the_accepted_one_goes_back_as_it_was_taken() {
    let shop = shop().await;
    let (_, quote) = accepted(&shop).await;
    let sold = sell(&shop, PAYS).await;
    let wrong = twin(&shop, &sold.payment, |twin| {
        twin.status = PaymentStatus::Pending;
        twin.bought = false;
        twin.quote = quote;
        twin.amount = Pence(5000);
    })
    .await;
    let taken = Payment {
        amount: Pence(4999),
        ..wrong.clone()
    };
    paid_at_the_gateway(&shop, &taken, sold.payment.id).await;
    shop.app.ask_gateway(wrong.id).await.unwrap();
    assert_eq!(balance(&shop, quote, Account::Gateway), Pence(4999));
    shop.work().await;
    assert_eq!(refund_about(&shop, quote, wrong.id).amount, Pence(4999));
    assert_eq!(balance(&shop, quote, Account::Gateway), Pence::ZERO);
}

#[tokio::test]
async fn part_of_a_payment_goes_back_once_for_one_reason() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (paid, about) = (sold.payment.amount, Uuid::from_u128(7));
    let given = give_back(&shop, sold.policy, about, Pence(1234)).await;
    assert_eq!(given.len(), 1);
    assert_eq!(given[0].status, RefundStatus::Pending);
    // On its way, it is in hand no more; asked for again, it is the same refund.
    assert_eq!(in_hand(&shop, sold.policy), paid - Pence(1234));
    assert_eq!(
        give_back(&shop, sold.policy, about, Pence(1234)).await,
        given
    );
    shop.work().await;
    let refund = refund_about(&shop, sold.policy, about);
    assert_eq!(refund.status, RefundStatus::Paid);
    assert_eq!(in_hand(&shop, sold.policy), paid - Pence(1234));
    assert_eq!(
        balance(&shop, sold.policy, Account::Gateway),
        paid - Pence(1234)
    );
    // The payment itself stays paid.
    let payment = shop.payment(&sold.quote).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/status"), "paid");
    assert_eq!(books(&shop, sold.payment.id).state, SandboxState::Paid);
}

#[tokio::test]
async fn the_newest_payment_goes_back_first_and_never_more_than_was_received() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let paid = sold.payment.amount;
    shop.clock.advance(TimeDelta::days(1));
    let more = twin(&shop, &sold.payment, |twin| {
        twin.adjustment = Some(Uuid::from_u128(5));
        twin.amount = Pence(700);
    })
    .await;
    paid_at_the_gateway(&shop, &more, sold.payment.id).await;

    let first = give_back(&shop, sold.policy, Uuid::from_u128(1), Pence(1000)).await;
    let parts: Vec<_> = first.iter().map(|one| (one.payment, one.amount)).collect();
    assert_eq!(
        parts,
        [(more.id, Pence(700)), (sold.payment.id, Pence(300))]
    );
    let rest = give_back(&shop, sold.policy, Uuid::from_u128(2), Pence(9_999_999)).await;
    let parts: Vec<_> = rest.iter().map(|one| (one.payment, one.amount)).collect();
    assert_eq!(parts, [(sold.payment.id, paid - Pence(300))]);
    assert_eq!(in_hand(&shop, sold.policy), Pence::ZERO);
    for amount in [Pence(1), Pence::ZERO, Pence(-5)] {
        let about = Uuid::from_u128(3);
        assert_eq!(give_back(&shop, sold.policy, about, amount).await, []);
    }
    shop.work().await;
    for payment in [more.id, sold.payment.id] {
        assert_eq!(books(&shop, payment).state, SandboxState::Refunded);
    }
}

#[tokio::test]
async fn a_slow_refund_is_followed_to_its_end() {
    let shop = shop().await;
    let sold = sell(&shop, SLOW_REFUND).await;
    let about = Uuid::from_u128(7);
    give_back(&shop, sold.policy, about, Pence(500)).await;
    let status = || refund_about(&shop, sold.policy, about).status;
    for _ in 0..4 {
        shop.work().await;
        assert_eq!(status(), RefundStatus::Pending);
        shop.clock.advance(TimeDelta::seconds(7));
    }
    assert_eq!(
        balance(&shop, sold.policy, Account::Gateway),
        sold.payment.amount
    );
    shop.clock.advance(TimeDelta::seconds(30));
    shop.work().await;
    assert_eq!(status(), RefundStatus::Paid);
    assert_eq!(movements(&shop, sold.policy)[2..], [Movement::Refund]);
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);
}

#[tokio::test]
async fn a_refused_refund_stays_owed_and_the_customer_is_told() {
    let shop = shop().await;
    let sold = sell(&shop, REFUND_REFUSED).await;
    let (paid, about) = (sold.payment.amount, Uuid::from_u128(7));
    give_back(&shop, sold.policy, about, Pence(500)).await;
    shop.work().await;
    let refund = refund_about(&shop, sold.policy, about);
    assert_eq!(refund.status, RefundStatus::Refused);
    assert_eq!(refund.message.as_deref(), Some(REFUSED));
    // No money moved, and what is owed can't be given a second time.
    assert_eq!(movements(&shop, sold.policy).len(), 2);
    assert_eq!(balance(&shop, sold.policy, Account::Gateway), paid);
    assert_eq!(in_hand(&shop, sold.policy), paid - Pence(500));
    // It isn't tried again by itself.
    shop.clock.advance(TimeDelta::hours(2));
    shop.work().await;
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);

    // A payment that bought nothing says so where the customer looks.
    let second = twin(&shop, &sold.payment, |twin| {
        twin.status = PaymentStatus::Pending;
        twin.bought = false;
    })
    .await;
    paid_at_the_gateway(&shop, &second, sold.payment.id).await;
    shop.app.ask_gateway(second.id).await.unwrap();
    shop.work().await;
    let read = shop
        .get(&format!("/api/v1/payment/{}", second.id))
        .bearer(&sold.quote.token)
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(read.text("/data/message"), REFUSED);
}

#[tokio::test]
async fn a_refund_that_is_run_twice_pays_once() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let given = give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await;
    let (key, job) = refund_job(&shop, given[0].id);
    let (one, other) = tokio::join!(
        shop.app.do_work(key, job.clone()),
        shop.app.do_work(key, job.clone())
    );
    one.and(other).unwrap();
    shop.app.do_work(key, job).await.unwrap();
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);
    assert_eq!(movements(&shop, sold.policy)[2..], [Movement::Refund]);
}

#[tokio::test]
async fn a_stop_between_the_gateways_refund_and_our_note_of_it_pays_once() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let about = Uuid::from_u128(7);
    let given = give_back(&shop, sold.policy, about, Pence(500)).await;
    // The gateway gave it back; whoever asked was killed before they could write.
    let mut row = books(&shop, sold.payment.id);
    row.refunds.push(SandboxRefund {
        id: given[0].id,
        amount: Pence(500),
        state: SandboxRefundState::Done,
        due: shop.clock.now(),
    });
    let write =
        move |tx: &mut layby::store::WriteTx<'_>| tables::SANDBOX.put(tx, &row.payment, &row);
    shop.app.store.write(write).await.unwrap();
    shop.work().await;
    assert_eq!(
        refund_about(&shop, sold.policy, about).status,
        RefundStatus::Paid
    );
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);
    assert_eq!(
        balance(&shop, sold.policy, Account::Gateway),
        sold.payment.amount - Pence(500)
    );
}

#[tokio::test]
async fn a_refund_the_gateway_knows_no_payment_for_is_the_operators() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let stray = sold.payment.id;
    let forget = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::SANDBOX.delete(tx, &stray);
        Ok::<_, StoreError>(())
    };
    shop.app.store.write(forget).await.unwrap();
    give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await;
    shop.work().await;
    let refund = refund_about(&shop, sold.policy, Uuid::from_u128(7));
    assert_eq!(refund.status, RefundStatus::Refused);
}

#[tokio::test]
async fn work_of_an_older_layby_still_gives_back_what_bought_nothing() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let second = twin(&shop, &sold.payment, |twin| {
        twin.status = PaymentStatus::Refunding;
        twin.bought = false;
    })
    .await;
    paid_at_the_gateway(&shop, &second, sold.payment.id).await;
    let task: Task = serde_json::from_value(json!({ "Refund": { "payment": second.id } })).unwrap();
    let (now, id) = (shop.clock.now(), second.id);
    let write = move |tx: &mut layby::store::WriteTx<'_>| {
        let job = Job {
            task: task.clone(),
            tries: 3,
        };
        tables::JOBS.put(tx, &(now, id), &job)
    };
    shop.app.store.write(write).await.unwrap();
    shop.work().await;
    assert_eq!(
        payment_row(&shop, second.id).status,
        PaymentStatus::Refunded
    );
    assert_eq!(
        balance(&shop, sold.policy, Account::Gateway),
        sold.payment.amount
    );
}

#[tokio::test]
async fn a_stored_card_pays_once_however_often_it_is_asked() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (made, quote) = accepted(&shop).await;
    let card = sold.payment.id;
    let (one, other) = tokio::join!(
        shop.app.charge_stored(quote, card),
        shop.app.charge_stored(quote, card)
    );
    assert_eq!(one.unwrap(), PaymentStatus::Paid);
    assert_eq!(other.unwrap(), PaymentStatus::Paid);
    let again = shop.app.charge_stored(quote, card).await.unwrap();
    assert_eq!(again, PaymentStatus::Paid);
    let made_of_it = attempts(&shop, quote);
    assert_eq!(made_of_it.len(), 1);
    assert_eq!(made_of_it[0].stored_card, Some(card));
    assert_eq!(made_of_it[0].page, None);
    assert_eq!(movements(&shop, quote), [Movement::Sale, Movement::Payment]);
    let payment = shop.payment(&made).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/status"), "paid");
    assert_eq!(payment.at("/data/policy"), true);

    // The card of that charge can be charged again, and given money back.
    let (_, next) = accepted(&shop).await;
    let status = shop.app.charge_stored(next, made_of_it[0].id).await;
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
    let status = shop.app.charge_stored(quote, sold.payment.id).await;
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
    shop.app
        .charge_stored(quote, sold.payment.id)
        .await
        .unwrap();
    let like = attempts(&shop, quote).remove(0);
    // As after a kill between writing the attempt down and charging the card.
    let (made_too, other) = accepted(&shop).await;
    let left = |quote: Uuid| {
        let now = shop.clock.now();
        twin(&shop, &like, move |twin| {
            twin.quote = quote;
            twin.status = PaymentStatus::Started;
            twin.bought = false;
            twin.created = now;
        })
    };
    let attempt = left(other).await;
    let now = shop.clock.now();
    let ask = move |tx: &mut layby::store::WriteTx<'_>| {
        let task = Task::AskGateway {
            payment: attempt.id,
        };
        tables::JOBS.put(tx, &(now, attempt.id), &Job { task, tries: 0 })
    };
    shop.app.store.write(ask).await.unwrap();
    shop.work().await;
    shop.work().await;
    assert_eq!(movements(&shop, other), [Movement::Sale, Movement::Payment]);
    let read = shop.payment(&made_too).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/policy"), true);

    // A customer who starts to pay meanwhile is told that it is bought, not shown a page.
    let (by_hand, third) = accepted(&shop).await;
    left(third).await;
    let refused = shop.initiate(&by_hand).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "already_bought");
    assert_eq!(attempts(&shop, third).len(), 1);

    // Whoever changed the quote meanwhile isn't charged.
    let (changed, fourth) = accepted(&shop).await;
    let attempt = left(fourth).await;
    shop.put(
        &format!("/api/v1/quote/{}", changed.uuid),
        &json!({ "product": two_gadgets() }),
    )
    .bearer(&changed.token)
    .send()
    .await
    .expect(StatusCode::OK);
    let status = shop.app.ask_gateway(attempt.id).await.unwrap();
    assert_eq!(status, PaymentStatus::Failed);
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
    let answer = shop.app.charge_stored(sold.policy, sold.payment.id).await;
    assert_eq!(conflict(answer), "already_bought");
    let open = shop.quote(&two_gadgets()).await.uuid.parse().unwrap();
    let answer = shop.app.charge_stored(open, sold.payment.id).await;
    assert_eq!(conflict(answer), "not_accepted");
    let (made, quote) = accepted(&shop).await;
    let answer = shop.app.charge_stored(quote, Uuid::nil()).await;
    assert_eq!(conflict(answer), "no_stored_card");

    // A page that was paid a moment before is the sale; an open one is closed.
    let started = shop.initiate(&made).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), PAYS)
        .await
        .assert_status_is_ok();
    let answer = shop.app.charge_stored(quote, sold.payment.id).await;
    assert_eq!(conflict(answer), "already_bought");
    let (made, quote) = accepted(&shop).await;
    let started = shop.initiate(&made).await.expect(StatusCode::OK);
    let status = shop.app.charge_stored(quote, sold.payment.id).await;
    assert_eq!(status.unwrap(), PaymentStatus::Paid);
    shop.pay(&started.text("/data/url"), PAYS)
        .await
        .assert_status_is_ok();
    let page: Uuid = started.text("/data/payment_id").parse().unwrap();
    assert_eq!(books(&shop, page).state, SandboxState::Closed);
    assert_eq!(payment_row(&shop, page).status, PaymentStatus::Failed);
}
