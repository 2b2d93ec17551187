//! Kills the process between any two writes of the store. The customer buys a policy, pays for a change, and
//! cancels with a refund, at each gateway. After the restart each step is completed once. The books of shop
//! and provider agree, and the customer reads the truth.

use chrono::TimeDelta;
use layby::app::payments::ledger;
use layby::domain::money::ledger::Account;
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use uuid::Uuid;

use super::world::{Outside, World};
use crate::faults::disk::Fault;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::policies::pence;
use crate::support::provider::{Card, Provider};
use crate::support::stores::snapshot;
use crate::{globalpayments, smartpayfuse, stripe};

/// The customer's actions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Story {
    Buys,
    Changes,
    Cancels,
}

/// A story in progress.
struct Play<P: Provider> {
    story: Story,
    world: World<P>,
    paid: bool,
    cancelled: bool,
}

impl<P: Provider> Play<P> {
    async fn start(outside: &Outside<P::Books>, story: Story) -> Self {
        Self {
            story,
            world: World::start(outside).await,
            paid: false,
            cancelled: false,
        }
    }

    fn balance(&self) -> i64 {
        self.world.provider.balance(&self.world.shop)
    }

    /// Continues the story. Returns false at the first step that is not acknowledged.
    async fn goes_on(&mut self) -> bool {
        let world = &mut self.world;
        if self.story == Story::Changes && world.change.is_none() {
            let offer = world.asks_for(4).await;
            world.change = offer.map(|offer| offer.text("/data/adjustment_id"));
            if world.change.is_none() {
                return false;
            }
        }
        if self.story == Story::Cancels {
            self.cancelled = self.cancelled || world.cancels().await;
            if !self.cancelled {
                return false;
            }
        } else {
            if world.page.is_none() && !world.begins_to_pay().await {
                return false;
            }
            if let Some(page) = world.page.as_ref().filter(|_| !self.paid) {
                assert!(world.provider.pay(&world.shop, page, Card::Good).await);
                self.paid = true;
            }
        }
        world.receives().await && world.works().await && world.receives().await
    }

    /// Restarts the shop after a kill. Its writes remain.
    async fn restarted(&mut self) {
        let left = self.world.disk.bytes();
        self.world.restarted(left).await;
    }

    /// Lets a day end and another begin, in which a refund reaches its bank.
    async fn day_passes(&mut self) {
        self.world.provider.end_day();
        self.world.wait(TimeDelta::hours(25));
        assert!(self.goes_on().await);
    }

    /// Checks what the customer reads about a payment that is perhaps not recorded yet.
    async fn assert_not_misled(&self, n: u32) {
        let path = format!("/api/v1/payment/{}", self.world.payable());
        let read = self.world.get(&path).await;
        if read.status == StatusCode::NOT_FOUND {
            return;
        }
        let is_paid = self.paid || self.story == Story::Cancels;
        if read.at("/data/status") == "paid" {
            assert!(is_paid, "{n}");
        }
        if read.at("/data/charged") == false {
            assert!(!is_paid, "{n}");
        }
    }

    /// Checks what the customer reads at the end. `refunded` is the cancellation's refund in pence.
    async fn assert_told(&self, n: u32, refunded: i64) {
        if self.story == Story::Cancels {
            let policy = &self.world.policy;
            let path = format!("/api/v1/activities?policy={policy}&type=cancellation");
            let read = self.world.get(&path).await.expect(StatusCode::OK);
            assert_eq!(read.at("/data/0/refund/status"), "paid", "{n}");
            let amount = pence(read.at("/data/0/refund/amount"));
            assert_eq!(amount, refunded, "{n}");
        } else {
            let path = format!("/api/v1/payment/{}", self.world.payable());
            let read = self.world.get(&path).await;
            assert_eq!(read.at("/data/status"), "paid", "{n}");
        }
    }

