//! The server: accepts connections and passes their requests to the routes, within limits. A client with
//! many connections, or with stalled connections, cannot take slots from other clients for long.
//!
//! One limit is the number of connections, in all and from one client. Other limits are the times for a
//! head, for an idle connection and for an unread response. [`crate::api::http::bodies`] limits the time
//! and size of a body.

mod connection;
mod limits;
pub(crate) mod slots;
pub(crate) mod stream;

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use poem::http::uri::Scheme;
use poem::http::{self, Version};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Endpoint, Response};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;

pub use connection::{BodySender, SharedBody};
pub use limits::{Limits, Timeouts};

use connection::{Connection, ConnectionWork};
use slots::ConnectionSlots;
use stream::CountedStream;

/// How long the server accepts no connection after accepting failed, for example because no file descriptor
/// is free. Also how long a stopping server waits for the connections that it closes.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a stopping server waits for the next connection of the backlog.
const BACKLOG_TIME: Duration = Duration::from_millis(20);

/// Most connections of the backlog that a stopping server accepts.
const LARGEST_BACKLOG: usize = 4096;

/// Largest head of a request, bytes. Also the limit of an HTTP/1 connection's read buffer.
const LARGEST_HEAD: usize = 16 << 10;

/// Most requests in progress on one HTTP/2 connection.
const STREAMS: u32 = 100;

/// Bytes of bodies that a client may send over one HTTP/2 connection before the server reads them.
const AHEAD: u32 = 128 << 10;

/// The response to a connection without a slot.
const NO_SLOT_RESPONSE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\n\
    Content-Length: 0\r\nConnection: close\r\n\r\n";

/// The command that all connections receive.
#[derive(Clone, Copy)]
enum DrainMode {
    /// Continue.
    Run,
    /// Finish the requests in progress, then end.
    Drain,
    /// End at once.
    Close,
}

/// Serves `routes` on `listener` until `stop` completes. Then accepts the connections of the backlog.
/// Lets the requests in progress end within [`Timeouts::grace`], and closes the connections that remain.
///
/// # Errors
/// If the listener's own address is unknown.
pub async fn serve<E: Endpoint<Output = Response> + 'static>(
    listener: TcpListener,
    limits: Limits,
    routes: E,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let server = Server {
        local: listener.local_addr()?,
        http: Arc::new(http(limits.http2)),
        routes: Arc::new(routes),
        orders: watch::Sender::new(DrainMode::Run),
        slots: ConnectionSlots::new(limits),
    };
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((socket, peer)) => server.accept(socket, peer).await,
                Err(error) if is_aborted(&error) => {}
                Err(error) => {
                    tracing::debug!(%error, "a connection could not be taken");
                    server.slots.pause_without_files(PAUSE).await;
                }
            },
        }
    }
    let grace = server.slots.limits.timeouts.grace;
    let _ = timeout(grace, server.take_waiting(&listener)).await;
    drop(listener);
    server.end(grace).await;
    Ok(())
}

