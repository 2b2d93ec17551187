//! Paying: whatever comes first makes the policy, once.

mod attempts;
mod callbacks;
mod card_page;
mod returns;

use std::future::pending;

use crate::support::stores::snapshot;
use layby::api::server::{self, Limits};
use layby::store::Store;
use poem::http::StatusCode;
use tokio::net::TcpListener;

use crate::support::{Answer, Made, NOW, Shop, two_vehicles};

/// A shop that its own gateway can call, and a quote ready to be paid for.
struct Till {
    shop: Shop,
    quote: Made,
    frame: String,
    stop: tokio::sync::watch::Sender<bool>,
}

impl Till {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bound = listener.local_addr().unwrap();
        let local = format!("http://{bound}");
        let shop = Shop::reachable_at(Store::in_memory().unwrap(), NOW, &local).await;
        let limits = Limits::of(&shop.app.config.server);
        let routes = layby::api::served(shop.app.clone());
        tokio::spawn(server::serve(listener, limits, routes, pending()));
        let quote = shop.quote(&two_vehicles()).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        let started = shop.initiate(&quote).await.expect(StatusCode::OK);
        let frame = started.text("/data/url");
        let (stop, _) = tokio::sync::watch::channel(false);
        Self {
            shop,
            quote,
            frame,
            stop,
        }
    }

    /// Lets the jobs run from here on.
    fn work(&self) {
        tokio::spawn(layby::jobs::run(
            self.shop.app.clone(),
            self.stop.subscribe(),
        ));
    }

    async fn pay(&self, card: &str) {
        self.shop.pay(&self.frame, card).await.assert_status_is_ok();
    }

    /// How the payment stands, to a page that looks every other second.
    async fn payment(&self) -> Answer {
        self.shop.clock.advance(chrono::TimeDelta::seconds(2));
        self.shop.payment(&self.quote).await.expect(StatusCode::OK)
    }

    async fn policy(&self) -> Answer {
        self.shop
            .get(&format!("/api/v2/policy/read/{}", self.quote.uuid))
            .bearer(&self.quote.token)
            .send()
            .await
    }

    fn payment_id(&self) -> uuid::Uuid {
        self.frame["/gateway/sandbox/pay/".len()..][..36]
            .parse()
            .unwrap()
    }

    /// The sale as the store has it, without asking the gateway.
    fn sold(&self) -> bool {
        let uuid = self.quote.uuid.parse().unwrap();
        layby::store::tables::POLICIES
            .has(&snapshot(&self.shop.app.store), &uuid)
            .unwrap()
    }

    /// Waits until the jobs have sold it.
    async fn until_sold(&self) {
        for _ in 0..500 {
            if self.sold() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("no policy was made");
    }
}
