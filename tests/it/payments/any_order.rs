//! Events of a policy's money in any order, at each gateway. The events are pages, cards, messages, changes,
//! a cancellation, failed refunds, refunds by hand, reversals, disputes, kills and power cuts. Refunds and
//! losses never exceed the taken money. At the end the check finds nothing. The provider's statement agrees
//! with the ledger to the penny.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{Resolution, ResolutionWay};
use layby::app::payments::{balances_of, ledger};
use layby::domain::money::ledger::Account;
use layby::domain::payment::UnresolvedReason;
use layby::domain::payment::refund::{RefundMethod, RefundStatus};
use layby::store::tables;
use poem::http::StatusCode;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use uuid::Uuid;

use super::sandbox::Sandbox;
use super::world::{Outside, World};
use crate::faults::disk::Fault;
use crate::money::books::is_clean;
use crate::money::manual_resolution::resolves;
use crate::money::payouts::reconcile;
use crate::policies::pence;
use crate::support::generated::fixed_cases;
use crate::support::provider::{Card, Provider};
use crate::support::stores::snapshot;
use crate::{globalpayments, smartpayfuse, stripe};

#[derive(Clone, Copy, Debug)]
enum Event {
    /// The customer begins to pay, and enters a card at once.
    Buy(Card),
    /// The customer begins to pay for the quote, or for the requested change.
    Begin,
    /// The customer enters a card on one of the open pages.
    Pay(usize, Card),
    /// One of the waiting messages arrives. It may come again.
    Receive(usize, bool),
    /// The customer reads how the payment stands.
    Look,
    /// This number of minutes passes, and the jobs run.
    Work(i64),
    /// This number of hours passes.
    Wait(i64),
    /// The customer asks for another level of cover.
    Change(u8),
    Cancel,
    LoseAnswer,
    FailRefund,
    Reverse,
    Dispute,
    Decide(bool),
    /// Somebody refunds a part of the newest payment in the provider's dashboard.
    RefundByHand,
    /// A person records how the customer got the refunds that the gateway refused.
    Resolve(RefundMethod),
    Kill,
    /// The power is cut at this write from now.
    PowerCut(u32),
}

fn event() -> impl Strategy<Value = Event> {
    let card = prop_oneof![3 => Just(Card::Good), 1 => Just(Card::Declined)];
    // A page is shown again for 22 hours, and lives for 23.
    let hours = prop::sample::select(vec![3, 12, 22, 23]);
    let methods = vec![RefundMethod::Transfer, RefundMethod::AlreadyRefunded];
    let methods = prop::sample::select(methods);
    prop_oneof![
        6 => card.clone().prop_map(Event::Buy),
        3 => Just(Event::Begin),
        5 => (any::<usize>(), card).prop_map(|(page, card)| Event::Pay(page, card)),
        10 => (any::<usize>(), any::<bool>()).prop_map(|(one, again)| Event::Receive(one, again)),
        2 => Just(Event::Look),
        10 => (1i64..90).prop_map(Event::Work),
        2 => hours.prop_map(Event::Wait),
        6 => (1u8..5).prop_map(Event::Change),
        1 => Just(Event::Cancel),
        2 => Just(Event::LoseAnswer),
        3 => Just(Event::FailRefund),
        1 => Just(Event::Reverse),
        1 => Just(Event::Dispute),
        2 => any::<bool>().prop_map(Event::Decide),
        1 => Just(Event::RefundByHand),
        2 => methods.prop_map(Event::Resolve),
        2 => Just(Event::Kill),
        3 => (1u32..30).prop_map(Event::PowerCut),
    ]
}

/// A history in progress.
struct Run<P: Provider> {
    world: World<P>,
    pages: Vec<Value>,
    /// Whether the provider took a payment back.
    is_reversed: bool,
}

impl<P: Provider> Run<P> {
    async fn begin(&mut self) {
        if self.world.begins_to_pay().await {
            self.pages.extend(self.world.page.take());
        }
    }

    async fn pay(&mut self, page: usize, card: Card) {
        let page = self.pages.swap_remove(page);
        let world = &self.world;
        let is_taken = world.provider.pay(&world.shop, &page, card).await;
        if is_taken && card == Card::Declined {
            self.pages.push(page);
        }
    }

    async fn happen(&mut self, event: Event) {
        let world = &mut self.world;
        match event {
            Event::Buy(card) => {
                self.begin().await;
                if let Some(last) = self.pages.len().checked_sub(1) {
                    self.pay(last, card).await;
                }
            }
            Event::Begin => self.begin().await,
            Event::Pay(page, card) if !self.pages.is_empty() => {
                self.pay(page % self.pages.len(), card).await;
            }
            Event::Receive(one, again) => {
                let new = world.provider.take_messages(&world.shop);
                world.waiting.extend(new);
                if !world.waiting.is_empty() {
                    let one = one % world.waiting.len();
                    let sent = world.provider.send(&world.shop, &world.waiting[one]).await;
                    if sent == StatusCode::OK && !again {
                        world.waiting.remove(one);
                    }
                }
            }
            Event::Look => {
                let path = format!("/api/v1/payment/{}", world.payable());
                world.get(&path).await;
            }
            Event::Work(minutes) => {
                world.wait(TimeDelta::minutes(minutes));
                world.works().await;
            }
            Event::Wait(hours) => world.wait(TimeDelta::hours(hours)),
            Event::Change(level) => {
                let offer = world.asks_for(level).await;
                let Some(offer) = offer else { return };
                let change = offer.text("/data/adjustment_id");
                if pence(offer.at("/data/amount_now")) > 0 {
                    world.change = Some(change);
                } else {
                    world.agrees(&change).await;
                }
            }
            Event::Cancel => {
                world.cancels().await;
            }
            Event::LoseAnswer => world.provider.lose_answer(true),
            Event::FailRefund => world.provider.fail_refund(),
            Event::Reverse if world.shop.rows(&tables::DISPUTES).is_empty() => {
                world.provider.reverse();
                self.is_reversed = true;
            }
            Event::Dispute => {
                world.provider.dispute();
                // No bank disputes a payment that the provider took back.
                if !self.is_reversed {
                    world.report_dispute().await;
                }
            }
            Event::Decide(is_won) => {
                world.provider.decide(is_won);
                world.decide_reported(is_won).await;
            }
            Event::RefundByHand => world.provider.refund_by_hand(),
            Event::Resolve(method) => world.resolve(method).await,
            Event::Kill => {
                let left = world.disk.bytes();
                world.restarted(left).await;
            }
            Event::PowerCut(write) => world.disk.fault(write, Fault::PowerCut),
            Event::Pay(..) | Event::Reverse => {}
        }
    }

