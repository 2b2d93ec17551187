//! After any events of a policy, its ledger adds up and agrees with the gateway's books.

use chrono::{DateTime, NaiveDate, TimeDelta};
use layby::app::payments::refunds::unrefunded;
use layby::app::payments::{ledger, status};
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Entry};
use layby::domain::money::price::{Line, Per, Price};
use layby::domain::payment::refund::RefundStatus;
use layby::domain::payment::sandbox::{SandboxRefundState, SandboxState};
use layby::domain::payment::{PaymentStatus, Purpose};
use layby::store::{Direction, StoreError, WriteTx, tables};
use proptest::prelude::*;
use uuid::Uuid;

use super::{
    PAYS, REFUND_REFUSED, SLOW_REFUND, Sold, at_gateway, attempts, balance, books, in_hand,
    paid_at_the_gateway, sell, shop, twin,
};
use crate::support::Shop;
use crate::support::stores::snapshot;

/// An event of a policy after its sale.
#[derive(Clone, Debug)]
enum Event {
    /// A change that costs more, paid by card.
    Increase(i64),
    /// A change that costs less.
    Decrease(i64),
    /// A cancellation: the part of the premium in hundredths, and the fee.
    Cancellation(i64, i64),
    /// A second payment for the same policy.
    Unapplied(i64),
    /// Time passes, and the jobs run.
    Work(i64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (1i64..20_000).prop_map(Event::Increase),
        (1i64..8_000).prop_map(Event::Decrease),
        (0i64..101, 0i64..4_000).prop_map(|(share, fee)| Event::Cancellation(share, fee)),
        (1i64..20_000).prop_map(Event::Unapplied),
        (0i64..40).prop_map(Event::Work),
    ]
}

async fn post(shop: &Shop, policy: Uuid, entry: Entry) {
    let write = move |tx: &mut WriteTx<'_>| ledger::post(tx, policy, &entry);
    shop.app.store.write(write).await.unwrap();
}

/// Posts an entry by which the customer is owed `owed`, and refunds it.
async fn owe(shop: &Shop, policy: Uuid, entry: Entry, owed: Pence) {
    let now = shop.clock.now();
    let write = move |tx: &mut WriteTx<'_>| {
        ledger::post(tx, policy, &entry)?;
        unrefunded::refund_to_cards(tx, policy, entry.cause_id, owed, now)
    };
    let given = shop.app.store.write(write).await.unwrap();
    assert_eq!(given.iter().map(|one| one.amount).sum::<Pence>(), owed);
}

async fn happen(shop: &Shop, sold: &Sold, event: &Event) {
    let (policy, now, about) = (sold.policy, shop.clock.now(), Uuid::now_v7());
    let tax = |gross: Pence| gross.fraction(12, 112);
    match *event {
        Event::Increase(gross) => {
            let gross = Pence(gross);
            let payment = twin(shop, &sold.payment, |twin| {
                twin.purpose = Purpose::Change(about);
                twin.amount = gross;
            })
            .await;
            paid_at_the_gateway(shop, &payment, sold.payment.id).await;
            let entry = Entry::increase(now, about, gross, tax(gross));
            post(shop, policy, entry).await;
            post(
                shop,
                policy,
                Entry::payment(now, "sandbox", payment.id, gross),
            )
            .await;
        }
        Event::Decrease(gross) => {
            let gross = Pence(gross).min(in_hand(shop, policy));
            let entry = Entry::decrease(now, about, gross, tax(gross));
            owe(shop, policy, entry, gross).await;
        }
        Event::Cancellation(share, fee) => {
            let gross = in_hand(shop, policy).fraction(share, 100);
            let entry = Entry::cancellation(now, about, gross, tax(gross), Pence(fee), Pence::ZERO);
            let owed = -entry.amount_on(&Account::Refunds);
            owe(shop, policy, entry, owed).await;
        }
        Event::Unapplied(amount) => {
            let payment = twin(shop, &sold.payment, |twin| {
                twin.status = PaymentStatus::Pending;
                twin.amount = Pence(amount);
            })
            .await;
            paid_at_the_gateway(shop, &payment, sold.payment.id).await;
            status::sync_payment_status(&shop.app, payment.id)
                .await
                .unwrap();
        }
        Event::Work(seconds) => {
            shop.clock.advance(TimeDelta::seconds(seconds));
            shop.work().await;
        }
    }
}

