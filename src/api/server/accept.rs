//! Takes connections, and serves each of them in a task of its own.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use poem::http::uri::Scheme;
use poem::http::{self, Version};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Endpoint, Response};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, MissedTickBehavior};

use super::Limits;
use super::connection::{KeptAnyway, Order};
use super::table::{Place, Table};
use super::watched::Watched;

/// How often is looked for connections whose clients keep us waiting.
const SWEEP: Duration = Duration::from_millis(250);

/// How long no connection is taken after the system had no room for one.
const PAUSE: Duration = Duration::from_millis(100);

/// Most connections that the system lets wait to be accepted.
const LARGEST_BACKLOG: usize = 4096;

/// Largest head of a request, bytes; also the most that is read ahead on a connection.
const LARGEST_HEAD: usize = 16 << 10;

/// Most requests under way on one HTTP/2 connection.
const STREAMS: u32 = 100;

/// How much of bodies a client may send ahead over one HTTP/2 connection, bytes.
const AHEAD: u32 = 128 << 10;

/// A connection for which there is no room hears this.
const NO_ROOM: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\n\
    Content-Length: 0\r\nConnection: close\r\n\r\n";

/// Serves `routes` on `listener` until `told_to_stop`. Then it takes the connections that wait already and
/// no new one, answers the requests under way, as long as [`super::Patience::grace`] lasts, and comes back.
///
/// # Errors
/// When the listener's own address is not known.
pub async fn serve<E: Endpoint<Output = Response> + 'static>(
    listener: TcpListener,
    limits: Limits,
    routes: E,
    told_to_stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let grace = limits.patience.grace;
    let server = Server {
        local: listener.local_addr()?,
        http1: http1(),
        both: limits.http2.then(both),
        routes: Arc::new(routes),
        table: Table::new(limits),
    };
    let mut told_to_stop = pin!(told_to_stop);
    let mut sweep = tokio::time::interval(SWEEP);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = &mut told_to_stop => break,
            _ = sweep.tick() => server.table.sweep(),
            accepted = listener.accept() => match accepted {
                Ok((socket, peer)) => server.take(socket, peer).await,
                Err(error) if ended_before_it_began(&error) => {}
                Err(error) => {
                    tracing::debug!(%error, "a connection could not be taken");
                    server.table.no_file_left();
                    tokio::time::sleep(PAUSE).await;
                }
            },
        }
    }
    server.take_waiting(listener).await;
    server.end(grace).await;
    Ok(())
}

/// Whether accepting failed because of that one connection, and the next may be taken at once.
fn ended_before_it_began(error: &io::Error) -> bool {
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
    http1: http1::Builder,
    /// For both versions, where HTTP/2 is spoken.
    both: Option<auto::Builder<TokioExecutor>>,
    routes: Arc<E>,
    table: Arc<Table>,
}

impl<E: Endpoint<Output = Response> + 'static> Server<E> {
    /// Serves a connection, or refuses it.
    async fn take(&self, socket: TcpStream, peer: SocketAddr) {
        let Some(place) = self.table.admit(peer.ip().to_canonical()) else {
            refuse(socket);
            return;
        };
        // Small answers leave at once.
        let _ = socket.set_nodelay(true);
        let made_room = place.made_room;
        self.spawn(socket, peer, place);
        if made_room {
            // The connections that were closed end before the next one is taken.
            tokio::task::yield_now().await;
        }
    }

    /// Serves the connections that wait to be accepted, and closes the listener.
    async fn take_waiting(&self, listener: TcpListener) {
        let Ok(listener) = listener.into_std() else {
            return;
        };
        for _ in 0..LARGEST_BACKLOG {
            match listener.accept() {
                Ok((socket, peer)) => {
                    let is_ready = socket.set_nonblocking(true);
                    if let Ok(socket) = is_ready.and_then(|()| TcpStream::from_std(socket)) {
                        self.take(socket, peer).await;
                    }
                }
                Err(error) if ended_before_it_began(&error) => {}
                Err(_) => return,
            }
        }
    }

    fn spawn(&self, socket: TcpStream, peer: SocketAddr, place: Place) {
        let connection = place.connection.clone();
        let io = TokioIo::new(Watched {
            socket,
            connection: connection.clone(),
        });
        let routes = self.routes.clone();
        let addresses = (LocalAddr(self.local.into()), RemoteAddr(peer.into()));
        let service = service_fn(move |request: http::Request<Incoming>| {
            let work = connection.begin(request.version() == Version::HTTP_2);
            let has_body = !request.body().is_end_stream();
            let (local, remote) = addresses.clone();
            let mut request: poem::Request = (request, local, remote, Scheme::HTTP).into();
            if has_body {
                request.set_data(work.sender());
            }
            let routes = routes.clone();
            async move {
                let response: http::Response<_> = routes.get_response(request).await.into();
                let size = match response.extensions().get::<KeptAnyway>() {
                    Some(KeptAnyway) => 0,
                    None => response.body().size_hint().lower(),
                };
                work.answer(size);
                Ok::<_, Infallible>(response)
            }
        });
        match &self.both {
            None => {
                let served = self.http1.serve_connection(io, service);
                tokio::spawn(until_told(place, served, |served| {
                    served.graceful_shutdown();
                }));
            }
            Some(both) => {
                let served = both.serve_connection(io, service).into_owned();
                tokio::spawn(until_told(place, served, |served| {
                    served.graceful_shutdown();
                }));
            }
        }
    }

    /// Has all connections end.
    async fn end(&self, grace: Duration) {
        self.table.stop();
        let until = Instant::now() + grace;
        while !self.table.is_empty_soon(SWEEP).await {
            if Instant::now() >= until {
                self.table.close_all();
                self.table.is_empty_soon(PAUSE).await;
                break;
            }
            self.table.sweep();
        }
    }
}

/// Refuses a connection: it hears so if that fits into what the system sends by itself. A client
/// that is refused is not waited for.
fn refuse(socket: TcpStream) {
    if let Ok(mut socket) = socket.into_std() {
        let _ = socket.write(NO_ROOM);
    }
}

/// Serves a connection until it ends, or is told to end at once. `finish` has it end with what is
/// under way: a request that has come in but for our reading it is under way, too.
async fn until_told<C: Future>(place: Place, served: C, finish: impl Fn(Pin<&mut C>)) {
    let mut served = pin!(served);
    let mut is_finishing = false;
    poll_fn(|cx| {
        loop {
            let order = place.connection.order(cx.waker());
            let is_over = match order {
                Order::Close => return Poll::Ready(()),
                Order::Finish => !is_finishing && !place.connection.is_unread(),
                Order::None => false,
            };
            if is_over {
                is_finishing = true;
                finish(served.as_mut());
            }
            if served.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            // Its first bytes may just have been read.
            if is_finishing || order != Order::Finish || place.connection.is_unread() {
                return Poll::Pending;
            }
        }
    })
    .await;
}

fn http1() -> http1::Builder {
    let mut http1 = http1::Builder::new();
    // The table of connections sees to the time that a head may take.
    http1.header_read_timeout(None).max_buf_size(LARGEST_HEAD);
    http1
}

fn both() -> auto::Builder<TokioExecutor> {
    let mut both = auto::Builder::new(TokioExecutor::new());
    both.http1()
        .header_read_timeout(None)
        .max_buf_size(LARGEST_HEAD);
    both.http2()
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(LARGEST_HEAD as u32)
        .max_pending_accept_reset_streams(20)
        .initial_stream_window_size(AHEAD / 2)
        .initial_connection_window_size(AHEAD);
    both
}
