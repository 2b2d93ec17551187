//! Payments: the first report makes the policy, and later reports make no second policy.

mod any_order;
mod attempts;
mod callbacks;
mod capabilities;
mod card_page;
mod charge_kills;
mod closed;
mod consent;
pub mod fault_table;
mod finality;
mod gateways;
mod hanging_gateway;
mod hostile_callbacks;
mod kills;
mod late;
pub mod limits;
mod operator;
mod payers;
mod report_disputes;
mod restored_copy;
mod returns;
mod revoked_keys;
mod sandbox;
mod serviced;
mod world;

use std::future::pending;

use crate::support::stores::snapshot;
use chrono::TimeDelta;
use layby::api::http::server;
use layby::domain::payment::Payment;
use poem::http::StatusCode;
use tokio::net::TcpListener;

use crate::support::gateways::Limits;
use crate::support::{Answer, Made, Shop, two_vehicles};

/// A shop that its own gateway can call, and a quote that is ready for payment.
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

    /// Opens a till whose gateway has fewer capabilities.
    async fn limited(gateway: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bound = listener.local_addr().unwrap();
        let local = format!("http://{bound}");
        let shop = Shop::limited_at(gateway, &local).await;
        let limits = server::Limits::from_settings(&shop.app.config.server);
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

    /// Starts the workers.
    fn work(&self) {
        tokio::spawn(layby::worker::run(
            self.shop.app.clone(),
            self.stop.subscribe(),
        ));
    }

    async fn pay(&self, card: &str) {
        self.shop.pay(&self.frame, card).await.assert_status_is_ok();
    }

    /// Returns the payment status, as for a page that polls every two seconds.
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

    /// Returns the stored attempt.
    fn row(&self) -> Payment {
        let tx = snapshot(&self.shop.app.store);
        let row = layby::store::tables::PAYMENTS.get(&tx, &self.payment_id());
        row.unwrap().unwrap()
    }

    /// Advances the clock, and runs every job that is due by then.
    async fn waits(&self, time: TimeDelta) {
        self.shop.clock.advance(time);
        self.shop.work().await;
    }

    /// Checks whether the sale is stored, without asking the gateway.
    fn sold(&self) -> bool {
        let uuid = self.quote.uuid.parse().unwrap();
        layby::store::tables::POLICIES
            .has(&snapshot(&self.shop.app.store), &uuid)
            .unwrap()
    }

    /// Waits until the jobs have made the sale.
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
