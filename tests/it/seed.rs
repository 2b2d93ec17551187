//! Demonstration data: believable, complete, reproducible.

use std::collections::BTreeMap;

use layby::app::seed::{Plan, fill};
use layby::store::{Direction, tables};

use crate::support::Shop;

async fn seeded(plan: &Plan) -> Shop {
    let shop = Shop::new().await;
    fill(&shop.app, plan, &mut |_, _| {}).await.unwrap();
    shop
}

fn quotes(shop: &Shop) -> Vec<layby::domain::quote::Quote> {
    let tx = shop.app.store.read().unwrap();
    let rows = tables::QUOTES.list(&tx, &(), Direction::Forward, usize::MAX);
    rows.unwrap().into_iter().map(|(_, quote)| quote).collect()
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
    assert!(quotes.iter().any(|quote| quote.renewal));
    let tx = shop.app.store.read().unwrap();
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
    assert!(shop.app.is_empty().unwrap());
    let plan = Plan {
        customers: 2,
        policies: 10,
        seed_number: 1,
    };
    fill(&shop.app, &plan, &mut |_, _| {}).await.unwrap();
    assert!(!shop.app.is_empty().unwrap());
    assert!(shop.app.holds_only_demonstration_data().unwrap());
    shop.quote(&crate::support::two_vehicles()).await;
    assert!(!shop.app.holds_only_demonstration_data().unwrap());
}
