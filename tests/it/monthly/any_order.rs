//! Charges, declines, payments, changes, disputes and a cancellation of a plan in any order, at each provider's
//! double. Nothing is collected or refunded beyond what is due, nobody is charged twice on a day, and the books of
//! shop and provider agree.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};
use layby::app::accounting::resolve::{Resolution, ResolutionWay};
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::policy::adjustment::AdjustmentStatus;
use layby::store::tables;
use poem::http::StatusCode;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use uuid::Uuid;

use super::stop_charging::stops;
use super::year::Year;
use crate::globalpayments::double::Double as GlobalPayments;
use crate::money::books::is_clean;
use crate::money::manual_resolution::resolves;
use crate::policies::pence;
use crate::smartpayfuse::double::Double as SmartpayFuse;
use crate::stripe::double::Double as Stripe;
use crate::support::card_keeper::CardKeeper;
use crate::support::generated::fixed_cases;
use crate::support::provider::Card;

#[derive(Clone, Copy, Debug)]
enum Event {
    /// Some days pass. On the last one the card is declined if `declines`.
    Live {
        days: u8,
        declines: bool,
    },
    /// The customer pays what is due or the next payment on a page, with another card, or all that is left.
    Pay {
        is_rest: bool,
    },
    /// The customer pays what is due by bank transfer.
    Transfer,
    /// The customer changes the cover after some days.
    Change {
        level: u8,
        days: u8,
    },
    /// The customer withdraws the change for a later day.
    WithdrawChange,
    RemoveCard,
    Object,
    Cancel,
    Dispute,
    Decide(bool),
    FailRefund,
}

fn event() -> impl Strategy<Value = Event> {
    let live = (1u8..20, prop::bool::weighted(0.4));
    prop_oneof![
        12 => live.prop_map(|(days, declines)| Event::Live { days, declines }),
        4 => prop::bool::weighted(0.2).prop_map(|is_rest| Event::Pay { is_rest }),
        2 => Just(Event::Transfer),
        4 => (1u8..5, prop_oneof![3 => Just(0u8), 1 => 1u8..60])
            .prop_map(|(level, days)| Event::Change { level, days }),
        2 => Just(Event::WithdrawChange),
        1 => Just(Event::RemoveCard),
        1 => Just(Event::Object),
        1 => Just(Event::Cancel),
        2 => Just(Event::Dispute),
        3 => any::<bool>().prop_map(Event::Decide),
        1 => Just(Event::FailRefund),
    ]
}

/// Returns whether a policy is within the 14 days in which everything comes back.
fn is_cooling_off<P: CardKeeper>(year: &Year<P>, policy: &Value) -> bool {
    let inception: chrono::NaiveDate = policy["inception"].as_str().unwrap().parse().unwrap();
    year.today() <= inception + chrono::Days::new(14)
}

async fn cancel<P: CardKeeper>(year: &Year<P>, policy: &str) {
    let read = year.ann.policy(policy).await;
    let in_hand = year.ann.in_hand(policy).0;
    let cancelled = year.ann.cancels(policy, json!({})).await;
    if cancelled.status != StatusCode::OK {
        return;
    }
    let refund = pence(cancelled.at("/data/refund/amount"));
    let is_disputed = year.ann.account(policy, Account::Disputes) != Pence::ZERO;
    if is_cooling_off(year, read.at("/data/policy")) {
        assert!(refund == in_hand || is_disputed, "{refund} of {in_hand}");
        return;
    }
    let rest = (in_hand - earned(year, policy)).max(0);
    assert!(refund <= rest + ROUNDING, "{refund} of {rest}");
    assert!(
        is_disputed || refund + FEE + ROUNDING >= rest,
        "{refund} of {rest}"
    );
}

/// The fee of a cancellation, in pence.
const FEE: i64 = 1500;
/// What rounding of the changes may move, in pence.
const ROUNDING: i64 = 5;

/// Returns the price of the days until today, in pence, from the price of each day.
fn earned<P: CardKeeper>(year: &Year<P>, policy: &str) -> i64 {
    let id: Uuid = policy.parse().unwrap();
    let shop = &year.ann.shop;
    let row = shop.row(&tables::POLICIES, &id);
    let changes = shop.rows(&tables::ADJUSTMENTS).into_iter();
    let mut changes: Vec<_> = changes
        .map(|(_, change)| change)
        .filter(|change| change.status == AdjustmentStatus::Applied)
        .collect();
    changes.sort_by_key(|change| change.revision);
    let days = row
        .inception
        .iter_days()
        .take_while(|day| *day < year.today());
    let price_on = |day: NaiveDate| {
        let change = changes.iter().rfind(|change| change.effective <= day);
        change.map_or(year.price, |change| change.price.total.0)
    };
    let sum: i64 = days.map(price_on).sum();
    sum / 365
}

