//! Demonstration data: believable, complete, reproducible.

use std::collections::BTreeMap;

use layby::app::seed::{self, Plan, fill};
use layby::domain::policy::cancellation::NOT_PAID;
use layby::domain::policy::plan::{NoticeLetter, PlanStatus};
use layby::domain::quote::QuoteStatus;
use layby::domain::time::dates::{add_months, london_date, parse_form_date};
use layby::store::tables;

use crate::money::books::is_clean;
use crate::support::Shop;
use crate::support::stores::snapshot;

async fn seeded(plan: &Plan) -> Shop {
    let shop = Shop::new().await;
    fill(&shop.app, plan, &mut |_, _| {}).await.unwrap();
    shop
}

fn quotes(shop: &Shop) -> Vec<layby::domain::quote::Quote> {
    shop.rows(&tables::QUOTES)
        .into_iter()
        .map(|(_, quote)| quote)
        .collect()
}

#[tokio::test]
async fn there_are_quotes_in_every_status_policies_and_renewals() {
    let shop = seeded(&Plan::default()).await;
    let mut statuses: BTreeMap<u32, usize> = BTreeMap::new();
    let quotes = quotes(&shop);
    for quote in &quotes {
        *statuses.entry(quote.status.id()).or_default() += 1;
    }
    for id in [1, 2, 5, 7, 8, 9, 14, 15, 16, 30, 31, 32] {
        assert!(statuses.contains_key(&id), "no status {id}: {statuses:?}");
    }
    assert!(quotes.len() >= 200, "{}", quotes.len());
    assert!(quotes.iter().any(|quote| quote.is_renewal()));
    let tx = snapshot(&shop.app.store);
    for quote in &quotes {
        let policy = tables::POLICIES.get(&tx, &quote.uuid).unwrap();
        assert_eq!(policy.is_some(), quote.status.is_policy());
        assert!(layby::domain::reference::is_reference(&quote.reference));
        assert!(tables::USERS.has(&tx, &quote.owner.unwrap()).unwrap());
        if let Some(policy) = policy {
            assert!(policy.paid.0 > 0);
        }
    }
}

#[tokio::test]
async fn there_are_monthly_plans_in_every_state_and_the_books_tie() {
    let shop = seeded(&Plan::default()).await;
    is_clean(&shop, "after the seed");
    let tx = snapshot(&shop.app.store);
    let today = shop.app.clock.today();
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, plan) in shop.rows(&tables::PLANS) {
        let policy = tables::POLICIES.get(&tx, &id).unwrap().unwrap();
        let quote = tables::QUOTES.get(&tx, &id).unwrap().unwrap();
        let reason = policy.cancellation.and_then(|ended| ended.reason);
        let is_live = quote.status == QuoteStatus::Live;
        let left = plan
            .instalments
            .iter()
            .filter(|own| own.is_unpaid())
            .count();
        let state = match plan.status {
            PlanStatus::Active if policy.charging_stopped.is_some() => "charging stopped",
            PlanStatus::Active if left == 0 => "paid",
            PlanStatus::Active => "active",
            PlanStatus::Failed { next_try, .. } => {
                assert!(next_try.is_some_and(|day| today <= day), "{plan:?}");
                "failed"
            }
            PlanStatus::Notice(notice) => {
                assert!(today < notice.ends_on, "{plan:?}");
                match notice.letter {
                    NoticeLetter::Notice => "notice",
                    NoticeLetter::Reminder => "reminder",
                }
            }
            PlanStatus::Ended if reason == Some(NOT_PAID) => "unpaid",
            PlanStatus::Ended if reason.is_some() => "cancelled",
            PlanStatus::Ended => {
                assert_eq!(left, 0, "{plan:?}");
                "expired"
            }
        };
        assert_eq!(is_live, reason.is_none() && state != "expired");
        assert_eq!(policy.instrument.is_none(), state == "charging stopped");
        *states.entry(state).or_default() += 1;
    }
    let all = [
        "active",
        "cancelled",
        "charging stopped",
        "expired",
        "failed",
        "notice",
        "paid",
        "reminder",
        "unpaid",
    ];
    assert_eq!(states.into_keys().collect::<Vec<_>>(), all);
}

#[tokio::test]
async fn the_same_number_makes_the_same_data() {
    let plan = |seed_number| Plan {
        customers: 5,
        policies: 40,
        seed_number,
    };
    let one = quotes(&seeded(&plan(7)).await);
    let same = quotes(&seeded(&plan(7)).await);
    let other = quotes(&seeded(&plan(8)).await);
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[tokio::test]
async fn a_store_with_real_data_is_known_from_one_with_demonstrations() {
    let shop = Shop::new().await;
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
    let plan = Plan {
        customers: 2,
        policies: 10,
        seed_number: 1,
    };
    fill(&shop.app, &plan, &mut |_, _| {}).await.unwrap();
    assert!(!seed::is_empty(&shop.app.store).await.unwrap());
    assert!(
        seed::holds_only_demonstration_data(&shop.app.store)
            .await
            .unwrap()
    );
    shop.quote(&crate::support::two_vehicles()).await;
    assert!(
        !seed::holds_only_demonstration_data(&shop.app.store)
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn every_customer_has_some_of_every_product_and_gadgets_are_believable() {
    let shop = seeded(&Plan::default()).await;
    let quotes = quotes(&shop);
    let mut owned: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for quote in &quotes {
        owned
            .entry(quote.owner.unwrap())
            .or_default()
            .push(&quote.product);
    }
    for products in owned.values() {
        assert!(products.contains(&"breakdown") && products.contains(&"gadget"));
    }
    let gadgets: Vec<_> = quotes.iter().filter(|q| q.product == "gadget").collect();
    assert!((80..=120).contains(&gadgets.len()), "{}", gadgets.len());
    for status in QuoteStatus::ALL {
        assert!(gadgets.iter().any(|q| q.status == status), "{status:?}");
    }
    let mut makes = Vec::new();
    for quote in gadgets {
        let revision = &quote.current;
        let cards = revision.answers.rows("gadgets");
        assert!((1..=3).contains(&cards.len()));
        makes.extend(
            cards
                .iter()
                .map(|card| card["make"].as_str().unwrap().to_owned()),
        );
        if quote.status == QuoteStatus::Declined {
            let reason = quote.reason.as_deref().unwrap();
            assert!(reason.contains("18 months"), "{reason}");
            continue;
        }
        for card in cards {
            let bought = parse_form_date(card["purchase_date"].as_str().unwrap()).unwrap();
            assert!(bought <= london_date(revision.at));
            let start = revision
                .inception
                .unwrap_or_else(|| london_date(revision.at));
            assert!(add_months(bought, 18) >= start, "{bought} for {start}");
            assert_eq!(card["working_order"], 1);
        }
        if quote.status.is_policy() {
            let answers = &revision.answers.values;
            assert_eq!(answers["assumptions_confirmed"], true);
            assert_eq!(answers["terms_and_conditions"], true);
        }
    }
    makes.sort();
    makes.dedup();
    assert!(
        makes.len() > 5 && !makes.contains(&"Sample".to_owned()),
        "{makes:?}"
    );
    // A policy near its end can be renewed, because its gadgets are young enough.
    let renewals = quotes
        .iter()
        .filter(|q| q.is_renewal() && q.product == "gadget");
    let statuses: Vec<_> = renewals.map(|quote| quote.status).collect();
    assert!(!statuses.is_empty());
    assert!(statuses.iter().all(|status| *status == QuoteStatus::Quote));
}
