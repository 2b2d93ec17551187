//! Buying cover from the real binary.

use serde_json::{Value, json};

use super::Running;
use crate::support::two_vehicles;

impl Running {
    /// Makes a quote, accepts it and asks for a payment page. Returns the quote's uuid, its token and the
    /// page.
    pub(super) async fn until_the_page(&self) -> (String, String, String) {
        let create = json!({ "product": two_vehicles() });
        let path = "/api/v2/public/quote/breakdown";
        let (status, made) = self.call("POST", path, "", Some(create)).await;
        assert_eq!(status, 201, "{made}");
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let uuid = text(&made["data"]["uuid"]);
        let token = text(&made["data"]["consumer_token"]);
        let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
        let path = format!("/api/v1/quote/update-accept/{uuid}");
        let (status, answer) = self.call("POST", &path, &token, Some(accept)).await;
        assert_eq!(status, 200, "{answer}");
        let path = "/api/v1/gateway/sandbox/initiate";
        let initiate = Some(json!({ "uuid": uuid }));
        let (status, started) = self.call("POST", path, &token, initiate).await;
        assert_eq!(status, 200, "{started}");
        (uuid, token, text(&started["data"]["url"]))
    }

    /// Enters a card in the gateway's page.
    pub(super) async fn pay(&self, frame: &str, card: &str) {
        let paid = layby::integrations::http::client(None)
            .unwrap()
            .post(format!("{}{frame}", self.url))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!(
                "card_number={card}&expiry=12%2F30&cvc=123&cardholder=Ann"
            ))
            .send()
            .await
            .unwrap();
        assert_eq!(paid.status().as_u16(), 200);
    }
}
