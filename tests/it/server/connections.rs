//! The maximum number of connections, and their timeouts.

use std::time::{Duration, Instant};

use layby::api::http::server::{Limits, SharedBody, Timeouts};
use layby::config::{Config, Layers};
use poem::endpoint::{make, make_sync};
use poem::{EndpointExt, Request, Response};

use super::{ASK, Line, Served, limits};

async fn many(served: &Served, number: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for _ in 0..number {
        lines.push(served.connect().await);
        // The pause makes each connection idle longer than the next.
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    lines
}

#[test]
fn a_head_has_ten_seconds_and_an_idle_connection_a_minute() {
    let timeouts = Timeouts::default();
    assert_eq!(timeouts.head, Duration::from_secs(10));
    assert_eq!(timeouts.idle, Duration::from_secs(60));
    assert_eq!(timeouts.grace, Duration::from_secs(20));
    let limits = |settings: &str| {
        let file = Some(("shop.toml".to_string(), settings.to_string()));
        let layers = Layers {
            file,
            ..Layers::default()
        };
        Limits::from_settings(&Config::load(&layers).unwrap().server)
    };
    let usual = limits("");
    assert_eq!((usual.per_client, usual.http2), (256, false));
    let files = std::fs::read_to_string("/proc/self/limits").unwrap();
    let files = files
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let files: f64 = files
        .unwrap()
        .split_whitespace()
        .nth(3)
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(usual.in_all as f64, (files * 0.75).ceil().min(10_000.0));
    let given = limits("[server]\nmax_connections = 9\nmax_connections_per_address = 3\n");
    assert_eq!((given.in_all, given.per_client), (9, 3));
}

#[tokio::test]
async fn a_head_that_drips_ends_its_connection_however_it_drips() {
    let served = Served::slow(limits()).await;
    let mut dripping = served.connect().await;
    let began = Instant::now();
    let mut closed = false;
    for byte in ASK.bytes().take(ASK.len() - 1) {
        dripping.send([byte]).await;
        closed = dripping.is_closed_within(50).await;
        if closed {
            break;
        }
    }
    assert!(closed && began.elapsed() >= Duration::from_millis(450));
    assert!(began.elapsed() < Duration::from_millis(1500));
    // The second head has the same timeout as the first, although the connection may be idle for longer.
    let mut second = served.connect().await;
    assert_eq!(second.send(ASK).await.status().await, 200);
    assert!(!second.is_closed_within(700).await);
    second.send("GET / HTTP/1.1\r\nX-Slow: ").await;
    assert!(second.is_closed_within(1200).await);
}

#[tokio::test]
async fn idle_connections_end_and_those_at_work_do_not() {
    let served = Served::slow(limits()).await;
    let mut silent = served.connect().await;
    let mut idle = served.connect().await;
    assert_eq!(idle.send(ASK).await.status().await, 200);
    // A silent connection counts as a slow head.
    assert!(silent.is_closed_within(1200).await);
    assert!(!idle.is_closed_within(700).await);
    assert!(idle.is_closed_within(1500).await);
}

#[tokio::test]
async fn when_there_are_too_many_those_that_stall_leave_their_places() {
    let limits = Limits {
        in_all: 40,
        ..patient()
    };
    let served = Served::slow(limits).await;
    let began = Instant::now();
    let mut idle = many(&served, 40).await;
    let mut visitor = served.connect().await;
    assert_eq!(visitor.send(ASK).await.status().await, 200);
    let took = began.elapsed();
    assert!((2..6).contains(&took.as_secs()), "{took:?}");
    let mut closed = 0;
    for line in &mut idle {
        closed += usize::from(line.is_closed_within(1).await);
    }
    assert!(closed > 0);
}

#[tokio::test]
async fn work_is_never_ended_for_another() {
    let limits = Limits {
        in_all: 2,
        ..patient()
    };
    let works = make(|_| async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        Ok::<_, poem::Error>(Response::builder().body("done"))
    });
    let served = Served::start(limits, works.map_to_response()).await;
    let mut lines = many(&served, 2).await;
    for line in &mut lines {
        line.send(ASK).await;
    }
    let refused = served.connect().await.hear().await;
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("Retry-After: 2"), "{refused}");
    for line in &mut lines {
        assert_eq!(line.status().await, 200);
    }
}

