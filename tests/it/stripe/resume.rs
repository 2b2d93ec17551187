//! `layby resume` after a restore: gateways know what the restored store lacks.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{RefundMethod, Resolution, ResolutionWay};
use layby::app::commands::{self, StoreCommand};
use layby::store::tables::{self, HeldShop};
use serde_json::{Value, json};

use super::double::{Books, Card};
use super::till::{Till, settings};
use crate::globalpayments::till::{Till as GpTill, section};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::smartpayfuse;
use crate::support::Shop;

pub async fn execute(shop: &Shop, command: StoreCommand) -> String {
    let (mut lines, app) = (Vec::new(), &shop.app);
    let place = (&app.store, &app.config);
    let done = commands::execute(place, &command, app.clock.now(), &mut lines);
    done.await.unwrap();
    lines.join("\n")
}

/// Marks a shop as restored from a backup of this age.
pub async fn hold(shop: &Shop, age: TimeDelta) {
    let restored = shop.clock.now();
    let held = HeldShop {
        copied: restored - age,
        restored,
    };
    let store = &shop.app.store;
    let hold = store.write(move |tx| tables::HELD_SHOP.put(tx, &(), &held));
    hold.await.unwrap();
}

/// Returns the section of a gateway that has no list.
fn fuse_section(now: i64) -> String {
    let double = smartpayfuse::double::Double::start("127.0.0.1:0", move || now).unwrap();
    let settings = smartpayfuse::till::settings(&double, "[]", "");
    let name = "[payments.smartpayfuse]";
    name.to_string() + settings.split_once(name).unwrap().1
}

#[tokio::test]
async fn a_lost_sale_and_a_lost_refund_are_listed_and_kept_as_unresolved_money() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let id = |books: &mut Books, _| books.intents.all()[0]["id"].clone();
    let intent = till.double.books(id).as_str().unwrap().to_string();
    let by_hand = (json!({}), Value::Null);
    let refund = |books: &mut Books, now| books.refund(&intent, Some(100), by_hand, now).unwrap();
    let refund = till.double.books(refund)["id"]
        .as_str()
        .unwrap()
        .to_string();
    till.hear_all().await;
    let other = GpTill::paid().await;

    // The restored shop has none of that.
    let fuse = fuse_section(till.shop.clock.now().timestamp());
    let settings = settings(&till.double, "[\"stripe\"]") + &section(&other.double) + &fuse;
    let shop = Shop::configured(&settings).await;
    hold(&shop, TimeDelta::hours(1)).await;
    let output = execute(&shop, StoreCommand::Resume { is_dry_run: true }).await;
    let amount = till.attempt().amount;
    for expected in [
        &format!("a payment at stripe is not in the store: {intent}  {amount}"),
        &format!("https://dashboard.stripe.com/test/payments/{intent}"),
        &format!("a refund at stripe is not in the store: {refund}  £1.00"),
        "a payment at globalpayments is not in the store: TRN_",
        "smartpayfuse can't list what was paid since",
        "not in the store: 3; nothing was changed",
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
    assert!(shop.rows(&tables::SETTLEMENT_LINES).is_empty());

    execute(&shop, StoreCommand::Resume { is_dry_run: false }).await;
    assert!(shop.rows(&tables::HELD_SHOP).is_empty());
    let listed = unresolved(&shop).await;
    let references: Vec<_> = listed
        .iter()
        .filter_map(|row| row.reference.as_ref())
        .collect();
    assert_eq!(listed.len(), 3);
    assert!(references.contains(&&intent) && references.contains(&&refund));
    // The operator refunds the sales at the gateways, and writes that down.
    for row in listed {
        let follow_up = |method| Resolution {
            id: row.id.unwrap(),
            method,
            by: "Jo Bloggs".to_string(),
            why: "refunded in the Dashboard".to_string(),
        };
        let transfer = follow_up(ResolutionWay::Refund(RefundMethod::Transfer));
        let refused = resolves(&shop, &transfer).await.unwrap_err();
        assert!(refused.contains("--method followed-up"), "{refused}");
        let output = resolves(&shop, &follow_up(ResolutionWay::Message))
            .await
            .unwrap();
        assert!(output.ends_with("is followed up"), "{output}");
        let again = resolves(&shop, &follow_up(ResolutionWay::Message))
            .await
            .unwrap_err();
        assert!(
            again.contains("by Jo Bloggs: refunded in the Dashboard"),
            "{again}"
        );
    }
    assert_eq!(unresolved(&shop).await, []);
    is_clean(&shop, "after the lines were followed up");
    // The shops that made the sales know all of it.
    for shop in [&till.shop, &other.shop] {
        hold(shop, TimeDelta::hours(1)).await;
        let output = execute(shop, StoreCommand::Resume { is_dry_run: true }).await;
        assert!(output.contains("not in the store: 0"), "{output}");
    }
}
