//! Responses before the store is open.

use layby::api::{StartupGate, served};
use poem::http::StatusCode;
use poem::test::TestClient;

use crate::support::Shop;

#[tokio::test]
async fn until_the_store_is_open_the_shop_says_that_it_lives_and_nothing_else() {
    let shop = Shop::new().await;
    let entrance = StartupGate::new(&shop.app.config, || Some(34));
    let client = TestClient::new(entrance.clone());
    let get = async |path: &str| client.get(path).header("host", "shop").send().await;

    let live = get("/health/live").await;
    live.assert_status_is_ok();
    live.assert_text("ok").await;
    let ready = get("/health/ready").await;
    ready.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    ready.assert_header("retry-after", "5");
    ready
        .assert_text("repairing: 34 percent of the store are in order")
        .await;
    let call = get("/api/v1/site").await;
    call.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    call.assert_header("retry-after", "2");
    let body = call.json().await;
    body.value()
        .object()
        .get("code")
        .assert_string("unavailable");
    let page = get("/dashboard").await;
    page.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    page.assert_header("retry-after", "5");
    page.assert_header("cache-control", "no-store");
    page.assert_header_exist("content-security-policy");
    let page = page.0.into_body().into_string().await.unwrap();
    assert!(page.contains("We will be back in a moment"), "{page}");

    entrance.open(served(shop.app.clone()));
    let ready = get("/health/ready").await;
    ready.assert_status_is_ok();
    ready.assert_text("ok").await;
}

#[tokio::test]
async fn a_store_that_is_opened_without_a_repair_is_not_ready_either() {
    let shop = Shop::new().await;
    let client = TestClient::new(StartupGate::new(&shop.app.config, || None));
    let ready = client.get("/health/ready").send().await;
    ready.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    ready.assert_text("not ready").await;
}
