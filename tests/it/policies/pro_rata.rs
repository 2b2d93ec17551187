//! For any changes and any cancellation day, the refund is pro rata.

use chrono::{Days, NaiveDate};
use layby::domain::money::ledger::Account;
use poem::http::StatusCode;
use proptest::prelude::*;
use serde_json::json;

use super::{Customer, PAYS, pence, young_vehicles};

/// A change: the days since the change before, and the new level of cover.
type Step = (i64, u32);

/// Returns a share, with half rounded away from zero.
fn share(amount: i64, num: i64, den: i64) -> i64 {
    let halves = (amount * num).abs() * 2 + den;
    (amount * num).signum() * (halves / (den * 2))
}

/// Returns the days of the term from `day` on, with that day.
fn left(day: NaiveDate) -> i64 {
    let expiry: NaiveDate = "2027-11-24".parse().unwrap();
    ((expiry - day).num_days() + 1).clamp(0, 365)
}

/// Returns the refund of a cancellation, computed day by day.
fn pro_rata(prices: &[(NaiveDate, i64)], on: NaiveDate) -> i64 {
    let days = on.iter_days().take(usize::try_from(left(on)).unwrap());
    let of_day = |day: NaiveDate| {
        let known = prices.iter().rev().find(|(from, _)| *from <= day);
        known.unwrap().1
    };
    share(days.map(of_day).sum(), 1, 365)
}

async fn live(steps: &[Step], wait: i64) {
    let mut ann = Customer::new().await;
    let policy = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
    let first = pence(ann.policy(&policy).await.at("/data/policy/paid"));
    let start: NaiveDate = "2026-11-25".parse().unwrap();
    let (mut prices, mut paid) = (vec![(start, first)], first);
    for (wait, level) in steps {
        ann.sleeps(*wait).await;
        let last = prices.last().unwrap();
        let from = ann.shop.app.clock.today().max(start);
        let offer = ann
            .asks(&policy, json!({ "cover_level": level }), None)
            .await;
        if offer.status == StatusCode::UNPROCESSABLE_ENTITY {
            assert_eq!(offer.at("/code"), "nothing_changed");
            continue;
        }
        let offer = offer.expect(StatusCode::OK);
        let price = pence(offer.at("/data/premium_after"));
        let amount = pence(offer.at("/data/amount_now"));
        assert_eq!(amount, share(price - last.1, left(from), 365));
        let change = offer.text("/data/adjustment_id");
        if amount > 0 {
            ann.enters_card(&change, PAYS).await;
        } else {
            let made = ann.agrees(&policy, &change).await;
            made.expect(StatusCode::OK);
        }
        paid += amount;
        prices.push((from, price));
        ann.works().await;
        assert_eq!(ann.balance(&policy).0, paid);
    }
    ann.sleeps(wait).await;
    let today = ann.shop.app.clock.today();
    let minded = today <= start + Days::new(14);
    let expected = if minded {
        paid
    } else {
        (pro_rata(&prices, today).min(paid) - 1500).max(0)
    };
    let look = ann.cancels(&policy, json!({ "preview": true })).await;
    let done = ann.cancels(&policy, json!({})).await;
    let done = done.expect(StatusCode::OK);
    assert_eq!(look.at("/data/refund"), &{
        let mut refund = done.at("/data/refund").clone();
        refund["status"] = json!("none");
        refund
    });
    let back = pence(done.at("/data/refund/amount"));
    assert_eq!(back, expected, "{prices:?} ending on {today}");
    assert!((0..=paid).contains(&back));
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, paid - back);
    assert_eq!(ann.in_hand(&policy).0, paid - back);

    // The tax equals its share of the premium that is kept, except for rounding. After a full refund nothing
    // is kept.
    let kept = |account| -ann.account(&policy, account).0;
    let (premium, tax, fees) = (
        kept(Account::Premium),
        kept(Account::Tax),
        kept(Account::Fees),
    );
    assert_eq!(premium + tax + fees, paid - back);
    assert_eq!(kept(Account::Refunds), 0);
    let rounding = i64::try_from(prices.len()).unwrap() + 1;
    assert!(
        (tax - share(premium + tax, 12, 112)).abs() <= rounding,
        "{tax}"
    );
    if minded {
        assert_eq!((premium, tax, fees), (0, 0, 0), "{prices:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_changes_and_an_end_give_back_what_pro_rata_says(
        steps in prop::collection::vec((0i64..90, 1u32..6), 0..4),
        wait in 0i64..100,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(live(&steps, wait));
    }
}