#[tokio::test]
async fn an_address_has_its_own_limit_and_takes_nothing_from_another() {
    let limits = Limits {
        per_client: 3,
        ..patient()
    };
    let served = Served::slow(limits).await;
    let mut neighbour = served.connect_from([127, 0, 0, 9]).await;
    let own = many(&served, 3).await;
    let refused = served.connect().await.hear().await;
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("Retry-After: 2"), "{refused}");
    // After the suggested wait an idle connection has been evicted.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    let mut fourth = served.connect().await;
    assert_eq!(fourth.send(ASK).await.status().await, 200);
    assert_eq!(neighbour.send(ASK).await.status().await, 200);
    drop(own);
}

#[tokio::test]
async fn a_trusted_proxy_may_have_all_connections() {
    let limits = Limits {
        per_client: 3,
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        ..patient()
    };
    let served = Served::slow(limits).await;
    let mut proxy = many(&served, 10).await;
    assert!(!proxy[0].is_closed_within(100).await);
    assert_eq!(proxy[9].send(ASK).await.status().await, 200);
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answers_gives_way_and_goes_in_the_end() {
    /// In bytes: more than the system's send buffer.
    const PAGE: usize = 24 << 20;
    let page = vec![b'x'; PAGE];
    let routes = make_sync(move |request: Request| {
        let mut answer = Response::builder().body(page.clone());
        if request.uri().path() == "/kept" {
            answer.set_data(SharedBody);
        }
        answer
    });
    let limits = Limits {
        unread: 40 << 20,
        timeouts: Timeouts {
            idle: Duration::from_secs(6),
            ..Timeouts::default()
        },
        ..limits()
    };
    let served = Served::start(limits, routes).await;
    let asking = async |what: &str| {
        let mut lines = Vec::new();
        for _ in 0..4 {
            let mut line = served.connect().await;
            line.send(what).await;
            lines.push(line);
        }
        lines
    };
    let kept = asking("GET /kept HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let lines = asking(ASK).await;
    // 96 MiB are unread, except the bytes in the system's buffers. The limit is 40 MiB, so the server closes
    // some connections after a stall of 2 s.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let whole = async |lines: Vec<Line>| {
        let mut whole = 0;
        for mut line in lines {
            whole += usize::from(line.hear().await.len() > PAGE);
        }
        whole
    };
    assert!((1..=3).contains(&whole(lines).await));
    assert_eq!(whole(kept).await, 4, "they took no memory of their own");
    // A response that is read may have any length.
    let mut reads = served.connect().await;
    assert!(reads.send(ASK).await.hear().await.len() > PAGE);
    // There is no shortage of memory, so the client has the timeout of an idle client.
    let mut stalls = served.connect().await;
    stalls.send(ASK).await;
    tokio::time::sleep(Duration::from_secs(7)).await;
    assert!(stalls.hear().await.len() < PAGE);
}

#[tokio::test]
async fn what_is_under_way_is_answered_when_the_server_stops() {
    let mut served = Served::slow(limits()).await;
    let mut idle = served.connect().await;
    assert_eq!(idle.send(ASK).await.status().await, 200);
    let mut silent = served.connect().await;
    let mut at_work = served.connect().await;
    at_work.send(ASK).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    served.stop();
    let answer = at_work.hear().await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(idle.is_closed_within(200).await && silent.is_closed_within(1200).await);
    served.ended.await.unwrap().unwrap();
}

#[tokio::test]
async fn work_that_takes_longer_than_the_grace_is_left() {
    let limits = Limits {
        timeouts: Timeouts {
            grace: Duration::from_millis(100),
            ..limits().timeouts
        },
        ..limits()
    };
    let mut served = Served::slow(limits).await;
    let mut at_work = served.connect().await;
    at_work.send(ASK).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    served.stop();
    served.ended.await.unwrap().unwrap();
    assert_eq!(at_work.hear().await, "");
}

/// Returns the usual timeouts, so that no connection ends by itself.
fn patient() -> Limits {
    Limits {
        timeouts: Timeouts::default(),
        ..limits()
    }
}
