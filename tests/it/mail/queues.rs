//! Letters have separate queues: letters that anybody can cause don't delay a customer's letters.

use std::time::{Duration, Instant};

use poem::http::StatusCode;
use serde_json::json;
use tokio::sync::watch;

use super::server::Server;
use crate::support::{Shop, two_vehicles_with};

// Reading the mail server's events blocks a thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_and_a_purchase_are_mailed_at_once_however_many_quote_letters_wait() {
    let server = Server::start(&json!({ "tls": "none" }));
    let settings = format!(
        "[mail]\nquote_delay_seconds = 0\n\
         [mail.smtp]\nhost = \"localhost\"\nport = {}\nsecurity = \"none\"\n",
        server.port
    );
    let shop = Shop::configured(&settings).await;
    let ann = shop.seed(1, 0).await.remove(0);
    // The mail server never responds to these. Each occupies its queue for 30 seconds.
    for number in 0..16 {
        let product = two_vehicles_with("email_primary", format!("slow@host-{number}.example.org"));
        shop.quote(&product).await;
    }
    let (_stop, stopped) = watch::channel(false);
    let jobs = tokio::spawn(layby::worker::run(shop.app.clone(), stopped));
    for _ in 0..8 {
        assert_eq!(server.next(), json!({ "sender": "help@layby.example" }));
    }

    let began = Instant::now();
    let forgotten = json!({ "username": ann });
    let call = shop.post("/api/v1/retrieve-password-request", &forgotten);
    call.succeeds().await;
    let product = two_vehicles_with("email_primary", "buyer@example.org");
    let quote = shop.quote(&product).await;
    shop.buy(&quote, "4242 4242 4242 4242").await;
    let paid = shop.payment(&quote).await.expect(StatusCode::OK);
    let letters = [server.letter(), server.letter()];
    assert!(began.elapsed() < Duration::from_secs(5), "{paid:?}");
    for to in [&ann, "buyer@example.org"] {
        let mut letters = letters.iter();
        let letter = letters.find(|letter| letter["to"] == json!([to]));
        let text = letter.unwrap()["letter"].as_str().unwrap();
        // The letter of the purchase has the link to a first password.
        assert!(text.contains("/reset-password?aid="), "{text}");
    }
    jobs.abort();
}