async fn happen<P: CardKeeper>(year: &mut Year<P>, event: Event) {
    let policy = year.policies[0].clone();
    match event {
        Event::Live { days, declines } => {
            for day in 1..=days {
                let is_last = declines && day == days;
                year.lives(is_last.then_some(P::LATER)).await;
            }
        }
        Event::Pay { is_rest } => {
            let path = format!("/api/v1/policy/{policy}/pay");
            let body = json!({ "provider": P::NAME, "keep_card": !is_rest, "rest": is_rest });
            let started = year.ann.post(&path, &body).send().await;
            if started.status == StatusCode::OK {
                let page = started.at("/data");
                year.provider.pay(&year.ann.shop, page, Card::Good).await;
            }
        }
        Event::Transfer => {
            let paid = Resolution {
                id: policy.parse().unwrap(),
                method: ResolutionWay::PlanPayment,
                by: "Jo".to_owned(),
                why: "on the statement".to_owned(),
            };
            // It is refused if nothing is due.
            let _ = resolves(&year.ann.shop, &paid).await;
        }
        Event::Change { level, days } => {
            let values = json!({ "cover_level": level });
            let day = (year.today() + Days::new(days.into())).to_string();
            let offer = year
                .ann
                .asks(&policy, values, (days > 0).then_some(&*day))
                .await;
            if offer.status == StatusCode::OK {
                let change = offer.text("/data/adjustment_id");
                year.ann.agrees(&policy, &change).await;
            }
        }
        Event::WithdrawChange => {
            let read = year.ann.policy(&policy).await;
            let change = &read.at("/data/policy/scheduled_change")["adjustment_id"];
            if let Some(change) = change.as_str() {
                let path = format!("/api/v1/policy/ntu/{change}");
                year.ann.put(&path, &json!({})).send().await;
            }
        }
        Event::RemoveCard => {
            let cards = year.ann.get("/api/v1/profile/cards").succeeds().await;
            if let Some(id) = cards.at("/data")[0]["id"].as_str() {
                let path = format!("/api/v1/profile/cards/{id}/remove");
                year.ann.post(&path, &json!({})).succeeds().await;
            }
        }
        Event::Object => {
            let number = year.ann.policy(&policy).await.text("/data/info/custom_id");
            // It is refused if no card is charged.
            let _ = stops(&year.ann, &number, "Jo", "objected").await;
        }
        Event::Cancel => cancel(year, &policy).await,
        Event::Dispute => year.provider.dispute(),
        Event::Decide(is_won) => year.provider.decide(is_won),
        Event::FailRefund => year.provider.fail_refund(),
    }
    year.ann.works().await;
    year.receives().await;
    year.ann.works().await;
}

/// Checks what holds after each event.
async fn assert_never_too_much<P: CardKeeper>(year: &Year<P>, event: Event) {
    is_clean(&year.ann.shop, &format!("after {event:?}"));
    let policy = &year.policies[0];
    let owed = year.ann.account(policy, Account::Customer);
    assert!(owed >= Pence::ZERO, "{owed} is collected too much");
    assert!(year.ann.in_hand(policy) >= Pence::ZERO);
    let mut days = BTreeSet::new();
    for charge in year.charges() {
        let day = charge.created.date_naive();
        assert!(days.insert(day), "charged twice on {day}");
    }
}

async fn played<P: CardKeeper>(events: &[Event]) {
    let mut year = Year::<P>::open().await;
    year.buys().await;
    for event in events {
        happen(&mut year, *event).await;
        assert_never_too_much(&year, *event).await;
    }
    let last = [
        Event::Decide(true),
        Event::Live {
            days: 8,
            declines: false,
        },
    ];
    for event in last {
        happen(&mut year, event).await;
        assert_never_too_much(&year, event).await;
    }
    let shop = &year.ann.shop;
    let held = year
        .ann
        .account(&year.policies[0], Account::gateway(P::NAME));
    assert_eq!(year.provider.balance(shop), held.0);
    let made = year.provider.charges();
    let paid = year.charges().into_iter();
    let paid = paid.filter(|charge| charge.status.took_money() == Some(true));
    let paid: BTreeSet<_> = paid
        .map(|charge| (charge.id.to_string(), charge.amount.0))
        .collect();
    assert_eq!(made.len(), paid.len(), "each charge is made once");
    assert_eq!(made.into_iter().collect::<BTreeSet<_>>(), paid);
}

fn plays<P: CardKeeper>() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let histories = prop::collection::vec(event(), 15..40);
    let mut runner = TestRunner::new(fixed_cases(2));
    let ended = runner.run(&histories, |events| {
        runtime.block_on(played::<P>(&events));
        Ok(())
    });
    ended.unwrap();
}

#[test]
fn a_plan_at_stripe_in_any_order_collects_and_refunds_what_is_due() {
    plays::<Stripe>();
}

#[test]
fn a_plan_at_global_payments_in_any_order_collects_and_refunds_what_is_due() {
    plays::<GlobalPayments>();
}

#[test]
fn a_plan_at_smartpay_fuse_in_any_order_collects_and_refunds_what_is_due() {
    plays::<SmartpayFuse>();
}
