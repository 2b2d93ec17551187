//! `Idempotency-Key`: for 24 hours, a repeated call gets the answer to the first call.

use chrono::{DateTime, Duration, Utc};
use data_encoding::HEXLOWER;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::app::{AppError, Caller};
use crate::store::tables::{self, Answered};
use crate::store::{Direction, Read, Store, StoreError, WriteTx};

/// A call that may be repeated: the hash that identifies it, and the hash of its body.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    id: [u8; 32],
    body: String,
}

impl IdempotencyKey {
    /// Returns the key of a call by `caller` to `route`.
    ///
    /// # Errors
    /// [`AppError::Malformed`] if the header has not 8 to 200 visible ASCII characters.
    pub fn new(header: &str, caller: &Caller, route: &str, body: &[u8]) -> Result<Self, AppError> {
        let fits =
            (8..=200).contains(&header.len()) && header.bytes().all(|b| b.is_ascii_graphic());
        if !fits {
            return Err(AppError::Malformed(
                "Idempotency-Key must have 8 to 200 visible characters.".to_string(),
            ));
        }
        let mut hash = Sha256::new();
        for part in [&caller.scope(), route, header] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        Ok(Self {
            id: hash.finalize().into(),
            body: HEXLOWER.encode(&Sha256::digest(body)),
        })
    }
}

/// The key of a call. The shop recognises a repeated call by the key.
pub(in crate::app) trait CallKey<T>: Clone + Send + 'static {
    /// Returns whether the call has a key. Without a key, [`once`] looks for no first answer.
    fn is_given(&self) -> bool;

    /// Returns the answer to the first call with this key. Returns `None` if the call has no key or is the
    /// first call, or if the first answer has expired.
    ///
    /// # Errors
    /// A conflict if the first call had another body. Also if the store fails or the answer can't be read.
    fn first(&self, tx: &impl Read, now: DateTime<Utc>) -> Result<Option<T>, AppError>;

    /// Stores `answer` as the answer to the first call.
    fn store_answer(
        &self,
        tx: &mut WriteTx<'_>,
        answer: &T,
        now: DateTime<Utc>,
    ) -> Result<(), AppError>;
}

/// A call without a key always counts as the first call.
impl<T: Serialize + DeserializeOwned> CallKey<T> for Option<IdempotencyKey> {
    fn is_given(&self) -> bool {
        self.is_some()
    }

    fn first(&self, tx: &impl Read, now: DateTime<Utc>) -> Result<Option<T>, AppError> {
        let Some(key) = self else {
            return Ok(None);
        };
        match tables::ANSWERED.get(tx, &key.id)? {
            Some(first) if first.at + Duration::hours(24) <= now => Ok(None),
            Some(first) if first.body == key.body => serde_json::from_value(first.answer)
                .map(Some)
                // The error's text may quote the answer, which is personal data.
                .map_err(|_| AppError::Internal("a remembered answer can't be read".into())),
            Some(_) => Err(AppError::conflict(
                "idempotency_key_reused",
                "This Idempotency-Key came before with another request.",
            )),
            None => Ok(None),
        }
    }

    fn store_answer(
        &self,
        tx: &mut WriteTx<'_>,
        answer: &T,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let Some(key) = self else {
            return Ok(());
        };
        let row = Answered {
            body: key.body.clone(),
            answer: serde_json::to_value(answer)
                .map_err(|error| AppError::internal("an answer can't be remembered", error))?,
            at: now,
        };
        Ok(tables::ANSWERED.put(tx, &key.id, &row)?)
    }
}

/// The answer to a call that may be repeated.
#[derive(Debug)]
pub(in crate::app) enum Once<T> {
    /// The answer to the first call, which was executed.
    First(T),
    /// The first call's answer, for a repeated call. Nothing was written.
    Repeated(T),
}

impl<T> Once<T> {
    /// Returns the answer to the first call.
    pub(in crate::app) fn answer(self) -> T {
        match self {
            Self::First(answer) | Self::Repeated(answer) => answer,
        }
    }
}

/// Executes a call once. `prepare` checks the call and returns the write. One transaction runs the write and
/// stores its answer. A repeated call writes nothing and gets the first answer, even if the shop would refuse
/// the call now. While the first call is under way, a repeated call may also run `prepare`. The use case must
/// check whether the caller may see the answer.
///
/// # Errors
/// A conflict for a key that was used with another body. The errors of `prepare` and of the write.
pub(in crate::app) async fn once<T, W>(
    store: &Store,
    key: impl CallKey<T>,
    now: DateTime<Utc>,
    prepare: impl Future<Output = Result<W, AppError>>,
) -> Result<Once<T>, AppError>
where
    T: Send + 'static,
    W: Fn(&mut WriteTx<'_>) -> Result<T, AppError> + Send + 'static,
{
    if let Some(first) = first(store, &key, now).await? {
        return Ok(Once::Repeated(first));
    }
    let write = match prepare.await {
        Ok(write) => write,
        // Meanwhile, another request of this call may have succeeded. Its changes may be the reason for the
        // refusal.
        Err(refused) => {
            let first = first(store, &key, now).await?;
            return first.map(Once::Repeated).ok_or(refused);
        }
    };
    store
        .write(move |tx| {
            match key.first(tx, now) {
                Ok(None) => {}
                Ok(Some(first)) => return Ok(Once::Repeated(first)),
                Err(why) => {
                    // The error may only mean that the key's row is not in the cache. This run of the write
                    // then finds out which rows the write reads. So the store fetches all of these rows
                    // together. The result of this run is discarded.
                    let _ = write(tx);
                    return Err(why);
                }
            }
            let answer = write(tx)?;
            key.store_answer(tx, &answer, now)?;
            Ok(Once::First(answer))
        })
        .await
}

/// Returns the answer to the first call, if `key` is of a repeated call.
async fn first<T>(
    store: &Store,
    key: &impl CallKey<T>,
    now: DateTime<Utc>,
) -> Result<Option<T>, AppError> {
    if !key.is_given() {
        return Ok(None);
    }
    store.read(|tx| key.first(tx, now)).await
}

/// Deletes up to `limit` answers that are at least 24 hours old. Returns true if there may be more.
pub(in crate::app) fn forget(
    tx: &mut WriteTx<'_>,
    now: DateTime<Utc>,
    limit: usize,
) -> Result<bool, StoreError> {
    let until = now - Duration::hours(24);
    let mut old = tables::ANSWERED_BY_TIME.list_readable(tx, &(), Direction::Forward, limit)?;
    old.retain(|((time, _), ())| *time <= until);
    // All rows are requested before the first is deleted, so that a database needs one round trip.
    let found = Vec::from_iter(
        old.iter()
            .map(|((_, call), ())| tables::ANSWERED.has(tx, call)),
    );
    found.into_iter().collect::<Result<Vec<bool>, _>>()?;
    for (key, ()) in &old {
        tables::ANSWERED.delete(tx, &key.1)?;
        tables::ANSWERED_BY_TIME.remove_stray(tx, key);
    }
    Ok(old.len() == limit)
}
