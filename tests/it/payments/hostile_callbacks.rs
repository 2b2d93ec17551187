//! Hostile callbacks at each gateway. Only a message that the gateway signed about its own attempt counts.

use std::io::Write;

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress};
use poem::http::{Method, StatusCode};
use serde_json::Value;

use super::gateways::{Gateway, Message, Sale, paid};
use crate::support::{Shop, own_process};

impl Sale {
    /// Checks that the callback answers a message with `status`, and changes nothing. The return page shows the usual page for the same body.
    async fn ignores(&self, shop: &Shop, message: &Message, status: StatusCode) {
        let answered = self.post(shop, Method::POST, message).await;
        assert_eq!(answered, status, "{message:?}");
        let (name, quote) = (self.gateway.name(), &self.quote.uuid);
        let mut page = shop.page(Method::POST, &format!("/gateway/{name}/return/{quote}"));
        for (name, value) in &message.headers {
            page = page.header(*name, value);
        }
        let page = page.body(message.body.clone()).send().await;
        page.assert_status_is_ok();
        self.assert_open(shop, message);
    }

    /// Returns messages that name no attempt: correctly signed, and with the genuine signature.
    fn unreadable(&self) -> (Vec<Message>, Vec<Message>) {
        let genuine = &self.genuine.body;
        let many: String = (0..10_000).map(|n| format!("a{n}=&")).collect();
        let half = genuine[..genuine.len() / 2].to_vec();
        let bodies = [
            Vec::new(),
            b"[]".to_vec(),
            b"null".to_vec(),
            b"{".to_vec(),
            b"<html>".to_vec(),
            b"{\"id\":1}".to_vec(),
            vec![0xff; 1000],
            "[".repeat(100_000).into_bytes(),
            many.into_bytes(),
            half,
            [&genuine[..], b"\xff\xfe"].concat(),
            [&genuine[..], b"&decision=ACCEPT"].concat(),
            packed(genuine),
        ];
        let is_form = self.genuine.is_form();
        let signable = bodies.iter().filter(|body| !is_form || body.is_empty());
        let signed = signable.map(|body| self.gateway.sign(body, self.gateway.secret()));
        let forged = bodies
            .iter()
            .map(|body| self.genuine.with_body(body.clone()));
        (signed.collect(), forged.collect())
    }
}

pub fn packed(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_message_that_is_changed_in_any_field_or_signed_by_another_is_refused() {
    let (shop, sales) = paid().await;
    for sale in &sales {
        let (genuine, gateway) = (&sale.genuine, &sale.gateway);
        let changed = genuine.changed_bodies();
        assert!(changed.len() > 15);
        for body in changed {
            assert_ne!(body, genuine.body);
            let changed = genuine.with_body(body);
            sale.ignores(&shop, &changed, StatusCode::BAD_REQUEST).await;
        }
        let other = gateway.sign(&genuine.body, "another secret");
        for forged in genuine.changed_signatures().iter().chain([&other]) {
            sale.ignores(&shop, forged, StatusCode::BAD_REQUEST).await;
        }
        sale.sells(&shop).await;
    }
}

#[tokio::test]
async fn a_body_that_is_no_message_changes_nothing_and_a_huge_one_is_not_read() {
    let (shop, sales) = paid().await;
    for sale in &sales {
        let (signed, forged) = sale.unreadable();
        let accepted = match sale.gateway {
            Gateway::GlobalPayments(_) => StatusCode::OK,
            _ => StatusCode::BAD_REQUEST,
        };
        for message in &signed {
            sale.ignores(&shop, message, accepted).await;
        }
        for message in &forged {
            sale.ignores(&shop, message, StatusCode::BAD_REQUEST).await;
        }
        let huge = sale.genuine.with_body(vec![b' '; 10 << 20]);
        sale.ignores(&shop, &huge, StatusCode::PAYLOAD_TOO_LARGE)
            .await;
        sale.sells(&shop).await;
    }
}

#[tokio::test]
async fn a_compressed_message_is_refused_unless_its_gateway_compresses() {
    let (shop, sales) = paid().await;
    for sale in &sales {
        let (genuine, gateway) = (&sale.genuine, &sale.gateway);
        let packed = packed(&genuine.body);
        let mut messages = vec![];
        if !genuine.is_form() {
            messages.push(gateway.sign(&packed, gateway.secret()).encoded("gzip"));
        }
        if matches!(gateway, Gateway::GlobalPayments(_)) {
            // The gateway compresses. These bodies do not have the form that the header names.
            messages.extend(["gzip", "br", "deflate"].map(|name| genuine.clone().encoded(name)));
        } else {
            messages.push(genuine.with_body(packed).encoded("gzip"));
        }
        for message in &messages {
            sale.ignores(&shop, message, StatusCode::BAD_REQUEST).await;
        }
        sale.sells(&shop).await;
    }
}

/// Returns a gzip body of this number of `megabytes` of zeros, without its end.
fn zeros(megabytes: usize) -> Vec<u8> {
    let mut block = Vec::with_capacity(64 << 10);
    let mut compress = Compress::new(Compression::best(), false);
    let zeros = vec![0; 1 << 20];
    let done = compress.compress_vec(&zeros, &mut block, FlushCompress::Full);
    done.unwrap();
    let head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff";
    [&head[..], &block.repeat(megabytes)].concat()
}

/// Returns the most memory that this process has used, in megabytes. It is 0 on other systems than Linux.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() >> 10
}

