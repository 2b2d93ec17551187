//! HTTP/2 in clear text.

use layby::api::http::server::Limits;
use tokio::io::AsyncReadExt;

use super::{ASK, Served, limits};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

#[tokio::test]
async fn it_is_off_unless_it_is_asked_for() {
    let served = Served::slow(limits()).await;
    let mut line = served.connect().await;
    assert!(line.send(PREFACE).await.is_closed_within(1000).await);
}

#[tokio::test]
async fn a_hundred_streams_are_a_connections_most() {
    let limits = Limits {
        http2: true,
        ..limits()
    };
    let served = Served::slow(limits).await;
    let mut line = served.connect().await;
    line.send(PREFACE).await;
    // After a head of nine bytes, each setting is a number of two bytes and a value of four.
    let mut head = [0; 9];
    line.0.read_exact(&mut head).await.unwrap();
    assert_eq!(head[3], 4, "the first frame has the settings");
    let mut settings = vec![0; usize::from(head[2])];
    line.0.read_exact(&mut settings).await.unwrap();
    let streams = settings.chunks(6).find(|setting| setting[..2] == [0, 3]);
    assert_eq!(streams.unwrap()[2..], [0, 0, 0, 100]);
    // HTTP/1.1 is still accepted.
    let mut older = served.connect().await;
    assert_eq!(older.send(ASK).await.status().await, 200);
    // An incomplete preface has the same timeout.
    let mut silent = served.connect().await;
    assert!(silent.send("PRI").await.is_closed_within(1200).await);
}

#[tokio::test]
async fn a_stream_beyond_them_is_refused() {
    let limits = Limits {
        http2: true,
        ..limits()
    };
    let served = Served::slow(limits).await;
    let mut line = served.connect().await;
    line.send(PREFACE).await;
    // GET http / of the host x, complete in one frame.
    for number in 0..=100 {
        line.send([0, 0, 6, 1, 5, 0, 0, 0, 2 * number + 1]).await;
        line.send(b"\x82\x86\x84\x41\x01x").await;
    }
    // The first reset frame refuses the last stream.
    loop {
        let mut head = [0; 9];
        line.0.read_exact(&mut head).await.unwrap();
        let mut said = vec![0; usize::from(head[1]) << 8 | usize::from(head[2])];
        line.0.read_exact(&mut said).await.unwrap();
        assert_ne!(head[3], 1, "none is answered before");
        if head[3] == 3 {
            assert_eq!((head[8], &said[..]), (201, &[0, 0, 0, 7][..]));
            return;
        }
    }
}
