//! Random callbacks and list parameters: none gets a 5xx, and none sells anything.

use hmac::{Hmac, KeyInit, Mac};
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::generated::cases;
use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles};

fn on_a_runtime<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    { runtime }.enable_all().build().unwrap().block_on(work)
}

/// Generates values of a callback's `amount`.
fn amount() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(|pence| json!(pence)),
        (-1i64..20_000).prop_map(|pence| json!(pence)),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(|text| json!(text)),
        Just(json!(null)),
        Just(json!([1])),
    ]
}

fn state() -> impl Strategy<Value = Value> {
    let known = [
        "Open",
        "Challenge",
        "Paid",
        "Refunded",
        "Declined",
        "NoFunds",
        "Closed",
        "open",
        "paid",
        "",
    ];
    prop_oneof![
        3 => prop::sample::select(known.to_vec()).prop_map(|text| json!(text)),
        1 => any::<String>().prop_map(|text| json!(text)),
        1 => Just(json!(1)),
    ]
}

/// Returns the gateway's signature of `body`.
fn signed(secret: &str, time: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{time}.").as_bytes());
    mac.update(body);
    let tag = data_encoding::HEXLOWER.encode(&mac.finalize().into_bytes());
    format!("t={time},v1={tag}")
}

proptest! {
    #![proptest_config(cases(24))]

    /// Checks that even a signed callback sells nothing unless the full amount was paid.
    #[test]
    fn no_callback_is_a_5xx_or_sells_for_another_amount(
        messages in prop::collection::vec((state(), amount(), any::<bool>()), 1..8),
        junk in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        on_a_runtime(async {
            let shop = Shop::new().await;
            let quote = shop.quote(&two_vehicles()).await;
            let due = shop.accept(&quote).await.at("/data/amount_due").as_f64().unwrap();
            shop.initiate(&quote).await.expect(StatusCode::OK);
            let (payment, secret) = {
                let tx = snapshot(&shop.app.store);
                let (payment, _) = tables::SANDBOX.list(&tx, &(), Direction::Forward, 1).unwrap().remove(0);
                (payment, tables::SECRETS.get(&tx, &"sandbox".to_string()).unwrap().unwrap())
            };
            let now = shop.clock.now().timestamp();
            let mut bodies = vec![junk];
            for (state, amount, known) in &messages {
                let payment = if *known { json!(payment) } else { json!(quote.uuid) };
                let body = json!({ "payment": payment, "state": state, "amount": amount });
                bodies.push(serde_json::to_vec(&body).unwrap());
            }
            for body in bodies {
                let answer = shop
                    .call(poem::http::Method::POST, "/api/v1/gateway/sandbox/callback")
                    .header("X-Sandbox-Signature", &signed(&secret, now, &body))
                    .body(body)
                    .send()
                    .await;
                prop_assert!(answer.status.as_u16() < 500, "{} {}", answer.status, answer.body);
            }
            let paid = messages.iter().any(|(state, amount, known)| {
                let pence = amount.as_i64().map(|pence| (due * 100.0).round() as i64 == pence);
                *known && (state == "Paid" || state == "Refunded") && pence == Some(true)
            });
            let sold = {
                let tx = snapshot(&shop.app.store);
                !tables::POLICIES.list(&tx, &(), Direction::Forward, 1).unwrap().is_empty()
            };
            prop_assert!(!sold || paid, "sold without its price: {messages:?}");
            Ok(())
        })?;
    }

    #[test]
    fn no_parameter_of_a_list_is_a_5xx(
        given in prop::collection::vec(
            (
                prop::sample::select(vec![
                    "page", "limit", "sortBy", "desc", "productID", "policyID", "policyHolder",
                    "quoteStatus[]", "flags[]", "exclude_flags[]", "other",
                ]),
                prop_oneof![
                    any::<String>(),
                    any::<i64>().prop_map(|number| number.to_string()),
                    prop::sample::select(vec!["0", "1", "100", "true", "id", "renewal_quote", "16"])
                        .prop_map(str::to_string),
                ],
            ),
            0..8,
        ),
    ) {
        on_a_runtime(async {
            let shop = Shop::new().await;
            let ann = shop.seed(2, 6).await.remove(0);
            let cookie = shop.log_in(&ann).await;
            let query = serde_urlencoded::to_string(&given).unwrap();
            let answer = shop
                .get(&format!("/api/v2/policy/list?{query}"))
                .cookies(&cookie)
                .send()
                .await;
            let expected = [200, 400, 422].contains(&answer.status.as_u16());
            prop_assert!(expected, "{} to {query}", answer.status);
            Ok(())
        })?;
    }
}
