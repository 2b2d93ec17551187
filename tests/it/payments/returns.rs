//! The return page of a payment provider. It trusts nothing that the browser brings.

use poem::http::{Method, StatusCode};

use super::Till;
use crate::support::{ORIGIN, Shop};

const ID: &str = "0190f3a1-0000-7000-8000-000000000031";

async fn body_of(shop: &Shop, method: Method, path: &str, status: StatusCode) -> String {
    // The browser comes from another site's page, so it sends no cookie.
    let asked = shop
        .page(method, path)
        .header("Origin", "https://pay.example");
    let answer = asked.header("Sec-Fetch-Site", "cross-site").send().await;
    answer.assert_status(status);
    let header = |name: &str| {
        let value = answer.0.headers().get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned()
    };
    let policy = header("Content-Security-Policy");
    assert!(policy.contains("script-src 'self';"), "{policy}");
    assert!(policy.ends_with("frame-ancestors 'self'"), "{policy}");
    assert_eq!(header("X-Frame-Options"), "SAMEORIGIN");
    assert_eq!(header("Cache-Control"), "no-store");
    assert_eq!(header("Set-Cookie"), "");
    answer.0.into_body().into_string().await.unwrap()
}

#[tokio::test]
async fn whoever_comes_back_is_led_to_the_page_that_asks_whatever_was_brought_along() {
    let shop = Shop::new().await;
    let path = format!("/gateway/sandbox/return/{ID}");
    for (method, path) in [
        (Method::GET, path.clone()),
        (Method::POST, path.clone()),
        (
            Method::GET,
            format!("{path}?status=paid&session_id=cs_1&to=//evil.example"),
        ),
    ] {
        // A provider may show the answer to its POST on its own page.
        let origin = if method == Method::POST { ORIGIN } else { "" };
        let page = body_of(&shop, method, &path, StatusCode::OK).await;
        let link = format!("href=\"{origin}/payment/processing/{ID}\" target=\"_top\"");
        assert!(page.contains(&link), "{page}");
        assert!(!page.contains("evil") && !page.contains("cs_1"), "{page}");
    }
    let script = shop.page(Method::GET, "/gateway/return.js").send().await;
    script.assert_status(StatusCode::OK);
    script.assert_header("Content-Type", "text/javascript; charset=utf-8");
}

#[tokio::test]
async fn whoever_gave_up_is_led_back_to_the_payment() {
    let shop = Shop::new().await;
    let path = format!("/gateway/sandbox/cancelled/{ID}");
    let page = body_of(&shop, Method::GET, &path, StatusCode::OK).await;
    let link = format!("href=\"/payment/{ID}?gateway=sandbox&amp;left\" target=\"_top\"");
    assert!(page.contains(&link), "{page}");
}

#[tokio::test]
async fn an_address_that_no_provider_was_given_is_none() {
    let shop = Shop::new().await;
    for path in [
        format!("/gateway/No%22body/return/{ID}"),
        "/gateway/sandbox/return/..%2F..%2Fdashboard".to_owned(),
        "/gateway/sandbox/return/javascript:1".to_owned(),
        "/gateway/stripe/cancelled/1".to_owned(),
    ] {
        let page = body_of(&shop, Method::GET, &path, StatusCode::NOT_FOUND).await;
        assert!(page.contains("This page does not exist."), "{page}");
        assert!(!page.contains("data-back"), "{page}");
    }
}

#[tokio::test]
async fn the_gateway_sends_whoever_paid_there() {
    let till = Till::open().await;
    let answer = till.shop.pay(&till.frame, "4242 4242 4242 4242").await;
    let page = answer.0.into_body().into_string().await.unwrap();
    let link = format!("/gateway/sandbox/return/{}\"", till.quote.uuid);
    assert!(page.contains(&link), "{page}");
}