#[tokio::test]
async fn a_body_that_unpacks_to_a_gigabyte_takes_little_memory() {
    // The memory of other tests would count.
    if own_process::passes(
        "payments::hostile_callbacks::a_body_that_unpacks_to_a_gigabyte_takes_little_memory",
    ) {
        return;
    }
    let (shop, sales) = paid().await;
    for sale in &sales {
        let before = peak_memory();
        // A gigabyte is compressed to about a megabyte. The shop does not read so large a body, but reads the
        // smaller body.
        for (megabytes, global_payments) in [(1024, 413), (240, 400)] {
            let message = sale.genuine.with_body(zeros(megabytes)).encoded("gzip");
            let status = StatusCode::from_u16(global_payments).unwrap();
            sale.ignores(&shop, &message, status).await;
        }
        assert!(peak_memory() - before < 64, "{before}");
        sale.sells(&shop).await;
    }
}

#[tokio::test]
async fn another_method_than_post_is_refused() {
    let (shop, sales) = paid().await;
    for sale in &sales {
        for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
            let status = sale.post(&shop, method.clone(), &sale.genuine).await;
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
            sale.assert_open(&shop, &sale.genuine);
        }
        sale.sells(&shop).await;
    }
}

#[tokio::test]
async fn a_shop_without_a_gateway_has_no_such_address() {
    let (_, sales) = paid().await;
    let shop = Shop::new().await;
    for sale in &sales {
        let status = sale.post(&shop, Method::POST, &sale.genuine).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{}", sale.callback());
    }
}

#[tokio::test]
async fn a_genuine_message_about_an_attempt_of_another_gateway_changes_nothing() {
    let (shop, sales) = paid().await;
    for (sender, other) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        let (sender, other) = (&sales[sender], &sales[other]);
        let attempt = other.attempt(&shop);
        let message = sender.gateway.report(&sender.genuine, &attempt);
        let status = sender.post(&shop, Method::POST, &message).await;
        assert_eq!(status, StatusCode::OK, "{message:?}");
        assert_eq!(other.attempt(&shop), attempt);
        other.assert_open(&shop, &message);
        sender.assert_open(&shop, &message);
    }
    for sale in &sales {
        // The same callback about the customer's own attempt sells the policy.
        let own = sale.gateway.report(&sale.genuine, &sale.attempt(&shop));
        assert_eq!(sale.post(&shop, Method::POST, &own).await, StatusCode::OK);
        assert!(shop.has_sold(&sale.quote));
    }
}

#[tokio::test]
async fn the_secret_of_our_token_request_signs_no_message() {
    let (shop, sales) = paid().await;
    let sale = &sales[1];
    let Gateway::GlobalPayments(double) = &sale.gateway else {
        panic!();
    };
    // A token request's secret is a hash of a text and the app's key, like a message's signature. The text of
    // a token request is a time.
    let seen = double.seen();
    let token = seen.iter().find(|seen| seen.call == "POST /accesstoken");
    let token = &token.unwrap().body;
    let text = |name: &str| Value::as_str(&token[name]).unwrap().to_owned();
    let nonce = text("nonce").into_bytes();
    let signed = sale.gateway.sign(&nonce, sale.gateway.secret());
    assert_eq!(signed.headers[1].1, text("secret"));
    // The text is no JSON, so it names no payment.
    sale.ignores(&shop, &signed, StatusCode::OK).await;
}
