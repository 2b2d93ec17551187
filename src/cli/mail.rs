//! `layby mail`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::print::{repeat, say};
use super::setup::{self, Failure};
use crate::api::local::{self, Order};
use crate::app::mail::outbox::{self, MailOrder};
use crate::config::Config;

/// Lists the letters that wait or were given up, tries them again, or forgets them. The shop may be
/// running.
#[derive(Args)]
pub(super) struct Mail {
    /// Folder of the store.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// What waits, what was given up, and which addresses refused their mail.
    List,
    /// Tries letters at once: these, or all that wait for their next try or were given up.
    Requeue {
        /// The letters' ids, as listed.
        letters: Vec<Uuid>,
    },
    /// Never sends a letter, or forgets that an address refused its mail.
    Forget {
        /// Ids of letters, and addresses, as listed.
        #[arg(required = true)]
        what: Vec<String>,
    },
}

impl Mail {
    pub(super) fn run(self, config: &Config) -> Result<(), Failure> {
        setup::require_store(config)?;
        let mail = match self.what {
            What::List => MailOrder::List,
            What::Requeue { letters } => MailOrder::Requeue(letters),
            What::Forget { what } => MailOrder::Forget(what),
        };
        let order = Order::Mail { mail: mail.clone() };
        if local::ask(&config.server.data, &order, &mut repeat)? {
            return Ok(());
        }
        let (store, now) = (setup::existing_store(config)?, config.clock().now());
        let mut hear = |line: String| say(&line);
        let done = outbox::perform(&store, &mail, now, &mut hear);
        Ok(setup::runtime()?.block_on(done)?)
    }
}
