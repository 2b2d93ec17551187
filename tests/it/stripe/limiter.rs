//! The places and the circuit breaker of a gateway, with Stripe's client.

use std::future::Future;
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::FutureExt;
use futures_util::future::join_all;
use layby::clock::Clock;
use layby::config::LogFormat;
use layby::integrations::http;
use layby::integrations::payments::RetryPolicy;
use layby::integrations::payments::stripe::{StripeClient, StripeError};
use layby::secret::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

use super::double::{Double, Fault};
use super::{QUICK, double, now, order};
use crate::support::log;

const ASK: &str = "GET /v1/checkout/sessions";
/// Log lines of the circuit.
const OPENS: &str = "a gateway doesn't answer";
const CLOSES: &str = "a gateway answers again";

/// Returns a client that tries each call once, for `call` at most. `clock` is its clock.
fn client(address: &str, clock: &Clock, call: Duration) -> StripeClient {
    let http = http::client(None).unwrap();
    let key = Secret::from("sk_test_double".to_owned());
    let policy = RetryPolicy {
        tries: 1,
        call,
        ..QUICK
    };
    StripeClient::new(http, address, key, clock.clone(), policy)
}

/// Starts a server that answers each call with an empty list after `wait`. Returns its address.
async fn answers_after(wait: Duration) -> String {
    const LIST: &str = r#"{"object":"list","data":[],"has_more":false}"#;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                while stream.read(&mut request).await.is_ok_and(|read| read > 0) {
                    sleep(wait).await;
                    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", LIST.len());
                    stream.write_all((head + LIST).as_bytes()).await.unwrap();
                }
            });
        }
    });
    address
}

/// Asks for a session. Returns whether Stripe answered.
async fn ask(client: &StripeClient) -> Result<(), StripeError> {
    client.find(order().payment, now()).await.map(|_| ())
}

/// Checks that a call is refused: it is certain that Stripe did nothing.
#[track_caller]
fn assert_refused(asked: Result<(), StripeError>) {
    let error = asked.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Stripe can't be reached: the last calls had no answer"
    );
    assert!(error.is_certain());
}

/// Runs calls until the double has received `count`. Then the callers give up.
async fn until_received(calls: impl Future, double: &Double, count: usize) {
    let received = async {
        while double.times(ASK) < count {
            sleep(Duration::from_millis(5)).await;
        }
        // One call more would come now.
        sleep(Duration::from_millis(50)).await;
    };
    tokio::select! {
        _ = calls => panic!("the calls have ended"),
        () = received => {}
    }
}

#[tokio::test]
async fn the_circuit_opens_after_three_time_outs_lets_one_call_in_30_s_through_and_closes() {
    let (double, clock) = (double(), Clock::fixed(now()));
    let client = client(&double.address(), &clock, QUICK.call);
    let (lines, _log) = log::recorded(LogFormat::Text);
    let lines_with = |what: &str| {
        let text = lines.text();
        let lines = text.lines().filter(|line| line.contains(what));
        lines
            .filter(|line| line.contains("gateway=\"stripe\""))
            .count()
    };
    // An answer ends a row of time-outs, also an answer that refuses.
    for fault in [
        Fault::LostAnswer,
        Fault::LostAnswer,
        Fault::Status(400),
        Fault::LostAnswer,
        Fault::LostAnswer,
    ] {
        double.fail(ASK, fault);
        ask(&client).await.unwrap_err();
    }
    assert_eq!(lines_with(OPENS), 0);
    double.fail(ASK, Fault::LostAnswer);
    ask(&client).await.unwrap_err();
    assert_eq!((lines_with(OPENS), double.times(ASK)), (1, 6));

    // The double answers again, and is called after 30 s only.
    assert_refused(ask(&client).await);
    clock.advance(TimeDelta::seconds(29));
    assert_refused(ask(&client).await);
    assert_eq!(double.times(ASK), 6);

    // A call without an answer is one call in 30 s. A connection that breaks is no answer.
    for fault in [Fault::LostAnswer, Fault::Nothing] {
        clock.advance(TimeDelta::seconds(30));
        double.fail(ASK, fault);
        let unknown = ask(&client).await.unwrap_err();
        assert!(!unknown.is_certain(), "{unknown}");
        assert_refused(ask(&client).await);
    }
    assert_eq!(double.times(ASK), 8);

    clock.advance(TimeDelta::seconds(30));
    double.fail(ASK, Fault::Status(500));
    ask(&client).await.unwrap_err();
    ask(&client).await.unwrap();
    ask(&client).await.unwrap();
    assert_eq!(double.times(ASK), 11);
    assert_eq!((lines_with(OPENS), lines_with(CLOSES)), (1, 1));
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_no_circuit_open() {
    let (double, clock) = (double(), Clock::fixed(now()));
    let client = client(&double.address(), &clock, QUICK.call);
    for _ in 0..3 {
        double.fail(ASK, Fault::LostAnswer);
        ask(&client).await.unwrap_err();
    }
    assert_refused(ask(&client).await);
    clock.advance(TimeDelta::hours(-1));
    ask(&client).await.unwrap();
}

#[tokio::test]
async fn four_calls_run_at_once_and_callers_that_give_up_return_their_places() {
    let (double, clock) = (double(), Clock::fixed(now()));
    let client = client(&double.address(), &clock, Duration::from_secs(60));
    for _ in 0..4 {
        double.fail(ASK, Fault::LostAnswer);
    }
    // Six callers: four wait for Stripe, and two for a place.
    let calls = join_all((0..6).map(|_| ask(&client)));
    until_received(calls, &double, 4).await;
    assert_eq!(double.times(ASK), 4);
    for _ in 0..8 {
        ask(&client).await.unwrap();
    }
}

#[tokio::test]
async fn a_caller_waits_for_a_place_as_long_as_a_call_may_take() {
    let (slow, clock) = (
        answers_after(Duration::from_secs(2)).await,
        Clock::fixed(now()),
    );
    let client = client(&slow, &clock, Duration::from_secs(3));
    let asked = join_all((0..12).map(|_| ask(&client))).await;
    let errors: Vec<_> = asked.into_iter().filter_map(Result::err).collect();
    // Four calls start at once, and four after 2 s. The others would start after 4 s.
    assert_eq!(errors.len(), 4, "{errors:?}");
    for error in errors {
        assert!(error.is_certain());
        let text = "Stripe can't be reached: too many other calls wait for an answer";
        assert_eq!(error.to_string(), text);
    }
}

#[tokio::test]
async fn callers_that_give_up_early_open_the_circuit_too() {
    let (double, clock) = (double(), Clock::fixed(now()));
    let client = client(&double.address(), &clock, Duration::from_secs(1));
    // Callers that leave at once prove nothing.
    for _ in 0..5 {
        assert!(ask(&client).now_or_never().is_none());
    }
    for _ in 0..3 {
        double.fail(ASK, Fault::LostAnswer);
        let left = timeout(Duration::from_millis(400), ask(&client)).await;
        assert!(left.is_err());
    }
    assert_refused(ask(&client).await);
}