/// Checks whether accepting failed because of one connection or an interruption. The next connection may
/// then be accepted at once.
fn is_aborted(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

struct Server<E> {
    local: SocketAddr,
    http: Arc<auto::Builder<TokioExecutor>>,
    routes: Arc<E>,
    orders: watch::Sender<DrainMode>,
    slots: Arc<ConnectionSlots>,
}

impl<E: Endpoint<Output = Response> + 'static> Server<E> {
    /// Starts to serve a connection, or refuses the connection if there is no slot.
    async fn accept(&self, socket: TcpStream, peer: SocketAddr) {
        let Some(place) = self.slots.acquire(peer.ip().to_canonical()).await else {
            refuse(socket);
            return;
        };
        // Sends small responses at once, without waiting for more bytes.
        let _ = socket.set_nodelay(true);
        let connection = Arc::new(Connection::new(place));
        tokio::spawn(self.run(socket, peer, connection));
    }

    /// Serves a connection until it ends, its client is late, or the server closes it. Allocates the
    /// connection's buffers only after the first byte arrives.
    fn run(
        &self,
        socket: TcpStream,
        peer: SocketAddr,
        connection: Arc<Connection>,
    ) -> impl Future<Output = ()> + use<E> {
        let (http, routes) = (self.http.clone(), self.routes.clone());
        let addresses = (LocalAddr(self.local.into()), RemoteAddr(peer.into()));
        let mut orders = self.orders.subscribe();
        async move {
            let mut is_late = pin!(connection.is_late());
            tokio::select! {
                _ = socket.readable() => {}
                () = is_late.as_mut() => return,
            }
            let io = TokioIo::new(CountedStream {
                socket,
                connection: connection.clone(),
            });
            let service = service_fn(|request: http::Request<Incoming>| {
                let work = connection.begin(request.version() == Version::HTTP_2);
                answer(routes.clone(), work, addresses.clone(), request)
            });
            let mut served = pin!(http.serve_connection(io, service));
            loop {
                // With `biased`, the server reads a request that has already arrived before it shuts the
                // connection down.
                tokio::select! {
                    biased;
                    _ = served.as_mut() => return,
                    changed = orders.changed() => {
                        if changed.is_err() || matches!(*orders.borrow(), DrainMode::Close) {
                            return;
                        }
                        served.as_mut().graceful_shutdown();
                    }
                    () = is_late.as_mut() => return,
                }
            }
        }
    }

    /// Accepts the connections of the backlog. Stops at an error, after [`LARGEST_BACKLOG`] connections,
    /// or if none arrives within [`BACKLOG_TIME`].
    async fn take_waiting(&self, listener: &TcpListener) {
        for _ in 0..LARGEST_BACKLOG {
            match timeout(BACKLOG_TIME, listener.accept()).await {
                Ok(Ok((socket, peer))) => self.accept(socket, peer).await,
                Ok(Err(error)) if is_aborted(&error) => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
    }

    /// Tells all connections to end. Closes the connections that remain after `grace`.
    async fn end(&self, grace: Duration) {
        self.slots.stop();
        let _ = self.orders.send(DrainMode::Drain);
        if timeout(grace, self.orders.closed()).await.is_err() {
            let _ = self.orders.send(DrainMode::Close);
            let _ = timeout(PAUSE, self.orders.closed()).await;
        }
    }
}

/// Answers a request. Then ends `work`, the request's entry in its connection.
async fn answer<E: Endpoint<Output = Response>>(
    routes: Arc<E>,
    work: ConnectionWork,
    (local, remote): (LocalAddr, RemoteAddr),
    request: http::Request<Incoming>,
) -> Result<http::Response<impl Body<Data = Bytes, Error = io::Error>>, Infallible> {
    let has_body = !request.body().is_end_stream();
    let mut request: poem::Request = (request, local, remote, Scheme::HTTP).into();
    if has_body {
        request.set_data(work.sender());
    }
    let response: http::Response<_> = routes.get_response(request).await.into();
    let size = match response.extensions().get::<SharedBody>() {
        Some(SharedBody) => 0,
        None => response.body().size_hint().lower(),
    };
    work.finish(size);
    Ok(response)
}

/// Sends a 503 and closes the connection. The server does not wait for a refused client. So the client
/// receives the response only if the system's send buffer has space.
fn refuse(socket: TcpStream) {
    if let Ok(mut socket) = socket.into_std() {
        let _ = socket.write(NO_SLOT_RESPONSE);
    }
}

/// Configures HTTP/1, and HTTP/2 if it is on. [`Connection`] limits the time of heads, because hyper's
/// timeout would also count the idle time of a connection.
fn http(http2: bool) -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1()
        .header_read_timeout(None)
        .max_buf_size(LARGEST_HEAD);
    http.http2()
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(LARGEST_HEAD as u32)
        .max_pending_accept_reset_streams(20)
        .initial_stream_window_size(AHEAD / 2)
        .initial_connection_window_size(AHEAD);
    if http2 { http } else { http.http1_only() }
}
