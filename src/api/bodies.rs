//! Reads requests' bodies: how large one may be, and how long it may take.

use std::ops::Deref;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, Stream, StreamExt};
use poem::http::Version;
use poem::http::header::{CONTENT_LENGTH, EXPECT};
use poem::{Body, Request};
use tokio::time::{Instant, timeout, timeout_at};

use super::body_room::{BodyRoom, NoRoom, Share};
use super::client::address_of;
use super::error::ApiError;
use super::server::Sender;
use crate::app::{App, AppError};
use crate::config::client_network;

/// Largest body of a call, bytes.
pub const LARGEST_BODY: usize = 64 << 10;

/// Largest callback of a payment gateway, bytes.
pub const LARGEST_CALLBACK: usize = 256 << 10;

/// A body of at most so many bytes that came together with its head isn't counted in the room: a
/// connection of HTTP/1 has one at a time, in the buffer that it has anyway.
const SMALL: usize = 4 << 10;

/// How long a body may take, however it comes.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Up to this much of a body that is refused is read and thrown away, so that its sender receives
/// the answer instead of a broken connection.
const DRAINED: usize = 8 << 20;

/// How long is waited for more of a body that is refused.
const DRAIN_PAUSE: Duration = Duration::from_secs(1);

/// A body that was read. It has its share of the room for as long as it is kept, unless it is small.
pub struct Received {
    bytes: Bytes,
    _share: Option<Share>,
}

impl Deref for Received {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Why a body isn't read.
#[derive(Clone, Copy)]
enum Refused {
    BrokenOff,
    NoRoom,
    TooLarge,
}

impl From<NoRoom> for Refused {
    fn from(_: NoRoom) -> Self {
        Self::NoRoom
    }
}

/// Reads a body of at most `largest` bytes.
///
/// # Errors
/// 413 for a larger one, 408 for one that takes too long, 400 for one that breaks off, 503 when too
/// much of others is being read.
pub async fn read(request: &Request, body: Body, largest: usize) -> Result<Received, ApiError> {
    let part = |what| move || ApiError::from(AppError::Internal(format!("no {what}").into()));
    let app = request.data::<Arc<App>>().ok_or_else(part("app"))?;
    let room = request.data::<Arc<BodyRoom>>().ok_or_else(part("room"))?;
    let length = announced(request);
    let mut pieces = pin!(body.into_bytes_stream());
    let mut first = None;
    let is_small = length.is_some_and(|length| length <= SMALL as u64);
    if is_small && request.version() < Version::HTTP_2 {
        first = pieces.next().now_or_never().flatten();
    }
    if let Some(Ok(bytes)) = &mut first
        && length == Some(bytes.len() as u64)
        && bytes.len() <= largest
    {
        return Ok(Received {
            bytes: std::mem::take(bytes),
            _share: None,
        });
    }
    let mut pieces = pin!(futures_util::stream::iter(first).chain(pieces));
    let _waited_for = request.data::<Sender>().map(Sender::is_waited_for);
    let share = room.share(client_network(address_of(request, &app.config.server)));
    let body_comes = share.body();
    let until = Instant::now() + BODY_TIME;
    let refused = |why| match why {
        Refused::BrokenOff => ApiError::malformed("The request's body could not be read."),
        Refused::NoRoom => AppError::Unavailable.into(),
        Refused::TooLarge => ApiError::too_large(largest),
    };
    let says_too_large = length.is_some_and(|length| length > largest as u64);
    // Who waits to be asked for the body has sent none of it.
    if says_too_large && request.headers().contains_key(EXPECT) {
        return Err(refused(Refused::TooLarge));
    }
    let received = if says_too_large {
        Err(Refused::TooLarge)
    } else {
        tokio::select! {
            biased;
            received = timeout_at(until, collect(pieces.as_mut(), share, largest)) => {
                received.map_err(|_| ApiError::too_slow())?
            }
            () = body_comes.gives_way() => Err(Refused::NoRoom),
        }
    };
    match received {
        Ok(received) => Ok(received),
        Err(why) => {
            let _ = timeout_at(until, drain(pieces)).await;
            Err(refused(why))
        }
    }
}

/// What a request says of its body's length, bytes.
fn announced(request: &Request) -> Option<u64> {
    let length = request.headers().get(CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

/// Collects a body. One that comes in one piece isn't copied. What is held is counted before it is.
async fn collect(
    mut pieces: Pin<&mut impl Stream<Item = std::io::Result<Bytes>>>,
    mut share: Share,
    largest: usize,
) -> Result<Received, Refused> {
    let mut first = Bytes::new();
    let mut all = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| Refused::BrokenOff)?;
        let length = first.len() + all.len() + piece.len();
        if length > largest {
            return Err(Refused::TooLarge);
        }
        if length == piece.len() {
            share.grow_to(length)?;
            first = piece;
            continue;
        }
        if length > all.capacity() {
            // Twice as much each time, so that little is copied.
            let capacity = (2 * all.capacity()).clamp(length, largest);
            share.grow_to(capacity)?;
            all.reserve_exact(capacity - all.len());
        }
        if !first.is_empty() {
            all.extend_from_slice(&std::mem::take(&mut first));
        }
        all.extend_from_slice(&piece);
    }
    share.is_whole();
    Ok(Received {
        bytes: if all.is_empty() { first } else { all.into() },
        _share: Some(share),
    })
}

/// Throws the rest of a body away.
async fn drain(mut pieces: Pin<&mut impl Stream<Item = std::io::Result<Bytes>>>) {
    let mut drained = 0;
    while drained < DRAINED
        && let Ok(Some(Ok(piece))) = timeout(DRAIN_PAUSE, pieces.next()).await
    {
        drained += piece.len();
    }
}
