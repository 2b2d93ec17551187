//! The sandbox gateway's books in the shop's store. Nothing else of the shop reads them.

use std::sync::Arc;

use chrono::Duration;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::app::work::queue::enqueue;
use crate::app::{AppError, new_id};
use crate::clock::Clock;
use crate::config;
use crate::domain::sandbox::{SandboxPayment, Told};
use crate::integrations::gateway::sandbox::{Books, Change};
use crate::integrations::gateway::{GatewayError, Later};
use crate::store::tables::{SANDBOX, Task};
use crate::store::{Direction, Store, WriteTx, tables};

/// The books.
#[derive(Clone)]
pub(in crate::app) struct StoreBooks {
    store: Store,
    clock: Clock,
    work_added: Arc<Notify>,
    /// How much later than it could the shop hears of a change.
    news_after: Duration,
}

impl StoreBooks {
    pub(in crate::app) fn new(
        store: Store,
        clock: Clock,
        work_added: Arc<Notify>,
        manners: &config::Sandbox,
    ) -> Self {
        Self {
            store,
            clock,
            work_added,
            news_after: Duration::seconds(i64::from(manners.news_after)),
        }
    }

    /// Whether there is any payment in them.
    pub(in crate::app) async fn any(&self) -> Result<bool, AppError> {
        let first = self
            .store
            .read(|tx| SANDBOX.list_readable(tx, &(), Direction::Forward, 1));
        Ok(!first.await?.is_empty())
    }

    /// A payment.
    pub(in crate::app) async fn of(
        &self,
        payment: Uuid,
    ) -> Result<Option<SandboxPayment>, AppError> {
        Ok(self.store.read(|tx| SANDBOX.get(tx, &payment)).await?)
    }

    /// As [`Books::change`].
    pub(in crate::app) async fn write(
        &self,
        payment: Uuid,
        new: Option<SandboxPayment>,
        change: Change,
    ) -> Result<Option<SandboxPayment>, AppError> {
        let (now, news_after) = (self.clock.now(), self.news_after);
        // At most two callbacks follow one change.
        let jobs = [new_id(now), new_id(now)];
        let changed = self
            .store
            .write(move |tx: &mut WriteTx<'_>| {
                let known = SANDBOX.get(tx, &payment)?;
                let Some(mut row) = known.or_else(|| new.clone()) else {
                    return Ok(None);
                };
                let callbacks = change(&mut row);
                tables::SANDBOX.put(tx, &row.payment, &row)?;
                for ((delay, told), job) in callbacks.iter().zip(jobs) {
                    let due = now + Duration::milliseconds(*delay) + news_after;
                    let task = match told {
                        Told::State => Task::SandboxCallback { payment },
                        Told::RefundFailed => Task::SandboxFailedRefund { payment },
                        Told::Disputed => Task::SandboxDispute { payment },
                    };
                    enqueue(tx, task, due, job)?;
                }
                Ok::<_, AppError>(Some(row))
            })
            .await?;
        self.work_added.notify_one();
        Ok(changed)
    }
}

impl Books for StoreBooks {
    fn read(&self, payment: Uuid) -> Later<'_, Option<SandboxPayment>> {
        Box::pin(async move { self.of(payment).await.map_err(unclear) })
    }

    fn change(
        &self,
        payment: Uuid,
        new: Option<SandboxPayment>,
        change: Change,
    ) -> Later<'_, Option<SandboxPayment>> {
        Box::pin(async move { self.write(payment, new, change).await.map_err(unclear) })
    }
}

/// To the shop it is a gateway that doesn't answer.
fn unclear(error: AppError) -> GatewayError {
    GatewayError::Unclear(error.log_text())
}
