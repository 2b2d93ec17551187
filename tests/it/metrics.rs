//! The metrics of the process, and who may read them.

use poem::http::StatusCode;

use crate::support::{Shop, two_vehicles};

/// Returns the value of a metric's line. All tests of a process count together.
fn value(counted: &str, name: &str) -> f64 {
    let mut lines = counted.lines();
    let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let line = line.unwrap_or_else(|| panic!("{name} isn't in\n{counted}"));
    line.parse().unwrap()
}

#[tokio::test]
async fn requests_commits_work_and_payments_are_counted() {
    // Here a client without a proxy has the address 0.0.0.0.
    let shop = Shop::configured("[server]\nmetrics_allow = [\"0.0.0.0\"]\n").await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.buy(&quote, "4242 4242 4242 4242").await;
    shop.payment(&quote).await.expect(StatusCode::OK);
    shop.work().await;
    let counted = shop.get("/metrics").succeeds().await;
    let kind = &counted.headers["content-type"];
    assert!(
        kind.to_str()
            .unwrap()
            .starts_with("application/openmetrics-text")
    );
    let counted = String::from_utf8(counted.bytes).unwrap();
    for name in [
        "layby_request_seconds_count{method=\"POST\",route=\"/api/v2/public/quote/:param0\",status=\"201\"}",
        "layby_store_commit_seconds_count",
        "layby_store_writes_total",
        "layby_jobs_total{task=\"make a document\",outcome=\"done\"}",
        "layby_payments_total{status=\"paid\"}",
        "layby_build{version=\"0.1.0\"}",
    ] {
        assert!(value(&counted, name) >= 1.0, "{name}");
    }
    value(&counted, "layby_store_reopens_total");
    value(&counted, "layby_job_queue_lag_seconds{queue=\"shop\"}");
    assert!(counted.ends_with("# EOF\n"));
    // The metrics never contain a quote's id.
    assert!(!counted.contains(&quote.uuid));
}

#[tokio::test]
async fn they_are_for_the_operator_alone() {
    let settings = "[server]\nmetrics_allow = [\"0.0.0.0\", \"10.1.0.0/16\"]\n";
    let shop = Shop::configured(settings).await;
    shop.get("/metrics").succeeds().await;
    // The header of an untrusted proxy does not count.
    let relayed = shop.get("/metrics").header("X-Forwarded-For", "10.1.2.3");
    relayed.answers(StatusCode::NOT_FOUND).await;

    let settings = "[server]\nmetrics_allow = [\"10.1.0.0/16\"]\ntrusted_proxies = [\"0.0.0.0\"]\n";
    let shop = Shop::configured(settings).await;
    for (from, status) in [
        ("10.1.2.3", StatusCode::OK),
        ("10.2.2.3", StatusCode::NOT_FOUND),
        ("10.1.2.3, 10.2.2.3", StatusCode::NOT_FOUND),
        ("10.1.2.3, nonsense", StatusCode::NOT_FOUND),
    ] {
        let call = shop.get("/metrics").header("X-Forwarded-For", from);
        call.answers(status).await;
    }
    // A trusted proxy that sends no client address is refused, even if `metrics_allow` contains the proxy.
    let settings = "[server]\nmetrics_allow = [\"0.0.0.0\"]\ntrusted_proxies = [\"0.0.0.0\"]\n";
    let shop = Shop::configured(settings).await;
    shop.get("/metrics").answers(StatusCode::NOT_FOUND).await;
    // By default no address may read the metrics.
    let shop = Shop::new().await;
    shop.get("/metrics").answers(StatusCode::NOT_FOUND).await;
}
