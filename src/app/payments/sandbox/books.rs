//! The sandbox gateway's payments, which are rows of a table in the shop's store.

use std::sync::Arc;

use chrono::Duration;
use tokio::sync::Notify;
use uuid::Uuid;

use super::signature;
use crate::app::jobs::queue::enqueue;
use crate::app::{AppError, new_id};
use crate::clock::Clock;
use crate::domain::payment::sandbox::{EventSchedule, SandboxPayment};
use crate::secret::same_bytes;
use crate::store::tables::{SANDBOX, Task};
use crate::store::{Store, WriteTx};

pub(in crate::app) const NAME: &str = "sandbox";

pub struct Sandbox {
    store: Store,
    pub(super) clock: Clock,
    work_added: Arc<Notify>,
    pub(super) secret: String,
}

impl Sandbox {
    pub(in crate::app) fn new(
        store: Store,
        clock: Clock,
        work_added: Arc<Notify>,
        secret: String,
    ) -> Self {
        Self {
            store,
            clock,
            work_added,
            secret,
        }
    }

    pub(super) async fn read(&self, payment: Uuid) -> Result<Option<SandboxPayment>, AppError> {
        Ok(self.store.read(|tx| SANDBOX.get(tx, &payment)).await?)
    }

    /// Changes a payment and enqueues the callbacks, in one transaction. A payment that is not
    /// stored starts as `new`. Returns the changed payment. Returns `None` if no payment is stored
    /// and `new` is `None`.
    pub(super) async fn write(
        &self,
        payment: Uuid,
        new: Option<SandboxPayment>,
        change: impl Fn(&mut SandboxPayment) -> EventSchedule + Send + 'static,
    ) -> Result<Option<SandboxPayment>, AppError> {
        let now = self.clock.now();
        // At most two callbacks follow one change.
        let jobs = [new_id(now), new_id(now)];
        let write = move |tx: &mut WriteTx<'_>| {
            let existing = SANDBOX.get(tx, &payment)?;
            let Some(mut row) = existing.or_else(|| new.clone()) else {
                return Ok(None);
            };
            let events = change(&mut row);
            SANDBOX.put(tx, &row.payment, &row)?;
            for ((delay, event), job) in events.iter().zip(jobs) {
                let task = Task::SandboxCallback {
                    payment,
                    event: *event,
                };
                enqueue(tx, task, now + Duration::seconds(*delay), job)?;
            }
            Ok::<_, AppError>(Some(row))
        };
        let changed = self.store.write(write).await?;
        self.work_added.notify_one();
        Ok(changed)
    }

    /// Returns the payment whose page is at `address`.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the secret in `address` is wrong, or the payment is not stored.
    pub(super) async fn at_address(&self, address: &str) -> Result<SandboxPayment, AppError> {
        let (id, secret) = address.split_once('.').ok_or(AppError::NotFound)?;
        let id = Uuid::parse_str(id).map_err(|_| AppError::NotFound)?;
        let expected = signature::page_secret(id, &self.secret)?;
        if !same_bytes(expected.as_bytes(), secret.as_bytes()) {
            return Err(AppError::NotFound);
        }
        self.read(id).await?.ok_or(AppError::NotFound)
    }
}
