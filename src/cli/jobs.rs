//! `layby jobs`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use uuid::Uuid;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::app::jobs::{JobQueue, JobsOrder};
use crate::config::Config;

/// Lists the jobs that were set aside, retries them, or deletes them. The shop may be running.
#[derive(Args)]
pub(super) struct Jobs {
    #[command(subcommand)]
    what: JobsAction,
}

#[derive(Subcommand)]
enum JobsAction {
    /// Lists the jobs that were set aside, and those that failed and wait for their next try.
    List {
        /// Lists only the jobs of this queue.
        #[arg(long, value_parser = PossibleValuesParser::new(JobQueue::ALL.map(JobQueue::name)))]
        queue: Option<String>,
    },
    /// Retries jobs at once. Without ids, retries all jobs that were set aside or failed.
    Retry {
        /// The jobs' ids, as listed.
        ids: Vec<Uuid>,
    },
    /// Deletes a job that was set aside, which is then never done. A payment or a refund that is owed needs
    /// `layby resolve` instead.
    Forget {
        /// The job's id, as listed.
        id: Uuid,
        /// The reason, for the log.
        #[arg(long, value_name = "TEXT")]
        why: String,
    },
}

impl Jobs {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let order = match self.what {
            JobsAction::List { queue } => {
                JobsOrder::List(queue.as_deref().and_then(JobQueue::by_name))
            }
            JobsAction::Retry { ids } => JobsOrder::Retry(ids),
            JobsAction::Forget { id, why } => JobsOrder::Forget { id, why },
        };
        execute(config, StoreCommand::Jobs(order), &mut print_line)
    }
}
