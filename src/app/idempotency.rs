//! `Idempotency-Key`: a repeated call gets the first answer again, for a day.

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
    /// If the header's text is no valid key.
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

/// Identifies a call, so that a repeated call is recognised.
pub(in crate::app) trait CallKey<T>: Clone + Send + 'static {
    /// Returns whether the call can be a repeated one. If not, nothing is read.
    fn is_given(&self) -> bool;

    /// Returns the first answer to this call, if it is a repeated one.
    ///
    /// # Errors
    /// A conflict if the first call had another body.
    fn first(&self, tx: &impl Read, now: DateTime<Utc>) -> Result<Option<T>, AppError>;

    /// Stores `answer` as the first.
    fn store_answer(
        &self,
        tx: &mut WriteTx<'_>,
        answer: &T,
        now: DateTime<Utc>,
    ) -> Result<(), AppError>;
}

/// A call without a key is never a repeated one.
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
    /// The first call. It was executed.
    First(T),
    /// A repeated call, with the first answer. Nothing was written.
    Repeated(T),
}

impl<T> Once<T> {
    /// Returns the answer of the first call.
    pub(in crate::app) fn answer(self) -> T {
        match self {
            Self::First(answer) | Self::Repeated(answer) => answer,
        }
    }
}

/// Executes a call once. `prepare` checks it and returns the write. One transaction stores the write and its
/// answer. A repeated call writes nothing and gets the first answer, even if it would be refused now. It may
/// run `prepare` while the first call is under way. The use case checks whether the caller may see the answer.
///
/// # Errors
/// A conflict for a key that came with another body. The errors of `prepare` and of the write.
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
        // The same call may have run meanwhile, and be the reason for the refusal.
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
                    // The key's row may only be missing from the cache. This run then finds out which rows the
                    // write reads, so that all are fetched together. Its result is discarded.
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

/// Returns the first answer to a call, if it is a repeated one.
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

/// Deletes up to `limit` answers older than a day. Returns true if there may be more.
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