    /// Checks for one policy with its money, or neither, and for correct books.
    async fn assert_right(&self, n: u32, sold: bool) {
        let shop = &self.world.shop;
        let tx = snapshot(&shop.app.store);
        let policies = tables::POLICIES.list(&tx, &(), Direction::Forward, 10);
        assert_eq!(policies.unwrap().len(), usize::from(sold), "{n}");
        let policy: Uuid = self.world.policy.parse().unwrap();
        let balance = |account| ledger::balance(&tx, policy, &account).unwrap().0;
        let gateway = balance(Account::gateway(P::NAME));
        assert_eq!(gateway, self.balance(), "{n}");
        assert_eq!(balance(Account::Customer), 0, "{n}");
        assert_eq!(balance(Account::Refunds), 0, "{n}");
        assert_eq!(unresolved(shop).await, [], "{n}");
        is_clean(shop, &format!("{:?} {n}", self.story));
    }
}

/// Plays the story without a kill. Returns the number of syncs, the final state, and the money at the
/// provider.
async fn played<P: Provider>(
    before: &Outside<P::Books>,
    story: Story,
) -> (u32, Outside<P::Books>, i64) {
    let mut play = Play::<P>::start(before, story).await;
    let paid = play.balance();
    play.world.disk.fault(u32::MAX, Fault::Killed);
    assert!(play.goes_on().await, "{story:?}");
    let syncs = play.world.disk.synced();
    play.day_passes().await;
    play.assert_right(0, true).await;
    let held = play.balance();
    play.assert_told(0, paid - held).await;
    // A month passes, and the customer logs in for the next story.
    play.world.wait(TimeDelta::days(30));
    play.world.logs_in().await;
    (syncs, play.world.outside(), held)
}

/// Plays the story with a kill after each sync of the store.
async fn killed_everywhere<P: Provider>(
    before: &Outside<P::Books>,
    story: Story,
) -> Outside<P::Books> {
    let (syncs, after, held) = played::<P>(before, story).await;
    println!("{story:?} is killed at {syncs} places");
    assert!(syncs > 5, "{story:?} syncs more than {syncs} times");
    for n in 0..syncs {
        let mut play = Play::<P>::start(before, story).await;
        let paid = play.balance();
        play.world.disk.fault(n, Fault::Killed);
        let done = play.goes_on().await;
        assert!(play.world.disk.has_failed() || done, "{story:?} {n}");
        // In every second run all of the provider's pending messages are lost.
        if n % 2 == 1 {
            play.world.waiting.clear();
            play.world.provider.take_messages(&play.world.shop);
        }
        play.restarted().await;
        if story == Story::Buys && n % 3 == 0 && !play.paid {
            // The customer had no page yet, and does not return.
            for hours in [1, 25, 2] {
                play.world.wait(TimeDelta::hours(hours));
                assert!(play.world.works().await);
            }
            play.assert_not_misled(n).await;
            play.assert_right(n, false).await;
            assert_eq!(play.balance(), 0);
            continue;
        }
        // The customer looks in half of the runs. In the others nothing asks the provider early.
        if n % 4 > 1 {
            play.assert_not_misled(n).await;
        }
        for _ in 0..2 {
            play.world.wait(TimeDelta::minutes(1));
            assert!(play.goes_on().await, "{story:?} {n}");
        }
        play.day_passes().await;
        play.assert_right(n, true).await;
        assert_eq!(play.balance(), held, "{story:?} {n}");
        play.assert_told(n, paid - held).await;
    }
    after
}

async fn killed<P: Provider>() {
    let accepted = World::<P>::begun().await;
    let bought = killed_everywhere::<P>(&accepted, Story::Buys).await;
    let changed = killed_everywhere::<P>(&bought, Story::Changes).await;
    killed_everywhere::<P>(&changed, Story::Cancels).await;
}

#[tokio::test]
async fn a_kill_between_any_two_writes_with_stripe_keeps_the_money_right() {
    killed::<stripe::double::Double>().await;
}

#[tokio::test]
async fn a_kill_between_any_two_writes_with_global_payments_keeps_the_money_right() {
    killed::<globalpayments::double::Double>().await;
}

#[tokio::test]
async fn a_kill_between_any_two_writes_with_smartpay_fuse_keeps_the_money_right() {
    killed::<smartpayfuse::double::Double>().await;
}
