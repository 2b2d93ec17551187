//! `layby mail`.

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::app::letters::delivery::outbox::MailOrder;
use crate::config::Config;

/// Lists the letters that wait or were given up, retries them, or deletes them. The shop may be running.
#[derive(Args)]
pub(super) struct Mail {
    #[command(subcommand)]
    what: MailAction,
}

#[derive(Subcommand)]
enum MailAction {
    /// Lists the letters that wait, the letters that were given up, and the addresses that refused mail.
    List,
    /// Retries letters at once. Without ids, retries all letters that failed and wait, or were given up.
    Requeue {
        /// The letters' ids, as listed.
        letters: Vec<Uuid>,
    },
    /// Deletes letters, which are then never sent. For an address, deletes the record that the address
    /// refused mail.
    Forget {
        /// Ids of letters, and addresses, as listed.
        #[arg(required = true)]
        what: Vec<String>,
    },
}

impl Mail {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let mail = match self.what {
            MailAction::List => MailOrder::List,
            MailAction::Requeue { letters } => MailOrder::Requeue(letters),
            MailAction::Forget { what } => MailOrder::Forget(what),
        };
        execute(config, StoreCommand::Mail(mail), &mut print_line)
    }
}
