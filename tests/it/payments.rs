//! Paying: whatever comes first makes the policy, once.

mod attempts;
mod callbacks;
mod card_page;
mod closed;
mod consent;
pub mod fault_table;
mod finality;
mod late;
mod limits;
mod manners;
mod returns;
mod serviced;

use std::future::pending;

use crate::support::stores::snapshot;
use chrono::TimeDelta;
use layby::api::http::server;
use layby::domain::payment::Payment;
use poem::http::StatusCode;
use tokio::net::TcpListener;

use crate::support::gateways::Limits;
use crate::support::{Answer, Made, Shop, two_vehicles};

/// A shop that its own gateway can call, and a quote ready to be paid for.
struct Till {
    shop: Shop,
    quote: Made,
    frame: String,
    stop: tokio::sync::watch::Sender<bool>,
}

impl Till {
    async fn open() -> Self {
        Self::limited(Limits::NONE).await
    }

    /// One whose gateway can do less.
    async fn limited(gateway: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bound = listener.local_addr().unwrap();
        let local = format!("http://{bound}");
        let shop = Shop::limited_at(gateway, &local).await;
        let limits = server::Limits::of(&shop.app.config.server);
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
        tokio::spawn(layby::worker::run(
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

    /// The attempt as the store has it.
    fn row(&self) -> Payment {
        let tx = snapshot(&self.shop.app.store);
        let row = layby::store::tables::PAYMENTS.get(&tx, &self.payment_id());
        row.unwrap().unwrap()
    }

    /// Puts the clock on, and has every job done that is due by then.
    async fn waits(&self, time: TimeDelta) {
        self.shop.clock.advance(time);
        self.shop.work().await;
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
