//! `Idempotency-Key`: a repeated call gets the first answer again, for a day.

use chrono::{DateTime, Duration, Utc};
use data_encoding::HEXLOWER;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::app::{AppError, Caller, rows};
use crate::store::tables::{self, Answered};
use crate::store::{Read, StoreError, WriteTx};

/// A call that may be repeated: the hash that identifies it, and the hash of its body.
#[derive(Clone, Debug)]
pub struct Key {
    id: [u8; 32],
    body: String,
}

impl Key {
    /// The key of a call by `caller` to `route`.
    ///
    /// # Errors
    /// When the header's text is no usable key.
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

    /// The first answer to this call, if there was one within a day.
    ///
    /// # Errors
    /// A conflict when the same key came with another body.
    pub(in crate::app) fn answer<T: DeserializeOwned>(
        &self,
        tx: &impl Read,
        now: DateTime<Utc>,
    ) -> Result<Option<T>, AppError> {
        match tables::ANSWERED.get(tx, &self.id)? {
            Some(first) if first.at + Duration::hours(24) <= now => Ok(None),
            Some(first) if first.body == self.body => serde_json::from_value(first.answer)
                .map(Some)
                .map_err(|_| AppError::Internal("a remembered answer can't be read".into())),
            Some(_) => Err(AppError::conflict(
                "idempotency_key_reused",
                "This Idempotency-Key came before with another request.",
            )),
            None => Ok(None),
        }
    }

    /// Stores `answer` as the first.
    pub(in crate::app) fn remember(
        &self,
        tx: &mut WriteTx<'_>,
        answer: &impl Serialize,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let row = Answered {
            body: self.body.clone(),
            answer: serde_json::to_value(answer)
                .map_err(|_| AppError::Internal("an answer can't be remembered".into()))?,
            at: now,
        };
        Ok(rows::idempotency::put(tx, self.id, &row)?)
    }
}

/// Removes up to `limit` answers older than a day; true when there may be more.
pub(in crate::app) fn forget(
    tx: &mut WriteTx<'_>,
    now: DateTime<Utc>,
    limit: usize,
) -> Result<bool, StoreError> {
    rows::idempotency::delete_until(tx, now - Duration::hours(24), limit)
}
