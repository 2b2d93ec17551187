//! The server over real sockets: the number of connections, their timeouts and the size of requests.

mod bodies;
mod connections;
mod http2;
mod requests;

use std::net::SocketAddr;
use std::time::Duration;

use layby::api::http::server::{self, Limits, Timeouts};
use layby::config::{Config, Layers};
use poem::endpoint::make;
use poem::{Endpoint, EndpointExt, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The maximum wait of a test for an expected event.
const SOON: Duration = Duration::from_secs(20);

/// A server in this process.
struct Served {
    at: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<std::io::Result<()>>,
}

impl Served {
    async fn start(limits: Limits, routes: impl Endpoint<Output = Response> + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let (stop, told) = oneshot::channel();
        let told = async {
            let _ = told.await;
        };
        let ended = tokio::spawn(server::serve(listener, limits, routes, told));
        let stop = Some(stop);
        Self { at, stop, ended }
    }

    /// Starts a server whose every response is delayed.
    async fn slow(limits: Limits) -> Self {
        let routes = make(|_| async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            Ok::<_, poem::Error>(Response::builder().body("done"))
        });
        Self::start(limits, routes.map_to_response()).await
    }

    async fn connect(&self) -> Line {
        self.connect_from([127, 0, 0, 1]).await
    }

    /// Connects from an address of this machine.
    async fn connect_from(&self, address: [u8; 4]) -> Line {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        Line(socket.connect(self.at).await.unwrap())
    }

    fn stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }
}

/// A connection to a server.
struct Line(TcpStream);

impl Line {
    async fn send(&mut self, text: impl AsRef<[u8]>) -> &mut Self {
        // A closed connection shows at the next read, so an error of the write is ignored.
        let _ = self.0.write_all(text.as_ref()).await;
        self
    }

    /// Reads until a response is complete, or the connection closes.
    async fn hear(&mut self) -> String {
        let mut heard = Vec::new();
        let hears = async {
            let mut whole = None;
            while whole.is_none_or(|whole| heard.len() < whole) {
                match self.0.read_buf(&mut heard).await {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                whole = whole.or_else(|| {
                    let text = String::from_utf8_lossy(&heard);
                    let (head, _) = text.split_once("\r\n\r\n")?;
                    // A `100 Continue` comes before the response.
                    let is_answer = !head.starts_with("HTTP/1.1 100");
                    is_answer.then(|| head.len() + 4 + length(head))
                });
            }
        };
        timeout(SOON, hears).await.expect("nothing came");
        String::from_utf8_lossy(&heard).into_owned()
    }

    async fn status(&mut self) -> u16 {
        let heard = self.hear().await;
        let status = heard.split(' ').nth(1).unwrap_or_default();
        status.parse().unwrap_or_default()
    }

    /// Checks that nothing arrives for this number of `milliseconds`. Arriving bytes stay unread.
    async fn is_open_and_silent(&mut self, milliseconds: u64) -> bool {
        let mut buffer = [0];
        let peek = self.0.peek(&mut buffer);
        timeout(Duration::from_millis(milliseconds), peek)
            .await
            .is_err()
    }

    /// Checks that the server closes the connection within this number of `milliseconds`, without a byte.
    async fn is_closed_within(&mut self, milliseconds: u64) -> bool {
        let mut buffer = [0; 64];
        let read = self.0.read(&mut buffer);
        match timeout(Duration::from_millis(milliseconds), read).await {
            Ok(Ok(read)) => read == 0,
            Ok(Err(_)) => true,
            Err(_) => false,
        }
    }
}

/// Returns the length of a body from its head.
fn length(head: &str) -> usize {
    let mut lines = head.lines().map(str::to_ascii_lowercase);
    let length = lines.find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    length.unwrap_or_default()
}

const ASK: &str = "GET / HTTP/1.1\r\nHost: shop.test\r\n\r\n";

/// Returns the limits of the default settings, with short timeouts.
fn limits() -> Limits {
    let config = Config::load(&Layers::default()).unwrap();
    Limits {
        timeouts: Timeouts {
            head: Duration::from_millis(500),
            idle: Duration::from_millis(1500),
            grace: Duration::from_millis(1500),
        },
        ..Limits::from_settings(&config.server)
    }
}
