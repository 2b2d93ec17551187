//! A load of HTTP requests from this process, and its measurements. Each connection repeats the same
//! request as soon as it has the response.

#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// The duration of each request, and the total duration of the turns.
#[derive(Default)]
pub struct Measured {
    times: Vec<Duration>,
    took: Duration,
}

impl Measured {
    pub fn add(&mut self, turn: Self) {
        self.times.extend(turn.times);
        self.took += turn.took;
    }

    pub fn a_second(&self) -> f64 {
        self.times.len() as f64 / self.took.as_secs_f64()
    }

    pub fn requests(&self) -> usize {
        self.times.len()
    }

    pub fn p99(&mut self) -> Duration {
        self.times.sort_unstable();
        self.times[self.times.len() * 99 / 100]
    }
}

pub fn request(method: &str, path: &str, token: &str, body: Option<&Value>) -> Vec<u8> {
    let body = body.map(ToString::to_string).unwrap_or_default();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Reads one response into `buffer`. Returns its status and where its body begins. It does little else,
/// because the load takes its processor time from the server.
pub async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> (u16, usize) {
    buffer.clear();
    let mut seen = 0;
    loop {
        let read = stream.read_buf(buffer).await.unwrap();
        assert!(read > 0, "the server hung up");
        let found = buffer[seen..]
            .windows(4)
            .position(|four| four == b"\r\n\r\n");
        let Some(end) = found.map(|found| seen + found) else {
            seen = buffer.len().saturating_sub(3);
            continue;
        };
        seen = end;
        let status = std::str::from_utf8(&buffer[9..12])
            .unwrap()
            .parse()
            .unwrap();
        let length = length(&buffer[..end]);
        if buffer.len() >= end + 4 + length {
            return (status, end + 4);
        }
    }
}

/// Returns the body's length by the `Content-Length` in `head`, bytes. Returns 0 without that header.
fn length(head: &[u8]) -> usize {
    const NAME: &[u8] = b"content-length: ";
    let mut lines = head.split(|byte| *byte == b'\n');
    let line = lines.find(|line| {
        line.get(..NAME.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(NAME))
    });
    let digits = line.map_or(&b"0"[..], |line| line[NAME.len()..].trim_ascii());
    std::str::from_utf8(digits).unwrap().parse().unwrap()
}

/// Sends equal requests for `seconds`. Each request has a new number instead of the mark `@@@@@@@@`.
pub async fn load(
    address: &str,
    connections: usize,
    request: Vec<u8>,
    status: u16,
    seconds: u64,
) -> Measured {
    let until = Instant::now() + Duration::from_secs(seconds);
    let mark = request.windows(8).position(|eight| eight == b"@@@@@@@@");
    let request = Arc::new(request);
    let started = Instant::now();
    let mut clients = Vec::new();
    for _ in 0..connections {
        let (address, request) = (address.to_string(), request.clone());
        clients.push(tokio::spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let mut buffer = Vec::with_capacity(32 << 10);
            let mut times = Vec::new();
            let mut request = request.to_vec();
            while Instant::now() < until {
                if let Some(mark) = mark {
                    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
                    request[mark..mark + 8].copy_from_slice(format!("{number:08}").as_bytes());
                }
                let begun = Instant::now();
                stream.write_all(&request).await.unwrap();
                let (got, body) = answer(&mut stream, &mut buffer).await;
                assert_eq!(got, status, "{}", String::from_utf8_lossy(&buffer[body..]));
                times.push(begun.elapsed());
            }
            times
        }));
    }
    let mut times = Vec::new();
    for client in clients {
        times.extend(client.await.unwrap());
    }
    Measured {
        times,
        took: started.elapsed(),
    }
}

pub fn product() -> Value {
    json!({
        "product_identifier": "breakdown",
        "values": {
            "cover_type": 2, "cover_level": 5, "cover_length": 1, "excess": 1,
            "start_date": "25.11.2026", "key_cover": true, "motor_legal_protection": true,
            "title": 2, "first_name": "Ann", "last_name": "Other", "date_of_birth": "03.04.1980",
            "email_primary": "ann@example.org", "tel_primary": "07400 123456",
            "address_primary": "1 High Street\nLeeds", "postcode_primary": "LS6 1AB",
        },
        "multi": { "vehicles": [
            { "vehicle_type": 1, "vehicle_registration": "AB12 CDE", "vehicle_registration_date": "01.03.2012" },
            { "vehicle_type": 3, "vehicle_registration": "K1 NGS", "vehicle_registration_date": "01.08.2015" },
        ] },
    })
}
