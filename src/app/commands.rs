//! Runs commands such as `layby mail` on the store of a running or a stopped shop.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::accounting::reconcile::{self, Reconciliation};
use crate::app::accounting::resolve::{self, Resolution};
use crate::app::accounting::unresolved;
use crate::app::backups::backup;
use crate::app::jobs::{self, JobsOrder};
use crate::app::letters::delivery::outbox::{self, MailOrder};
use crate::app::policies::cancellations::end_cover::{CoverEnd, end_cover};
use crate::app::policies::stop_charging::{ChargingStop, stop_charging};
use crate::app::products::check_versions;
use crate::app::{AppError, resume, status};
use crate::config::Config;
use crate::store::Store;
use crate::store::tables::{self, GoodBackup};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreCommand {
    /// Lists or changes the letters that wait or were set aside.
    Mail(MailOrder),
    /// Lists or changes the jobs that were set aside.
    Jobs(JobsOrder),
    /// Compares a gateway's payout report with the shop's records.
    Reconcile(Reconciliation),
    /// Records how a person resolved an item of the list `Unresolved`.
    Resolve(Resolution),
    /// Ends the charges of a policy's card.
    StopCharging(ChargingStop),
    /// Gives notice of the end of a policy, or withdraws the notice.
    EndCover(CoverEnd),
    /// Refuses product files that changed without a new version. Contains the hash of each product's files,
    /// by identifier and version.
    Products(BTreeMap<String, String>),
    /// Confirms that the clock is right, even if the store's newest write is later.
    ResumeClock,
    /// Records that a backup was read again and was the same.
    RecordBackup(GoodBackup),
    /// Releases a shop that is held after a restore, or only lists what its store lacks.
    Resume { is_dry_run: bool },
    /// Lists the money that needs a person. Each line is a JSON object.
    Unresolved,
    /// Describes the state of the shop, as a JSON object.
    Status,
}

impl StoreCommand {
    /// Returns whether a shop that is held after a restore refuses the command.
    const fn is_refused_while_held(&self) -> bool {
        match self {
            Self::Reconcile(_) | Self::Resolve(_) | Self::StopCharging(_) | Self::EndCover(_) => {
                true
            }
            Self::Jobs(order) => !matches!(order, JobsOrder::List(_)),
            Self::Mail(order) => !matches!(order, MailOrder::List),
            _ => false,
        }
    }
}

/// Executes a command, and appends its output to `lines`. `config` has the shop's settings. After an error, `lines` has the output before the
/// error.
///
/// # Errors
/// The reason, as a text for the operator.
pub async fn execute(
    (store, config): (&Store, &Config),
    command: &StoreCommand,
    now: DateTime<Utc>,
    lines: &mut Vec<String>,
) -> Result<(), String> {
    if command.is_refused_while_held()
        && store
            .read(|tx| tables::HELD_SHOP.has(tx, &()))
            .await
            .unwrap_or_default()
    {
        return Err("the shop is held after a restore: run `layby resume` first".to_string());
    }
    let done = match command {
        StoreCommand::Mail(order) => outbox::execute(store, order, now, lines).await,
        StoreCommand::Jobs(order) => jobs::execute(store, order, now, lines).await,
        StoreCommand::Reconcile(report) => {
            let done = reconcile::execute((store, config), report, now, lines).await;
            return done.map_err(|error| error.to_string());
        }
        StoreCommand::Resolve(resolution) => {
            let done = resolve::execute(store, resolution, now).await;
            done.map(|line| lines.push(line))
        }
        StoreCommand::StopCharging(order) => {
            let done = stop_charging(store, order, now).await;
            done.map(|line| lines.push(line))
        }
        StoreCommand::EndCover(order) => {
            let done = end_cover(store, order, now).await;
            done.map(|line| lines.push(line))
        }
        StoreCommand::Products(hashes) => {
            let new = store.read(|tx| check_versions(tx, hashes)).await;
            new.map(|new| lines.extend(new))
        }
        StoreCommand::ResumeClock => {
            let done = resume::confirm_clock(store, now).await;
            done.map(|line| lines.push(line))
        }
        StoreCommand::Status => {
            let status = status::status(store, config, now).await;
            status.map(|status| lines.extend(serde_json::to_string(&status)))
        }
        StoreCommand::Resume { is_dry_run } => {
            resume::resume((store, config), *is_dry_run, now, lines).await
        }
        StoreCommand::RecordBackup(good) => backup::record(store, good.clone(), now).await,
        StoreCommand::Unresolved => {
            let found = unresolved::list(store, config, now).await;
            found.map(|rows| lines.extend(rows.iter().flat_map(serde_json::to_string)))
        }
    };
    done.map_err(|error: AppError| error.log_text())
}