    fn policy(&self) -> Uuid {
        self.world.policy.parse().unwrap()
    }

    /// Returns the shop's money at the gateway by the ledger, in pence.
    fn ledger(&self, account: &Account) -> i64 {
        let tx = snapshot(&self.world.shop.app.store);
        ledger::balance(&tx, self.policy(), account).unwrap().0
    }

    fn balance(&self) -> i64 {
        self.world.provider.balance(&self.world.shop)
    }

    /// Checks that refunds and losses do not exceed the taken money, by the shop's and the provider's
    /// records.
    fn assert_never_too_much(&self) {
        let tx = snapshot(&self.world.shop.app.store);
        for (_, balance) in balances_of(&tx, self.policy()).unwrap() {
            let gone = balance.given_back + balance.lost;
            assert!(gone <= balance.taken, "{balance:?}");
        }
        assert!(self.balance() >= 0);
    }

    /// Lets all messages arrive and all jobs end. A person records the refunds whose answer was lost.
    async fn end(&mut self) {
        self.world.disk.fault(u32::MAX, Fault::Killed);
        self.world.provider.decide(true);
        self.world.decide_reported(true).await;
        for _ in 0..6 {
            self.world.provider.end_day();
            self.world.wait(TimeDelta::hours(25));
            assert!(self.world.receives().await);
            for _ in 0..10 {
                if self.world.works().await {
                    break;
                }
            }
        }
        for (id, refund) in self.world.shop.rows(&tables::REFUNDS) {
            if refund.status == RefundStatus::Unconfirmed && refund.manual.is_none() {
                let missing = self.ledger(&Account::gateway(P::NAME)) - self.balance();
                let method = if missing >= refund.amount.0 {
                    RefundMethod::AlreadyRefunded
                } else {
                    RefundMethod::Transfer
                };
                let resolution = Resolution {
                    id,
                    method: ResolutionWay::Refund(method),
                    by: "Jo Bloggs".to_string(),
                    why: "looked it up at the gateway".to_string(),
                };
                resolves(&self.world.shop, &resolution).await.unwrap();
            }
        }
    }

    /// Checks the end: nothing is open, and the books of shop and provider agree.
    async fn assert_agrees(&self) {
        let shop = &self.world.shop;
        for (_, payment) in shop.rows(&tables::PAYMENTS) {
            assert!(!payment.status.is_open(), "{payment:?}");
            let reason = payment.unresolved_reason();
            assert!(reason.is_none_or(|reason| reason == UnresolvedReason::Reversed));
        }
        let refunds = shop.rows(&tables::REFUNDS);
        assert!(refunds.iter().all(|(_, refund)| !refund.is_under_way()));
        self.assert_never_too_much();
        is_clean(shop, "at the end");
        let (gateway, held) = (Account::gateway(P::NAME), self.balance());
        assert_eq!(self.ledger(&gateway), held);

        let before = self.ledger(&Account::Bank);
        let statement = self.world.provider.pay_out(shop);
        let output = reconcile(shop, Some(P::NAME), &statement).await.unwrap();
        assert!(
            output.last().unwrap().contains("0 mismatched; 0 unknown"),
            "{output:#?}"
        );
        assert_eq!(self.ledger(&gateway), 0);
        let paid_out = self.ledger(&Account::Bank) - before;
        assert_eq!(paid_out + self.ledger(&Account::ProviderFees), held);
        is_clean(shop, "after the payout");
    }
}

async fn played<P: Provider>(start: &Outside<P::Books>, events: &[Event]) {
    let mut run = Run {
        world: World::<P>::start(start).await,
        pages: Vec::new(),
        is_reversed: false,
    };
    for (chance, event) in (1..).zip(events) {
        run.happen(*event).await;
        run.world.mend(chance).await;
        run.assert_never_too_much();
    }
    run.end().await;
    run.assert_agrees().await;
}

/// Plays histories with one gateway.
fn plays<P: Provider>() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let start = runtime.block_on(World::<P>::begun());
    let histories = prop::collection::vec(event(), 20..60);
    let mut runner = TestRunner::new(fixed_cases(8));
    let ended = runner.run(&histories, |events| {
        runtime.block_on(played::<P>(&start, &events));
        Ok(())
    });
    ended.unwrap();
}

#[test]
fn events_in_any_order_at_the_sandbox_never_give_back_more_than_was_taken() {
    plays::<Sandbox>();
}

#[test]
fn events_in_any_order_at_stripe_never_give_back_more_than_was_taken() {
    plays::<stripe::double::Double>();
}

#[test]
fn events_in_any_order_at_global_payments_never_give_back_more_than_was_taken() {
    plays::<globalpayments::double::Double>();
}

#[test]
fn events_in_any_order_at_smartpay_fuse_never_give_back_more_than_was_taken() {
    plays::<smartpayfuse::double::Double>();
}