fn adds_up(shop: &Shop, policy: Uuid) {
    let tx = snapshot(&shop.app.store);
    let sum = |entries: &[Entry]| -> Pence {
        let postings = entries.iter().flat_map(|entry| entry.postings());
        postings.map(|posting| posting.amount).sum()
    };
    let own = ledger::entries(&tx, policy).unwrap();
    assert!(
        own.iter()
            .all(|entry| sum(std::slice::from_ref(entry)) == Pence::ZERO)
    );
    assert_eq!(sum(&own), Pence::ZERO);
    let whole = tables::LEDGER
        .list(&tx, &(), Direction::Forward, usize::MAX)
        .unwrap();
    let whole: Vec<_> = whole.into_iter().map(|(_, entry)| entry).collect();
    assert_eq!(sum(&whole), Pence::ZERO);

    // The money received less the refunds, by the shop's and by the gateway's records.
    let paid = attempts(shop, policy).into_iter();
    let paid = paid.filter(|one| one.status == PaymentStatus::Paid);
    let mut received = Pence::ZERO;
    let mut at_the_gateway = Pence::ZERO;
    for payment in paid {
        let books = books(shop, payment.id);
        assert!(matches!(
            books.state,
            SandboxState::Paid | SandboxState::Refunded
        ));
        received += payment.amount;
        at_the_gateway += books.amount;
        let done = books.refunds.iter();
        at_the_gateway -= done
            .filter(|refund| refund.state == SandboxRefundState::Done)
            .map(|refund| refund.amount)
            .sum();
    }
    let rows = tables::REFUNDS
        .list(&tx, &(), Direction::Forward, usize::MAX)
        .unwrap();
    let rows: Vec<_> = rows
        .into_iter()
        .filter(|(_, refund)| refund.policy == policy)
        .collect();
    let of = |paid: bool| -> Pence {
        let some = rows.iter();
        some.filter(|(_, refund)| (refund.status == RefundStatus::Paid) == paid)
            .map(|(_, refund)| refund.amount)
            .sum()
    };
    let gateway = at_gateway(shop, policy);
    assert_eq!(gateway, received - of(true));
    assert_eq!(gateway, at_the_gateway);
    assert_eq!(balance(shop, policy, Account::Customer), Pence::ZERO);
    // A refund that is not made yet is owed, and can't be used for another reason.
    assert_eq!(balance(shop, policy, Account::Refunds), -of(false));
    assert_eq!(in_hand(shop, policy), gateway - of(false));
    assert!(in_hand(shop, policy) >= Pence::ZERO);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_history_adds_up(
        card in prop::sample::select(vec![PAYS, SLOW_REFUND, REFUND_REFUSED]),
        events in prop::collection::vec(event(), 1..12),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let shop = shop().await;
            // Another customer's policy, which must not change.
            let other = sell(&shop, PAYS).await;
            let sold = sell(&shop, card).await;
            for event in &events {
                happen(&shop, &sold, event).await;
            }
            for _ in 0..8 {
                shop.clock.advance(TimeDelta::minutes(1));
                shop.work().await;
            }
            adds_up(&shop, sold.policy);
            adds_up(&shop, other.policy);
            assert_eq!(in_hand(&shop, other.policy), other.payment.amount);
            let tx = snapshot(&shop.app.store);
            let pending = tables::REFUNDS.list(&tx, &(), Direction::Forward, usize::MAX)?;
            assert!(pending.iter().all(|(_, one)| one.status != RefundStatus::Pending));
            Ok::<_, StoreError>(())
        }).unwrap();
    }

    #[test]
    fn every_entry_adds_up(
        gross in 0i64..10_000_000,
        tax in 0i64..1_000_000,
        fee in 0i64..100_000,
        charges in 0i64..100_000,
    ) {
        let (at, about) = (DateTime::UNIX_EPOCH, Uuid::nil());
        let (gross, tax, fee, charges) = (Pence(gross), Pence(tax), Pence(fee), Pence(charges));
        let day = NaiveDate::default();
        let price = Price {
            lines: Vec::new(),
            charges: vec![Line {
                code: "fee".into(), label: "Fee".into(), amount: charges, note: None,
            }],
            net: gross,
            tax,
            taxed: gross + tax,
            total: gross + tax + charges,
            currency: "GBP".into(),
            per: Per::Year,
            inception: day,
            expiry: day,
        };
        for entry in [
            Entry::sale(at, about, &price),
            Entry::payment(at, "sandbox", about, gross),
            Entry::increase(at, about, gross, tax),
            Entry::decrease(at, about, gross, tax),
            Entry::cancellation(at, about, gross, tax, fee, charges),
            Entry::unapplied(at, about, gross),
            Entry::refund(at, "sandbox", about, gross),
            Entry::refund_failed(at, "sandbox", about, gross),
            Entry::disputed(at, "sandbox", about, gross),
            Entry::disputed(at, "sandbox", about, -gross),
            Entry::write_off(at, about, gross),
            Entry::settle(at, "sandbox", about, gross, fee),
            Entry::provider_fee(at, about, fee),
            Entry::refund_by_hand(at, "sandbox", about, gross),
            Entry::refund_by_hand(at, "sandbox", about, -gross),
            Entry::paid_by_transfer(at, about, gross),
            Entry::accept_unmatched(at, about, gross, fee),
            Entry::accept_unmatched(at, about, -gross, fee),
            Entry::had_already(at, about, gross),
            Entry::had_already(at, about, -gross),
        ] {
            let sum: Pence = entry.postings().iter().map(|one| one.amount).sum();
            prop_assert_eq!(sum, Pence::ZERO);
            prop_assert!(entry.postings().iter().all(|one| one.amount != Pence::ZERO));
        }
        prop_assert_eq!(Entry::sale(at, about, &price).amount_on(&Account::Fees), -charges);
    }
}
