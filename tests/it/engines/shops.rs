//! A shop whose database becomes unavailable and comes back.

use std::time::{Duration, Instant};

use layby::app::payments::status;
use poem::http::StatusCode;

use crate::support::database::{self, Server};
use crate::support::proxy::{Fate, Proxy, Road};
use crate::support::{Answer, Made, NOW, Shop, two_vehicles};

/// This card pays, and the gateway sends no callback.
const PAYS: &str = "4000 0000 0000 0085";

async fn create(shop: &Shop) -> Answer {
    shop.create(&two_vehicles()).send().await
}

async fn assert_busy(call: impl Future<Output = Answer>) {
    let began = Instant::now();
    let answer = call.await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers.contains_key("retry-after"));
    let took = began.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

/// Waits until the shop accepts a quote again.
async fn recovered(shop: &Shop) -> Made {
    let began = Instant::now();
    loop {
        let answer = create(shop).await;
        if answer.status == StatusCode::CREATED {
            return Made {
                uuid: answer.text("/data/uuid"),
                token: answer.text("/data/consumer_token"),
                body: answer.body,
            };
        }
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "it doesn't go on"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_database_a_shop_answers_503_and_goes_on_when_that_is_back() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let proxy = Proxy::before(&schema, |_| Fate::Answered);
    let store = database::open(&proxy.url(&schema)).unwrap();
    let shop = Shop::over(store, NOW).await;
    let before = recovered(&shop).await;
    for road in [Road::Cut, Road::Stuck] {
        proxy.set(road);
        assert_busy(create(&shop)).await;
        assert_busy(shop.read(&before)).await;
        assert_busy(create(&shop)).await;
        assert!(shop.app.is_ready().await.is_err());
        proxy.set(Road::Open);
        let after = recovered(&shop).await;
        shop.read(&before).await.expect(StatusCode::OK);
        shop.read(&after).await.expect(StatusCode::OK);
        assert!(shop.app.is_ready().await.is_ok());
    }
    // The shop works as before the outage: a customer buys.
    let payment = shop.buy(&before, PAYS).await;
    status::sync_payment_status(&shop.app, payment)
        .await
        .unwrap();
    assert_eq!(shop.payment(&before).await.text("/data/status"), "paid");
    assert_eq!(shop.exported_policies().await.len(), 1);
}
