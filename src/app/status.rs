//! `layby status`: the state of the shop, as figures and as lines for one screen.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::AppError;
use crate::app::accounting::unresolved;
use crate::app::jobs::{self, QueueStatus};
use crate::app::public_address::call_public_address;
use crate::config::Config;
use crate::domain::money::Pence;
use crate::domain::payment::refund::RefundStatus;
use crate::domain::time::dates::{london_date, start_of_day};
use crate::store::tables::{BACKUP_STATE, GoodBackup, PAYMENTS, QUOTES, REFUNDS};
use crate::store::{self, Direction, ReadTx, SCHEMA, Store, StoreError};

/// When this process began to serve.
static STARTED: OnceLock<DateTime<Utc>> = OnceLock::new();

/// The state of a shop.
#[derive(Debug, Serialize, Deserialize)]
pub struct ShopStatus {
    pub version: String,
    pub schema: u32,
    /// When the shop began to serve, or `None` if no shop runs.
    pub started: Option<DateTime<Utc>>,
    /// Why the clock is wrong, or `None` for a right clock.
    pub clock_error: Option<String>,
    /// Size of the store's file, or `None` for a store in a database.
    pub store_bytes: Option<u64>,
    pub disk_free_bytes: Option<u64>,
    /// When the certificate of `server.public_url` ends, or `None` if the address is not reached by https.
    pub certificate_ends: Option<DateTime<Utc>>,
    /// The newest backup that was read again and was the same.
    pub backup: Option<GoodBackup>,
    pub queues: Vec<QueueStatus>,
    /// The number of jobs that were set aside, by task.
    pub set_aside: BTreeMap<String, i64>,
    /// The number of payments, refunds and payout lines that need a person.
    pub unresolved: usize,
    /// Today in London.
    pub today: Today,
}

/// What happened on one day.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Today {
    pub quotes: usize,
    pub sales: usize,
    pub sold: Pence,
    pub refunds: usize,
    pub refunded: Pence,
}

/// Records that this process serves from `now` on.
pub fn note_start(now: DateTime<Utc>) {
    let _ = STARTED.set(now);
}

/// Returns the state of the shop with this store.
///
/// # Errors
/// If the store can't be read.
pub async fn status(
    store: &Store,
    config: &Config,
    now: DateTime<Utc>,
) -> Result<ShopStatus, AppError> {
    let unresolved = unresolved::list(store, config, now).await?.len();
    let public = call_public_address(config).await.ok();
    let (queues, set_aside) = jobs::queue_status(store, now).await?;
    Ok(ShopStatus {
        version: env!("CARGO_PKG_VERSION").to_string(),
        schema: SCHEMA,
        started: STARTED.get().copied(),
        clock_error: store.wrong_clock().map(|wrong| wrong.to_string()),
        store_bytes: store.size(),
        disk_free_bytes: store::free_bytes(&config.server.data).ok(),
        certificate_ends: public.and_then(|answer| answer.certificate_ends),
        backup: store.read(newest_backup).await?,
        queues,
        set_aside: set_aside
            .into_iter()
            .map(|(task, count)| (task.to_string(), count))
            .collect(),
        unresolved,
        today: store.read(|tx| today(tx, now)).await?,
    })
}

fn newest_backup(tx: &ReadTx) -> Result<Option<GoodBackup>, StoreError> {
    let state = BACKUP_STATE.get_readable(tx, &())?;
    Ok(state.and_then(|state| state.newest))
}

fn today(tx: &ReadTx, now: DateTime<Utc>) -> Result<Today, StoreError> {
    let mut today = Today::default();
    let start = start_of_day(london_date(now));
    // Ids of quotes sort by their time.
    QUOTES.scan_readable(tx, &(), Direction::Backward, |_, quote| {
        if quote.created < start {
            return ControlFlow::Break(());
        }
        today.quotes += 1;
        ControlFlow::Continue(())
    })?;
    for row in PAYMENTS.readable_rows(tx, &()) {
        let (_, payment) = row?;
        if payment.purpose.buys_policy() && payment.paid_at.is_some_and(|paid| start <= paid) {
            today.sales += 1;
            today.sold += payment.amount;
        }
    }
    for row in REFUNDS.readable_rows(tx, &()) {
        let (_, refund) = row?;
        if refund.status == RefundStatus::Paid && start <= refund.updated {
            today.refunds += 1;
            today.refunded += refund.amount;
        }
    }
    Ok(today)
}

impl ShopStatus {
    /// Returns the lines of one screen.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let running = self.started.map_or("not running".to_string(), |started| {
            format!("running since {}", jobs::format_time(started))
        });
        let size = self
            .store_bytes
            .map_or("in a database".to_string(), format_size);
        let free = self.disk_free_bytes.map(format_size);
        let free = free.map_or(String::new(), |free| format!(", the disk has {free} free"));
        let certificate = match self.certificate_ends {
            Some(end) => format!("until {}", jobs::format_time(end)),
            None => "unknown: the shop is not reached by https at server.public_url".to_string(),
        };
        let backup = self.backup.as_ref();
        let backup = backup.map_or("none yet".to_string(), |good| {
            let (moment, size) = (jobs::format_time(good.moment), format_size(good.bytes));
            format!("of {moment}, {} rows in {size}", good.rows)
        });
        let mut lines = vec![
            format!(
                "layby       {}, schema {}, {running}",
                self.version, self.schema
            ),
            format!("store       {size}{free}"),
            format!("backup      {backup}"),
            format!("certificate {certificate}"),
        ];
        if let Some(error) = &self.clock_error {
            lines.push(format!("clock       {error}"));
        }
        for queue in &self.queues {
            let QueueStatus {
                queue,
                waiting,
                failing,
                lag_seconds,
            } = queue;
            lines.push(format!(
                "queue       {queue}: {waiting} wait, {failing} of them failed, the oldest is {lag_seconds} s late"
            ));
        }
        let tasks = self.set_aside.iter();
        let tasks: Vec<_> = tasks
            .map(|(task, count)| format!("{count} {task}"))
            .collect();
        let tasks = match tasks.join(", ").as_str() {
            "" => "none".to_string(),
            tasks => format!("{tasks} (`layby jobs list`)"),
        };
        let today = &self.today;
        lines.extend([
            format!("set aside   {tasks}"),
            format!(
                "unresolved  {} (`layby export payments --status unresolved`)",
                self.unresolved
            ),
            format!(
                "today       {} quotes, {} sales of {}, {} refunds of {}",
                today.quotes, today.sales, today.sold, today.refunds, today.refunded
            ),
        ]);
        lines
    }
}

fn format_size(bytes: u64) -> String {
    match bytes >> 20 {
        mebibytes if mebibytes < 10_240 => format!("{mebibytes} MiB"),
        mebibytes => format!("{} GiB", mebibytes >> 10),
    }
}
