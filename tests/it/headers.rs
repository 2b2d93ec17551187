//! The headers of every response, and its log line.

use layby::config::LogFormat;
use poem::http::StatusCode;

use crate::front_door::{ask, header, shop};
use crate::support::Shop;
use crate::support::log::recorded;
use crate::support::production::OWN_SITE;

#[tokio::test]
async fn the_website_may_run_its_own_script_and_nobody_elses() {
    let response = ask("/dashboard", &[]).await;
    let policy = header(&response, "Content-Security-Policy");
    assert_eq!(
        policy,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'; worker-src 'none'; manifest-src 'self'"
    );
    for (name, value) in [
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "strict-origin-when-cross-origin"),
        (
            "Permissions-Policy",
            "camera=(), geolocation=(), microphone=(), usb=()",
        ),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Strict-Transport-Security", ""),
    ] {
        assert_eq!(header(&response, name), value, "{name}");
    }
}

#[tokio::test]
async fn only_pages_for_a_breakdown_may_have_a_worker_and_ask_where_they_are() {
    let page = ask("/broken-down", &[]).await;
    let policy = header(&page, "Content-Security-Policy");
    assert!(policy.contains("worker-src 'self'"), "{policy}");
    assert_eq!(
        header(&page, "Permissions-Policy"),
        "camera=(), geolocation=(self), microphone=(), usb=()"
    );
    ask("/worker.js", &[]).await.assert_status_is_ok();
    for path in ["/rescue-card", "/rescue-card/worker.js"] {
        let response = ask(path, &[]).await;
        response.assert_status_is_ok();
        assert_eq!(
            header(&response, "Content-Security-Policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
             font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
             form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
            "{path}"
        );
        assert_eq!(
            header(&response, "Permissions-Policy"),
            "camera=(), geolocation=(self), microphone=(), usb=()"
        );
        assert_eq!(header(&response, "Service-Worker-Allowed"), "/rescue-card");
        assert_eq!(header(&response, "X-Frame-Options"), "DENY");
        assert_eq!(header(&response, "Cache-Control"), "no-cache");
    }
    for path in [
        "/",
        "/payment",
        "/policy/view/0192f3c2-0000-7000-8000-000000000001",
        "/rescue-cards",
        "/broken-downs",
        "/worker.js",
        "/api/kept",
    ] {
        let response = ask(path, &[]).await;
        let permitted = header(&response, "Permissions-Policy");
        assert!(permitted.contains("geolocation=()"), "{path}");
        assert_eq!(header(&response, "Service-Worker-Allowed"), "", "{path}");
    }
    // Consent to cookies allows no tag there either.
    let settings = format!("{LIVE}{TAGS}{OWN_SITE}");
    let shop = shop(&settings);
    for path in ["/rescue-card", "/broken-down"] {
        let page = shop.get(path);
        let page = page.header("Cookie", "layby_cookies=accepted").send().await;
        let policy = header(&page, "Content-Security-Policy");
        assert!(!policy.contains("tags.example"), "{path}: {policy}");
    }
}

#[tokio::test]
async fn answers_of_the_api_are_not_kept_unless_they_say_so() {
    let response = ask("/api/quote/1", &[]).await;
    assert_eq!(header(&response, "Cache-Control"), "no-store");
    assert_eq!(
        header(&response, "Content-Security-Policy"),
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    );
    let response = ask("/api/kept", &[]).await;
    assert_eq!(header(&response, "Cache-Control"), "public, max-age=60");
    let response = ask("/api/broken", &[]).await;
    response.assert_status(StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(header(&response, "X-Content-Type-Options"), "nosniff");
    let response = ask("/api/docs", &[]).await;
    let policy = header(&response, "Content-Security-Policy");
    assert!(policy.contains("script-src 'unsafe-inline';"), "{policy}");
}

#[tokio::test]
async fn only_our_own_pages_may_frame_the_gateway() {
    let response = ask("/gateway/sandbox/pay/s3cret", &[]).await;
    let policy = header(&response, "Content-Security-Policy");
    assert!(policy.contains("script-src 'self';"), "{policy}");
    assert!(policy.contains("form-action 'self';"), "{policy}");
    assert!(policy.ends_with("frame-ancestors 'self'"), "{policy}");
    assert_eq!(header(&response, "X-Frame-Options"), "SAMEORIGIN");
    assert_eq!(header(&response, "Referrer-Policy"), "same-origin");
    assert_eq!(header(&response, "Cache-Control"), "no-store");
}

const LIVE: &str = "mode = \"production\"\nserver.public_url = \"https://a.example\"\n\
    payments.gateways = [\"stripe\"]\n\
    payments.stripe.secret_key = \"sk_live_0000\"\n\
    payments.stripe.webhook_secrets = [\"whsec_0000\"]\n\
    server.trusted_proxies = [\"127.0.0.1\"]\nmail.none = true\n";
const TAGS: &str = "[tag_manager]\nid = \"GTM-1\"\nsrc = \"https://tags.example/gtm.js\"\n";

#[tokio::test]
async fn tags_run_in_production_for_those_who_accepted() {
    let live = format!("{LIVE}{TAGS}{OWN_SITE}");
    for (settings, cookie, open) in [
        (live.as_str(), "layby_cookies=accepted", true),
        (
            live.as_str(),
            "session=1; layby_cookies=accepted; x=y",
            true,
        ),
        (live.as_str(), "layby_cookies=refused", false),
        (live.as_str(), "other=accepted", false),
        (live.as_str(), "", false),
        (TAGS, "layby_cookies=accepted", false),
        ("", "layby_cookies=accepted", false),
    ] {
        let response = shop(settings)
            .get("/")
            .header("Cookie", cookie)
            .send()
            .await;
        let policy = header(&response, "Content-Security-Policy");
        let scripts = "script-src 'self' https://tags.example;";
        assert_eq!(policy.contains(scripts), open, "{cookie}: {policy}");
        assert_eq!(policy.contains("tags.example"), open, "{cookie}: {policy}");
        let varies = response
            .0
            .headers()
            .get_all("Vary")
            .iter()
            .any(|vary| vary == "Cookie");
        assert_eq!(varies, settings == live, "{cookie}");
    }
    let response = shop(&live).get("/").send().await;
    assert_eq!(
        header(&response, "Strict-Transport-Security"),
        "max-age=31536000"
    );
    let below = format!("server.hsts_subdomains = true\n{live}");
    let response = shop(&below).get("/api/quote/1").send().await;
    assert_eq!(
        header(&response, "Strict-Transport-Security"),
        "max-age=31536000; includeSubDomains"
    );
}

const REVIEWS: &str = "reviews_frame = \"https://reviews.example/widget?id=1\"\n";

#[tokio::test]
async fn where_somebody_pays_nobody_elses_script_or_frame_is_allowed_whoever_accepted_what() {
    let live = format!("{LIVE}{TAGS}{OWN_SITE}{REVIEWS}");
    let id = "0190f3a1-0000-7000-8000-000000000000";
    for page in [
        "/payment".to_owned(),
        format!("/payment/{id}"),
        format!("/payment/{id}?gateway=sandbox"),
        format!("/payment/{id}?x=1&gateway=https://evil.example&gateway=*"),
        format!("/payment/processing/{id}"),
        format!("/payment/success/{id}"),
        format!("/payment/failure/{id}"),
    ] {
        for settings in [live.as_str(), ""] {
            let shop = shop(settings);
            let asked = shop.get(&page);
            let response = asked
                .header("Cookie", "layby_cookies=accepted")
                .send()
                .await;
            response.assert_status(StatusCode::OK);
            assert_eq!(
                header(&response, "Content-Security-Policy"),
                "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                 img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; \
                 form-action 'self'; base-uri 'none'; frame-ancestors 'none'; worker-src 'none'; manifest-src 'self'",
                "{page}"
            );
            assert_eq!(header(&response, "X-Frame-Options"), "DENY");
            let mut varies = response.0.headers().get_all("Vary").iter();
            assert!(varies.all(|vary| vary != "Cookie"), "{page}");
        }
    }
    let response = shop(&live).get("/payments").send().await;
    let policy = header(&response, "Content-Security-Policy");
    assert!(
        policy.contains("frame-src 'self' https://reviews.example;"),
        "{policy}"
    );
}

#[tokio::test]
async fn a_configured_reviews_frame_may_be_shown() {
    let response = shop(&format!("[site]\n{REVIEWS}")).get("/").send().await;
    let policy = header(&response, "Content-Security-Policy");
    assert!(
        policy.contains("frame-src 'self' https://reviews.example;"),
        "{policy}"
    );
}

#[tokio::test]
async fn every_line_of_a_request_has_its_id_and_none_says_who_asked() {
    let (lines, _guard) = recorded(LogFormat::Json);
    let response = ask("/api/quote/0192-secret?email=ann@example.org", &[]).await;
    let id = header(&response, "X-Request-Id");
    assert_eq!(id.len(), 36, "{id}");
    let text = lines.text();
    let logged: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(logged.len(), 2, "{text}");
    for line in &logged {
        assert_eq!(line["span"]["id"], id.as_str(), "{line}");
        assert_eq!(line["span"]["method"], "GET", "{line}");
    }
    assert_eq!(logged[0]["message"], "looked up");
    assert_eq!(logged[1]["route"], "/api/quote/:id");
    assert_eq!(logged[1]["status"], 200);
    assert!(logged[1]["duration_ms"].as_f64().unwrap() >= 0.0);
    assert!(!text.contains("secret") && !text.contains("ann@"), "{text}");
}

#[tokio::test]
async fn lines_for_people_name_the_route_too() {
    let (lines, _guard) = recorded(LogFormat::Text);
    for (path, route, level, status) in [
        (
            "/payment/success/0192f3c2-0000-7000-8000-000000000001",
            "/payment/success/:id",
            "INFO",
            200,
        ),
        (
            "/gateway/sandbox/pay/s3cret",
            "/gateway/sandbox/pay/:secret",
            "INFO",
            200,
        ),
        ("/ann@example.org", "/:unknown", "INFO", 404),
        ("/badge.svg", "/:file", "INFO", 200),
        ("/api/broken", "/api/broken", "WARN", 500),
    ] {
        let response = ask(path, &[]).await;
        let id = header(&response, "X-Request-Id");
        let text = lines.text();
        let line = text.lines().last().unwrap();
        for part in [
            &id,
            level,
            &format!("route=\"{route}\""),
            &format!("status={status}"),
        ] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }
    let text = lines.text();
    assert!(!text.contains("s3cret") && !text.contains("ann@") && !text.contains("0192/"));
}

#[tokio::test]
async fn an_id_that_came_along_is_kept_if_it_is_harmless() {
    for (given, is_kept) in [
        ("0192f1f2-aaaa-7bbb-8ccc-0123456789ab", true),
        ("trace.17_a", true),
        ("short", false),
        ("has spaces in it", false),
        ("<script>alert(1)</script>", false),
        (&"x".repeat(65), false),
    ] {
        let response = ask("/api/quote/1", &[("X-Request-Id", given)]).await;
        assert_eq!(
            header(&response, "X-Request-Id") == given,
            is_kept,
            "{given}"
        );
        assert!(header(&response, "X-Request-Id").len() >= 8);
    }
}

/// The length of a compressed response reveals its secrets if an attacker can choose a part of it (BREACH).
#[tokio::test]
async fn an_answer_with_a_token_is_never_compressed() {
    let shop = Shop::new().await;
    let product = crate::support::two_vehicles();
    let created = shop
        .create(&product)
        .header("Accept-Encoding", "gzip, br")
        .answers(StatusCode::CREATED)
        .await;
    let (uuid, token) = (
        created.text("/data/uuid"),
        created.text("/data/consumer_token"),
    );
    let read = shop
        .get(&format!("/api/v2/public/quote/read/{uuid}"))
        .bearer(&token)
        .header("Accept-Encoding", "gzip, br")
        .succeeds()
        .await;
    assert!(read.bytes.len() > 1024);
    for answer in [created, read] {
        assert!(!answer.headers.contains_key("Content-Encoding"));
        assert!(!answer.headers.contains_key("ETag"));
        assert_eq!(answer.headers["Cache-Control"], "no-store");
    }
}
