//! `layby mail`.

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::execute::execute;
use super::print::print_line;
use super::setup::CommandError;
use crate::app::commands::StoreCommand;
use crate::app::letters::delivery::outbox::MailOrder;
use crate::config::Config;

/// Lists the letters that wait or were given up, tries them again, or forgets them. The shop may be
/// running.
#[derive(Args)]
pub(super) struct Mail {
    #[command(subcommand)]
    what: MailAction,
}

#[derive(Subcommand)]
enum MailAction {
    /// Lists the queued letters, the dead letters, and the addresses that refused their mail.
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
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let mail = match self.what {
            MailAction::List => MailOrder::List,
            MailAction::Requeue { letters } => MailOrder::Requeue(letters),
            MailAction::Forget { what } => MailOrder::Forget(what),
        };
        execute(config, StoreCommand::Mail(mail), &mut print_line)
    }
}
