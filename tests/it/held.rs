//! A shop that was restored from a backup is held until `layby resume`.

use std::ops::ControlFlow;
use std::time::Duration;

use chrono::TimeDelta;
use layby::app::backups::restore;
use layby::app::commands::{self, StoreCommand};
use layby::app::letters::delivery::outbox::MailOrder;
use layby::app::{check, jobs};
use layby::store::tables;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::aggregator;
use crate::money::sell;
use crate::support::stores::snapshot;
use crate::support::{Shop, answers_of, two_vehicles};

const PAYS: &str = "4242 4242 4242 4242";

/// The calls that a held shop answers although they are no reads.
const PERMITTED: [&str; 12] = [
    "/api/login",
    "/api/v1/profile/password",
    "/api/v1/password/{aid}/reset",
    "/api/v1/retrieve-password-request",
    "/api/v1/retrieve-password",
    "/api/v1/form/{id}",
    "/api/v1/form/{id}/check",
    "/api/v1/price",
    "/api/v1/prices",
    "/api/v1/monthly-price",
    "/api/v1/documents/check",
    "/api/v1/cover",
];

/// Prepares the store as a restore does.
async fn restored() -> (Shop, String) {
    let shop = Shop::new().await;
    let (user, cookie) = shop.customer().await;
    sell(&shop, PAYS).await;
    shop.quote(&two_vehicles()).await;
    let waiting = |shop: &Shop| {
        let quotes = shop.rows(&tables::QUOTE_LETTERS).len();
        [shop.rows(&tables::POLICY_LETTERS).len(), quotes]
    };
    assert!(!waiting(&shop).contains(&0));
    let before = shop.row(&tables::COUNTERS, &"reference".to_string());
    // A letter about a quote waits for half a minute.
    let later = shop.clock.now() + TimeDelta::minutes(1);
    let copied = restore::prepare(&shop.app.store, later).await;
    assert!(copied.unwrap() <= later);
    assert_eq!(
        shop.row(&tables::COUNTERS, &"reference".to_string()),
        before + 10_000
    );
    assert!(shop.rows(&tables::SESSIONS).is_empty() && shop.rows(&tables::LINKS).is_empty());
    // No letter is sent twice by itself, and none is lost.
    assert_eq!(waiting(&shop), [0, 0]);
    check::check_running(&shop.app.store, None, &mut |_| ControlFlow::Continue(())).unwrap();
    let listed = execute(&shop, StoreCommand::Mail(MailOrder::List))
        .await
        .unwrap();
    assert!(
        listed
            .iter()
            .any(|line| line.contains("may have been sent since")),
        "{listed:?}"
    );
    shop.app.refresh_cluster_state().await.unwrap();
    assert_eq!(shop.profile(&cookie).await.status, StatusCode::UNAUTHORIZED);
    (shop, user)
}

async fn execute(shop: &Shop, command: StoreCommand) -> Result<Vec<String>, String> {
    let (mut lines, app) = (Vec::new(), &shop.app);
    let place = (&app.store, &app.config);
    let done = commands::execute(place, &command, app.clock.now(), &mut lines).await;
    done.map(|()| lines)
}

#[tokio::test]
async fn a_held_shop_answers_reads_and_refuses_every_other_call() {
    let (shop, user) = restored().await;
    let document: Value = serde_json::from_str(include_str!("../../docs/openapi.json")).unwrap();
    let id = "01937000-0000-7000-8000-000000000001";
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            if method == "get" {
                continue;
            }
            let method: Method = method.to_uppercase().parse().unwrap();
            let address = path
                .replace("{product}", "breakdown")
                .replace("{provider}", "sandbox");
            let address = address.replace("{id}", id).replace("{aid}", id);
            let answer = shop.call(method, &address).json(&json!({})).send().await;
            let is_held = answer.status == StatusCode::SERVICE_UNAVAILABLE;
            assert_eq!(!is_held, PERMITTED.contains(&&**path), "{path}");
            if is_held {
                assert_eq!(answer.at("/code"), "held", "{path}");
            }
        }
    }
    let callback = shop
        .call(Method::POST, "/api/v1/gateway/sandbox/callback")
        .body("{}");
    callback.answers(StatusCode::SERVICE_UNAVAILABLE).await;
    shop.get("/api/v2/product/list").succeeds().await;
    assert_eq!(
        shop.get("/api/v1/site").succeeds().await.at("/data/held"),
        true
    );
    shop.get("/health/ready").succeeds().await;
    let old = json!({ "username": user, "password": "Layby-demo-2026", "remember": true });
    let refused = shop.post("/api/login", &old);
    refused.answers(StatusCode::UNPROCESSABLE_ENTITY).await;
    let refused = execute(&shop, StoreCommand::Mail(MailOrder::Requeue(Vec::new()))).await;
    assert!(refused.unwrap_err().contains("layby resume"));
}

