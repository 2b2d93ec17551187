//! Reads the bodies of requests, within limits of size and time.

use std::net::IpAddr;
use std::ops::Deref;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, Stream, StreamExt};
use poem::http::Version;
use poem::http::header::{CONTENT_LENGTH, EXPECT};
use poem::{Body, Request};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use crate::api::http::client::address_of;
use crate::api::http::client_shares::{ClientShare, ClientShares};
use crate::api::http::error::ApiError;
use crate::api::http::server::BodySender;
use crate::app::{App, AppError};
use crate::config::client_network;
use crate::metrics;

/// Largest body of a call, bytes.
pub const LARGEST_BODY: usize = 64 << 10;

/// Largest callback of a payment gateway, bytes.
pub const LARGEST_CALLBACK: usize = 256 << 10;

/// Largest body without a reservation of memory, bytes. Such a body must also arrive together with its
/// head over HTTP/1. The connection's buffer then already holds the body.
const SMALL: usize = 4 << 10;

/// Longest time to receive a body, or to read and discard a refused body.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Most bytes of a refused body that the server reads and discards. After the discarded bytes, the sender
/// receives the response instead of a broken connection.
const DRAINED: usize = 8 << 20;

/// How long to wait for the next piece of a refused body.
const DRAIN_PAUSE: Duration = Duration::from_secs(1);

/// Number of equal parts of the memory for bodies. One client holds at most one part.
const PARTS: usize = 8;

/// The memory for bodies that arrive or are being processed.
pub(in crate::api) struct BodyMemory {
    free: Arc<Semaphore>,
    shares: Arc<ClientShares>,
}

impl BodyMemory {
    /// Creates a budget of `size` bytes.
    pub(in crate::api) fn new(size: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(size)),
            shares: ClientShares::new(size / PARTS),
        }
    }

    /// Reserves memory. Returns `None` if too little is left of the memory or of the client's share.
    fn reserve(&self, client: IpAddr, bytes: usize) -> Option<BodyReservation> {
        let share = self.shares.acquire(client, bytes)?;
        let permits = u32::try_from(bytes).ok()?;
        let permit = self.free.clone().try_acquire_many_owned(permits).ok()?;
        metrics::add_to_bodies(i64::from(permits));
        Some(BodyReservation {
            permit,
            _share: share,
        })
    }
}

/// A reserved part of the memory. Dropping it frees the memory.
struct BodyReservation {
    permit: OwnedSemaphorePermit,
    _share: ClientShare,
}

impl Drop for BodyReservation {
    fn drop(&mut self) {
        let bytes = i64::try_from(self.permit.num_permits());
        metrics::add_to_bodies(-bytes.unwrap_or_default());
    }
}

/// A body that was read. Its reservation ends when the body is dropped. A small body may have no
/// reservation, see `SMALL`.
pub struct BodyBytes {
    bytes: Bytes,
    _reserved: Option<BodyReservation>,
}

impl Deref for BodyBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads a body of at most `largest` bytes.
///
/// # Errors
/// 413 if the body is larger, 408 if it arrives too slowly, and 400 if it breaks off. 503 if too little
/// is left of the memory for bodies or of the client's share.
pub async fn read(request: &Request, body: Body, largest: usize) -> Result<BodyBytes, ApiError> {
    let part = |what| move || ApiError::from(AppError::Internal(format!("no {what}").into()));
    let app = request.data::<Arc<App>>().ok_or_else(part("app"))?;
    let memory = request.data::<Arc<BodyMemory>>();
    let memory = memory.ok_or_else(part("memory"))?;
    let length = content_length(request);
    let mut pieces = pin!(body.into_bytes_stream());
    let (mut first, mut second) = (None, None);
    if length.is_none_or(|length| length <= SMALL) && request.version() < Version::HTTP_2 {
        first = pieces.next().now_or_never().flatten();
    }
    if let Some(Ok(bytes)) = &mut first {
        // Without a `Content-Length`, the body is complete if the stream has ended.
        let is_whole = match length {
            Some(length) => length == bytes.len(),
            None if bytes.len() > SMALL => false,
            None => {
                second = pieces.next().now_or_never();
                matches!(second, Some(None))
            }
        };
        if is_whole {
            return Ok(BodyBytes {
                bytes: std::mem::take(bytes),
                _reserved: None,
            });
        }
    }
    let whole = first.into_iter().chain(second.flatten());
    let mut pieces = pin!(futures_util::stream::iter(whole).chain(pieces));
    let _waits = request.data::<BodySender>().map(BodySender::wait);
    let until = Instant::now() + BODY_TIME;
    let size = length.unwrap_or(largest);
    let client = client_network(address_of(request, &app.config.server));
    // A client that sends `Expect` waits for permission before it sends the body. So there is nothing to
    // discard.
    if size > largest && request.headers().contains_key(EXPECT) {
        return Err(ApiError::too_large(largest));
    }
    let refusal = if size > largest {
        ApiError::too_large(largest)
    } else if let Some(reserved) = memory.reserve(client, size) {
        let collected = timeout_at(until, collect(pieces.as_mut(), size)).await;
        match collected.map_err(|_| ApiError::too_slow())? {
            Ok(bytes) => {
                return Ok(BodyBytes {
                    bytes,
                    _reserved: Some(reserved),
                });
            }
            Err(refusal) => refusal,
        }
    } else {
        AppError::Unavailable.into()
    };
    let _ = timeout_at(until, drain(pieces)).await;
    Err(refusal)
}

/// Returns the `Content-Length` of a request, bytes. Returns `None` if the header is missing or invalid.
fn content_length(request: &Request) -> Option<usize> {
    let length = request.headers().get(CONTENT_LENGTH)?;
    let length: u64 = length.to_str().ok()?.parse().ok()?;
    Some(usize::try_from(length).unwrap_or(usize::MAX))
}

/// Collects a body of at most `size` bytes. Does not copy a body that arrives in one piece.
async fn collect(
    mut pieces: Pin<&mut impl Stream<Item = std::io::Result<Bytes>>>,
    size: usize,
) -> Result<Bytes, ApiError> {
    let mut first = Bytes::new();
    let mut all = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece =
            piece.map_err(|_| ApiError::malformed("The request's body could not be read."))?;
        let length = first.len() + all.len() + piece.len();
        if length > size {
            return Err(ApiError::too_large(size));
        }
        if length == piece.len() {
            first = piece;
            continue;
        }
        if all.is_empty() {
            all.reserve_exact(size);
            all.extend_from_slice(&std::mem::take(&mut first));
        }
        all.extend_from_slice(&piece);
    }
    Ok(if all.is_empty() { first } else { all.into() })
}

/// Reads and discards a body. Stops after [`DRAINED`] bytes, or if the next piece takes longer than
/// [`DRAIN_PAUSE`].
async fn drain(mut pieces: Pin<&mut impl Stream<Item = std::io::Result<Bytes>>>) {
    let mut drained = 0;
    while drained < DRAINED
        && let Ok(Some(Ok(piece))) = timeout(DRAIN_PAUSE, pieces.next()).await
    {
        drained += piece.len();
    }
}
