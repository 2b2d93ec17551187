//! A proxy to a database that delays every packet.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// Starts a proxy for the database of `url`. It forwards each packet, in both directions, `delay` after
/// its arrival. Packets keep their order and do not wait for one another. Returns the proxy's address.
pub async fn before(url: &str, delay: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (rest, name) = url.rsplit_once('/').unwrap();
    let (user, database) = rest.rsplit_once('@').unwrap();
    let database = database.to_string();
    tokio::spawn(async move {
        while let Ok((shop, _)) = listener.accept().await {
            let database = TcpStream::connect(&database).await.unwrap();
            for stream in [&shop, &database] {
                stream.set_nodelay(true).unwrap();
            }
            let (from_shop, to_shop) = shop.into_split();
            let (from_database, to_database) = database.into_split();
            pass(from_shop, to_database, delay);
            pass(from_database, to_shop, delay);
        }
    });
    format!("{user}@127.0.0.1:{port}/{name}")
}

fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, delay: Duration) {
    let (sent, mut under_way) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        loop {
            let mut packet = Vec::with_capacity(64 << 10);
            match from.read_buf(&mut packet).await {
                Ok(read) if read > 0 => {}
                _ => return,
            }
            if sent.send((Instant::now() + delay, packet)).is_err() {
                return;
            }
        }
    });
    tokio::spawn(async move {
        while let Some((arrives, packet)) = under_way.recv().await {
            sleep_until(arrives).await;
            if to.write_all(&packet).await.is_err() {
                return;
            }
        }
    });
}
