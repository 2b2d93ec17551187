//! A server other than Stripe, or a broken one: endless responses, and redirects to other hosts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use layby::clock::Clock;
use layby::integrations::http;
use layby::integrations::payments::stripe::{StripeClient, StripeError};
use layby::secret::Secret;
use uuid::Uuid;

use super::{QUICK, now, order};

/// Reads a request and its body.
fn hear(stream: &TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(given) = line.strip_prefix("content-length:") {
            length = given.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    reader.read_exact(&mut vec![0; length]).ok()
}

/// Starts a server with one fixed response. Returns its address and the count of its requests.
pub fn answering(head: String, body: Vec<u8>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            if hear(&stream).is_some() {
                counted.fetch_add(1, Ordering::SeqCst);
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
                );
                let _ = stream.write_all(&[head.as_bytes(), &body].concat());
            }
        }
    });
    (address, asked)
}

fn client_of(address: &str) -> StripeClient {
    let key = Secret::from("sk_test_double".to_owned());
    let clock = Clock::fixed(now());
    StripeClient::new(http::client(None).unwrap(), address, key, clock, QUICK)
}

#[tokio::test]
async fn a_list_that_never_ends_is_given_up() {
    let one = r#"{"id":"re_1","amount":1,"currency":"gbp","status":"pending"}"#;
    let list = format!(r#"{{"data":[{one}],"has_more":true}}"#);
    let (address, asked) = answering("200 OK".to_owned(), list.into_bytes());
    let client = client_of(&address);
    let found = client.find_refund("pi_1", Uuid::from_u128(7)).await;
    let error = found.unwrap_err();
    assert!(matches!(error, StripeError::Unknown(_)), "{error}");
    assert!(asked.load(Ordering::SeqCst) <= 50);
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_not_read_to_its_end() {
    let huge = vec![b' '; 5 << 20];
    let (address, _) = answering("200 OK".to_owned(), huge);
    let error = client_of(&address).session("cs_1").await.unwrap_err();
    let text = "what Stripe did isn't known: its answer is too large";
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn the_key_follows_no_redirect() {
    let (elsewhere, asked) = answering("200 OK".to_owned(), b"{}".to_vec());
    for status in [301, 302, 303, 307, 308] {
        let head = format!("{status} Elsewhere\r\nLocation: {elsewhere}/v1/checkout/sessions");
        let (address, _) = answering(head, Vec::new());
        let error = client_of(&address)
            .begin(&order(), now())
            .await
            .unwrap_err();
        assert!(matches!(error, StripeError::Unknown(_)), "{error}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}