#[tokio::test]
async fn a_held_shop_runs_no_job_but_the_letters_that_set_passwords() {
    let (shop, user) = restored().await;
    let (stop, stopped) = watch::channel(false);
    let work = tokio::spawn(layby::worker::run(shop.app.clone(), stopped));
    let asked = json!({ "username": user });
    shop.post("/api/v1/retrieve-password-request", &asked)
        .succeeds()
        .await;
    // Longer than the workers' poll interval.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert_eq!(shop.letters().len(), 1);
    let tx = snapshot(&shop.app.store);
    assert_eq!(tables::LAST_DAILY_RUN.get(&tx, &()).unwrap(), None);
    assert!(!shop.rows(&tables::DOCUMENTS_TO_MAKE).is_empty());
    // The sandbox moves no money, so there is nothing to ask.
    let dry = execute(&shop, StoreCommand::Resume { is_dry_run: true }).await;
    assert!(dry.unwrap().concat().contains("nothing was changed"));
    let resumed = execute(&shop, StoreCommand::Resume { is_dry_run: false }).await;
    assert!(resumed.unwrap().concat().contains("the shop sells again"));
    for _ in 0..200 {
        if !shop.app.is_held() && shop.rows(&tables::DOCUMENTS_TO_MAKE).is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(shop.rows(&tables::DOCUMENTS_TO_MAKE).is_empty());
    stop.send(true).unwrap();
    work.await.unwrap();
    jobs::daily(&shop.app).await.unwrap();
    shop.quote(&two_vehicles()).await;
}

#[tokio::test]
async fn tokens_and_links_of_the_copy_end_and_rescue_cards_stay() {
    let shop = aggregator::shop().await;
    let sent = aggregator::send(&shop, aggregator::KEY, &aggregator::risk("r-1")).await;
    let address = sent.text("/data/click_through");
    let quote = shop.quote(&answers_of("new@example.org")).await;
    shop.post_comes().await;
    let mut letters = shop.letters().into_iter();
    let letter = letters.find(|letter| letter.text.contains(&quote.uuid));
    let secret = letter.unwrap().secret_of(&quote.uuid);
    let policy = sell(&shop, PAYS).await.quote;
    let documents = format!("/api/v1/policy/{}/documents", policy.uuid);
    let documents = || shop.get(&documents).bearer(&policy.token);
    documents().succeeds().await;
    let keep = format!("/api/v1/policy/{}/rescue-card", policy.uuid);
    let card = shop.post(&keep, &json!({})).bearer(&policy.token);
    let card = card.succeeds().await.text("/data/key");

    let copied = restore::prepare(&shop.app.store, shop.clock.now()).await;
    copied.unwrap();
    let released = execute(&shop, StoreCommand::Resume { is_dry_run: false }).await;
    released.unwrap();
    shop.read(&quote).await.expect(StatusCode::UNAUTHORIZED);
    let resumed = shop.resume(&secret).send().await;
    resumed.expect(StatusCode::NOT_FOUND);
    documents().answers(StatusCode::UNAUTHORIZED).await;
    let used = aggregator::click(&shop, &address).await;
    assert_eq!(
        used.expect(StatusCode::CONFLICT).text("/code"),
        "click_used"
    );
    let card = shop.get("/api/v1/rescue-card").header("X-Card-Key", &card);
    card.succeeds().await;
}
